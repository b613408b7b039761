"""The counts of ten positions: all sixteen pairs of moves wherever both live, without chance."""

import numpy as np
import pytest

from saddlepoint.compiled import PLAIN_PYTHON, jit, run
from saddlepoint.games.battlesnake import Battlesnake
from saddlepoint.games.battlesnake.state import DEAD

pytestmark = pytest.mark.plain

POSITIONS = {
    "A": (
        Battlesnake(),
        """
        snake 0 health 100: 1,1 1,1 1,1
        snake 1 health 100: 9,9 9,9 9,9
        food: 0,2 10,8 5,5""",
        (
            (16, 0, 0, 0),
            (100, 60, 60, 36),
            (484, 396, 396, 324),
            (3136, 1792, 1792, 1024),
            (22500, 11100, 11100, 5476),
        ),
    ),
    "B": (
        Battlesnake(7, 7),
        """
        snake 0 health 100: 1,3 1,3 1,3
        snake 1 health 100: 3,1 3,1 3,1
        food: 0,4 4,0 3,3""",
        (
            (16, 0, 0, 0),
            (115, 55, 55, 31),
            (701, 438, 438, 263),
            (4429, 2639, 2639, 1509),
            (26665, 17116, 17116, 9967),
        ),
    ),
    "C": (
        Battlesnake(7, 7),
        """
        snake 0 health 90: 2,3 1,3 0,3 0,2
        snake 1 health 90: 4,3 5,3 6,3
        food: 3,3""",
        (
            (8, 4, 3, 1),
            (54, 32, 28, 14),
            (414, 192, 182, 76),
            (2878, 1420, 1570, 756),
            (17492, 11000, 11070, 6486),
        ),
    ),
    "D": (
        Battlesnake(7, 7),
        """
        snake 0 health 50: 2,2 2,3 3,3 3,2
        snake 1 health 60: 4,4 4,5 5,5 5,4 5,4
        food: 3,4""",
        (
            (6, 6, 2, 2),
            (51, 18, 21, 6),
            (353, 175, 199, 89),
            (2118, 1164, 1591, 775),
            (11369, 7294, 9762, 5463),
        ),
    ),
    "E": (
        Battlesnake(7, 7),
        """
        snake 0 health 2: 3,3 2,3 1,3
        snake 1 health 1: 5,5 5,4 5,3
        food: 5,6 3,4 2,4""",
        ((3, 9, 1, 3), (6, 6, 18, 18), (21, 40, 12, 23), (107, 120, 52, 57), (596, 466, 374, 276)),
    ),
    "F": (
        Battlesnake(7, 7, "wrapped"),
        """
        snake 0 health 30: 0,0 6,0 6,6 5,6
        snake 1 health 40: 0,4 0,5 0,6 1,6
        food: 6,1 0,3""",
        (
            (6, 2, 6, 2),
            (53, 18, 19, 6),
            (418, 155, 197, 78),
            (3244, 1512, 1290, 642),
            (25964, 10571, 10709, 4660),
        ),
    ),
    "G": (
        Battlesnake(7, 7, "constrictor", "empty"),
        """
        snake 0 health 100: 1,3 1,3 1,3
        snake 1 health 100: 3,1 3,1 3,1
        food:""",
        (
            (16, 0, 0, 0),
            (115, 55, 55, 31),
            (701, 434, 434, 271),
            (3061, 2863, 2863, 2429),
            (14069, 12477, 12477, 9953),
        ),
    ),
    "H": (
        Battlesnake(7, 7, "wrapped_constrictor", "empty"),
        """
        snake 0 health 100: 1,1 1,1 1,1
        snake 1 health 100: 5,5 5,5 5,5
        food:""",
        (
            (16, 0, 0, 0),
            (144, 48, 48, 16),
            (1276, 432, 432, 164),
            (9076, 4454, 4454, 2432),
            (64234, 31642, 31642, 17698),
        ),
    ),
    "I": (
        Battlesnake(7, 7, hazard_stack=4),
        """
        snake 0 health 30: 1,1 1,2 1,3
        snake 1 health 16: 5,5 5,4 5,3
        food: 0,1 6,5
        hazards: 0,0 0,1 0,2 6,5 6,6 5,6 5,6""",
        (
            (6, 6, 2, 2),
            (35, 21, 25, 15),
            (140, 140, 140, 140),
            (895, 490, 546, 309),
            (6012, 3331, 3215, 1762),
        ),
    ),
    "J": (
        Battlesnake(7, 7),
        """
        snake 0 health 100: 0,0 0,1 1,1 2,1 2,0 3,0
        snake 1 health 100: 6,6 6,5 5,5 4,5 4,6 3,6
        food: 1,0""",
        ((1, 3, 3, 9), (0, 0, 4, 12), (0, 0, 0, 0), (0, 0, 0, 0), (0, 0, 0, 0)),
    ),
}


@jit
def count(game, state, depth, found):
    """Add up what becomes of the lines of `depth` rounds, shape (depth + 1, 4), by the rounds that are left after it."""
    for action0 in range(4):
        for action1 in range(4):
            after = game.next_state(state, action0, action1)
            if after.due != 0:
                after = game.next_state(after, game.quiet_outcome(after), -1)
            dead0, dead1 = after.snake0 & DEAD, after.snake1 & DEAD
            kind = 3 if dead0 and dead1 else 2 if dead0 else 1 if dead1 else 0
            found[depth, kind] += 1
            if kind == 0 and depth > 1:
                count(game, after, depth - 1, found)


def check(name, depth):
    game, text, expected = POSITIONS[name]
    found = np.zeros((depth + 1, 4), np.int64)
    state = game.from_text(f"battlesnake {game.width}x{game.height} round 3\n{text}")
    run(count, game, state, depth, found)
    assert [tuple(row) for row in found[:0:-1].tolist()] == list(expected[:depth])


@pytest.mark.parametrize("name", [name for name in POSITIONS if name not in "AI"])
def test_the_counts_of_a_small_board(name):
    check(name, 3 if PLAIN_PYTHON else 5)


@pytest.mark.compiles_long
@pytest.mark.parametrize("name", "AI")  # states of other shapes
def test_the_counts_of_the_official_board_and_of_hazards(name):
    check(name, 3 if PLAIN_PYTHON else 5)
