"""The program on a real terminal, by keys, and every game of the catalogue played to its end on its screen."""

import os
import re
import signal
import subprocess
import sys
import termios
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from helpers.screens import Driver, Scripted, drive, playing
from helpers.short_games import SHORT
from helpers.terminals import Terminal
from saddlepoint.cli.common import read_game
from saddlepoint.game.base import CHANCE
from saddlepoint.players.human import HumanPlayer

RIDERS = ["play", "light_riders", "human", "random", "--size", "8x6", "--start", "1,2", "--seed", "1"]
WATCHED = ["play", "light_riders", "random", "random", "--size", "8x6", "--seed", "2"]
THOUGHT = [
    "play",
    "light_riders",
    "alphabeta(evaluator=voronoi)",
    "random",
    "--size",
    "16x16",
    "--time",
    "60",
]
ENTERED, LEFT = "\x1b[?1049h", "\x1b[?1049l"


def as_it_was(one: Terminal) -> bool:
    """Whether the terminal is as it was: its modes, the screen, the cursor."""
    shown = one.shown.rfind(LEFT) > one.shown.rfind(ENTERED) >= 0 and one.shown.rfind(
        "\x1b[?25h"
    ) > one.shown.rfind("\x1b[?25l")
    return shown and termios.tcgetattr(one.controller) == one.before


def test_a_text_that_never_comes_fails_the_test_with_the_screen(terminal: Any) -> None:
    one = terminal(run=["-c", "import time\nwhile True: print('thinking', flush=True); time.sleep(0.01)"])
    one.wait_for("thinking")
    with pytest.raises(AssertionError, match="'your move' was not shown in 1 s; the screen: .*thinking"):
        one.wait_for("your move", seconds=1.0)


def test_a_whole_game_by_arrows(terminal: Any, tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    one = terminal(*RIDERS, "-o", str(file))
    one.wait_for("your move")
    one.press("\x1b[A")
    one.wait_for("up")
    one.press("\x1bOD")  # left, as some terminals send it
    one.wait_for("left")
    one.wait_for("you lost", again="\x1b[D")  # into the wall
    one.press("q")
    assert one.end() == 0
    assert as_it_was(one)
    after = one.shown.rpartition(LEFT)[2]
    assert "you lost: player 1 won" in after and after.count("\r\n") >= 8, "the last board and the result"
    assert '"result":-1' in file.read_text().replace(".0", "")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "awaited", "end", "code"),
    [
        pytest.param(RIDERS, "your move", lambda one: one.press("a\x03"), 130, id="Ctrl-C"),
        pytest.param(RIDERS, "your move", lambda one: one.process.terminate(), 143, id="SIGTERM"),
        pytest.param(
            RIDERS, "your move", lambda one: one.process.send_signal(signal.SIGHUP), 129, id="SIGHUP"
        ),
        pytest.param(RIDERS, "your move", lambda one: one.press("qq"), 0, id="leaving"),
        pytest.param(THOUGHT, "to move", lambda one: one.press("qq"), 0, id="leaving while a player thinks"),
    ],
)
def test_whatever_ends_it_leaves_the_terminal_as_it_was(
    terminal: Any, arguments: list[str], awaited: str, end: Callable[[Terminal], object], code: int
) -> None:
    one = terminal(*arguments, SADDLEPOINT_QUIET="0" if arguments is THOUGHT else "1")
    one.wait_for(awaited)
    assert termios.tcgetattr(one.controller)[3] != one.before[3]
    end(one)
    assert one.end() == code
    assert as_it_was(one)
    assert "Traceback" not in one.shown
    assert ("you left the game: it has no result" in one.shown) is (code == 0)


@pytest.mark.slow
def test_a_replay_is_stepped_through_and_left(terminal: Any, tmp_path: Path) -> None:
    file = str(tmp_path / "game.jsonl")
    subprocess.run(
        [sys.executable, "-m", "saddlepoint", *WATCHED, "-o", file], check=True, capture_output=True
    )
    one = terminal("show", file)
    one.wait_for("start")
    one.press("\x1b[C")
    one.wait_for("after 1 of")
    one.press("\x1b[F")
    one.wait_for("result")
    one.press("q")
    assert one.end() == 0
    assert as_it_was(one)


@pytest.mark.slow
@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {}])
def test_no_colour_where_none_is_wanted(terminal: Any, environment: dict[str, str]) -> None:
    one = terminal(*RIDERS, "--ascii", COLORTERM="truecolor", **environment)
    one.wait_for("your move")
    one.press("\x03")
    one.end()
    screen = one.shown[one.shown.find(ENTERED) : one.shown.rfind(LEFT)]
    assert bool(
        re.findall(
            r"\x1b\[[0-9;]*?\b(?:3[0-7]|4[0-7]|9[0-7]|38;[25];[0-9;]+|48;[25];[0-9;]+)(?=[;m])", screen
        )
    ) is not bool(environment)
    assert "00" in screen and "|" in screen and screen.isascii()


def test_a_pipe_gets_plain_text_and_loads_no_screen(tmp_path: Path) -> None:
    (tmp_path / "textual.py").write_text("raise SystemError('textual was loaded')")
    program = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import saddlepoint.cli; saddlepoint.cli.main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, *WATCHED],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "SADDLEPOINT_QUIET": "1"},
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("random (0) against random (1)\n.")
    assert re.search(r"\n\nafter round 1: \w+ \w+\n[.x01]", done.stdout)
    why = r"(Player [01] .*\.\n)+"
    assert re.search(
        rf"\n\nresult -?\d for player 0: .* after \d+ rounds\n{why}$",
        done.stdout,
    )
    assert "\x1b" not in done.stdout


# -- every game ----------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("name", SHORT)
def test_a_game_of_the_catalogue(name: str) -> None:
    game = read_game(name + SHORT[name], None)
    app = playing(game, [HumanPlayer(), Scripted()])

    async def script(driver: Driver) -> None:
        told = set[str]()
        asked = None
        while not app.live.is_over:
            await driver.until(
                lambda before=asked: app.live.is_over or app.live.question not in (None, before)
            )
            asked = app.live.question
            if asked is None or app.live.is_over:
                break
            await driver.until(lambda: app.view().at == len(app.live.seen) - 1)
            state = app.live.seen[-1].state
            await driver.press(
                "/", *game.action_to_string(state, 0, game.legal_actions(state, 0)[-1]), "enter"
            )
        await driver.until(lambda: app.live.record is not None)
        await driver.until_shown(app.live.record.reason)
        while app.view().at:
            told |= {line.strip() for line in driver.text().splitlines()}
            await driver.press("left")
        drawn = {one.drawn for one in app.live.seen} - {""}
        assert bool(drawn) is any(game.current_player(one.state) == CHANCE for one in app.live.seen)
        assert all(any(f"chance: {one}" in line for line in told) for one in drawn)
        await driver.press("q")

    drive(app, script, (120, 40))
    assert game.returns(app.live.seen[-1].state) == app.live.record.result
