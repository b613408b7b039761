"""Searches of Battlesnake: chance has room for all of its outcomes, and without it the same positions are searched."""

import pytest

from helpers.sizes import COMPILED_ONLY
from saddlepoint import (
    SMAB,
    BackwardInduction,
    Battlesnake,
    DoubleOracle,
    DoubleOracleBounds,
    Limits,
    SaddlePruning,
    SerialisedAlphaBeta,
    search,
)
from saddlepoint.algorithms.table import deepest_of

pytestmark = [pytest.mark.plain, pytest.mark.compiles_long]

GAME = Battlesnake(7, 7)
MEETING = (
    "battlesnake 7x7 round 9\nsnake 0 health 90: 2,3 1,3 0,3 0,2\nsnake 1 health 90: 4,3 5,3 6,3\nfood: 3,3"
)
SHUT_IN = "battlesnake 7x7 round 9\nsnake 0 health 90: 0,0 1,0 1,1 0,1 0,2 0,3 0,4\nsnake 1 health 90: 5,5 5,4 5,3\nfood: 3,3"


@pytest.mark.parametrize(
    "algorithm",
    [
        *(
            pytest.param(one, marks=COMPILED_ONLY)
            for one in (BackwardInduction(), SaddlePruning(), SMAB(), DoubleOracle())
        ),
        DoubleOracleBounds(),
    ],
    ids=str,
)
def test_searches_agree_where_chance_may_bring_food(algorithm):
    state = GAME.from_text(MEETING)
    assert search(GAME, state, algorithm, Limits(depth=2), variation=False).value == pytest.approx(
        search(GAME, state, BackwardInduction(), Limits(depth=2), variation=False).value
    )


def test_a_snake_that_is_shut_in_has_lost():
    found = search(GAME, GAME.from_text(SHUT_IN), SerialisedAlphaBeta(), Limits(depth=2))
    assert (found.value, found.exact) == (-1.0, True)


@COMPILED_ONLY
def test_without_chance_the_same_positions_are_searched():
    quiet, state = GAME.quiet(), GAME.from_text(MEETING)
    found = search(quiet, state, BackwardInduction(), Limits(depth=3), variation=False)
    assert (
        found.statistics.nodes
        < search(GAME, state, BackwardInduction(), Limits(depth=2), variation=False).statistics.nodes
    )
    assert quiet.max_chance_plies == 0
    assert quiet._numba_type_ == GAME._numba_type_  # nothing is compiled for it


@pytest.mark.parametrize(
    ("game", "deepest"),
    [
        (GAME.quiet(), 256),
        (GAME, 128),
        (Battlesnake(mode="royale", minimum_food=2), 64),
        (Battlesnake(max_rounds=20), 40),
    ],
)
def test_chance_counts_among_the_plies_that_a_search_has_memory_for(game, deepest):
    assert deepest_of(game) == deepest
