"""The first compilation says what is going on, and leaves the terminal as it was."""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from helpers.programs import run_python
from helpers.terminals import python_on_terminal

SLOW = """
import sys, time
from saddlepoint.compiled import announce, jit
announce.COMPILING_SAID = 0.0

import numpy as np
from numba.extending import overload

def patience(): ...

@overload(patience)
def _compiled_patience():
    time.sleep({seconds})
    return lambda: 1

@jit
def slowly():
    return patience()

{call}
"""


def program(tmp_path: Path, seconds: float = 0.5, call: str = "slowly()") -> Path:
    path = tmp_path / "slow.py"
    path.write_text(SLOW.format(seconds=seconds, call=call))
    return path


SEVERAL = """
import sys, time
from saddlepoint.compiled import announce, jit
from numba.extending import overload

def patience(which): ...

@overload(patience)
def _compiled_patience(which):  # for each type anew
    time.sleep(0.3)
    return lambda which: 1

@jit
def quickly():
    return 1

@jit
def slowly():
    return patience(1)

@jit
def wrongly():
    return patience(True) + "one"

announce.COMPILING_SAID = 60.0
quickly()
print("--", file=sys.stderr)
announce.COMPILING_SAID = 0.0
slowly()
print("--", file=sys.stderr)
try:
    wrongly()
except Exception:
    pass
"""


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """What one program says of three compilations: a quick one, a slow one, and one that fails."""
    folder = tmp_path_factory.mktemp("several")
    (folder / "several.py").write_text(SEVERAL)
    done = run_python(folder / "several.py", cache=folder)
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    parts = done.stderr.split("--\n")
    assert len(parts) == 3, parts
    return parts


def test_quick_compilations_are_not_mentioned(shown):
    assert shown[0] == ""


def test_a_line_at_the_beginning_and_one_with_the_seconds_at_the_end(shown):
    begun, ended = shown[1].splitlines()
    assert begun == "saddlepoint: compiling slowly (once; later runs load it from disk) ..."
    assert re.fullmatch(r"saddlepoint: compiled slowly in \d+\.\d s", ended)


FULL = """slowly()
from saddlepoint.cli.doctor import _cache
print(_cache()["writable"])"""


@pytest.mark.skipif(shutil.which("unshare") is None, reason="util-linux is not there")
def test_on_a_full_disk_nothing_is_promised_and_no_sentence_stands_in_another(tmp_path):
    """A real one: permissions say that it can be written."""
    (disk := tmp_path / "disk").mkdir()
    mounted = [
        "unshare",
        "--user",
        "--map-root-user",
        "--mount",
        "sh",
        "-c",
        'mount -t tmpfs -o size=8k,mode=700 disk "$0" && exec "$@"',
    ]
    done = subprocess.run(
        [*mounted, disk, sys.executable, program(tmp_path, call=FULL)],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        env={k: v for k, v in os.environ.items() if not k.startswith("SADDLEPOINT_")}
        | {"NUMBA_CACHE_DIR": str(disk)},
    )
    if "mount" in done.stderr or "unshare" in done.stderr:
        pytest.skip("nothing can be mounted here")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("no (No space left on device): "), done
    first, third, second = done.stderr.splitlines()
    told = r"saddlepoint: compiling slowly \(again in every run: it cannot be kept, No space left on device\) \.\.\."
    assert re.fullmatch(told, first), done.stderr
    assert re.fullmatch(
        r"saddlepoint: compiled code cannot be kept in .*: No space left on device", second
    ), done.stderr
    assert re.fullmatch(r"saddlepoint: compiled slowly in \d+\.\d s", third), done.stderr


@pytest.mark.slow
def test_quiet_on_request(tmp_path):
    assert run_python(program(tmp_path), cache=tmp_path, SADDLEPOINT_QUIET="1").stderr == ""
    assert (
        run_python(program(tmp_path), cache=tmp_path, SADDLEPOINT_QUIET="0").stderr == ""
    )  # from the cache now


def test_a_failed_compilation_ends_the_line(shown):
    assert shown[2].startswith("saddlepoint: compiling wrongly (") and shown[2].endswith(
        ": not finished\n"
    ), shown


def on_terminal(path: Path, cache: Path, interrupt: bool) -> tuple[str, int]:
    """What the program shows on a terminal, and its exit status; optionally with Ctrl-C once it says something."""
    terminal, process = python_on_terminal(str(path), NUMBA_CACHE_DIR=str(cache))
    shown, deadline = b"", time.monotonic() + 60
    while time.monotonic() < deadline:
        try:
            chunk = os.read(terminal, 4096)
        except OSError:  # Linux's way to say that the other side is closed
            break
        if not chunk:
            break
        shown += chunk
        if interrupt and b"compiling slowly" in shown and b"at it" in shown:
            process.send_signal(signal.SIGINT)
            interrupt = False
    os.close(terminal)
    return shown.decode(), process.wait(60)


@pytest.mark.slow
def test_a_spinner_on_a_terminal(tmp_path):
    shown, status = on_terminal(program(tmp_path), tmp_path, interrupt=False)
    assert status == 0
    assert "compiling slowly" in shown
    assert re.search(r"compiled slowly in \d+\.\d s", shown)
    assert shown.count("\x1b[?25l") == shown.count("\x1b[?25h"), "the cursor must be shown again"


def test_an_interrupt_gives_the_cursor_back(tmp_path):
    call = "try:\n    slowly()\nexcept KeyboardInterrupt:\n    print('interrupted')"
    path = program(tmp_path, seconds=20, call=call)
    # Not while modules are loaded: some do it in an exec of a text, and Python then ends as if nobody had caught the interrupt.
    path.write_text(path.read_text().replace("time.sleep", "print('at it', flush=True)\n    time.sleep"))
    shown, status = on_terminal(path, tmp_path, interrupt=True)
    assert status == 0
    assert "interrupted" in shown
    assert "compiled slowly" not in shown
    assert shown.count("\x1b[?25l") == shown.count("\x1b[?25h") > 0
    assert shown.rindex("interrupted") > shown.rindex("\x1b[?25h")
