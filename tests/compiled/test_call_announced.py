"""The first compilation says what is going on, and leaves the terminal as it was."""

import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from helpers.programs import run_python
from helpers.terminals import terminal  # noqa: F401

SLOW = """
import sys, time
from saddlepoint.compiled import call, jit
call.COMPILING_SAID = 0.0

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
from saddlepoint.compiled import call, jit
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

call.COMPILING_SAID = 60.0
quickly()
print("--", file=sys.stderr)
call.COMPILING_SAID = 0.0
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


def test_of_a_slow_compilation_alone_there_is_a_line_at_the_beginning_and_one_with_the_seconds(shown):
    begun, ended = (shown[0] + shown[1]).splitlines()
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
    for said, line in zip(
        (
            r"saddlepoint: compiling slowly \(again in every run: it cannot be kept, No space left on device\) \.\.\.",
            r"saddlepoint: compiled slowly in \d+\.\d s",
            r"saddlepoint: compiled code cannot be kept in .*: No space left on device",
        ),
        done.stderr.splitlines(),
        strict=True,
    ):
        assert re.fullmatch(said, line), done.stderr


@pytest.mark.slow
def test_quiet_on_request_and_when_it_is_loaded(tmp_path):
    for quiet in ("1", "0"):  # the second time it is kept
        assert run_python(program(tmp_path), cache=tmp_path, SADDLEPOINT_QUIET=quiet).stderr == ""


def test_a_failed_compilation_ends_the_line(shown):
    assert re.fullmatch(r"saddlepoint: compiling wrongly \(.*: not finished\n", shown[2], re.DOTALL)


@pytest.mark.slow
def test_a_spinner_on_a_terminal(tmp_path, terminal):  # noqa: F811
    one = terminal(run=[str(program(tmp_path))], NUMBA_CACHE_DIR=str(tmp_path), SADDLEPOINT_QUIET="0")
    assert one.end() == 0
    assert re.search(r"compiling slowly.*compiled slowly in \d+\.\d s", one.shown, re.DOTALL)
    assert one.shown.count("\x1b[?25l") == one.shown.count("\x1b[?25h"), "the cursor must be shown again"


def test_an_interrupt_gives_the_cursor_back(tmp_path, terminal):  # noqa: F811
    call = "try:\n    slowly()\nexcept KeyboardInterrupt:\n    print('interrupted')"
    path = program(tmp_path, seconds=8, call=call)
    # Not while modules are loaded: some do it in an exec of a text, and Python then ends as if nobody had caught the interrupt.
    path.write_text(path.read_text().replace("time.sleep", "print('at it', flush=True)\n    time.sleep"))
    one = terminal(run=[str(path)], NUMBA_CACHE_DIR=str(tmp_path), SADDLEPOINT_QUIET="0")
    one.wait_for("compiling slowly")
    one.wait_for("at it")
    one.process.send_signal(signal.SIGINT)
    assert one.end() == 0
    assert "compiled slowly" not in one.shown
    assert one.shown.count("\x1b[?25l") == one.shown.count("\x1b[?25h") > 0
    assert one.shown.rindex("interrupted") > one.shown.rindex("\x1b[?25h")
