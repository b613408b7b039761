"""A ledger of somebody else, in which any cell may hold anything: no command shows a trace."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.slow

WRONG = (None, "x", b"\xff\xfe", -1, 2**62, float("inf"), 1.5, "", "[]", "{}", "null", '{"a": 1}', "[[1]]")
COMMANDS = (
    ("report", "-o", "report.html"),
    ("ledger list",),
    ("ledger show", "1", "--step", "1"),
    ("ledger show", "1", "--json"),
    ("ledger export",),
    ("ledger export", "--format", "text"),
    ("ledger replay", "1", "--yes"),
    ("review", "--number", "1", "--nodes", "10"),
)
LEAGUE = (("league show",),)


def cells(path: Path) -> list[tuple[str, str]]:
    """The tables that have rows, with each of their columns."""
    with closing(sqlite3.connect(path)) as book, book:
        tables = [name for (name,) in book.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        filled = [name for name in tables if book.execute(f"SELECT count(*) FROM {name}").fetchone()[0]]
        return [(name, row[1]) for name in filled for row in book.execute(f"PRAGMA table_info({name})")]


@pytest.mark.parametrize("commands", [COMMANDS, LEAGUE], ids=["games", "league"])
def test_whatever_stands_in_a_cell_no_command_shows_a_trace(
    commands: tuple[tuple[str, ...], ...],
    cli: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SADDLEPOINT_QUIET", "1")
    if commands is LEAGUE:
        cli("league", "add", "whole.db", "random", "--game", "tic_tac_toe", "--time", "0.1")
        cli("league", "add", "whole.db", "pvs(depth=1)", "--game", "tic_tac_toe", "--time", "0.1")
        assert cli("league", "run", "whole.db", "-n", "2", "-j", "1")[0] == 0
    else:
        assert (
            cli(
                "match",
                "random",
                "random",
                "-n",
                "2",
                "--game",
                "tic_tac_toe",
                "--time",
                "0.1",
                "-j",
                "1",
                "--ledger",
                "whole.db",
            )[0]
            == 0
        )
    for place, (table, column) in enumerate(cells(tmp_path / "whole.db")):
        # Every value is put into every column, and a third of the commands are asked, others in the next column; ratings take their time,
        # so the league's columns get two or three of the values each.
        for number, wrong in (
            list(enumerate(WRONG))[place % 6 :: 6] if commands is LEAGUE else enumerate(WRONG)
        ):
            shutil.copyfile("whole.db", "changed.db")
            with closing(sqlite3.connect("changed.db")) as book, book:
                try:
                    book.execute(
                        f"UPDATE {table} SET {column} = ? WHERE rowid = (SELECT min(rowid) FROM {table})",
                        (wrong,),
                    )
                except sqlite3.Error:  # the table takes no such value
                    continue
            book.close()
            for command, *more in commands if commands is LEAGUE else commands[(place + number) % 3 :: 3]:
                code, _, err = cli(*command.split(), "changed.db", *more)
                assert code in (0, 2) and "Traceback" not in err, (table, column, wrong, command, err)
