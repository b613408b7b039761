"""The fallback's moves: never into an obstacle while there is a free cell, and towards the larger space."""

import random

from saddlepoint.games.light_riders import DIRECTIONS, LightRiders
from saddlepoint.protocols.riddles.fallback import fallback_move

GAME = LightRiders(10, 9)


def test_it_takes_the_larger_space() -> None:
    rows = [
        "..x.....",
        "..x.....",
        "xx0.....",
        "..x.....",
        "........",
        ".......1",
    ]
    assert fallback_move(rows, 0) == "right"


def test_no_free_neighbour_or_no_head_is_a_pass() -> None:
    assert fallback_move(["0x..", "x...", "...1"], 0) == "pass"
    assert fallback_move(["....", "...1"], 0) == "pass"


def test_it_survives_as_long_as_one_step_can_tell() -> None:
    draw = random.Random(5)
    for _ in range(20):
        state = GAME.initial_state(draw.randint(1, 3), draw.randint(1, 7))
        while GAME.players_to_act(state):
            moves = [0, 0]
            for player in (0, 1):
                free = GAME.search_actions(state, player)
                name = fallback_move(GAME.field(state), player)
                moves[player] = free[0] if name == "pass" else DIRECTIONS.index(name)
                assert moves[player] in free
            state = GAME.next_state(state, *moves)
