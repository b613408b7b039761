"""Ctrl-C ends every search, wherever it runs: a real SIGINT to a program of its own.

The fault was a search that ran on for as long as its limits let it: minutes. So the bound is generous, for busy machines.
"""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from saddlepoint.algorithms.catalogue import ALGORITHMS
from saddlepoint.compiled import PLAIN_PYTHON

SECONDS = 10.0
"""Until a program that was sent SIGINT has come to its end."""

SEARCH = """
import asyncio, os, signal, sys, threading
from concurrent.futures import ThreadPoolExecutor
from saddlepoint import Limits, StopToken, search
from saddlepoint.algorithms.catalogue import ALGORITHMS
from saddlepoint.games import ConnectFour, LightRiders

algorithm, where = ALGORITHMS[sys.argv[1]](), sys.argv[2]
game = ConnectFour() if algorithm.turns_only else LightRiders()
state, stop = game.initial_state(), StopToken()
search(game, state, algorithm, Limits(depth=1, nodes=500))  # compiled

def endless(**more):
    print("searching", flush=True)
    limits = Limits(depth=200) if algorithm.goes_by_depth else Limits(seconds=1000)
    return search(game, state, algorithm, limits, **more)

try:
    if where == "main thread":
        endless()
    elif where == "pool":
        with ThreadPoolExecutor(1) as pool:
            pool.submit(endless).result()
    elif where == "asyncio":
        asyncio.run(asyncio.to_thread(endless))
    elif where == "thread":
        threading.Thread(target=endless).start()  # Python waits for it at its end
        threading.Event().wait()
    elif where == "a handler of its own":
        signal.signal(signal.SIGINT, lambda number, frame: stop.stop())
        found = endless(stop=stop)
        print("complete" if found.complete else "stopped")
    elif where == "at_interrupt":
        with stop.at_interrupt():
            found = endless(stop=stop, deepen=True)
        print("stopped" if not found.complete and found.depth else "complete", signal.getsignal(signal.SIGINT).__name__)
    elif where == "unheeded":
        signal.signal(signal.SIGINT, lambda number, frame: print("heard", flush=True))
        endless()
    elif where == "ignored":
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        endless()
    elif where == "within a handler":  # a handler that searches itself
        def handler(number, frame):
            print("depth", search(game, state, algorithm, Limits(depth=2)).depth, flush=True)
            raise KeyboardInterrupt
        signal.signal(signal.SIGINT, handler)
        endless()
    else:
        raise SystemExit(f"no {where}")
except KeyboardInterrupt:
    if where == "thread":
        raise
    print("interrupted", threading.active_count())
"""


@contextmanager
def running(*arguments: str, plain: bool = PLAIN_PYTHON) -> Iterator[subprocess.Popen[str]]:
    """A program of Python's, killed at the end if it still runs."""
    env = {**os.environ, "SADDLEPOINT_QUIET": "1", "NUMBA_DISABLE_JIT": str(int(plain))}
    process = subprocess.Popen(
        [sys.executable, *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=env
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def interrupted(*arguments: str, plain: bool = PLAIN_PYTHON) -> tuple[str, int]:
    """What a search prints that is sent SIGINT, and its exit code."""
    with running("-c", SEARCH, *arguments, plain=plain) as process:
        return sigint(process)


def sigint(process: Any) -> tuple[str, int]:
    """Wait for the search, let it run for a moment, and send SIGINT."""
    begun = process.stdout.readline()
    if begun.startswith("saddlepoint: compiling"):
        begun += process.stdout.readline()
    assert begun.endswith("searching\n"), begun + process.communicate()[0]
    time.sleep(0.4)
    process.send_signal(signal.SIGINT)
    return begun.removesuffix("searching\n") + process.communicate(timeout=SECONDS)[0], process.returncode


@pytest.mark.slow
@pytest.mark.parametrize("name", ALGORITHMS)
def test_every_search_in_the_main_thread(name: str) -> None:
    assert interrupted(name, "main thread") == ("interrupted 1\n", 0)


@pytest.mark.slow
@pytest.mark.parametrize("plain", [False, True])
@pytest.mark.parametrize("name", ["smab", "pvs", "duct"])
@pytest.mark.parametrize("where", ["pool", "asyncio"])
def test_a_search_in_another_thread_ends_while_the_main_thread_waits_for_it_on_its_way_out(
    name: str, where: str, plain: bool
) -> None:
    assert interrupted(name, where, plain=plain) == ("interrupted 1\n", 0)


@pytest.mark.slow
def test_a_thread_that_python_waits_for_at_its_end_ends() -> None:
    shown, code = interrupted("smab", "thread")
    assert code == -signal.SIGINT
    assert shown.rstrip().endswith("KeyboardInterrupt")


@pytest.mark.parametrize(
    ("where", "shown"),
    [
        ("main thread", "interrupted 1\n"),
        ("a handler of its own", "stopped\n"),
        ("at_interrupt", "stopped default_int_handler\n"),
        ("within a handler", "depth 2\ninterrupted 1\n"),
    ],
)
@pytest.mark.plain
def test_handlers_of_signals_are_called_while_a_search_runs(where: str, shown: str) -> None:
    assert interrupted("pvs", where) == (shown, 0)


@pytest.mark.slow
@pytest.mark.parametrize(("where", "heard"), [("unheeded", "heard\n"), ("ignored", "")])
def test_a_search_goes_on_where_the_program_does_not_want_to_be_interrupted(where: str, heard: str) -> None:
    with running("-c", SEARCH, "pvs", where) as process:
        with pytest.raises(subprocess.TimeoutExpired):
            sigint_for_a_moment(process)
        process.kill()
        assert process.communicate()[0] == heard


def sigint_for_a_moment(process: Any) -> None:
    assert process.stdout.readline() == "searching\n"
    time.sleep(0.4)
    process.send_signal(signal.SIGINT)
    process.wait(1.5)


NODES = """
from saddlepoint import Limits, search
from saddlepoint.algorithms import PrincipalVariation
from saddlepoint.games import ConnectFour
import signal
signal.signal(signal.SIGINT, lambda *_: None)
game = ConnectFour()
search(game, game.initial_state(), PrincipalVariation(), Limits(depth=2, nodes=10**9))
print("searching", flush=True)
found = search(game, game.initial_state(), PrincipalVariation(), Limits(nodes=20_000_000))
print(found.value, found.depth, found.statistics)
"""


@pytest.mark.slow
@pytest.mark.skipif(PLAIN_PYTHON, reason="takes too long")
def test_a_signal_that_stops_nothing_changes_nothing() -> None:
    with running("-c", NODES) as process:
        met, _ = sigint(process)
    with running("-c", NODES) as process:
        assert process.communicate(timeout=60)[0] == "searching\n" + met


COMPILE = """
import sys
sys.path.insert(0, sys.argv[1])
import threading
from slowly import slowly
from saddlepoint.compiled import run
try:
    run(slowly, 1)
    print("compiled")
except KeyboardInterrupt:
    print("interrupted")
"""


@pytest.mark.skipif(PLAIN_PYTHON, reason="nothing is compiled")
def test_a_compilation_ends_after_its_step(tmp_path: Path) -> None:
    """A step that Numba cannot be interrupted in, as LLVM's are: here one that waits outside Python."""
    (tmp_path / "slowly.py").write_text(
        "import ctypes\nfrom numba.core import types\nfrom saddlepoint.compiled import compiled_as, jit\nasked = []\n"
        "def code(typingctx, x):\n    ctypes.PyDLL(None).usleep(1)\n    sleep = ctypes.CDLL(None).usleep\n"
        "    if not asked:  # Numba may ask twice\n        asked.append(x)\n        print('searching', flush=True)\n"
        "    for _ in range(15):\n        sleep(100000)  # a signal ends one of them\n"
        "    return x(x), lambda context, builder, signature, args: args[0]\n"
        "@compiled_as(code)\ndef same(x):\n    return x\n@jit\ndef slowly(x):\n    return same(x)\n"
    )
    env = {"SADDLEPOINT_QUIET": "0", "NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    with pytest.MonkeyPatch.context() as patch:
        for name, value in env.items():
            patch.setenv(name, value)
        command = [sys.executable, "-c", COMPILE, str(tmp_path)]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        shown, _ = sigint(process)
    assert re.search(r"compiling slowly [^\n]*\n.*: not finished\ninterrupted\n", shown)
