"""The table of docs/literature.md, measured again: the rows named, or all, are written into it; the others stay as they are.

    python benchmarks/literature_table.py                      # all but the slow rows
    python benchmarks/literature_table.py goofspiel7 tron9x9/value
    python benchmarks/literature_table.py --all --time 600     # the slow rows too; a row is stopped after 600 seconds

Each row is written as soon as it is measured, with the load of the machine (the mean of the last minute, at its end), the day, and
the last commit that changed the library, with a + where it has been changed since.
"""

import argparse
import os
import subprocess
import time
from pathlib import Path

from saddlepoint.games.literature import COLUMNS, ROWS, Row, cells, measure, published_cells, rows_named

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs/literature.md"
WITH = ("load", "measured", "code")
"""The columns of how a row was measured."""
HEADS = (*COLUMNS, *WITH)
HEAD = f"| {' | '.join(HEADS)} |"
RULE = f"|---|---|{'---:|' * (len(HEADS) - 2)}"


def line(found: dict[str, str]) -> str:
    """A row of the table in Markdown."""
    told = found | {"row": f"`{found['row']}`"}
    return f"| {' | '.join(told.get(head, '') for head in HEADS)} |".replace("|  |", "| |").replace(
        "|  |", "| |"
    )


def cells_of(text: str) -> dict[str, str]:
    """The inverse of `line`."""
    found = dict(zip(HEADS, (cell.strip() for cell in text.strip().strip("|").split("|")), strict=True))
    return found | {"row": found["row"].strip("`")}


def split(page: str) -> tuple[str, dict[str, dict[str, str]], str]:
    """What stands before the table, its rows by their names, and what stands behind it."""
    before, _, rest = page.partition(f"{HEAD}\n{RULE}\n")
    lines = rest.splitlines(keepends=True)
    count = next((number for number, one in enumerate(lines) if not one.startswith("|")), len(lines))
    rows = [cells_of(one) for one in lines[:count]]
    return before, {one["row"]: one for one in rows}, "".join(lines[count:])


def joined(before: str, rows: dict[str, dict[str, str]], behind: str) -> str:
    """The page: all rows in their order, those that were never measured with what is published."""
    lines = (line(rows.get(row.name) or published_cells(row)) for row in ROWS)
    return "\n".join((f"{before}{HEAD}", RULE, *lines)) + f"\n{behind}"


def code() -> str:
    """The last commit that changed the library."""

    def git(*arguments: str) -> str:
        return subprocess.run(
            ("git", "-C", str(ROOT), *arguments), check=True, capture_output=True, text=True
        ).stdout.strip()

    return git("log", "-1", "--format=%h", "--abbrev=7", "--", "src") + (
        "+" if git("status", "--porcelain", "--", "src") else ""
    )


def write(row: Row, seconds: float) -> str:
    """Measure a row, and write it into the page; its line."""
    measured = (f"{os.getloadavg()[0]:.1f}", time.strftime("%Y-%m-%d"), code())
    found = cells(measure(row, seconds)) | dict(zip(WITH, measured, strict=True))
    before, rows, behind = split(PAGE.read_text(encoding="utf-8"))
    PAGE.write_text(joined(before, rows | {row.name: found}, behind), encoding="utf-8")
    return line(found)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("rows", nargs="*", help="only rows with one of these words in their names")
    parser.add_argument("--all", action="store_true", help="the slow rows too")
    parser.add_argument("--time", type=float, default=600.0, help="seconds after which a row is stopped")
    options = parser.parse_args()
    for row in rows_named(options.rows, options.all):
        print(write(row, options.time), flush=True)


if __name__ == "__main__":
    main()
