"""Seconds in which a player had no core are not its own, in this process and in programs; those in which it sleeps are."""

import os
import subprocess
import sys
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from saddlepoint import ConnectFour, Limits, PrincipalVariation, search
from saddlepoint.boards.limits import new_control
from saddlepoint.compiled.clock import forgiving
from saddlepoint.players import waiting
from saddlepoint.players.base import FaultKind
from saddlepoint.players.clock import Clock, longest
from saddlepoint.players.programs.isolation import Isolation
from saddlepoint.players.programs.process import LineProcess, Reply
from saddlepoint.players.waiting import Spent, Stopwatch, system_tells, waited_of

pytestmark = pytest.mark.skipif(
    not hasattr(os, "sched_setaffinity"), reason="a thread cannot be kept on one core here"
)
told = pytest.mark.skipif(
    not system_tells(), reason="this system does not tell how long a thread waited for a core"
)

_BUSY = (
    "import os, sys, time\nos.sched_setaffinity(0, {int(sys.argv[1])})\nprint(flush=True)\nend = time.monotonic() + 20\n"
    "while time.monotonic() < end and os.getppid() == int(sys.argv[2]): pass"
)


@contextmanager
def crowded_core(others: int = 3) -> Generator[int]:
    """A core that this thread shares with busy processes."""
    before = os.sched_getaffinity(0)
    core = min(before)
    words = [sys.executable, "-I", "-S", "-c", _BUSY, str(core), str(os.getpid())]
    busy = [subprocess.Popen(words, stdout=subprocess.PIPE) for _ in range(others)]
    try:
        for process in busy:
            process.stdout.readline()
        os.sched_setaffinity(0, {core})
        yield core
    finally:
        os.sched_setaffinity(0, before)
        for process in busy:
            process.kill()
            process.communicate()


def think(seconds: float) -> None:
    """Use a core for so long."""
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass


@told
def test_a_player_that_shares_its_core_has_used_what_it_ran() -> None:
    with crowded_core():
        watch, ran = Stopwatch(), time.thread_time()
        think(0.1)
        own, passed = watch.read()
        ran = time.thread_time() - ran
    assert passed > 1.5 * ran
    assert own == pytest.approx(ran, rel=0.2)


def test_sleep_is_a_players_own_time() -> None:
    watch = Stopwatch()
    time.sleep(0.1)
    assert watch.read()[0] > (0.095 if system_tells() else 0.0)


def test_where_the_system_does_not_tell_the_processor_time_counts(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(waiting, "PROC", str(tmp_path))
    system_tells.cache_clear()
    try:
        assert not system_tells()
        watch, ran = Stopwatch(), time.thread_time()
        think(0.05)
        time.sleep(0.05)
        own, passed = watch.read()
        assert own == pytest.approx(time.thread_time() - ran, rel=0.2)
        assert passed >= own + 0.049
        program = subprocess.Popen([sys.executable, "-I", "-S", "-c", "import time; time.sleep(30)"])
        try:
            waits = waiting.Processes(lambda: [program.pid])
            time.sleep(0.2)
            assert 0.0 < waits.waited() <= 1.0
        finally:
            program.kill()
            program.wait()
    finally:
        system_tells.cache_clear()


@pytest.mark.parametrize(
    ("spent", "beside", "waited"),
    [
        ({"a": Spent(0.1, 0.4)}, 0.0, 0.4),  # alone on a crowded machine
        ({"a": Spent(0.1, 0.2), "b": Spent(0.05, 0.15)}, 0.0, 0.35),  # one hands on to the other
        (
            {"a": Spent(0.4, 0.1), "b": Spent(0.1, 0.4)},
            0.0,
            0.1,
        ),  # a helper that waits gives the thinker nothing
        ({str(k): Spent(0.02, 0.48) for k in range(50)}, 0.0, 0.0),  # its own threads keep it from two cores
        ({"a": Spent(0.0, 0.0)}, 0.0, 0.0),  # it sleeps, or is stopped
        ({"a": Spent(0.1, 9.0)}, 0.0, 0.4),  # a wait that began before the question
        ({}, 0.0, 0.0),
        ({"old": Spent(5.1, 7.3)}, 0.0, 0.3),  # what a thread spent before does not count
        # This process waited at the same time: the program's own time is never less than what it ran.
        ({"a": Spent(0.2, 0.2)}, 0.05, 0.25),
        ({"a": Spent(0.2, 0.2)}, 0.25, 0.3),
    ],
)
def test_a_program_gains_no_time_by_threads_of_its_own(
    monkeypatch: pytest.MonkeyPatch, spent: dict[str, Spent], beside: float, waited: float
) -> None:
    """In half a second on two cores; a thread that was there before had spent something."""
    monkeypatch.setattr(waiting, "usable_cores", lambda: 2)
    monkeypatch.setattr(waiting, "system_tells", lambda: True)
    before = {"old": Spent(5.0, 7.0)}
    assert waited_of(before, spent, 0.5, beside=beside) == pytest.approx(waited)


def test_the_wall_limit_is_what_the_page_says() -> None:
    assert [longest(seconds) for seconds in (0.0, 0.02, 0.1, 1.0, 10.0)] == [1.0, 1.0, 2.0, 20.0, 70.0]
    assert longest(float("inf")) == float("inf")
    assert Clock(0.05).forgiven < longest(0.05) - 0.05
    page = " ".join((Path(__file__).parents[2] / "docs/ledger.md").read_text(encoding="utf-8").split())
    assert (
        "twenty times the player's time; at least 1 s, and at most 60 s more than the player's time" in page
    )


# -- searches ---------------------------------------------------------------------------------------------------------------


def searched(limits: Limits, forgiven: float) -> float:
    """The processor's seconds of a search for which so many seconds of waiting are forgiven."""
    game, before = ConnectFour(), time.thread_time()
    with forgiving(forgiven):
        search(game, game.initial_state(), PrincipalVariation(), limits, variation=False)
    return time.thread_time() - before


def test_a_search_has_its_seconds_on_a_crowded_core() -> None:
    searched(Limits(nodes=2000), 0.0)  # compiled now
    with crowded_core(6):
        without, used = (searched(Limits(seconds=0.2), forgiven) for forgiven in (0.0, 30.0))
    assert used > 0.18
    assert without < 0.75 * used


def test_a_search_ends_at_the_wall_limit_however_long_it_waits() -> None:
    searched(Limits(nodes=2000), 0.0)
    with crowded_core():
        assert searched(Limits(seconds=0.4), 0.1) < 0.35


def test_what_is_forgiven_holds_in_its_thread_alone_and_no_longer() -> None:
    found: list[int] = []
    with forgiving(5.0):
        assert new_control(seconds=1.0)["own_deadline"] > 0
        thread = threading.Thread(target=lambda: found.append(int(new_control(seconds=1.0)["own_deadline"])))
        thread.start()
        thread.join()
        assert int(new_control()["own_deadline"]) == 0
    assert found == [0]
    assert int(new_control(seconds=1.0)["own_deadline"]) == 0


def test_what_is_forgiven_is_forgiven_once() -> None:
    """A player that searches several times in a move ends as early as one that searches once."""
    with forgiving(5.0):
        time.sleep(0.05)  # to a thread's clock a sleep is a wait
        control = new_control(seconds=1.0)
        assert 0 < int(control["latest"] - control["deadline"]) <= 4.95e9
    with forgiving(0.01):
        time.sleep(0.05)
        assert int(new_control(seconds=1.0)["own_deadline"]) == 0


# -- programs ---------------------------------------------------------------------------------------------------------------

_THINKS = """
def think(seconds):
    end = time.process_time() + seconds
    while time.process_time() < end: pass
"""
_BOT = """
import os, signal, sys, threading, time
{thinks}
os.sched_setaffinity(0, {{{core}}})
print("ready", flush=True)
for line in sys.stdin:
    {does}
    print("done", flush=True)
"""


def asked(tmp_path: Path, core: int, does: str, seconds: float) -> Reply:
    """What comes of one question to a bot that stays on that core, and has so many seconds of its own."""
    bot = tmp_path / "bot.py"
    bot.write_text(_BOT.format(thinks=_THINKS, core=core, does=does))
    with LineProcess([sys.executable, "-I", "-S", str(bot)], Isolation(mode="supervisor")) as process:
        assert process.answer(60.0).line == "ready"
        return process.ask(["go"], seconds)


@told
@pytest.mark.slow
@pytest.mark.parametrize(
    "does",
    ["think(0.25)", "pid = os.fork() or (think(0.25), os._exit(0)); os.waitpid(pid, 0)"],
    ids=["itself", "a child"],
)
def test_a_program_on_a_crowded_core_has_its_time(tmp_path: Path, does: str) -> None:
    with crowded_core(6) as core:
        reply = asked(tmp_path, core, does, 0.4)
    assert reply.line == "done"
    assert reply.seconds > 0.4, "the core was not crowded"


@told
@pytest.mark.slow
@pytest.mark.parametrize(
    "does",
    [
        "think(0.6)",
        "time.sleep(1.0)",
        "os.kill(os.getpid(), signal.SIGSTOP)",
        "pid = os.fork() or (think(0.6), os._exit(0)); os.waitpid(pid, 0)",
        "[threading.Thread(target=think, args=(3.0,), daemon=True).start() for _ in range(20)]; time.sleep(2.0)",
        "[os.write(2, b'x') for _ in range(10**6)]",
    ],
    ids=["thinks", "sleeps", "stops itself", "lets a child think", "many threads", "wakes the arena"],
)
def test_a_program_on_a_crowded_core_that_takes_more_is_late(tmp_path: Path, does: str) -> None:
    with crowded_core() as core:
        reply = asked(tmp_path, core, does, 0.2)
    assert reply.line is None
    assert reply.error.kind is FaultKind.LATE
