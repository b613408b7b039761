"""The program, run in this process or in one of its own."""

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
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


def program(*arguments: str, plain: bool = False, **options: Any) -> subprocess.Popen[str]:
    """The program as a process of its own; as plain Python it compiles nothing."""
    environment = {"SADDLEPOINT_QUIET": "1", **({"NUMBA_DISABLE_JIT": "1"} if plain else {})}
    piped = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen(
        [sys.executable, "-m", "saddlepoint", *arguments],
        text=True,
        env={**os.environ, **environment},
        **{**piped, **options},
    )


def games_in(ledger: Path) -> int:
    """How many finished games a ledger holds that another process writes; none while it is not there yet."""
    try:
        with closing(sqlite3.connect(f"file:{ledger}?mode=ro", uri=True)) as connection:
            return connection.execute("SELECT count(*) FROM games").fetchone()[0]
    except sqlite3.OperationalError:
        return 0
