"""Games of a ledger that are being played: written now and then while they last, gone when they end, and in nobody's way."""

import math
import sqlite3
import subprocess
import sys
import time
from collections.abc import Generator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from helpers.arena_games import NODES, SMALL, plan
from saddlepoint.arena.conditions import Job
from saddlepoint.arena.ledger import Ledger, running
from saddlepoint.arena.ledger.running import Process, RunningGames, Writer
from saddlepoint.arena.schedule import RoundRobin, settings_of
from saddlepoint.arena.tournament import run_tournament
from saddlepoint.arena.workers import HereWorkers
from saddlepoint.players.programs.isolation import is_ledger

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


def under_way(book: Ledger) -> list[running.RunningGame]:
    """The games that are being played, without those that a killed process left."""
    return [one for one in book.begun() if one.is_under_way()]


def begun(place: RunningGames) -> list[running.RunningGame]:
    """Those that the ledger has, however they ended."""
    with Ledger(place.path) as book:
        return book.begun()


def seen(place: RunningGames) -> list[int]:
    """How many steps each running game has."""
    with Ledger(place.path, create=False) as book:
        return [len(one.actions) for one in under_way(book)]


def test_a_tournament_of_fast_games_writes_nothing_but_its_games(ledger: Ledger, tmp_path: Path) -> None:
    run_tournament(RoundRobin(("random", "random")), plan(4), NODES, HereWorkers(), ledger)
    assert ledger.count() == 4
    with closing(sqlite3.connect(tmp_path / "games.db")) as connection, connection:
        assert not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'running_games'").fetchall()


@pytest.mark.usefixtures("at_once")
def test_every_game_of_a_tournament_is_seen_while_it_runs_and_not_afterwards(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    lengths: list[int] = []
    step = running.Writer.step

    def looked(self: running.Writer, state: object, joint: tuple[int, int]) -> None:
        step(self, state, joint)
        lengths.append(seen(self._place)[0])

    monkeypatch.setattr(running.Writer, "step", looked)
    run_tournament(RoundRobin(("random", "random")), plan(4), NODES, HereWorkers(), ledger)
    assert lengths.count(1) == 4 and max(lengths) > 1
    assert not ledger.begun()


def test_a_game_is_written_once_a_second_at_most(
    place: RunningGames, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [100.0]
    monkeypatch.setattr(running.time, "monotonic", lambda: now[0])
    with closing(Writer(place, JOB)) as writer:
        found: list[list[int]] = []
        for _ in range(9):
            now[0] += 0.4
            writer.step(None, (0, 0))
            found.append(seen(place))
    assert found == [[], [], [3], [3], [3], [6], [6], [6], [9]]
    assert seen(place) == []


@contextmanager
def as_another(**other: Any) -> Generator[Process]:
    """This process is taken for another one, which differs by these."""
    another = Process.this()._replace(**other)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Process, "this", classmethod(lambda cls: another))
        yield another


GONE = [
    {"pid": 2**22 + 1},
    {"born": "1"},
]  # above the greatest number there is, or an earlier process of the same


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize("other", GONE, ids=["killed", "its number is another's now"])
def test_what_a_killed_process_left_is_not_shown_and_is_taken_out_by_the_next(
    place: RunningGames, other: dict[str, Any]
) -> None:
    if "born" in other and not Process.this().born:
        pytest.skip("this system does not tell when a process began")
    with as_another(**other):
        writer = running.Writer(place, JOB)
        writer.step(None, (0, 0))
    assert len(begun(place)) == 1 and seen(place) == []
    with closing(Writer(place, replace(JOB, number=1))) as following:
        following._next = 0.0
        following.step(None, (0, 0))
        assert [one.number for one in begun(place)] == [1]
    writer.close()


@pytest.mark.usefixtures("at_once")
def test_a_game_that_another_machine_plays_is_shown_as_long_as_it_is_written(
    place: RunningGames, monkeypatch: pytest.MonkeyPatch
) -> None:
    entered(place)
    assert seen(place) == [1]
    monkeypatch.setattr(running, "_ELSEWHERE", 0.0)
    assert seen(place) == []


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize("other", [{"pid": 1}, {"born": "1"}, {"host": "elsewhere"}])
def test_a_process_that_ends_a_game_late_leaves_it_to_the_one_that_plays_it_now(
    place: RunningGames, other: dict[str, Any]
) -> None:
    orphan, new = running.Writer(place, JOB), running.Writer(place, JOB)
    orphan.step(None, (0, 0))
    with as_another(**other) as another:
        new.step(None, (0, 0))
    orphan.close()
    assert [one.process for one in begun(place)] == [another]
    with as_another(**other):
        new.close()
    assert not begun(place)


@pytest.mark.usefixtures("at_once")
def test_a_game_that_could_not_be_taken_out_is_with_the_next_one(place: RunningGames) -> None:
    ended, playing, following = (running.Writer(place, replace(JOB, number=number)) for number in range(3))
    ended.step(None, (0, 0))
    playing.step(None, (0, 0))
    with closing(sqlite3.connect(place.path, isolation_level=None)) as other, other:
        other.execute("BEGIN IMMEDIATE")
        ended.close()
        other.execute("ROLLBACK")
    assert len(seen(place)) == 2
    following.step(None, (0, 0))
    with Ledger(place.path) as book:
        assert [one.number for one in under_way(book)] == [2, 1], "one that another thread plays stays"
    playing.close()
    following.close()
    assert seen(place) == []


@pytest.mark.usefixtures("at_once")
def test_a_running_game_changes_no_figure(place: RunningGames) -> None:
    with Ledger(place.path) as book:
        before = book.stamp()
        with closing(Writer(place, JOB)) as writer:
            writer.step(None, (0, 0))
            assert under_way(book) and book.stamp() == before
        book.finish(place.tournament)
        assert book.stamp() != before


@pytest.mark.usefixtures("at_once")
def test_a_ledger_that_cannot_be_written_stops_no_game(place: RunningGames, tmp_path: Path) -> None:
    with (
        closing(sqlite3.connect(place.path, isolation_level=None)) as other,
        other,
        closing(Writer(place, JOB)) as writer,
    ):
        other.execute("BEGIN IMMEDIATE")
        writer.step(None, (0, 0))
        other.execute("ROLLBACK")
    (tmp_path / "gone").mkdir()
    with closing(Writer(RunningGames(str(tmp_path / "gone" / "games.db"), 1), JOB)) as writer:
        writer.step(None, (0, 0))
    assert not any((tmp_path / "gone").iterdir())


def entered(place: RunningGames, **values: object) -> None:
    """A row that somebody else wrote into the table: a game that another machine plays, but for these values."""
    row = {
        "tournament": place.tournament,
        "number": 7,
        "player0": "a",
        "player1": "b",
        "opening": JOB.opening,
        "actions": "[[0,0]]",
        "began": time.time(),
        "written": time.time(),
        "host": "elsewhere",
        "pid": 1,
        "born": "",
    } | values
    with closing(sqlite3.connect(place.path)) as connection, connection:
        connection.execute(running._TABLE)
        connection.execute(
            f"INSERT INTO running_games ({', '.join(row)}) VALUES ({', '.join('?' * len(row))})",
            tuple(row.values()),
        )


UNUSABLE: list[dict[str, object]] = [
    {"actions": "no JSON"},
    {"actions": "[[0]]"},
    {"actions": "[[0, null]]"},
    {"actions": '[["0", "0"]]'},
    {"actions": "[[Infinity, 0]]"},
    {"actions": "[" * 100_000},
    {"actions": "7"},
    {"actions": b"[[0,0]]"},
    {"written": "text"},
    {"written": math.inf},
    {"began": b"1"},
    {"pid": "1/../../etc"},
    {"pid": 1.5},
    {"pid": -1},
    {"number": "seven"},
    {"tournament": "one"},
    {"player0": b"a"},
    {"host": b"h"},
]


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize("values", UNUSABLE, ids=lambda values: f"{values}"[:40])
def test_a_row_that_is_no_game_hides_no_other_and_keeps_none_from_being_written(
    place: RunningGames, values: dict[str, object]
) -> None:
    entered(place)
    entered(place, **{"number": 8, **values})
    assert seen(place) == [1]
    with closing(Writer(place, JOB)) as writer:
        writer.step(None, (0, 0))
        writer.step(None, (0, 0))
        assert sorted(seen(place)) == [1, 2]
    assert seen(place) == [1]


def test_a_text_that_is_no_utf8_hides_no_other_game(place: RunningGames) -> None:
    entered(place)
    entered(place, number=8)
    with closing(sqlite3.connect(place.path)) as connection, connection:
        connection.execute("UPDATE running_games SET actions = CAST(X'5BFF' AS TEXT) WHERE number = 8")
    assert seen(place) == [1]
    with Ledger(place.path) as book:
        assert book.tournaments()[0].kind == "match"


def test_no_file_is_read_that_a_row_names(place: RunningGames, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []
    monkeypatch.setattr(running, "_born", asked.append)
    entered(place, host=Process.this().host, pid="self/../1")
    asked.clear()
    assert seen(place) == [] and not asked


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize("error", [RuntimeError, TypeError, OSError])
def test_whatever_fails_stops_no_game(
    place: RunningGames, monkeypatch: pytest.MonkeyPatch, error: type[Exception]
) -> None:
    def fails(*given: object) -> None:
        raise error("it failed")

    with closing(Writer(place, JOB)) as writer:
        for name in ("_opened", "running_games"):
            with monkeypatch.context() as patch:
                patch.setattr(running, name, fails)
                writer.step(None, (0, 0))
        writer.step(None, (0, 0))
        assert seen(place) == [3]
        monkeypatch.setattr(running, "closing", fails)
        left = writer._connection
    left.close()


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
