"""The file of a ledger: one of another version is refused, protected ones are read, and what SQLite refuses is one sentence."""

import shutil
import sqlite3
import stat
import tempfile
from pathlib import Path
from typing import Any

import pytest

from helpers.arena_games import NODES, SEARCH, plan, problems
from helpers.programs import output_of
from helpers.report_pages import enter, real_games, renamed
from saddlepoint.arena.ledger import Ledger, LedgerError
from saddlepoint.arena.schedule import RoundRobin
from saddlepoint.arena.tournament import run_tournament
from saddlepoint.play import ledger_file, ledger_file as schema


@pytest.fixture(params=[schema.VERSION - 1, schema.VERSION + 1], ids=["older", "newer"])
def of_another_version(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A ledger whose header has another version."""
    path = tmp_path / "games.db"
    with Ledger(path) as ledger:
        enter(ledger, real_games(2))
    connection = sqlite3.connect(path)
    connection.execute(f"PRAGMA user_version = {request.param}")
    connection.close()
    return path


@pytest.mark.parametrize("may_write", [True, False], ids=["writable", "protected"])
def test_a_ledger_of_another_version_is_refused_in_one_sentence_and_left_as_it_is(
    of_another_version: Path, may_write: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ledger_file, "_may_write", lambda path: may_write)
    before = of_another_version.read_bytes()
    for create in (True, False):
        with pytest.raises(LedgerError) as caught:
            Ledger(of_another_version, create=create)
        said = str(caught.value)
        assert f"{of_another_version} is a ledger of version " in said
        assert said.endswith(
            f"version {schema.VERSION} is read here: begin another file, or use the saddlepoint that wrote it"
        )
    assert of_another_version.read_bytes() == before
    assert [one.name for one in of_another_version.parent.iterdir()] == ["games.db"]


@pytest.mark.parametrize("may_write", [True, False], ids=["writable", "protected"])
def test_an_empty_file_that_is_only_read_is_a_ledger_without_games_and_stays_empty(
    cli: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, may_write: bool
) -> None:
    """A page may ask before the run that writes it has begun to."""
    path = tmp_path / "games.db"
    path.touch()
    monkeypatch.setattr(ledger_file, "_may_write", lambda path: may_write)
    assert cli("ledger", "list", str(path))[0] == 0
    with Ledger(path, create=False) as ledger:
        assert (ledger.read_only, ledger.count()) == (True, 0)
    assert path.stat().st_size == 0


@pytest.mark.slow
def test_a_protected_ledger_is_listed_shown_exported_and_reported(
    cli: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = str(tmp_path / "league.db")
    for spec in ("random", SEARCH):
        cli("league", "add", path, spec, "--size", "8x6", "--nodes", "100")
    cli("league", "run", path, "-n", "2", "-j", "1")
    before = Path(path).read_bytes()
    monkeypatch.setattr(ledger_file, "_may_write", lambda path: False)
    page = str(tmp_path / "page.html")
    for command in (
        ["ledger", "list", path],
        ["ledger", "show", path, "1"],
        ["ledger", "export", path],
        ["league", "show", path],
        ["report", path, "-o", page],
    ):
        assert cli.printed(*command)
    assert "can only be read" in cli.refused("league", "remove", path, "random")
    assert Path(path).read_bytes() == before
    assert sorted(one.name for one in tmp_path.iterdir()) == ["league.db", "page.html"]


AS_ANOTHER_USER = """
import os, sys, urllib.parse  # which pathlib imports late, where that user may not read this Python
from saddlepoint.arena.ledger import Ledger, LedgerError
if os.getuid() == 0:  # nothing stops root
    os.setresgid(65534, 65534, 65534)
    os.setresuid(65534, 65534, 65534)
with Ledger(sys.argv[1], create=False) as ledger:
    told = f"{ledger.read_only} {ledger.count()} {len(list(ledger.games()))}"
    try:
        ledger.finish(1)
    except LedgerError as error:
        told += f" {error}"
print(told)
"""
"""What somebody without the right to write reads there."""


@pytest.mark.parametrize("log", [False, True], ids=["closed", "in use"])
def test_a_ledger_in_a_protected_folder_is_read_also_while_its_writer_lives(
    tmp_path: Path, log: bool
) -> None:
    folder = tmp_path / "shared"
    folder.mkdir()
    with Ledger(tmp_path / "games.db") as writer:
        enter(writer, [renamed(game, "a", "b", number) for number, game in enumerate(real_games(4))])
        if log:  # a copy of a file in use: some games are in its log alone
            for name in ("games.db", "games.db-wal"):
                shutil.copyfile(tmp_path / name, folder / name)
    if not log:
        shutil.copyfile(tmp_path / "games.db", folder / "games.db")
    for file in folder.iterdir():
        file.chmod(0o444)
    folder.chmod(0o555)
    for parent in (tmp_path, *tmp_path.parents):
        if parent == Path(tempfile.gettempdir()):
            break
        parent.chmod(parent.stat().st_mode | stat.S_IXOTH | stat.S_IROTH)
    told = output_of("-c", AS_ANOTHER_USER, folder / "games.db").strip()
    folder.chmod(0o755)
    assert told.startswith("True 4 4 "), told
    assert "can only be read" in told


def test_a_protected_ledger_in_use_is_read_with_its_newest_games_by_a_link_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    link = tmp_path / "link.db"
    link.symlink_to("games.db")
    with Ledger(tmp_path / "games.db") as writer:
        enter(writer, real_games(4))
        monkeypatch.setattr(ledger_file, "_may_write", lambda path: False)
        with Ledger(link, create=False) as ledger:
            assert (ledger.read_only, ledger.count()) == (True, 4)


@pytest.mark.slow
def test_a_full_disk_is_one_sentence_and_loses_nothing_that_was_committed(tmp_path: Path) -> None:
    with Ledger(tmp_path / "games.db") as ledger:
        pages = ledger.connection.execute("PRAGMA page_count").fetchone()[0]
        ledger.connection.execute(f"PRAGMA max_page_count = {pages + 4}")
        with pytest.raises(
            LedgerError, match=r"the disk of .*games\.db' is full: it has all games that were finished before"
        ):
            run_tournament(RoundRobin((SEARCH, "random")), plan(60), NODES, ledger=ledger)
    with Ledger(tmp_path / "games.db") as ledger:
        assert problems(ledger) == []
        entered = ledger.count()
        assert entered > 0
        number = ledger.tournaments()[0].id
        again = run_tournament(
            RoundRobin((SEARCH, "random")), plan(60), NODES, ledger=ledger, tournament=number
        )
        assert again.standings.games == ledger.count() == 60
        assert again.played == 60 - entered


def test_a_locked_ledger_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ledger_file, "LEDGER_WRITER", 0.1)
    with Ledger(tmp_path / "games.db") as ledger:
        number = enter(ledger, [])
        other = sqlite3.connect(tmp_path / "games.db", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(LedgerError, match="was locked by another program"):
            ledger.add(number, real_games(1)[0])
        other.execute("ROLLBACK")
        other.close()
        assert ledger.add(number, real_games(1)[0])
