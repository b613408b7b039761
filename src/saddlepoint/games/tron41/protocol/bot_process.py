"""The process behind a bot file of ours in the Tron-41 course's runner: a line of JSON a message, both ways.

`python -m saddlepoint.roster.process tron41 PLAYER` starts it, with what makes players. It is told {"prepare": [[rows, columns], ...]},
sizes of maps; answers {"compiling": [rows, columns]} where that is needed, and {"ready": true} at the end. A question is
{"move": number, "board": rows of characters, "turn": 0 or 1, "armor": [0, 1], "speed": [0, 4], "seconds": to think}, its
answer {"move": number, "answer": "U"} or {"move": number, "error": why}; one that nobody waits for any longer gets none.
{"over": true} says that the next is of another game.
"""

import json
import math
import os
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, BinaryIO

from ....compiled import PLAIN_PYTHON
from ....json_fields import json_object
from ....play.timely import Question, Thinker, Timekeeper
from ....players.base import MakePlayer, Player
from ....players.clock import Clock
from .. import ACTIONS, Tron41
from .run_once import run_once

_LEAST_SECONDS = 0.01
_WAITING = 1.2  # of the time to think: so long the other side waits (`bot_file.py`)
_GOODS = "*^!@"


def room(size: Sequence[int]) -> Tron41:
    """A game on an empty map of so many rows and columns, the border included."""
    rows, columns = size
    inner = ["#" + " " * (columns - 2) + "#" for _ in range(rows - 2)]
    inner[0] = "#1" + inner[0][2:]
    inner[-1] = inner[-1][:-2] + "2#"
    return Tron41("\n".join(["#" * columns, *inner, "#" * columns]))


def loaded(make: MakePlayer, spec: str, size: Sequence[int]) -> Player:
    """The player for maps of a size, with all that it needs compiled or loaded."""
    game = room(size)
    player = make(spec, game)
    player.warm(game, game.initial_state(), (0, 1))
    return player


def compile_apart(player: str, size: Sequence[int], announce: Any = None) -> bool:
    """Have the player compiled for maps of a size, by a process that goes on should this one end; whether it worked."""
    if PLAIN_PYTHON:
        return True  # there is nothing to compile, and nothing must be noted as compiled
    rows, columns = size
    command = [sys.executable, "-P", "-m", "saddlepoint.roster.process", "tron41", player, str(rows), str(columns)]
    return run_once(f"tron41 {player} {rows}x{columns}", command, announce)


class Answerer:
    """The player, with what is kept from move to move. Games on maps of one size share a player."""

    def __init__(self, player: str, make: MakePlayer) -> None:
        self._spec, self._make = player, make
        self._players: dict[tuple[int, int], Player] = {}
        self._games: dict[tuple[str, ...], Tron41] = {}
        self._playing: tuple[Tron41, int] | None = None

    def prepare(self, size: Sequence[int], announce: Any = None) -> Player:
        """The player for maps of a size: compiled, and loaded."""
        rows, columns = size
        if (rows, columns) not in self._players:
            compile_apart(self._spec, size, announce)
            self._players[rows, columns] = loaded(self._make, self._spec, size)
        return self._players[rows, columns]

    def end_game(self) -> None:
        """The next position is of another game."""
        self._playing = None

    def move(self, message: "Message") -> str:
        """The direction, by the end of the time to think."""
        question = message.data
        rows = [str(row) for row in question["board"]]
        player = self.prepare((len(rows), len(rows[0])))
        game, turn = self._game(rows), int(question["turn"])
        state = game.from_field(rows, turn, question["armor"], question["speed"])
        if self._playing != (game, turn):
            player.begin(game, turn)
            self._playing = game, turn
        seconds = max(_LEAST_SECONDS, message.search_until - time.monotonic())
        return ACTIONS[message.put_to(player, state, Clock(seconds, seconds)).action]

    def _game(self, rows: list[str]) -> Tron41:
        """The game on a map with these walls, and as many power-ups at least."""
        walls = tuple("".join("#" if mark == "#" else " " for mark in row) for row in rows)
        goods = sum(row.count(mark) for row in rows for mark in _GOODS)
        known = self._games.get(walls)
        if known is None or known.layout.powerups < goods:
            marks = [list(row) for row in walls]
            cells = [(r, c) for r, row in enumerate(walls) for c, mark in enumerate(row) if mark == " "]
            for mark, (r, c) in zip("12" + "?" * goods, cells, strict=False):
                marks[r][c] = mark
            self._games[walls] = Tron41("\n".join("".join(row) for row in marks))
        return self._games[walls]


class Message(Question):
    """A message that has just come; `tell` takes what is answered. Only one that wants a move has a limit."""

    def __init__(self, data: dict[str, Any], tell: Callable[[dict[str, Any]], None]) -> None:
        came, seconds = time.monotonic(), float(data["seconds"]) if "move" in data else math.inf
        super().__init__(came, math.inf, came + seconds, came + _WAITING * seconds)
        self.data, self.tell = data, tell

    def deliver(self, answer: dict[str, Any] | None) -> None:
        if answer is not None:
            self.tell({"move": self.data["move"], **answer} if "move" in self.data else answer)


def _dealt_with(answerer: Answerer, message: Message) -> dict[str, Any] | None:
    """What is to be answered; None where nothing is."""
    if "over" in message.data:
        return answerer.end_game()
    try:
        if "prepare" not in message.data:
            return {"answer": answerer.move(message)}
        for size in message.data["prepare"]:
            answerer.prepare(size, lambda size=size: message.tell({"compiling": size}))
        return {"ready": True}
    except Exception as error:
        return {"error": (f"{type(error).__name__}: {error}".splitlines() or [""])[0]}


def serve(player: str, make: MakePlayer, source: BinaryIO, answers: BinaryIO) -> None:
    """Answer until the input ends; lines that are no message are ignored."""

    def tell(message: dict[str, Any]) -> None:
        with suppress(OSError):  # nobody reads: the input ends too
            answers.write(json.dumps(message).encode() + b"\n")
            answers.flush()

    answerer, timekeeper = Answerer(player, make), Timekeeper()
    # Messages are dealt with by another thread, so that the end of the input is seen.
    thinker = Thinker(lambda: (lambda message: _dealt_with(answerer, message), lambda: None), lambda *_: None)
    for line in iter(source.readline, b""):
        try:
            message = Message(json_object(line), tell)
        except (ValueError, TypeError, LookupError):
            continue
        timekeeper.watch(message)
        thinker.ask(message)


def run(player: str, make: MakePlayer) -> None:
    """Serve on stdin and stdout, and end the process; what anything here prints goes to stderr."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    os.environ["SADDLEPOINT_QUIET"] = "1"
    serve(player, make, sys.stdin.buffer, answers)
    # A search or a compilation under way cannot be told to stop, and the runner does not wait.
    os._exit(0)


def main(make_player: MakePlayer, arguments: Sequence[str]) -> None:
    """Play as the player that is named; with the rows and columns of maps behind it, compile it for them, and end."""
    player, *size = arguments
    if size:
        rows, columns = map(int, size)
        loaded(make_player, player, (rows, columns)).close()
    else:
        run(player, make_player)
