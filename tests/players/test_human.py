"""A person at the terminal: asked until the answer is a move, by lines and by keys; the terminal is as it was afterwards."""

import io
import json
import subprocess
import termios
import time
from collections.abc import Callable
from typing import Any

import pytest

from helpers.cli_runs import program
from helpers.terminals import terminal
from saddlepoint.game.picture import arrows_of
from saddlepoint.games.light_riders import LightRiders
from saddlepoint.play.game import play_game
from saddlepoint.players.base import PlayerError, RandomPlayer
from saddlepoint.players.clock import Clock
from saddlepoint.players.human import HumanPlayer

__all__ = ["terminal"]  # a fixture


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Sets what is typed."""
    return lambda text: monkeypatch.setattr("sys.stdin", io.StringIO(text))


def test_asks_until_the_answer_is_a_move(
    typed: Callable[[str], None], capsys: pytest.CaptureFixture[str]
) -> None:
    typed("\nsideways\nl\n")
    game, player = LightRiders(), HumanPlayer()
    player.begin(game, 1)
    assert player.choose(game.initial_state(), Clock()) == 3
    shown = capsys.readouterr().out
    assert shown.count("your move") == 3
    assert "'sideways' is not a legal action" in shown


def test_the_end_of_the_input_is_an_error_not_a_loop(typed: Callable[[str], None]) -> None:
    typed("")
    player = HumanPlayer()
    player.begin(LightRiders(), 0)
    with pytest.raises(PlayerError, match="the input ended"):
        player.choose(LightRiders().initial_state(), Clock())


@pytest.mark.parametrize(
    ("keys", "undone", "own"),
    [("up up undo down", 1, [0, 2]), ("undo up", 0, [0])],
    ids=["up, and down instead of up", "at the start there is nothing to take back"],
)
def test_a_move_taken_back_was_never_made(
    typed: Callable[[str], None], keys: str, undone: int, own: list[int]
) -> None:
    typed(keys.replace(" ", "\n") + "\n")
    game, told = LightRiders(6, 6), list[tuple[object, int]]()
    record = play_game(
        game,
        [HumanPlayer(), RandomPlayer()],
        seed=1,
        on_undo=lambda state, steps: told.append((state, steps)),
    )
    before = game.next_state(record.start, *record.actions[0]) if undone else record.start
    assert told == [(before, undone)]
    assert [joint[0] for joint in record.actions] == own
    assert "the input ended" in str(record.faults[0])


@pytest.mark.parametrize(
    ("adviser", "told"),
    [(RandomPlayer, ("try up", "try right", "try down")), (None, ("there is nobody to ask",))],
)
def test_a_hint_is_a_legal_move_of_the_adviser(
    typed: Callable[[str], None], capsys: pytest.CaptureFixture[str], adviser: Any, told: tuple[str, ...]
) -> None:
    game, human = LightRiders(6, 6), HumanPlayer(adviser=adviser)
    typed("hint\nup\n")
    human.begin(game, 0, 3)
    assert human.choose(game.initial_state(), Clock()) == 0
    shown = capsys.readouterr().out
    assert any(one in shown for one in told)
    human.close()


# -- at a real terminal ---------------------------------------------------------------------------------------------------

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


def answer(one: Any, *keys: str) -> None:
    """Type these, each when it is the person's move."""
    for typed in keys:
        one.wait_for("your move")
        one.press(typed)


def test_arrows_move_help_helps_and_the_last_board_is_shown(terminal: Any) -> None:
    one = terminal(*RIDERS)
    answer(one, "?\n")
    one.wait_for("leave the game")
    answer(one, "\x1b[A")
    one.wait_for("player 1 (random): ")
    answer(one, "leftt\x7f\n")  # a slip, mended
    one.wait_for("player 1 (random): ")
    answer(one, "\x1bOD")  # left, as some terminals send it: into the wall
    assert one.end() == 0
    after = one.shown.rpartition("result")[0].rpartition("player 1 (random)")[2]
    assert after.count("\r\n") >= 6, "the last board"
    assert "^[" not in one.shown


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
    answer(one, "\x1b[A\x1b[A\x1b[B\n")  # the first card, the second, the first
    one.wait_for("player 1 (random): ")
    answer(one, "\x1b[A\n")
    assert one.end() == 0
    assert "won after 2 rounds" in one.shown


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "keys", "moves", "asked_on"),
    [([], "help\nquit\n", 2, "stdout"), (["-o", "-"], "u\nl\nl\n", 3, "stderr")],
    ids=["on stdout", "on stderr where the game goes to stdout"],
)
def test_what_is_no_terminal_is_read_by_lines_and_a_person_is_asked(
    options: list[str], keys: str, moves: int, asked_on: str
) -> None:
    running = program(*RIDERS, *options, stdin=subprocess.PIPE)
    said = dict(zip(("stdout", "stderr"), running.communicate(keys, timeout=60), strict=True))
    assert running.returncode == 0
    shown = said.pop(asked_on)
    assert shown.count("your move") == moves
    if options:
        assert json.loads(said["stdout"])["players"] == ["human", "random"]
    else:
        assert "leave the game" in shown and "it has no result" in shown and "result -1" not in shown
        assert said == {"stderr": ""}


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
