"""The supervisor sees all processes below it, and how much memory they hold."""

import mmap
import os
import subprocess
import sys

import pytest

from saddlepoint.players.base import PlayerError
from saddlepoint.players.programs.process import LineProcess
from saddlepoint.players.programs.supervision import end_orphans, mark
from saddlepoint.players.programs.supervisor import descendants, resident

NESTED = (
    "import subprocess, sys; print(subprocess.Popen(['sleep', '1000']).pid, flush=True); sys.stdin.read()"
)


def test_children_and_theirs_are_seen() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", NESTED], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as parent:
        child = int(parent.stdout.readline())
        assert {parent.pid, child} <= set(descendants(os.getpid()))
        assert descendants(parent.pid) == [child]
        os.kill(child, 9)
        parent.communicate()
    assert parent.pid not in descendants(os.getpid())
    assert descendants(parent.pid) == []


def test_memory_is_what_is_resident_not_what_is_reserved() -> None:
    before = resident([os.getpid()])
    assert before > 10_000_000
    with mmap.mmap(-1, 100_000_000) as reserved:
        assert resident([os.getpid()]) < before + 50_000_000
        for page in range(0, len(reserved), mmap.PAGESIZE):
            reserved[page] = 1
        assert resident([os.getpid()]) > before + 90_000_000
    assert resident([2**22 + 1]) == 0  # no process has such a number


def test_orphans_are_told_by_their_mark() -> None:
    marked, other = mark(), mark()
    assert marked != other
    processes = [
        subprocess.Popen(["sleep", "1000"], env={**os.environ, **one}, start_new_session=True)
        for one in (marked, other)
    ]
    try:
        end_orphans(0, marked)
        assert processes[0].wait(10) == -9
        assert processes[1].poll() is None
    finally:
        for process in processes:
            process.kill()
            process.wait()


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("/no/such/bot", "cannot be started: No such file"),
        ("/", "Permission denied"),
        ("'", "is no command"),
        ("", "empty"),
    ],
)
def test_what_cannot_be_started_is_said_at_once(command: str, message: str) -> None:
    with pytest.raises(PlayerError, match=message):
        LineProcess(command)


def test_a_program_that_leaves_by_itself_is_given_the_time_for_it() -> None:
    process = LineProcess("sh -c 'read line; sleep 0.1; echo gone >&2'")
    process.close(grace=20.0)
    assert "gone" in process.error_text
    assert process.has_ended
