"""The process behind a bot file of ours in the Tron-41 course's runner: a line of JSON a message, both ways.

`saddlepoint.roster.course_bot` starts it, with what makes players. It is told {"prepare": [[rows, columns], ...]}, sizes
of maps; answers {"compiling": [rows, columns]} where that is needed, and {"ready": true} at the end. A question is
{"move": number, "board": rows of characters, "turn": 0 or 1, "armor": [0, 1], "speed": [0, 4], "seconds": to think}, its
answer {"move": number, "answer": "U"} or {"move": number, "error": why}; one that nobody waits for any longer gets none.
{"over": true} says that the next is of another game.
"""

import json
import os
import queue
import sys
import threading
import time
from collections.abc import Sequence
from typing import Any, BinaryIO

from ...compiled import PLAIN_PYTHON
from ...games.tron41 import ACTIONS, Tron41
from ...players.base import Answer, MakePlayer, Player
from ...players.clock import Clock
from .once import run_once

_LEAST_SECONDS = 0.01
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
    command = [sys.executable, "-P", "-m", "saddlepoint.roster.course_bot", player, str(rows), str(columns)]
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

    def move(self, question: dict[str, Any], until: float) -> str | None:
        """The direction; None where there is no time left, on `time.monotonic`'s clock."""
        rows = [str(row) for row in question["board"]]
        player = self.prepare((len(rows), len(rows[0])))
        game, turn = self._game(rows), int(question["turn"])
        state = game.from_field(rows, turn, question["armor"], question["speed"])
        if self._playing != (game, turn):
            player.begin(game, turn)
            self._playing = game, turn
        left = until - time.monotonic()
        if left <= 0:
            return None
        seconds = max(_LEAST_SECONDS, left)
        return ACTIONS[Answer.of(player.choose(state, Clock(seconds, seconds))).action]

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


class _Work:
    """Messages are taken in by the caller's thread and dealt with by another, so that the end of the input is seen."""

    def __init__(self, player: str, make: MakePlayer, answers: BinaryIO) -> None:
        self._answerer, self._answers = Answerer(player, make), answers
        self._messages: queue.SimpleQueue[tuple[dict[str, Any], float]] = queue.SimpleQueue()
        threading.Thread(target=self._run, daemon=True).start()

    def take(self, message: dict[str, Any]) -> None:
        """A message that has just come."""
        self._messages.put((message, time.monotonic()))

    def _run(self) -> None:
        while True:
            message, came = self._messages.get()
            number = message.get("move")
            try:
                answer = self._deal(message, came)
            except Exception as error:
                answer = {"error": (f"{type(error).__name__}: {error}".splitlines() or [""])[0]}
            if answer is not None:
                self._tell(answer if number is None else {"move": number, **answer})

    def _deal(self, message: dict[str, Any], came: float) -> dict[str, Any] | None:
        if "prepare" in message:
            for size in message["prepare"]:
                self._answerer.prepare(size, lambda size=size: self._tell({"compiling": size}))
            return {"ready": True}
        if "over" in message:
            self._answerer.end_game()
            return None
        until = came + float(message["seconds"])
        if time.monotonic() > until:
            return None
        answer = self._answerer.move(message, until)
        return None if answer is None else {"answer": answer}

    def _tell(self, message: dict[str, Any]) -> None:
        try:
            self._answers.write(json.dumps(message).encode() + b"\n")
            self._answers.flush()
        except OSError:  # nobody reads: the input ends too
            pass


def serve(player: str, make: MakePlayer, source: BinaryIO, answers: BinaryIO) -> None:
    """Answer until the input ends; lines that are no message are ignored."""
    work = _Work(player, make, answers)
    for line in iter(source.readline, b""):
        try:
            message = json.loads(line)
        except ValueError:
            continue
        if isinstance(message, dict):
            work.take(message)


def run(player: str, make: MakePlayer) -> None:
    """Serve on stdin and stdout, and end the process; what anything here prints goes to stderr."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    os.environ["SADDLEPOINT_QUIET"] = "1"
    serve(player, make, sys.stdin.buffer, answers)
    # A search or a compilation under way cannot be told to stop, and the runner does not wait.
    os._exit(0)
