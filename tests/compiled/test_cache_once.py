"""The same function is never compiled twice: processes that need it at the same time wait for the first one."""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from helpers.programs import output_of
from saddlepoint.compiled import PLAIN_PYTHON, cache as kept
from saddlepoint.compiled.cache import _Lock as Lock
from saddlepoint.compiled.sources import package_digest

KEY, OTHER = "0000010abcdef", "0000020abcdef"

HOLDER = """
import sys, time
from saddlepoint.compiled.cache import _Lock
lock = _Lock(sys.argv[1])
assert lock.acquire(0.0)
print("locked", flush=True)
time.sleep(60)
"""


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the locks, here and in processes."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    folder = tmp_path / "saddlepoint" / package_digest()
    monkeypatch.setattr(kept, "cache_directory", lambda: folder)
    return folder


@pytest.fixture
def holder(home: Path):
    with subprocess.Popen([sys.executable, "-c", HOLDER, KEY], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "locked\n"
        yield process
        process.kill()


def test_who_wants_what_another_process_has_locked_waits_until_that_process_ends_however_it_ends(holder):
    assert Lock(OTHER).acquire(0.0), "nobody else has this one"
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(Lock(KEY).acquire, 60.0)
        with pytest.raises(TimeoutError):
            waiting.result(0.3)
        holder.kill()
        assert waiting.result(30)


def test_a_lock_that_was_released_makes_nobody_wait_and_leaves_no_file(home: Path):
    home.mkdir(parents=True)
    for _ in range(2):
        lock = Lock(KEY)
        assert lock.acquire(0.0)
        assert list(home.iterdir())
        lock.release()
    output_of("-c", HOLDER.replace("time.sleep(60)", "lock.release()"), KEY, cache=home.parents[1])
    assert not list(home.glob("*.lock"))


def test_where_no_file_can_be_made_everybody_compiles(home: Path):
    assert not home.exists()
    assert Lock(KEY).acquire(0.0)


PROGRAM = """
from dataclasses import dataclass
from saddlepoint.compiled import Component, jit, kernel, run

@dataclass(frozen=True)
class Sum(Component):
    @kernel
    def value(self, x):
        total = 0
        for k in range(x):
            total += k * x // (k + 1)
        return total

@jit
def twice(sum, x):
    return 2 * sum.value(x)

print("ready", flush=True)
input()
run(twice, Sum(), 5)
print(sum(twice.stats.cache_misses.values()) + sum(Sum.kernels["value"].stats.cache_misses.values()))
"""


@pytest.mark.slow
@pytest.mark.usefixtures("home")
@pytest.mark.skipif(PLAIN_PYTHON, reason="nothing is compiled")
def test_processes_that_begin_at_the_same_time_compile_each_function_once_between_them(tmp_path: Path):
    (tmp_path / "program.py").write_text(PROGRAM)
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path / "cache"), "SADDLEPOINT_QUIET": "1"}
    command = [sys.executable, str(tmp_path / "program.py")]
    processes = [
        subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for _ in range(3)
    ]
    for process in processes:
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        process.stdin.write("\n")
        process.stdin.flush()
    misses = [int(process.communicate(timeout=120)[0]) for process in processes]
    assert sum(misses) == 2, "the kernel and the function that calls it"
