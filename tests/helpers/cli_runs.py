"""The program, run in this process or in one of its own."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import saddlepoint.cli


class Program:
    """The program, run in this process with the words of a command line."""

    def __init__(self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
        self._capsys, self._monkeypatch = capsys, monkeypatch

    def __call__(self, *arguments: str) -> tuple[int, str, str]:
        """Exit code, stdout and stderr."""
        self._monkeypatch.setattr(sys, "argv", ["saddlepoint", *arguments])
        with pytest.raises(SystemExit) as left:
            saddlepoint.cli.main()
        out, err = self._capsys.readouterr()
        return int(left.value.code or 0), out, err

    def ended(self, code: int, *arguments: str) -> tuple[str, str]:
        """Stdout and stderr of a command that ends with this code."""
        found, out, err = self(*arguments)
        assert found == code, (out, err)
        return out, err

    def printed(self, *arguments: str) -> str:
        """What a command prints that ends well."""
        return self.ended(0, *arguments)[0]

    def data(self, *arguments: str) -> Any:
        """What it prints as JSON."""
        return json.loads(self.printed(*arguments, "--json"))

    def refused(self, *arguments: str) -> str:
        """What it says where it does nothing but refuse: one sentence on stderr, with exit code 2."""
        out, err = self.ended(2, *arguments)
        assert (out, err.count("\n")) == ("", 1), err
        assert err.startswith("saddlepoint: ")
        assert not any(word in err for word in ("Traceback", "codec", "Errno"))
        return err


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Program:
    """A function that runs the program in this process: exit code, stdout and stderr."""
    return Program(capsys, monkeypatch)


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


def interrupted(running: subprocess.Popen[str], group: bool = False) -> tuple[str, str]:
    """What it prints that Ctrl-C ends, stdout and stderr; a terminal sends that to every process of the group."""
    (os.killpg if group else os.kill)(running.pid, signal.SIGINT)
    out, err = running.communicate(timeout=60)
    assert running.returncode == 130, err
    return out, err


def games_in(ledger: Path) -> int:
    """How many finished games a ledger holds that another process writes; none while it is not there yet."""
    try:
        with closing(sqlite3.connect(f"file:{ledger}?mode=ro", uri=True)) as connection:
            return connection.execute("SELECT count(*) FROM games").fetchone()[0]
    except sqlite3.OperationalError:
        return 0
