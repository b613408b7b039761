"""A person at a real terminal: keys, arrows, leaving, and the terminal as it was afterwards."""

import os
import pty
import select
import signal
import subprocess
import sys
import termios
from typing import Any

import pytest

from saddlepoint.players.human import arrow_moves


class Terminal:
    """The program on a terminal of its own."""

    def __init__(self, *arguments: str) -> None:
        self.controller, terminal = pty.openpty()
        self.before = termios.tcgetattr(self.controller)
        self.process = subprocess.Popen(
            [sys.executable, "-m", "saddlepoint", *arguments], stdin=terminal, stdout=terminal, stderr=terminal,
            # The terminal must be the process's own for Ctrl-C to reach it.
            start_new_session=True, preexec_fn=lambda: __import__("fcntl").ioctl(terminal, termios.TIOCSCTTY, 0),  # noqa: PLW1509
            env={**os.environ, "SADDLEPOINT_QUIET": "1", "TERM": "xterm"},
        )  # fmt: skip
        os.close(terminal)
        self.shown, self._seen = "", 0

    def press(self, keys: str) -> None:
        """Type, once the program asks."""
        os.write(self.controller, keys.encode())

    def wait_for(self, text: str) -> None:
        """Until it is shown after what was waited for before."""
        while (at := self.shown.find(text, self._seen)) < 0:
            assert self._read(), f"the program ended: {self.shown[-500:]!r}"
        self._seen = at + len(text)

    def end(self) -> int:
        """The exit code, with everything shown."""
        while self._read():
            pass
        return self.process.wait(60)

    def _read(self) -> str:
        if not select.select([self.controller], [], [], 20)[0]:
            raise AssertionError(f"nothing more was shown after {self.shown[-300:]!r}")
        try:
            text = os.read(self.controller, 4096).decode(errors="replace")
        except OSError:  # nobody has it open any more
            return ""
        self.shown += text
        return text


@pytest.fixture
def terminal() -> Any:
    started: list[Terminal] = []

    def start(*arguments: str) -> Terminal:
        started.append(Terminal(*arguments))
        return started[-1]

    yield start
    for one in started:
        if one.process.poll() is None:
            one.process.kill()
        one.process.wait()
        os.close(one.controller)


RIDERS = ["play", "light_riders", "human", "random", "--size", "8x6", "--start", "1,2", "--seed", "1"]


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
    one.press("u\x03")
    assert one.process.wait(60) == 130
    assert termios.tcgetattr(one.controller) == one.before
    assert "Traceback" not in one.shown


@pytest.mark.slow
def test_elsewhere_up_and_down_go_through_the_moves(terminal: Any) -> None:
    one = terminal("play", "goofspiel(cards=2, order=descending)", "human", "random", "--seed", "1")
    one.wait_for("your move (")
    one.press("\x1b[B\x1b[B\x1b[A\n")  # the first card, the second, the first
    one.wait_for("player 1 (random): ")
    one.wait_for("your move (")
    one.press("\x1b[A\n")
    assert one.end() == 0
    assert "result" in one.shown


def test_what_is_no_terminal_is_read_by_lines() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "saddlepoint", *RIDERS], input="help\nquit\n", capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "leave the game" in done.stdout
    assert "it has no result" in done.stdout


@pytest.mark.slow
def test_a_stop_in_the_middle_of_a_game_of_programs(terminal: Any) -> None:
    one = terminal("play", "light_riders", "random", "random", "--delay", "0.5")
    one.wait_for("after round")
    one.process.send_signal(signal.SIGINT)
    assert one.process.wait(60) == 130
    assert termios.tcgetattr(one.controller) == one.before


@pytest.mark.parametrize(
    ("names", "moves"),
    [
        (["up", "right", "left"], {"up": "up", "right": "right", "left": "left"}),
        (["U", "D", "L"], {"up": "U", "down": "D", "left": "L"}),
        (["1", "2"], {}),
        (["up", "pass"], {}),
        ([], {}),
    ],
)
def test_arrows_are_moves_where_all_moves_are_directions(names: list[str], moves: dict[str, str]) -> None:
    assert arrow_moves(names) == moves
