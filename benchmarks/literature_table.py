"""docs/data/literature.csv, measured again: the rows named, or all, are written into it; the others stay as they are.

    python benchmarks/literature_table.py                      # all but the slow rows
    python benchmarks/literature_table.py goofspiel7 tron9x9/value
    python benchmarks/literature_table.py --all --time 600     # the slow rows too; a row is stopped after 600 seconds

Each row is written as soon as it is measured, with the load of the machine (the mean of the last minute, at its end), the day, and
the last commit that changed the library, with a + where it has been changed since. The rows that docs/literature.md shows are
written there too.
"""

import argparse
import csv
import io
import os
import subprocess
import time
from pathlib import Path

from saddlepoint.games.literature import COLUMNS, ROWS, Row, cells, measure, published_cells, rows_named

ROOT = Path(__file__).parents[1]
DATA, PAGE = ROOT / "docs/data/literature.csv", ROOT / "docs/literature.md"
WITH = ("load", "measured", "code")
"""The columns of how a row was measured."""
HEADS = (*COLUMNS, *WITH)
SHOWN = ("row", "published", "here", "times as fast")
"""The columns that the page shows."""


def line(found: dict[str, str]) -> str:
    """A row as the page shows it, in Markdown."""
    told = found | {"row": f"`{found['row']}`"}
    return f"| {' | '.join(told[head] for head in SHOWN)} |"


def table(text: str) -> dict[str, dict[str, str]]:
    """The rows of the file by their names."""
    return {row["row"]: row for row in csv.DictReader(io.StringIO(text))}


def written(rows: dict[str, dict[str, str]]) -> str:
    """The file: all rows in their order, those that were never measured with what is published."""
    out = io.StringIO()
    writer = csv.DictWriter(out, HEADS, restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows.get(row.name) or published_cells(row) for row in ROWS)
    return out.getvalue()


def with_rows(page: str, rows: dict[str, dict[str, str]]) -> str:
    """The page with the rows that it shows as they are in the file."""
    begins = {f"| `{name}` |": found for name, found in rows.items()}

    def shown(one: str) -> str:
        found = next((found for begin, found in begins.items() if one.startswith(begin)), None)
        return one if found is None else line(found)

    return "\n".join(map(shown, page.split("\n")))


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
    """Measure a row, and write it into the file and the page; its line."""
    measured = (f"{os.getloadavg()[0]:.1f}", time.strftime("%Y-%m-%d"), code())
    found = cells(measure(row, seconds)) | dict(zip(WITH, measured, strict=True))
    rows = table(DATA.read_text(encoding="utf-8")) | {row.name: found}
    DATA.write_text(written(rows), encoding="utf-8")
    PAGE.write_text(with_rows(PAGE.read_text(encoding="utf-8"), rows), encoding="utf-8")
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
