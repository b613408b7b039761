"""Ctrl-C ends every command that works long, with the exit code 130: a real Ctrl-C on a terminal of its own."""

import json
import os
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from helpers.cli_runs import program
from helpers.terminals import terminal

__all__ = ["terminal"]  # a fixture
pytestmark = pytest.mark.slow
INTERRUPTED = 130
SECONDS = 10.0
"""Until a command has come to its end; the fault was a command that ran on for minutes."""

LONG: list[tuple[str, ...]] = [
    ("analyze", "moves: up/left", "--depth", "30"),
    ("analyze", "--game", "connect_four", "moves: 1", "--depth", "40"),
    ("compare", "moves: up/left", "--time", "60", "--algorithm", "smab", "--algorithm", "do"),
    ("play", "connect_four", "pvs", "pvs", "--time", "60"),
    ("match", "pvs", "pvs", "--game", "connect_four", "--time", "60", "-n", "2"),
    ("tournament", "pvs", "mcts", "--game", "connect_four", "--time", "60", "-n", "2"),
    ("solve", "connect_four"),
    ("solve", "game", "goofspiel(cards=9)"),
    ("solve", "game", "soccer(width=60,height=40)"),
    ("solve", "tron", "--width", "14", "--height", "14", "--no-symmetry"),
    ("solve", "simplexity"),
    ("solve", "rubiks_flip"),
    ("exploit", "oos", "--game", "goofspiel(cards=5)", "--nodes", "100000"),
    ("puzzles", "battlesnake", "best", "--time", "60"),
    ("warm", "all"),
    ("literature",),
]


@pytest.mark.parametrize("command", LONG, ids=" ".join)
@pytest.mark.parametrize("wait", [1.5, 5.0], ids=["at its beginning", "at work"])
def test_it_ends_on_a_terminal(terminal: Any, command: tuple[str, ...], wait: float, tmp_path: Path) -> None:
    running = terminal(*command, XDG_DATA_HOME=str(tmp_path))
    time.sleep(wait)
    running.press("\x03")
    pressed = time.monotonic()
    assert running.end() == INTERRUPTED, running.shown[-500:]
    assert time.monotonic() - pressed < SECONDS
    assert "Traceback" not in running.shown


def interrupted(running: subprocess.Popen[str], begun: str) -> str:
    """What a command prints that is interrupted a moment after it printed a line that begins so."""
    assert running.stdout is not None
    shown = ""
    while not (line := running.stdout.readline()).strip().startswith(begun):
        assert line, shown
        shown += line
    time.sleep(0.3)
    os.kill(running.pid, signal.SIGINT)
    shown += line + running.communicate(timeout=SECONDS)[0]
    assert running.returncode == INTERRUPTED
    return shown


def test_analyze_prints_what_it_has_found_so_far() -> None:
    shown = interrupted(program("analyze", "moves: up/left", "--depth", "30"), "5 ")
    assert "\nvalue " in shown
    assert "\nplayer 1: " in shown
    assert "\nprincipal variation: " in shown


def test_analyze_prints_whole_json_where_it_is_interrupted() -> None:
    asked = ("analyze", "--game", "connect_four", "moves: 1", "--json")
    program(*asked, "--depth", "1").communicate(timeout=300)  # compiled
    running = program(*asked, "--time", "600")
    time.sleep(8)  # it says nothing before
    os.kill(running.pid, signal.SIGINT)
    shown = running.communicate(timeout=SECONDS)[0]
    assert running.returncode == INTERRUPTED
    assert not json.loads(shown)["complete"]
