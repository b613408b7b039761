"""docs/data/literature.csv is what its program writes, and docs/literature.md shows rows of it."""

import pytest
from literature_table import DATA, PAGE, WITH, line, table, with_rows, written

from saddlepoint.games.literature import (
    COLUMNS,
    MEASURED_AGAIN,
    ROWS,
    cells,
    measure,
    published_cells,
    rows_named,
)

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
    same = [head for head in COLUMNS if head not in MEASURED_AGAIN]
    assert {head: TABLE[name][head] for head in same} == {head: found[head] for head in same}


def test_a_row_written_again_leaves_the_others_as_they_are() -> None:
    name = next(iter(TABLE))
    again = written(TABLE | {name: TABLE[name] | {"here": "1 s", "load": "9.9"}})
    changed = [
        (old, new) for old, new in zip(TEXT.splitlines(), again.splitlines(), strict=True) if old != new
    ]
    assert len(changed) == 1 and changed[0][1].startswith(f"{name},") and ",1 s," in changed[0][1]
