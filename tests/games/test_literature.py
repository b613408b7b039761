"""The published rows: each can be named, has a game and a method, and counts what the papers count."""

import pytest

from saddlepoint import ALGORITHMS, BackwardInduction, Goofspiel, search
from saddlepoint.games.literature import ROWS, SOLVE, VALUE, Figure, Measured, Row, measure, rows_named

ONE = next(row for row in ROWS if row.name == "goofspiel5-win/bi")


def test_every_row_has_a_name_of_its_own_a_game_and_a_method() -> None:
    assert len({row.name for row in ROWS}) == len(ROWS)
    for row in ROWS:
        assert row.method in (SOLVE, VALUE) or row.method in ALGORITHMS
        assert type(row.game).__name__ == row.class_name


def test_rows_are_chosen_by_a_word_and_slow_ones_by_all_or_their_name() -> None:
    assert rows_named([]) == [row for row in ROWS if not row.slow]
    assert rows_named([], everything=True) == list(ROWS)
    assert {row.group for row in rows_named(["tron6"])} == {"tron6x6"}
    assert [row.name for row in rows_named(["tron6x6/bi"])] == ["tron6x6/bi", "tron6x6/bi_alphabeta"]
    assert all(row.method == SOLVE for row in rows_named(["/solve"]))
    with pytest.raises(ValueError, match="no row is called 'chess'; there are goofspiel5-win, "):
        rows_named(["tron", "chess"])


@pytest.mark.parametrize(
    ("published", "value", "ratio", "relation"),
    [
        (Figure(20.0), 0.0, 10.0, ""),
        (Figure(20.0, "<"), 0.0, 10.0, "<"),
        (Figure(20.0, ">"), 0.0, 10.0, ">"),
        (Figure(20.0), None, 10.0, "<"),
        (Figure(20.0, "<"), None, 10.0, "<"),
        (Figure(20.0, ">"), None, 10.0, "?"),
        (Figure(None), 0.0, None, ""),
    ],
)
def test_a_ratio_says_on_which_side_it_is(
    published: Figure, value: float | None, ratio: float | None, relation: str
) -> None:
    found = Measured(Row("one", "bi", "goofspiel", {}, published), 2.0, 2.0, 9, None, value)
    assert (found.ratio, found.ratio_relation, found.is_finished) == (ratio, relation, value is not None)


def test_stages_are_the_nodes_that_the_paper_counts() -> None:
    found = measure(ONE, 60.0)
    assert found.stages == 1 + 25 + 400 + 3600 + 14400
    assert found.value == pytest.approx(0.0) and found.is_finished and found.seconds > 0


@pytest.mark.plain
@pytest.mark.compiles_long
def test_positions_are_those_that_have_to_be_solved() -> None:
    oshi_zumo = next(row for row in ROWS if row.name == "oshi-zumo10/solve")
    assert measure(oshi_zumo, 60.0).positions == 149  # of 340, without images (175) and decided ones


def test_trons_value_is_searched_without_the_rule_of_symmetry() -> None:
    found = measure(next(row for row in ROWS if row.name == "tron5x6/value"), 60.0)
    assert found.value == 0.0 and found.stages is None and (found.positions or 0) > 1


def test_stages_of_stochastic_goofspiel_are_as_many_as_published() -> None:
    game = Goofspiel(5)
    counted = search(game, game.initial_state(), BackwardInduction(table=False), variation=False).statistics
    assert counted.stages == 2_184_505


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["goofspiel5-stochastic-win/bi_alphabeta", "goofspiel5-stochastic-points/bi_alphabeta"]
)
def test_stages_of_searches_with_bounds_are_nearly_as_many_as_published(name: str) -> None:
    (row,) = rows_named([name])
    stages = measure(row, 600.0).stages
    assert stages is not None and row.published.nodes is not None
    assert (
        abs(stages / row.published.nodes - 1) < 0.003
    )  # the paper does not say in which order it tries moves


@pytest.mark.parametrize("name", ["goofspiel7-points/bi", "goofspiel7-win/solve"])
def test_what_takes_too_long_is_stopped_and_told_so(name: str) -> None:
    found = measure(next(row for row in ROWS if row.name == name), 0.001)
    assert not found.is_finished and found.value is None
    assert found.to_json()["finished"] is False
