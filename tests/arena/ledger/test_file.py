"""The file of a ledger: old ones are understood, protected ones are read, and what SQLite refuses is one sentence."""

import json
import os
import shutil
import sqlite3
import stat
import tempfile
from pathlib import Path
from typing import Any

import pytest

from arena_games import NODES, SEARCH, plan, problems
from cli_runs import cli
from old_ledger import SETTINGS, write_old_ledger
from report_pages import enter, real_games, renamed
from saddlepoint.arena.ledger import Filter, Ledger, LedgerError, file as ledger_file
from saddlepoint.arena.schedule import RoundRobin
from saddlepoint.arena.tournament import run_tournament
from saddlepoint.players.fault import Fault, FaultKind

__all__ = ["cli"]  # a fixture


def test_an_old_ledger_keeps_all_it_had_and_its_faults_get_the_kinds_they_were_counted_as(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    write_old_ledger(path)
    with Ledger(path, create=False) as ledger:
        entries = list(ledger.games())
        assert ledger.tournament(1).settings == SETTINGS
        assert ledger.count(Filter(cause="flood")) == 1
        assert ledger.voids() == []
        assert problems(ledger) == []
    assert [entry.played.job.seed for entry in entries] == [4_000_000_000 + number for number in range(4)]
    assert [entry.played.cause for entry in entries] == ["rules", "late", "flood", "crash"]
    assert [entry.played.faults for entry in entries] == [
        (None, None),
        (None, Fault(FaultKind.LATE, 1, 0, "late: 0.400 s used of 0.300 s")),
        (Fault(FaultKind.FLOOD, 0, None, "PlayerError: more than 9 of output"), None),
        (Fault(FaultKind.CRASH, 0, 1, "PlayerError: the program was ended by signal 9"), Fault(FaultKind.LATE, 1, 1, "late: 1 s")),
    ]
    assert entries[0].versions == ("0.1.0+11223344", "")
    assert (entries[0].played.chance, entries[0].played.load) == (None, None)


def test_old_rows_still_list_show_export_and_report(cli: Any, tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    write_old_ledger(path)
    for command in (["list"], ["show", "1"], ["export"], ["export", "--format", "text"]):
        code, out, err = cli("ledger", command[0], str(path), *command[1:])
        assert (code, bool(out)) == (0, True), err
    lines = [json.loads(line) for line in cli("ledger", "export", str(path))[1].splitlines()]
    assert lines[1]["faults"] == [None, {"kind": "late", "step": 0, "text": "late: 0.400 s used of 0.300 s"}]
    assert lines[0]["moves"] == [["up", "down"]]
    code, out, _ = cli("report", str(path), "--json")
    assert code == 0
    lost = {one["player"]: one["lost_by"] for one in json.loads(out)["games"][0]["players"]}
    assert lost == {"a": {"late": 1, "flood": 1}, "b": {"rules": 1}}


def test_an_old_ledger_that_may_not_be_written_is_read_as_if_it_were_new(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "old.db"
    write_old_ledger(path)
    before = path.read_bytes()
    monkeypatch.setattr(ledger_file, "_may_write", lambda path: False)
    with Ledger(path, create=False) as ledger:
        assert ledger.read_only
        assert len(list(ledger.games())) == 4
        with pytest.raises(LedgerError, match="can only be read"):
            ledger.begin("match", ("a", "b"), {}, None)
    assert path.read_bytes() == before
    assert [one.name for one in tmp_path.iterdir()] == ["old.db"]


def test_a_protected_ledger_is_listed_shown_exported_and_reported(cli: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = str(tmp_path / "league.db")
    for spec in ("random", SEARCH):
        cli("league", "add", path, spec, "--size", "8x6", "--nodes", "100")
    cli("league", "run", path, "-n", "2", "-j", "1")
    before = Path(path).read_bytes()
    monkeypatch.setattr(ledger_file, "_may_write", lambda path: False)
    page = str(tmp_path / "page.html")
    for command in (["ledger", "list", path], ["ledger", "show", path, "1"], ["ledger", "export", path], ["league", "show", path],
                    ["report", path, "-o", page]):  # fmt: skip
        code, out, err = cli(*command)
        assert (code, bool(out)) == (0, True), err
    code, _, err = cli("league", "remove", path, "random")
    assert (code, err.count("\n")) == (2, 1)
    assert "can only be read" in err
    assert Path(path).read_bytes() == before
    assert sorted(one.name for one in tmp_path.iterdir()) == ["league.db", "page.html"]


def as_another_user(path: Path) -> str:
    """What somebody without the right to write reads there: nothing stops root."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            if os.getuid() == 0:
                os.setresgid(65534, 65534, 65534)
                os.setresuid(65534, 65534, 65534)
            with Ledger(path, create=False) as ledger:
                told = f"{ledger.read_only} {ledger.count()} {len(list(ledger.games()))}"
                try:
                    ledger.finish(1)
                except LedgerError as error:
                    told += f" {error}"
        except BaseException as error:
            told = repr(error)
        os.write(writing, told.encode())
        os._exit(0)
    os.close(writing)
    os.waitpid(child, 0)
    with os.fdopen(reading) as file:
        return file.read()


@pytest.mark.parametrize("log", [False, True], ids=["closed", "in use"])
def test_a_ledger_in_a_protected_folder_is_read_also_while_its_writer_lives(tmp_path: Path, log: bool) -> None:
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
    told = as_another_user(folder / "games.db")
    folder.chmod(0o755)
    assert told.startswith("True 4 4 "), told
    assert "can only be read" in told


def test_a_full_disk_is_one_sentence_and_loses_nothing_that_was_committed(tmp_path: Path) -> None:
    with Ledger(tmp_path / "games.db") as ledger:
        pages = ledger._connection.execute("PRAGMA page_count").fetchone()[0]
        ledger._connection.execute(f"PRAGMA max_page_count = {pages + 4}")
        with pytest.raises(LedgerError, match=r"the disk of .*games\.db' is full: it has all games that were finished before"):
            run_tournament(RoundRobin((SEARCH, "random")), plan(60), NODES, ledger=ledger)
    with Ledger(tmp_path / "games.db") as ledger:
        assert problems(ledger) == []
        entered = ledger.count()
        assert entered > 0
        number = ledger.tournaments()[0].id
        again = run_tournament(RoundRobin((SEARCH, "random")), plan(60), NODES, ledger=ledger, tournament=number)
        assert again.standings.games == ledger.count() == 60
        assert again.played == 60 - entered


def test_a_locked_ledger_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ledger_file, "PATIENCE", 0.1)
    with Ledger(tmp_path / "games.db") as ledger:
        number = enter(ledger, [])
        other = sqlite3.connect(tmp_path / "games.db", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(LedgerError, match="has been locked by another program"):
            ledger.add(number, real_games(1)[0])
        other.execute("ROLLBACK")
        other.close()
        assert ledger.add(number, real_games(1)[0])


def test_the_load_of_the_machine_is_kept_with_every_game(tmp_path: Path) -> None:
    with Ledger(tmp_path / "games.db") as ledger:
        run_tournament(RoundRobin((SEARCH, "random")), plan(2), NODES, ledger=ledger)
        loads = [entry.played.load for entry in ledger.games()]
    assert all(load is not None and load.cores >= 1 and load.average >= 0 for load in loads)


@pytest.mark.compiles_long
@pytest.mark.plain
def test_a_replay_of_an_old_game_says_why_its_moves_are_others(cli: Any, tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    write_old_ledger(path)
    connection = sqlite3.connect(path)
    connection.execute("UPDATE players SET spec = CASE id WHEN 1 THEN 'random' ELSE 'smab(depth=1)' END")
    connection.commit()
    connection.close()
    out = cli("ledger", "replay", str(path), "1")[1]
    assert "other moves from step 0 on" in out
    assert "older version, which derived seeds in another way" in out.replace("\n", " ")
