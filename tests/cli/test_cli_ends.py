"""How the program ends: by Ctrl-C, on a terminal of its own or wherever it is met, with the code 130; a closed output is no error."""

import json
import os
import subprocess
import sys
import time
import weakref
from pathlib import Path
from typing import Any

import pytest

from helpers.cli_runs import interrupted, program
from helpers.programs import run_python
from saddlepoint import cli as program_itself
from saddlepoint.cli import end_signals

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


@pytest.mark.slow
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


@pytest.mark.slow
def test_analyze_prints_what_it_has_found_so_far() -> None:
    running = program("analyze", "moves: up/left", "--depth", "30")
    assert running.stdout is not None
    while not running.stdout.readline().strip().startswith("5 "):
        assert running.poll() is None
    time.sleep(0.3)
    shown = interrupted(running)[0]
    assert "\nvalue " in shown
    assert "\nplayer 1: " in shown
    assert "\nprincipal variation: " in shown


@pytest.mark.slow
def test_analyze_prints_whole_json_where_it_is_interrupted() -> None:
    asked = ("analyze", "--game", "connect_four", "moves: 1", "--json")
    program(*asked, "--depth", "1").communicate(timeout=300)  # compiled
    running = program(*asked, "--time", "600")
    time.sleep(8)  # it says nothing before
    assert not json.loads(interrupted(running)[0])["complete"]


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


class Thing:
    pass


@pytest.mark.parametrize(
    "soon", [program_itself._SOON, 0.0]
)  # without a pause the main thread may still be where it would be dropped again
def test_ctrl_c_that_python_drops_in_the_callback_of_a_weak_reference_is_raised_a_moment_later(
    soon: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(program_itself, "_SOON", soon)
    called = []

    def interrupted(_: object) -> None:
        called.append(True)
        raise KeyboardInterrupt

    thing = Thing()
    reference = weakref.ref(thing, interrupted)
    begun = time.monotonic()
    with pytest.raises(KeyboardInterrupt), end_signals():
        del thing
        time.sleep(20)
    assert called
    assert reference() is None
    assert time.monotonic() - begun < 10
