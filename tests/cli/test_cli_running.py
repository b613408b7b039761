"""A command that takes long says on stderr what runs, before its result, where no bar is shown."""

import io
import json
import sys
import threading
from typing import Any

import pytest

import saddlepoint.cli
from helpers.programs import run_python
from saddlepoint.cli import program as catalogue

LONG = [name for names in catalogue.commands().values() for name in names if name != "bot"]


class _Heard(io.StringIO):
    """A stderr that is no terminal; `line` is set when something is written."""

    def __init__(self, terminal: bool) -> None:
        super().__init__()
        self.line, self._terminal = threading.Event(), terminal

    def isatty(self) -> bool:
        return self._terminal

    def write(self, text: str) -> int:
        written = super().write(text)
        self.line.set()
        return written


def run(
    monkeypatch: pytest.MonkeyPatch,
    *words: str,
    terminal: bool = False,
    wait: float = 60.0,
    after: float = 0.0,
) -> str:
    """What stderr has of a command that works until something stands there, or so many seconds; it would be said `after` so many."""
    heard = _Heard(terminal)
    monkeypatch.setattr(sys, "stderr", heard)
    monkeypatch.setattr(saddlepoint.cli, "COMMAND_SAID", after)
    monkeypatch.setattr(catalogue, "call", lambda arguments: heard.line.wait(wait))
    saddlepoint.cli._run(list(words))
    heard.line.wait(3 * after)
    return heard.getvalue()


@pytest.mark.parametrize("name", LONG)
def test_every_command_says_what_runs(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert (
        run(monkeypatch, name, "game one", "--json", "two")
        == f"saddlepoint: running: {name} 'game one' ...\n"
    )


def test_nothing_is_said_on_a_terminal_or_where_quiet_was_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    assert run(monkeypatch, "solve", terminal=True, wait=0.3) == ""
    monkeypatch.setenv("SADDLEPOINT_QUIET", "1")
    assert run(monkeypatch, "solve", wait=0.3) == ""


def test_nothing_is_said_of_what_has_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    assert run(monkeypatch, "games", wait=0.0, after=0.2) == ""


def test_a_waiting_line_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    from saddlepoint.compiled import waiting_line

    shown: Any = waiting_line.WaitingLine("compiling", "compiled", 60.0)
    try:
        monkeypatch.setattr(waiting_line, "_shown", {shown})
        assert run(monkeypatch, "solve", wait=0.3) == ""
    finally:
        shown.close(finished=True)


@pytest.mark.slow
def test_json_stays_alone_on_stdout() -> None:
    done = run_python(
        "-m", "saddlepoint", "analyze", "moves: up/left", "--size", "8x6", "--time", "3", "--json"
    )
    assert done.stderr.startswith("saddlepoint: ")
    assert json.loads(done.stdout)["depth"] >= 1
