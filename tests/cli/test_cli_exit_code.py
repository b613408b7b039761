"""The exit code of an interruption is 130, wherever Ctrl-C is met; a closed output is no error."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from helpers.programs import run_python


@pytest.mark.parametrize(
    "code", ["raise KeyboardInterrupt", "exec('raise KeyboardInterrupt')"], ids=["in a file", "in a text"]
)
def test_an_interruption_ends_with_130(code: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(code)
    done = run_python("-m", "saddlepoint", "check", f"{path}:Mine", SADDLEPOINT_QUIET="1")
    assert (done.returncode, done.stderr) == (130, "")


@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-"])
@pytest.mark.parametrize(
    "command", ["games", "--help", "play tic_tac_toe random random", "play tic_tac_toe random random --json"]
)
def test_an_output_that_was_closed_before_is_no_error(command: str, closed: str) -> None:
    done = subprocess.run(
        ["sh", "-c", f'exec "$0" -m saddlepoint {command} {closed}', sys.executable],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "SADDLEPOINT_QUIET": "1"},
    )
    assert (done.returncode, done.stderr) == (0, "")
