"""Games of a ledger that are being played: written now and then while they last, gone when they end, and in nobody's way."""

import sqlite3
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from arena_games import NODES, SMALL, plan
from saddlepoint.arena.job import Job
from saddlepoint.arena.ledger import Ledger, running
from saddlepoint.arena.ledger.running import Process, RunningGames
from saddlepoint.arena.schedule import RoundRobin
from saddlepoint.arena.settings import settings_of
from saddlepoint.arena.tournament import run_tournament
from saddlepoint.arena.workers import HereWorkers
from saddlepoint.programs.folders import is_ledger

JOB = Job(0, 0, ("random", "best"), SMALL.to_text(SMALL.initial_state()), 1)


@pytest.fixture
def place(tmp_path: Path) -> RunningGames:
    """A ledger with a tournament under way."""
    with Ledger(tmp_path / "games.db") as book:
        number = book.begin("match", JOB.players, settings_of(NODES, plan(4)), 4)
    return RunningGames(str(tmp_path / "games.db"), number)


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every step is written."""
    monkeypatch.setattr(running, "EVERY", 0.0)


def seen(place: RunningGames) -> list[int]:
    """How many steps each running game has."""
    with Ledger(place.path, create=False) as book:
        return [len(one.actions) for one in book.running()]


def test_a_tournament_of_fast_games_writes_nothing_but_its_games(tmp_path: Path) -> None:
    with Ledger(tmp_path / "games.db") as book:
        run_tournament(RoundRobin(("random", "random")), plan(4), NODES, HereWorkers(), book)
        assert book.count() == 4
    with sqlite3.connect(tmp_path / "games.db") as connection:
        assert not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'running_games'").fetchall()


@pytest.mark.usefixtures("at_once")
def test_every_game_of_a_tournament_is_seen_while_it_runs_and_not_afterwards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lengths: list[int] = []
    step = running.Writer.step

    def looked(self: running.Writer, state: object, joint: tuple[int, int]) -> None:
        step(self, state, joint)
        lengths.append(seen(self._place)[0])

    monkeypatch.setattr(running.Writer, "step", looked)
    with Ledger(tmp_path / "games.db") as book:
        run_tournament(RoundRobin(("random", "random")), plan(4), NODES, HereWorkers(), book)
        assert lengths.count(1) == 4 and max(lengths) > 1
        assert not book.begun()


def test_a_game_is_written_once_a_second_at_most(place: RunningGames, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(running.time, "monotonic", lambda: now[0])
    with place.watching(JOB) as writer:
        found: list[list[int]] = []
        for _ in range(9):
            now[0] += 0.4
            writer.step(None, (0, 0))
            found.append(seen(place))
    assert found == [[], [], [3], [3], [3], [6], [6], [6], [9]]
    assert seen(place) == []


@pytest.mark.usefixtures("at_once")
def test_what_a_killed_process_left_is_not_shown_and_is_taken_out_by_the_next(place: RunningGames, monkeypatch: pytest.MonkeyPatch) -> None:
    me = Process.this()
    monkeypatch.setattr(Process, "this", classmethod(lambda cls: me._replace(pid=2**22 + 1)))  # above the greatest there is
    writer = running.Writer(place, JOB)
    writer.step(None, (0, 0))
    with Ledger(place.path) as book:
        assert len(book.begun()) == 1 and not book.running()
    monkeypatch.undo()
    with place.watching(replace(JOB, number=1)) as other:
        other._next = 0.0
        other.step(None, (0, 0))
        with Ledger(place.path) as book:
            assert [one.number for one in book.begun()] == [1]


@pytest.mark.usefixtures("at_once")
def test_a_later_process_of_the_same_number_is_not_taken_for_it(place: RunningGames, monkeypatch: pytest.MonkeyPatch) -> None:
    me = Process.this()
    if not me.born:
        pytest.skip("this system does not tell when a process began")
    monkeypatch.setattr(Process, "this", classmethod(lambda cls: me._replace(born="1")))
    running.Writer(place, JOB).step(None, (0, 0))
    assert seen(place) == []


@pytest.mark.usefixtures("at_once")
def test_a_game_that_another_machine_plays_is_shown_as_long_as_it_is_written(place: RunningGames, monkeypatch: pytest.MonkeyPatch) -> None:
    me = Process.this()
    monkeypatch.setattr(Process, "this", classmethod(lambda cls: me._replace(host="elsewhere")))
    running.Writer(place, JOB).step(None, (0, 0))
    assert seen(place) == [1]
    monkeypatch.setattr(running, "_ELSEWHERE", 0.0)
    assert seen(place) == []


@pytest.mark.usefixtures("at_once")
def test_a_running_game_changes_no_figure(place: RunningGames) -> None:
    with Ledger(place.path) as book:
        before = book.stamp()
        with place.watching(JOB) as writer:
            writer.step(None, (0, 0))
            assert book.running() and book.stamp() == before
        book.finish(place.tournament)
        assert book.stamp() != before


@pytest.mark.usefixtures("at_once")
def test_a_ledger_that_cannot_be_written_stops_no_game(place: RunningGames, tmp_path: Path) -> None:
    with sqlite3.connect(place.path, isolation_level=None) as other, place.watching(JOB) as writer:
        other.execute("BEGIN IMMEDIATE")
        writer.step(None, (0, 0))
        other.execute("ROLLBACK")
    (tmp_path / "gone").mkdir()
    with RunningGames(str(tmp_path / "gone" / "games.db"), 1).watching(JOB) as writer:
        writer.step(None, (0, 0))
    assert not any((tmp_path / "gone").iterdir())


def test_somebody_elses_table_of_that_name_is_no_game(place: RunningGames) -> None:
    with sqlite3.connect(place.path) as connection:
        connection.execute(running._TABLE)
        row = (place.tournament, 0, "a", "b", "x", "no JSON", 0.0, 0.0, "h", 1, "")
        connection.execute(f"INSERT INTO running_games VALUES ({', '.join('?' * len(row))})", row)
    assert seen(place) == []


_LOOKS_IN = "import sys; from saddlepoint.arena.ledger import Ledger\nwith Ledger(sys.argv[1], create=False) as book: book.tournaments()"


def test_a_program_that_is_started_beside_a_ledger_leaves_it_its_locks(place: RunningGames) -> None:
    """Else another process that opens the ledger takes itself for the last one, and deletes the log that this one still writes."""
    with Ledger(place.path) as book:
        book.finish(place.tournament)
        log = Path(f"{place.path}-wal")
        before = log.stat().st_ino
        for end in ("", "-wal", "-shm"):
            is_ledger(f"{place.path}{end}")
        subprocess.run([sys.executable, "-c", _LOOKS_IN, place.path], check=True)
        assert log.is_file() and log.stat().st_ino == before
