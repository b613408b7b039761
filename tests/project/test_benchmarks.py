"""The benchmarks load, and the table of the literature says what was measured, when and with which code."""

import re
from pathlib import Path

import pytest
from literature_table import DATA, PAGE, WITH, line, table, with_rows, written

from helpers.programs import output_of
from saddlepoint import solve
from saddlepoint.arena.openings import openings_from
from saddlepoint.games.battlesnake import Battlesnake
from saddlepoint.games.goofspiel import Goofspiel
from saddlepoint.games.literature import (
    COLUMNS,
    ROWS,
    cells,
    measure,
    published_cells,
    rows_named,
)
from saddlepoint.solvers.general import save_solution

FOLDER = Path(__file__).parents[2] / "benchmarks"


@pytest.mark.slow
def test_the_benchmarks_load() -> None:
    programs = sorted(path.stem for path in FOLDER.glob("*.py"))
    assert "search_speed" in programs
    load = "import importlib, sys; sys.path.insert(0, sys.argv[1]); print(*map(importlib.import_module, sys.argv[2:]))"
    output_of("-c", load, FOLDER, *programs)


@pytest.mark.slow
def test_openings_with_long_snakes_are_made_and_the_same_again(tmp_path: Path) -> None:
    game, files = Battlesnake(7, 7), (tmp_path / "one.txt", tmp_path / "two.txt")
    board, bounds = (
        ("--width", "7", "--height", "7"),
        ("--games", "6", "--nodes", "60", "--long", "14", "--most", "2"),
    )
    for file in files:
        output_of(FOLDER / "battlesnake_openings.py", file, *board, *bounds)
    states = [game.from_text(text) for text in openings_from(game, files[0])]
    assert states
    assert all(len(game.snake(state, 0).cells) + len(game.snake(state, 1).cells) >= 14 for state in states)
    assert files[0].read_text() == files[1].read_text()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "told"),
    [
        (
            ("fit_counts.py", game, "--games", "40", "--rounds", "1", "--depth", "1"),
            ("round 1: ", "new against old, 20 games: "),
        )
        for game in ("othello", "connect_four")
    ]
    + [
        (
            ("fit_hands.py", "--points", "6", "--win", "6"),
            ("points, 6 cards, weights: ", "win, 6 cards, weights and spread: "),
        )
    ],
    ids=lambda words: " ".join(words[:2]),
)
def test_weights_are_fitted(words: tuple[str, ...], told: tuple[str, str]) -> None:
    found = output_of(FOLDER / words[0], *words[1:])
    assert told[0] in found and told[1] in found


@pytest.mark.slow
def test_losses_are_told_by_a_solution(tmp_path: Path) -> None:
    save_solution(tmp_path / "five.sol", solve(Goofspiel(5)))
    asked = ("--nodes", "200", "--games", "2")
    found = output_of(
        FOLDER / "losses_to_solution.py",
        str(tmp_path / "five.sol"),
        "goofspiel(cards=5)",
        "best",
        "random",
        *asked,
    )
    losses = re.findall(r"^(\w+): ([\d.]+) \+- ", found, re.MULTILINE)
    assert [name for name, _ in losses] == ["best", "random"]
    assert float(losses[0][1]) < 1e-6 < 0.1 < float(losses[1][1])


# -- the table of the literature -----------------------------------------------------------------------------------------

TEXT = DATA.read_text(encoding="utf-8")
TABLE = table(TEXT)
QUICK = ("goofspiel5-win/bi", "oshi-zumo10/solve")


def test_it_has_every_row_in_the_order_and_the_form_of_the_program() -> None:
    assert list(TABLE) == [row.name for row in ROWS]
    assert written(TABLE) == TEXT


def test_the_page_shows_rows_as_they_are_in_the_file() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert with_rows(page, TABLE) == page
    assert sum(line(row) in page for row in TABLE.values()) > 5


def test_what_is_published_stands_in_it() -> None:
    for row in ROWS:
        told = published_cells(row)
        assert {head: TABLE[row.name][head] for head in told if told[head]} == {
            head: text for head, text in told.items() if text
        }


def test_every_figure_says_when_and_with_which_code_it_was_measured() -> None:
    assert not [name for name, row in TABLE.items() if row["here"] and not all(row[head] for head in WITH)]
    assert not [name for name, row in TABLE.items() if not row["here"] and any(row[head] for head in WITH)]


@pytest.mark.parametrize(
    "name",
    [
        *QUICK,
        *(pytest.param(row.name, marks=pytest.mark.slow) for row in rows_named([]) if row.name not in QUICK),
    ],
)
def test_what_is_found_here_is_what_it_says(name: str) -> None:
    (row,) = (row for row in rows_named([name]) if row.name == name)
    found = cells(measure(row, 3600.0))
    same = [head for head in COLUMNS if head not in ("here", "times as fast")]
    assert {head: TABLE[name][head] for head in same} == {head: found[head] for head in same}


def test_a_row_written_again_leaves_the_others_as_they_are() -> None:
    name = next(iter(TABLE))
    again = written(TABLE | {name: TABLE[name] | {"here": "1 s", "load": "9.9"}})
    changed = [
        (old, new) for old, new in zip(TEXT.splitlines(), again.splitlines(), strict=True) if old != new
    ]
    assert len(changed) == 1 and changed[0][1].startswith(f"{name},") and ",1 s," in changed[0][1]
