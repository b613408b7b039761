"""`snake(command=...)`: a program that is a server is started on a free port, and nothing of it is left behind."""

import json
import os
import signal
import socketserver
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from helpers.cli_runs import program as running_program
from helpers.programs import is_alive
from helpers.snakes import program
from saddlepoint.game.spec import Spec
from saddlepoint.games.battlesnake import Battlesnake
from saddlepoint.games.catalogue.make import make_player
from saddlepoint.play.game import play_game
from saddlepoint.play.record import GameRecord
from saddlepoint.players.base import Player, PlayerError
from saddlepoint.players.clock import Clock
from saddlepoint.players.programs.isolation import Isolation
from saddlepoint.players.programs.supervision import NAMESPACES, containment

GAME = Battlesnake(7, 7, map="empty", max_rounds=4)
CLOCK = Clock(2.0, 2.0)


def spec(folder: Path, more: str = "") -> str:
    """The player that is the tests' server, with a child that does nothing."""
    return str(
        Spec("snake", {"command": f"env CHILD=1 {program(folder)} {{port}} {folder / 'notes.jsonl'}{more}"})
    )


def processes(folder: Path) -> list[int]:
    """The servers that were started, and their children."""
    lines = [json.loads(line) for line in (folder / "notes.jsonl").read_text().splitlines()]
    return [pid for line in lines if line[0] == "child" for pid in line[1:]]


def wait_for(happened: Callable[[], bool], seconds: float = 20.0) -> bool:
    """Whether it happens in that time."""
    deadline = time.monotonic() + seconds
    while not happened() and time.monotonic() < deadline:
        time.sleep(0.05)
    return happened()


def gone(pids: list[int]) -> bool:
    return wait_for(lambda: not any(map(is_alive, pids)))


def plays(snake: Player, seat: int = 0) -> GameRecord:
    """A game in which nothing goes wrong."""
    players = [make_player("snake_starter", GAME), snake]
    record = play_game(GAME, players if seat else players[::-1], GAME.starts()[0], (CLOCK, CLOCK), 1)
    assert record.faults == (None, None) and "again" not in record.reason
    return record


def test_it_plays_from_game_to_game_and_ends_with_all_it_started(tmp_path: Path) -> None:
    with closing(make_player(spec(tmp_path), GAME, isolation=Isolation(mode="supervisor"))) as snake:
        snake.check()
        for seat in (0, 1):
            plays(snake, seat)
        started = processes(tmp_path)
        assert len(started) == 2  # it and its child, once
    assert gone(started)


def test_one_that_ended_is_started_again_for_the_next_game(tmp_path: Path) -> None:
    with closing(make_player(spec(tmp_path), GAME, isolation=Isolation(mode="supervisor"))) as snake:
        for game in (1, 2):
            plays(snake)
            os.kill(processes(tmp_path)[-1], signal.SIGKILL)
            assert len(processes(tmp_path)) == 2 * game
            assert wait_for(lambda: not snake._program.is_running)  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        ("sh -c 'echo alas >&2; exit 3'", "does not stay: the program exited with code 3: alas"),
        ("./no_such_snake --port {port}", "'./no_such_snake --port [0-9]+' cannot be started"),
        ("sleep 1000", "does not answer GET / on its port within 0.3 s"),
    ],
)
def test_one_that_does_not_serve_is_an_error_before_any_game(command: str, reason: str) -> None:
    isolation = Isolation(mode="supervisor", patience=0.3)
    snake = make_player(Spec("snake", {"command": command}), GAME, None, isolation)
    with closing(snake), pytest.raises(PlayerError, match=reason):
        snake.check()


@pytest.mark.skipif(containment(Isolation()).means != NAMESPACES, reason="this system makes no namespaces")
def test_in_namespaces_it_has_a_network_of_its_own_and_is_asked_all_the_same(tmp_path: Path) -> None:
    with socketserver.TCPServer(("127.0.0.1", 0), socketserver.BaseRequestHandler) as outside:
        look = f"import socket; socket.create_connection(('127.0.0.1', {outside.server_address[1]}), 1); print(open('/no'))"
        (tmp_path / "look.py").write_text(look)
        looking = make_player(Spec("snake", {"command": f"{sys.executable} {tmp_path}/look.py"}), GAME)
        with (
            closing(looking) as snake,
            pytest.raises(PlayerError, match="refused"),
        ):  # nothing outside can be reached
            snake.check()
    with closing(make_player(spec(tmp_path), GAME, isolation=Isolation(mode="namespaces"))) as snake:
        snake.check()
        for _ in (1, 2):
            assert plays(snake).choices[0][-1].answer.said  # type: ignore[union-attr]


@pytest.mark.parametrize("number", [signal.SIGINT, pytest.param(signal.SIGKILL, marks=pytest.mark.slow)])
def test_nothing_is_left_of_it_when_the_match_is_ended(tmp_path: Path, number: signal.Signals) -> None:
    rules = ("--game", "battlesnake(width=7, height=7)", "-n", "1000", "--isolate=supervisor")
    arguments = ("match", spec(tmp_path), "snake_starter", *rules, "--ledger", str(tmp_path / "games.db"))
    with running_program(*arguments, start_new_session=True) as match:
        notes = tmp_path / "notes.jsonl"
        assert wait_for(lambda: notes.exists() and "/move" in notes.read_text(), 120)
        match.send_signal(number)
        _, err = match.communicate(timeout=60)
    assert match.returncode == (130 if number == signal.SIGINT else -number)
    assert "Traceback" not in err
    assert processes(tmp_path)
    assert gone(processes(tmp_path))
