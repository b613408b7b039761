"""Forced wins and losses of Simplexity, against plain minimax, known boards and positions of strong games."""

import pytest
from hypothesis import given, settings, strategies as st

import plain_simplexity
from saddlepoint.games.simplexity import Simplexity
from saddlepoint.solvers.simplexity import ForcedSearch

SIZES = [
    (3, 3, 3, 2, 3), (3, 3, 2, 2, 2), (2, 4, 3, 1, 3), (4, 2, 2, 3, 1), (3, 3, 3, 1, 4, "own"), (3, 4, 3, 0, 6),
    (3, 4, 4, 3, 3), (4, 3, 3, 1, 1), (3, 3, 1, 1, 1), (1, 7, 3, 2, 2), (4, 3, 4, 6, 0), (3, 3, 3, 9, 9),
]  # fmt: skip
SEARCHES = {size: ForcedSearch(Simplexity(*size), 1) for size in SIZES}


def some_drops(game, draw, most):
    """Legal drops from the start that do not end the game."""
    board, drops = plain_simplexity.board_of(game), []
    for _ in range(draw(st.integers(0, most))):
        drop = draw(st.sampled_from(board.legal()))
        after = board.play(*drop)
        if after.outcome() is not None:
            break
        board, drops = after, [*drops, drop]
    return drops


def text(drops):
    return ",".join(f"{column}{shape}" for column, shape in drops) or "-"


@settings(max_examples=150)
@given(st.data())
def test_value_and_distance_are_those_of_plain_minimax(data):
    size = data.draw(st.sampled_from(SIZES))
    game = Simplexity(*size)
    drops = some_drops(game, data.draw, 8)
    plies = data.draw(st.integers(0, 6 if game.last_move - len(drops) > 7 else 12))
    found = SEARCHES[size].search(game.after(text(drops)), plies)
    assert (found.value, found.plies) == plain_simplexity.forced(game, drops, plies)
