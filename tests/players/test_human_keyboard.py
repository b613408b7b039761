"""A person at a real terminal, at a plain prompt: keys, arrows, leaving, and the terminal as it was afterwards."""

import json
import os
import signal
import subprocess
import sys
import termios
import time
from typing import Any

import pytest

from helpers.terminals import terminal
from saddlepoint.game.picture import arrows_of

__all__ = ["terminal"]  # a fixture

RIDERS = [
    "play",
    "light_riders",
    "human",
    "random",
    "--size",
    "8x6",
    "--start",
    "1,2",
    "--seed",
    "1",
    "--plain",
]


def test_arrows_move_help_helps_and_the_last_board_is_shown(terminal: Any) -> None:
    one = terminal(*RIDERS)
    one.wait_for("your move")
    one.press("?\n")
    one.wait_for("leave the game")
    one.wait_for("your move")
    one.press("\x1b[A")
    one.wait_for("player 1 (random): ")
    one.wait_for("your move")
    one.press("leftt\x7f\n")  # a slip, mended
    one.wait_for("player 1 (random): ")
    one.wait_for("your move")
    one.press("\x1bOD")  # left, as some terminals send it: into the wall
    assert one.end() == 0
    after = one.shown.rpartition("result")[0].rpartition("player 1 (random)")[2]
    assert after.count("\r\n") >= 6, "the last board"
    assert "^[" not in one.shown


@pytest.mark.slow
def test_leaving_is_no_result(terminal: Any) -> None:
    one = terminal(*RIDERS)
    one.wait_for("your move")
    one.press("quit\n")
    assert one.end() == 0
    assert "it has no result" in one.shown
    assert "result -1" not in one.shown


def test_after_an_interruption_the_terminal_is_as_it_was(terminal: Any) -> None:
    one = terminal(*RIDERS)
    one.wait_for("your move")
    assert termios.tcgetattr(one.controller)[3] != one.before[3]  # keys come one at a time
    one.press("u")
    one.wait_for("): u")
    time.sleep(0.3)  # Python heeds a Ctrl-C that comes within a moment of a key at the next key only
    one.press("\x03")
    assert one.process.wait(60) == 130
    assert termios.tcgetattr(one.controller) == one.before
    assert "Traceback" not in one.shown


@pytest.mark.slow
def test_elsewhere_up_goes_through_the_moves_and_down_back(terminal: Any) -> None:
    one = terminal(
        "play", "goofspiel(cards=2, order=descending)", "human", "random", "--seed", "1", "--plain"
    )
    one.wait_for("your move (")
    one.press("\x1b[A\x1b[A\x1b[B\n")  # the first card, the second, the first
    one.wait_for("player 1 (random): ")
    one.wait_for("your move (")
    one.press("\x1b[A\n")
    assert one.end() == 0
    assert "result" in one.shown


@pytest.mark.slow
def test_what_is_no_terminal_is_read_by_lines() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "saddlepoint", *RIDERS],
        input="help\nquit\n",
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env={**os.environ, "SADDLEPOINT_QUIET": "1"},
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "leave the game" in done.stdout
    assert "it has no result" in done.stdout


@pytest.mark.slow
def test_a_person_is_asked_on_stderr_where_the_game_goes_to_stdout() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "saddlepoint", *RIDERS, "-o", "-"],
        input="u\nl\nl\n",
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0
    assert len(done.stdout.splitlines()) == 1 and json.loads(done.stdout)["players"] == ["human", "random"]
    assert done.stderr.count("your move") == 3


@pytest.mark.slow
def test_a_stop_in_the_middle_of_a_game_of_programs(terminal: Any) -> None:
    one = terminal("play", "light_riders", "random", "random", "--delay", "0.5", "--plain")
    one.wait_for("after round")
    one.process.send_signal(signal.SIGINT)
    assert one.process.wait(60) == 130
    assert termios.tcgetattr(one.controller) == one.before


@pytest.mark.parametrize(
    ("names", "moves"),
    [
        (["up", "right", "left"], {"up": "up", "right": "right", "left": "left"}),
        (["U", "D", "L"], {"U": "up", "D": "down", "L": "left"}),
        (["1", "2"], {}),
        (["up", "pass"], {}),
        ([], {}),
    ],
)
def test_arrows_are_moves_where_all_moves_are_directions(names: list[str], moves: dict[str, str]) -> None:
    assert arrows_of(names) == moves
