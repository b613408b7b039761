"""What Tron says is worth the same: images of a position, and cells that nobody can reach."""

from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings, strategies

from helpers.ways import distances
from saddlepoint.game.base import TERMINAL
from saddlepoint.games.tron import Tron
from saddlepoint.games.tron.game import State
from saddlepoint.solvers.general import Solution, certificate_of
from saddlepoint.solvers.general.solve import solve_positions

pytestmark = pytest.mark.plain

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


@pytest.mark.parametrize("game", [SQUARE, OBLONG], ids=repr)
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


@pytest.mark.parametrize("game", [SQUARE, OBLONG], ids=repr)
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
    reached = distances(heads, lambda cell: marks.get(cell) == ".")
    assert blocked == {cell: mark if mark != "." or cell in reached else "x" for cell, mark in marks.items()}


def marks_of(game: Tron, state: State) -> dict[tuple[int, int], str]:
    """The marks of a position by their cells."""
    rows = game.to_text(state).splitlines()
    return {(x, y): mark for y, row in enumerate(rows) for x, mark in enumerate(row)}


@given(positions(SQUARE).filter(lambda one: going_on(SQUARE, one)))
@settings(deadline=None, max_examples=20)
def test_every_position_after_any_has_its_value_folded_and_whole(state: State) -> None:
    kept, whole = (Solution.of(solve_positions(SQUARE, state, fold=fold)) for fold in (True, False))
    assert len(kept) <= len(whole)
    for one in whole.states():
        assert kept.value_of(one) == pytest.approx(whole.value_of(one), abs=1e-9)
    assert set(kept.states()) == set(whole.states())
    assert certificate_of(kept).worst_gap < 1e-9
