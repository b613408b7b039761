"""A snake over HTTP, against real servers, good and bad; a program that is a server, started on a free port, of which nothing is left."""

import json
import os
import signal
import socketserver
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from helpers.cli_runs import program as running_program
from helpers.programs import is_alive, wait_until
from helpers.snakes import Server, program, serving
from saddlepoint.game.spec import Spec
from saddlepoint.games.battlesnake import Battlesnake
from saddlepoint.games.catalogue.make import make_player
from saddlepoint.play.game import play_game
from saddlepoint.play.record import GameRecord
from saddlepoint.players.base import MachineFault, Player, PlayerError
from saddlepoint.players.clock import ENDLESS, Clock
from saddlepoint.players.programs.isolation import Isolation
from saddlepoint.players.programs.supervision import NAMESPACES, containment

GAME = Battlesnake(7, 7, map="empty", max_rounds=6)
START = GAME.starts()[0]
CLOCK = Clock(1.0, 1.0)
UP = 0


class Circling(Player):
    """The first move that does not lose at once."""

    def choose(self, state: Any, clock: Clock) -> int:
        return self.game.search_actions(state, self.player)[0]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    play_game(GAME, (Circling(), Circling()), START, seed=1)  # no clock runs while the rules are compiled
    with serving(tmp_path_factory.mktemp("snakes")) as found:
        yield found


def played(
    server: Server, kind: str, seat: int = 0, other: Player | None = None, clock: Clock = CLOCK, **named: Any
) -> GameRecord:
    """A game of the snake of this kind; played again where a busy machine left it without a result, as the arena does."""
    for attempt in range(10):
        players: list[Player] = [other or Circling(), other or Circling()]
        players[seat] = make_player(f"{server.url}/{kind}", GAME)
        try:
            return play_game(GAME, players, START, (clock, clock), 1, 0.02, **named)
        except MachineFault:
            if attempt == 9:
                raise
        finally:
            players[seat].close()
    raise AssertionError


@pytest.mark.parametrize("seat", [0, 1])
def test_a_game_is_told_as_the_official_program_tells_it(server: Server, seat: int) -> None:
    record = played(server, "good", seat)
    begun = max(at for at, (path, _) in enumerate(server.asked("good")) if path == "start")
    asked = server.asked("good")[begun:]
    assert record.faults == (None, None) and record.reason == "a draw after 6 turns"
    assert [path for path, _ in asked] == ["start", *["move"] * 6, "end"]
    assert [body["turn"] for _, body in asked] == [0, 0, 1, 2, 3, 4, 5, 7]
    assert len({body["game"]["id"] for _, body in asked}) == 1
    first = asked[1][1]
    assert (
        first["game"]["ruleset"]["name"] == "standard"
        and first["game"]["map"] == "empty"
        and first["game"]["timeout"] == 1000
    )
    assert first["you"]["id"] == f"snake-{seat}" and first["you"]["latency"] == "0"
    assert {snake["latency"] for snake in first["board"]["snakes"]} == {"0"}
    assert all(snake["latency"].isdigit() for snake in asked[3][1]["board"]["snakes"])
    assert GAME.from_text(json.dumps(first | {"you": first["board"]["snakes"][0]})) == START
    assert len(set(server.connections("good")[begun:])) == 1  # kept for the whole game


def test_the_survivor_is_asked_once_more_and_then_the_end_is_told(server: Server) -> None:
    class Leaving(Player):
        def choose(self, state: Any, clock: Clock) -> int:
            return 3  # both begin beside the left edge

    before = len(server.asked("good"))
    record = played(server, "good", other=Leaving())
    assert record.result == 1.0
    (move, alone), (last, end) = server.asked("good")[before:][-2:]
    assert (move, last) == ("move", "end")
    assert [one["id"] for one in alone["board"]["snakes"]] == ["snake-0"]
    assert alone["turn"] == len(record.actions) and end["turn"] == alone["turn"] + 1
    assert end["board"] == alone["board"]


LATE = ("silent", "slow", "slow_body")
WITHOUT_END = (
    "endless",
    "huge",
    "huge_chunks",
    "huge_number",
    "huge_chunk_number",
    "endless_header",
    "continue",
)
"""What these send is cut off at a limit, or, where the machine is too busy to read so much, when the time is over."""
HOSTILE = {
    "endless": "more than 65536 bytes",
    "huge": "more than 65536 bytes",
    "huge_chunks": "more than 65536 bytes",
    "huge_number": "more than 65536 bytes",
    "huge_chunk_number": "no HTTP",
    "endless_header": "65536 bytes|no HTTP",
    "continue": "more than 65536 bytes|more than 100 interim responses",
    "redirect": "status 302",
    "moved": "status 308",
    "bad_utf8": "no JSON",
    "closes_mid_answer": "broke off",
    "hangs_up": "closed without an answer",
    "nan": "is no move",
    "deep": "no JSON",
    "deep_object": "no JSON",
    "long_number": "no JSON",
    "list": "no JSON object",
    "status": "status 500",
    "sideways": "'sideways' is no move",
    "capitals": "'UP' is no move",
    "nothing": "no JSON",
    "no_http": "no HTTP",
    **dict.fromkeys(LATE, "no answer within 1.000 s|late: "),
}


@pytest.mark.parametrize(
    "kind", [pytest.param(kind, marks=pytest.mark.slow) if kind in LATE[1:] else kind for kind in HOSTILE]
)
def test_whatever_a_server_does_costs_it_that_move_only(server: Server, kind: str) -> None:
    record = played(server, kind)
    assert record.faults == (None, None)
    assert len(record.actions) == 6
    assert record.actions[2][0] == record.actions[1][0]  # its last move again
    choices = record.choices[0]
    assert [bool(choice.answer and choice.answer.warning) for choice in choices] == [
        False,
        False,
        True,
        False,
        False,
        False,
    ]
    warning = choices[2].answer.warning  # type: ignore[union-attr]
    is_late = warning.startswith(("no answer within", "late: "))
    assert any(text in warning for text in HOSTILE[kind].split("|")) or (kind in WITHOUT_END and is_late), (
        warning
    )
    assert record.late == (int(is_late), 0)
    assert f"player 0's last move was made again 1 time ({warning}, in turn 2)" in record.reason
    assert [move for _, move in record.actions] == [
        move for _, move in played(server, kind).actions
    ]  # nobody else is disturbed


def test_before_the_first_valid_move_it_is_up() -> None:
    with closing(make_player("http://127.0.0.1:9", GAME)) as snake:  # nobody listens there
        record = play_game(GAME, (snake, Circling()), START, (CLOCK, CLOCK), 1)
        assert (record.faults, record.result) == ((None, None), -1.0)
        assert {move for move, _ in record.actions} == {UP}
        assert "connection refused" in record.reason
        told = "http://127.0.0.1:9 does not answer GET / as a snake does: connection refused"
        with pytest.raises(PlayerError, match=told):
            snake.check()


@pytest.mark.parametrize("at_once", [True, False])
def test_one_after_the_other_each_has_its_whole_time(server: Server, at_once: bool) -> None:
    class Slow(Circling):
        asked_while_thinking = 0

        def choose(self, state: Any, clock: Clock) -> int:
            before = server.notes.stat().st_size
            time.sleep(0.1)
            Slow.asked_while_thinking += server.notes.stat().st_size - before
            return super().choose(state, clock)

    assert played(server, "good", 1, Slow(), Clock(5.0, 5.0), at_once=at_once).faults == (None, None)
    assert (Slow.asked_while_thinking > 0) == at_once


def test_two_servers_are_asked_about_the_same_position(server: Server) -> None:
    before = len(server.asked("good"))
    with closing(make_player(f"{server.url}/good", GAME)) as other:
        record = played(server, "good", 0, other, ENDLESS)
    assert record.faults == (None, None)
    moves = [body for path, body in server.asked("good")[before:] if path == "move"]
    asked = sorted((body["turn"], body["you"]["id"]) for body in moves)
    assert asked == [(t, f"snake-{seat}") for t in range(len(record.actions)) for seat in (0, 1)]
    assert {(body["game"]["id"], body["game"]["timeout"]) for body in moves} == {
        (moves[0]["game"]["id"], 500)
    }


class Late(Circling):
    def choose(self, state: Any, clock: Clock) -> int:
        time.sleep(1.2 if state.round == 1 else 0)
        return super().choose(state, clock)


class Failing(Circling):
    def choose(self, state: Any, clock: Clock) -> int:
        raise RuntimeError("no idea")


@pytest.mark.parametrize(("other", "late"), [(Late(), 1), (Failing(), 0)])
def test_other_players_of_such_a_game_are_forgiven_too_when_they_are_late_and_not_when_they_fail(
    server: Server, other: Player, late: int
) -> None:
    record = played(server, "good", 0, other)
    assert record.late[1] == late
    assert (record.faults[1] is None) == bool(late)


def test_a_proxy_of_the_environment_is_not_used(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    with closing(make_player(f"{server.url}/good", GAME)) as snake:
        snake.check()


def test_a_log_has_both_sides(server: Server, tmp_path: Path) -> None:
    with closing(make_player(f"{server.url}/sideways", GAME)) as snake:
        snake.log_to(tmp_path / "log.txt")
        play_game(GAME, (snake, Circling()), START, (CLOCK, CLOCK), 1)
    text = (tmp_path / "log.txt").read_text()
    assert [text.count(f"> /{path} ") for path in ("start", "move", "end")] == [1, 6, 1]
    assert '< {"move": "sideways"}' in text


# -- a program that is a server ------------------------------------------------------------------------------------------

SHORT_GAME = Battlesnake(7, 7, map="empty", max_rounds=4)
PATIENT = Clock(2.0, 2.0)


def spec(folder: Path, more: str = "") -> str:
    """The player that is the tests' server, with a child that does nothing."""
    return str(
        Spec("snake", {"command": f"env CHILD=1 {program(folder)} {{port}} {folder / 'notes.jsonl'}{more}"})
    )


def processes(folder: Path) -> list[int]:
    """The servers that were started, and their children."""
    lines = [json.loads(line) for line in (folder / "notes.jsonl").read_text().splitlines()]
    return [pid for line in lines if line[0] == "child" for pid in line[1:]]


def wait_for_the_end_of(pids: list[int]) -> None:
    wait_until(lambda: not any(map(is_alive, pids)), 20, pids)


def plays(snake: Player, seat: int = 0) -> GameRecord:
    """A game in which nothing goes wrong."""
    players = [make_player("snake_starter", SHORT_GAME), snake]
    record = play_game(
        SHORT_GAME, players if seat else players[::-1], SHORT_GAME.starts()[0], (PATIENT, PATIENT), 1
    )
    assert record.faults == (None, None) and "again" not in record.reason
    return record


def test_it_plays_from_game_to_game_and_ends_with_all_it_started(tmp_path: Path) -> None:
    with closing(make_player(spec(tmp_path), SHORT_GAME, isolation=Isolation(mode="supervisor"))) as snake:
        snake.check()
        for seat in (0, 1):
            plays(snake, seat)
        started = processes(tmp_path)
        assert len(started) == 2  # it and its child, once
    wait_for_the_end_of(started)


def test_one_that_ended_is_started_again_for_the_next_game(tmp_path: Path) -> None:
    with closing(make_player(spec(tmp_path), SHORT_GAME, isolation=Isolation(mode="supervisor"))) as snake:
        for game in (1, 2):
            plays(snake)
            os.kill(processes(tmp_path)[-1], signal.SIGKILL)
            assert len(processes(tmp_path)) == 2 * game
            wait_until(lambda: not snake._program.is_running, 20)  # type: ignore[attr-defined]


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
    snake = make_player(Spec("snake", {"command": command}), SHORT_GAME, None, isolation)
    with closing(snake), pytest.raises(PlayerError, match=reason):
        snake.check()


@pytest.mark.skipif(containment(Isolation()).means != NAMESPACES, reason="this system makes no namespaces")
def test_in_namespaces_it_has_a_network_of_its_own_and_is_asked_all_the_same(tmp_path: Path) -> None:
    with socketserver.TCPServer(("127.0.0.1", 0), socketserver.BaseRequestHandler) as outside:
        look = f"import socket; socket.create_connection(('127.0.0.1', {outside.server_address[1]}), 1); print(open('/no'))"
        (tmp_path / "look.py").write_text(look)
        looking = make_player(Spec("snake", {"command": f"{sys.executable} {tmp_path}/look.py"}), SHORT_GAME)
        with (
            closing(looking) as snake,
            pytest.raises(PlayerError, match="refused"),
        ):  # nothing outside can be reached
            snake.check()
    with closing(make_player(spec(tmp_path), SHORT_GAME, isolation=Isolation(mode="namespaces"))) as snake:
        snake.check()
        for _ in (1, 2):
            assert plays(snake).choices[0][-1].answer.said  # type: ignore[union-attr]


@pytest.mark.parametrize("number", [signal.SIGINT, pytest.param(signal.SIGKILL, marks=pytest.mark.slow)])
def test_nothing_is_left_of_it_when_the_match_is_ended(tmp_path: Path, number: signal.Signals) -> None:
    rules = ("--game", "battlesnake(width=7, height=7)", "-n", "1000", "--isolate=supervisor")
    arguments = ("match", spec(tmp_path), "snake_starter", *rules, "--ledger", str(tmp_path / "games.db"))
    with running_program(*arguments, start_new_session=True) as match:
        notes = tmp_path / "notes.jsonl"
        wait_until(lambda: notes.exists() and "/move" in notes.read_text())
        match.send_signal(number)
        _, err = match.communicate(timeout=60)
    assert match.returncode == (130 if number == signal.SIGINT else -number)
    assert "Traceback" not in err
    assert processes(tmp_path)
    wait_for_the_end_of(processes(tmp_path))
