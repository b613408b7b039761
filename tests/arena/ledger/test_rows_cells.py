"""Cells of the wrong kind in a ledger: whatever stands there, a game is read whole or refused in a sentence."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from helpers.arena_games import NODES, plan
from saddlepoint.arena.ledger import Ledger, LedgerError
from saddlepoint.arena.schedule import RoundRobin
from saddlepoint.arena.tournament import run_tournament

WRONG = (
    None,
    "text",
    b"\xff\x00",
    2**62,
    -1,
    1e308,
    float("inf"),
    "[",
    "[[[",
    "{}",
    "[1]",
    "null",
    '[["a", "b"]]',
    "[[null], [[]]]",
)


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("cells") / "games.db"
    with Ledger(path) as book:
        run_tournament(RoundRobin(("random", "random")), plan(2), NODES, ledger=book)
    return path


@pytest.mark.parametrize("table", ["games", "tournaments", "players"])
def test_a_wrong_cell_is_refused_in_a_sentence_or_reads_as_what_it_says(
    table: str, ledger: Path, tmp_path: Path
) -> None:
    with closing(sqlite3.connect(ledger)) as connection, connection:
        columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})") if row[1] != "id"]
    for number, (column, wrong) in enumerate((column, wrong) for column in columns for wrong in WRONG):
        path = tmp_path / f"{number}.db"
        shutil.copyfile(ledger, path)
        with closing(sqlite3.connect(path)) as connection, connection:
            connection.execute(
                "PRAGMA synchronous = OFF"
            )  # quickly: nobody needs these files when the machine fails
            try:
                connection.execute(f"UPDATE {table} SET {column} = ? WHERE id = 1", (wrong,))
            except sqlite3.IntegrityError:
                continue
        try:
            with Ledger(path, create=False) as book:
                entries, tournaments = list(book.games()), book.tournaments()
        except LedgerError as error:
            assert "\n" not in str(error)
            continue
        for entry in entries:
            played = entry.played
            assert all(
                type(text) is str
                for text in (*played.job.players, played.job.opening, played.reason, *entry.versions)
            )
            assert played.points in (0, 0.5, 1) and abs(played.result) < 1e400 and abs(played.seconds) < 1e400
        for one in tournaments:
            assert (
                type(one.kind) is str
                and type(one.created) is str
                and all(type(player) is str for player in one.players)
            )
