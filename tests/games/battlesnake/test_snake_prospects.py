"""The network's view of two snakes."""

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import pytest

from helpers.battlesnake_positions import random_positions
from saddlepoint.algorithms import Limits
from saddlepoint.boards.longest_path import solve_fill
from saddlepoint.games import battlesnake
from saddlepoint.games.battlesnake import Battlesnake, Snake, SnakeProspects
from saddlepoint.games.battlesnake.snake_prospects import (
    SmallBoards,
    SnakeNetwork,
)
from saddlepoint.games.catalogue.make import make_player
from saddlepoint.players.clock import ENDLESS

pytestmark = [pytest.mark.plain, pytest.mark.compiles_long]

GAME = Battlesnake(7, 7, minimum_food=3)
CONSTRICTOR = Battlesnake(7, 7, mode="constrictor", map="empty")
PROSPECTS = SnakeProspects()
FOLDER = Path(battlesnake.__file__).parent


def mirrored(game, state, exchanged):
    """The position upside down (False), or with the players exchanged (True)."""

    def there(cell):
        x, y = game.position(cell)
        return cell if exchanged else game.cell(x, game.height - 1 - y)

    snakes = [game.snake(state, player) for player in ((1, 0) if exchanged else (0, 1))]
    snakes = [Snake(tuple(there(cell) for cell in snake.cells), snake.health) for snake in snakes]
    food = [there(cell) for cell in range(game.grid.stride * game.height) if int(state.food[0]) >> cell & 1]
    return game.state_of(snakes, food, (), state.round)


@pytest.mark.parametrize("game", [GAME, CONSTRICTOR], ids=["standard", "constrictor"])
def test_it_is_bounded_and_does_not_care_who_is_who_or_which_way_is_up(game):
    values = set()
    for state in random_positions(game, 60, 3):
        value = PROSPECTS.evaluate(game, state)
        assert -1.0 <= value <= 1.0
        assert PROSPECTS.evaluate(game, mirrored(game, state, exchanged=True)) == pytest.approx(
            -value, abs=1e-5
        )
        assert PROSPECTS.evaluate(game, mirrored(game, state, exchanged=False)) == pytest.approx(
            value, abs=1e-5
        )
        values.add(round(value, 3))
    assert len(values) > 20


@dataclass(frozen=True)
class Standard(SnakeNetwork):
    """The weights of 11x11 on any board."""

    weights_file: ClassVar[str] = "standard.weights"

    def __post_init__(self) -> None:
        object.__setattr__(self, "weights", str(FOLDER / self.weights_file))
        super().__post_init__()


@pytest.mark.parametrize(("side", "network"), [(8, SmallBoards), (9, Standard)])
def test_boards_of_at_most_64_cells_have_weights_of_their_own_and_the_others_those_of_11x11(side, network):
    game = Battlesnake(side, side, minimum_food=3)
    for state in random_positions(game, 5, 2):
        lead = 2 * network(count_nodes=0).lead(game, state)
        assert SnakeProspects(scale=0.0, count_nodes=0).evaluate(game, state) == pytest.approx(lead, abs=1e-5)


def test_weights_of_a_file_are_for_all_boards():
    given = SnakeProspects(scale=0.0, weights=str(FOLDER / "standard.weights"))
    for state in random_positions(GAME, 5, 2):
        assert given.evaluate(GAME, state) == pytest.approx(2 * Standard().lead(GAME, state), abs=1e-5)
        assert given.evaluate(GAME, state) != SnakeProspects(scale=0.0).evaluate(GAME, state)


def position(text):
    return GAME.from_text("battlesnake 7x7 round 30\n" + text)


@pytest.mark.parametrize(
    ("text", "good"),
    [
        # Food is four steps away along the edge, and so is the end: any step aside starves.
        ("snake 0 health 4: 1,0 0,0 0,1 0,2\nsnake 1 health 90: 3,6 4,6 5,6\nfood: 5,0", "right"),
        # Below is the one cell that the longer snake's head may come to as well.
        ("snake 0 health 90: 3,2 3,3 2,3\nsnake 1 health 90: 3,0 4,0 5,0 6,0 6,1\nfood: 0,6", "not down"),
    ],
    ids=["starving", "a longer head"],
)
def test_best_finds_the_good_move(text, good):
    state = position(text)
    player = make_player("best", GAME, Limits(depth=4))
    player.begin(GAME, 0, 1)
    chosen = GAME.action_to_string(state, 0, player.choose(state, ENDLESS).action)
    assert chosen != good.removeprefix("not ") if good.startswith("not ") else chosen == good
    player.close()


SEPARATED = """battlesnake 11x11 round 35
snake 0 health 100: 7,4 8,4 8,5 7,5 6,5 6,4 5,4 5,3 4,3 4,4 4,5 5,5 5,6 4,6 3,6 3,7 3,8 3,9 3,10 4,10 5,10 6,10 7,10 8,10 9,10 10,10 \
10,9 10,8 9,8 9,7 8,7 8,8 7,8 7,9 8,9 9,9 9,9
snake 1 health 100: 10,3 9,3 9,2 10,2 10,1 10,0 9,0 9,1 8,1 8,0 7,0 6,0 5,0 4,0 3,0 2,0 1,0 0,0 0,1 1,1 1,2 0,2 0,3 0,4 1,4 2,4 3,4 \
3,5 2,5 1,5 1,6 2,6 2,7 1,7 1,8 1,9 1,9
"""


def test_in_constrictor_close_endgames_of_separated_snakes_are_counted():
    # By the bounds of blocks and colours player 0 can make a step more; both can make 18.
    game = Battlesnake(mode="constrictor", map="empty")
    state = game.from_text(SEPARATED)
    walls = tuple(
        int(a) | int(b) | int(c) for a, b, c in zip(state.body0, state.body1, game.outside, strict=True)
    )
    assert [
        (one.lower, one.upper)
        for one in (solve_fill(game.grid, walls, int(game.head(state, p))) for p in (0, 1))
    ] == [(18, 18)] * 2
    assert PROSPECTS.evaluate(game, state) == 0.0
