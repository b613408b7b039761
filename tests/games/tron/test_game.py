"""Tron by its rules, with the published counts and values; images of a position, and cells that nobody can reach.

Positions a depth from opposite corners: 3 x 3, 4 x 4 are published (Bosansky et al., Artificial Intelligence 237, 2016, by their
convention that the game ends as soon as either player has no free neighbour); the others are those of tests/helpers/reference_rounds.py.
"""

from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings, strategies

from helpers.reference_boards import steps
from saddlepoint import TERMINAL, Tron
from saddlepoint.games.tron.game import State
from saddlepoint.solvers.general import Solution
from saddlepoint.solvers.general.solve import solve_positions

pytestmark = pytest.mark.plain
HISTORIES = {
    (3, 3): [1, 4, 6, 2],
    (4, 4): [1, 4, 16, 76, 172, 162, 66],
}


@pytest.mark.compiles_long
@pytest.mark.parametrize("size", HISTORIES)
def test_histories_from_opposite_corners_are_the_published_ones(size: tuple[int, int]) -> None:
    game = Tron(*size)
    layer, counts = [game.initial_state()], list[int]()
    while layer:
        counts.append(len(layer))
        joint = [(s, a, b) for s in layer for a in game.legal_actions(s, 0) for b in game.legal_actions(s, 1)]
        layer = [
            after for after in (game.advance(*one) for one in joint) if game.current_player(after) != TERMINAL
        ]
    assert counts == HISTORIES[size]


@pytest.mark.compiles_long
def test_obstacles_and_starts_are_where_they_are_said() -> None:
    game = Tron(4, 3, "3,0 1,2", "0,0 2,1")
    assert game.to_text(game.initial_state()) == "x..0\n..x.\n.1.."
    assert game.to_text(game.initial_state(((1, 0), (2, 0)))) == "x01.\n..x.\n...."


# -- images --------------------------------------------------------------------------------------------------------------

SQUARE, OBLONG = Tron(4, 4), Tron(4, 3)


@cache
def value(game: Tron, state: State) -> float:
    """What a position is worth when nothing is folded."""
    return Solution.of(solve_positions(game, state)).value


@strategies.composite
def positions(draw: Any, game: Tron) -> State:
    """Any two heads among any walls."""
    marks = draw(
        strategies.lists(
            strategies.sampled_from(".x"),
            min_size=game.width * game.height,
            max_size=game.width * game.height,
        )
    )
    heads = draw(
        strategies.lists(strategies.integers(0, len(marks) - 1), min_size=2, max_size=2, unique=True)
    )
    for head, mark in zip(heads, "01", strict=True):
        marks[head] = mark
    rows = ["".join(marks[k : k + game.width]) for k in range(0, len(marks), game.width)]
    return game.from_text("\n".join(rows))


def going_on(game: Tron, state: State) -> bool:
    return game.current_player(state) != TERMINAL


@pytest.mark.compiles_long
@pytest.mark.parametrize("game", [pytest.param(SQUARE, marks=pytest.mark.compiles_long), OBLONG], ids=repr)
@given(data=strategies.data())
@settings(deadline=None)
def test_all_images_have_one_that_stands_for_them_and_are_worth_what_it_is(
    game: Tron, data: strategies.DataObject
) -> None:
    state = data.draw(positions(game).filter(lambda one: going_on(game, one)))
    kept, exchanged = game.canonical(state)
    assert value(game, kept) == pytest.approx(
        -value(game, state) if exchanged else value(game, state), abs=1e-12
    )
    images = [(state, False), *((image.state, image.swap) for image in game.symmetries(state))]
    assert (kept, exchanged) in images
    assert {game.canonical(image)[0] for image, _ in images} == {kept}


@pytest.mark.parametrize("game", [pytest.param(SQUARE, marks=pytest.mark.compiles_long), OBLONG], ids=repr)
@given(data=strategies.data())
@settings(deadline=None)
def test_cells_that_nobody_reaches_are_blocked_and_change_nothing(
    game: Tron, data: strategies.DataObject
) -> None:
    state = data.draw(positions(game).filter(lambda one: going_on(game, one)))
    bare, score = game.without_score(state)
    assert score == 0
    assert value(game, bare) == value(game, state)
    marks, blocked = (marks_of(game, one) for one in (state, bare))
    heads = [cell for cell, mark in marks.items() if mark in "01"]
    reached = steps(heads, lambda cell: marks.get(cell) == ".")
    assert blocked == {cell: mark if mark != "." or cell in reached else "x" for cell, mark in marks.items()}


def marks_of(game: Tron, state: State) -> dict[tuple[int, int], str]:
    """The marks of a position by their cells."""
    rows = game.to_text(state).splitlines()
    return {(x, y): mark for y, row in enumerate(rows) for x, mark in enumerate(row)}
