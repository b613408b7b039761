"""The exit code of an interruption is 130, wherever Ctrl-C is met."""

from pathlib import Path

import pytest

from programs import run_python


@pytest.mark.parametrize("code", ["raise KeyboardInterrupt", "exec('raise KeyboardInterrupt')"], ids=["in a file", "in a text"])
def test_an_interruption_ends_with_130(code: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(code)
    done = run_python("-m", "saddlepoint", "check", f"{path}:Mine")
    assert (done.returncode, done.stderr) == (130, "")
