"""The program, run in this process or in one of its own."""

import os
import subprocess
import sys
from typing import Any

import pytest

import saddlepoint.cli


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Any:
    """A function that runs the program in this process: exit code, stdout and stderr."""

    def run(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["saddlepoint", *arguments])
        with pytest.raises(SystemExit) as left:
            saddlepoint.cli.main()
        out, err = capsys.readouterr()
        return int(left.value.code or 0), out, err

    return run


def program(*arguments: str, **options: Any) -> subprocess.Popen[str]:
    """The program as a process of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "saddlepoint", *arguments],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, "SADDLEPOINT_QUIET": "1"}, **options,
    )  # fmt: skip
