"""Text for people: numbers as they are meant, bars in one line, and tables that fit their terminal and cut no word."""

import re

import pytest
from hypothesis import given, strategies as some

from saddlepoint.cli.fit import curves
from saddlepoint.system.text import (
    Column,
    error_line,
    lay_out,
    sparkline,
    value_text,
    worth_text,
    wrapped,
)


@pytest.mark.plain
@pytest.mark.parametrize(
    ("value", "form", "text"),
    [
        (-2.57606436e-17, "+.9g", "+0"),
        (-3.46944695e-18, ".12g", "0"),
        (2.08166817117e-17, ".12g", "0"),
        (-0.0, "+.2f", "+0.00"),
        (-0.004, "+.2f", "+0.00"),
        (-0.00004, "+.4f", "+0.0000"),
        (-0.0, "g", "0"),
        (-0.006, "+.2f", "-0.01"),
        (0.492781190839, "+.9g", "+0.492781191"),
        (-1e-8, "+.9g", "-1e-08"),
        (float("-inf"), "+.2f", "-inf"),
    ],
)
def test_a_value_that_is_0_has_no_minus_and_no_exponent(value: float, form: str, text: str) -> None:
    assert value_text(value, form) == text


@pytest.mark.plain
@pytest.mark.parametrize(
    ("value", "text"),
    [(0.5, "+0.50"), (-0.5, "\N{MINUS SIGN}0.50"), (0.004, "0.00"), (-0.004, "0.00"), (0.0, "0.00")],
)
def test_a_value_in_a_sentence_has_a_true_minus_and_0_no_sign(value: float, text: str) -> None:
    assert worth_text(value) == text


@pytest.mark.plain
@pytest.mark.parametrize(
    ("error", "line"),
    [
        (ValueError("no\nmove"), "no"),
        (ValueError(), "ValueError"),
        (KeyError("a"), "'a'"),
        (OSError("\nx"), "OSError"),
    ],
)
def test_an_error_is_one_line_also_where_it_says_nothing(error: Exception, line: str) -> None:
    assert error_line(error) == line


@pytest.mark.plain
def test_an_error_that_quotes_a_whole_file_is_cut() -> None:
    assert error_line(ValueError("x" * 5000)) == "x" * 1000 + "..."


# -- bars ----------------------------------------------------------------------------------------------------------------


def test_the_least_is_the_lowest_bar_and_the_greatest_the_highest() -> None:
    assert sparkline([3.0, 1.0, 2.0]) == "█▁▅"
    assert sparkline([7.0, 7.0]) == "▅▅"


@given(some.lists(some.floats(-1e6, 1e6), min_size=1, max_size=30))
def test_there_is_a_bar_for_each_number_and_a_greater_one_is_not_lower(values: list[float]) -> None:
    bars = sparkline(values)
    assert len(bars) == len(values)
    ordered = [bar for _, bar in sorted(zip(values, bars, strict=True))]
    assert ordered == sorted(ordered)


def test_a_fit_shows_the_figures_that_it_has_two_of() -> None:
    generations = [
        {"held_out": entropy, "score": 0.5, "nash_conv": distance}
        for entropy, distance in ((0.6, None), (0.5, None), (0.4, 0.1))
    ]
    lines = list(curves(generations))
    assert [line.split()[-1] for line in lines] == ["0.4", "0.5"]
    assert "0.6 █▅▁ 0.4" in lines[0]
    assert list(curves(generations[:1])) == []


# -- tables --------------------------------------------------------------------------------------------------------------

SPECS = (
    "alphabeta(evaluator=voronoi_edges(k1=0.125, k2=0.25), table=false, killers=true, depth=12, choice=mixture)",
    "cmd:/home/somebody/contest/bots/the_very_best_bot_of_them_all --threads 2 --book openings.bin",
    "random",
)
COLUMNS = (
    Column(""),
    Column("player", wraps=True),
    Column("Elo"),
    Column("games", weight=3),
    Column("score"),
    Column("late", weight=2),
    Column("nodes/s", weight=1),
)
ROWS = [(rank, spec, "+12345", 100000, "100.0 %", 12, "123,456,789") for rank, spec in enumerate(SPECS, 1)]


@pytest.mark.parametrize("width", [60, 80, 120, 200, None])
def test_elo_and_score_are_there_at_every_width(width: int | None) -> None:
    lines, left_out = lay_out(COLUMNS, ROWS, width)
    assert max(map(len, lines)) <= (width or 10_000)
    assert {"Elo", "score", "player"} <= set(lines[0].split())
    assert sum("+12345" in line and "100.0 %" in line for line in lines) == len(ROWS)
    assert set(left_out) <= {"nodes/s", "late", "games"}


def test_the_least_important_column_goes_first() -> None:
    gone = [tuple(lay_out(COLUMNS, ROWS, width)[1]) for width in range(100, 40, -1)]
    assert gone[0] == ()
    assert gone[-1] == ("games", "late", "nodes/s")
    assert list(dict.fromkeys(gone)) == [(), ("nodes/s",), ("late", "nodes/s"), ("games", "late", "nodes/s")]


def test_without_a_width_a_row_is_a_line() -> None:
    assert len(lay_out(COLUMNS, ROWS)[0]) == 1 + len(ROWS)


def test_figures_stand_at_the_right_and_text_at_the_left() -> None:
    assert lay_out(
        (Column("name", text=True), Column("n"), Column("s")), [("a", 10, "0.5"), ("abcde", 9, "-1")]
    )[0] == [
        "name    n    s",
        "a      10  0.5",
        "abcde   9   -1",
    ]


@pytest.mark.parametrize("width", [24, 30, 41, 58])
@pytest.mark.parametrize("spec", SPECS)
def test_texts_are_broken_after_a_mark_unless_a_word_fills_the_line(spec: str, width: int) -> None:
    lines = wrapped(spec, width)
    assert all(len(line) <= width for line in lines)
    assert "".join("".join(lines).split()) == "".join(spec.split())
    rest = spec
    for line in lines:
        assert rest.startswith(line)
        after = rest[len(line) :]
        # It goes on after a blank or a mark, not between two letters.
        assert not re.match(r"[^\W_]", after) or re.search(r"[\W_]$", line) or len(line) == width
        rest = after.lstrip()


def test_a_word_longer_than_the_line_is_all_there() -> None:
    assert "".join(wrapped("x" * 100, 30)) == "x" * 100


def test_a_cell_is_one_line_whatever_is_in_it() -> None:
    assert lay_out((Column("name", wraps=True),), [("a\nb\x1b[2J[/x]",)])[0][1] == r"a\nb\x1b[2J[/x]"


def test_wide_characters_take_two_columns() -> None:
    lines = lay_out((Column("name", text=True), Column("n")), [("日本", 1), ("abcd", 2)])[0]
    assert lines[1:] == ["日本  1", "abcd  2"]
