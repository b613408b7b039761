"""The same function is never compiled twice: processes that need it at the same time wait for the first one."""

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from saddlepoint.compiled import PLAIN_PYTHON
from saddlepoint.compiled.once import Claims

KEY, OTHER = "0000010abcdef", "0000020abcdef"

HOLDER = """
import sys, time
from pathlib import Path
from saddlepoint.compiled.once import Claims
claims = Claims()
claims.claim(Path(sys.argv[1]), sys.argv[2])
print("claimed", flush=True)
time.sleep(60)
"""


@pytest.fixture
def holder(tmp_path: Path):
    with subprocess.Popen([sys.executable, "-c", HOLDER, tmp_path, KEY], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "claimed\n"
        yield process
        process.kill()


def test_who_claims_what_another_process_has_claimed_waits_until_that_process_ends_however_it_ends(holder, tmp_path: Path):
    claims, ended = Claims(), threading.Event()
    assert not claims.claim(tmp_path, OTHER), "nobody else has this one"
    waited: list[bool] = []

    def wait() -> None:
        waited.append(claims.claim(tmp_path, KEY))
        ended.set()

    threading.Thread(target=wait).start()
    assert not ended.wait(0.3)
    os.kill(holder.pid, signal.SIGKILL)
    assert ended.wait(30)
    assert waited == [True]


def test_a_claim_that_was_released_makes_nobody_wait(tmp_path: Path):
    claims = Claims()
    claims.claim(tmp_path, KEY)
    claims.release(KEY)
    claims.release(OTHER)
    script = HOLDER.replace("time.sleep(60)", "")
    subprocess.run([sys.executable, "-c", script, tmp_path, KEY], check=True, timeout=30, stdout=subprocess.DEVNULL)


def test_where_no_file_can_be_made_everybody_compiles(tmp_path: Path):
    assert not Claims().claim(tmp_path / "not there", KEY)


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
@pytest.mark.skipif(PLAIN_PYTHON, reason="nothing is compiled")
def test_processes_that_begin_at_the_same_time_compile_each_function_once_between_them(tmp_path: Path):
    (tmp_path / "program.py").write_text(PROGRAM)
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path / "cache"), "SADDLEPOINT_QUIET": "1"}
    command = [sys.executable, str(tmp_path / "program.py")]
    processes = [
        subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _ in range(3)
    ]
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()
    misses = [int(process.communicate(timeout=120)[0]) for process in processes]
    assert sum(misses) == 2, "the kernel and the function that calls it"
