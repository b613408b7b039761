"""Bot files for the Tron-41 course's own runner, and the process behind such a file: a line of JSON a
message.

`python -m saddlepoint.games.catalogue.process tron41 PLAYER` starts it, with what makes players. It gets
{"prepare": [[rows, columns], ...]}, sizes of maps; answers {"compiling": [rows, columns]} where that is needed, and {"ready": true} at the
end. A question is
{"move": number, "board": rows of characters, "turn": 0 or 1, "armor": [0, 1], "speed": [0, 4], "seconds": to think}, its
answer {"move": number, "answer": "U"} or {"move": number, "error": why}; one that nobody waits for any longer gets none.
{"over": true} says that the next is of another game.
"""

import json
import math
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO

from ..interface import (
    Clock,
    Deadline,
    GameError,
    MakePlayer,
    Need,
    Player,
    PlayerThread,
    Question,
    SpecError,
    Timekeeper,
    json_object,
    parse_spec,
)
from . import ACTIONS, Tron41
from .bot_file import MAX_WAIT
from .text import POWERUPS

_LEAST_SECONDS = 0.01
_WAITING = 1.2  # of the time to think: so long the other side waits (`bot_file.py`)


def room(size: Sequence[int]) -> Tron41:
    """A game on an empty map; `size` is its rows and columns, the border included."""
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
    """Have the player compiled for maps of a size, by a process that goes on should this one end; whether it worked.

    `announce` is called where that has to be waited for. Who asks meanwhile waits for the same code: no function is compiled twice.
    """
    need = Need(room(size), player)
    if not need.is_missing:
        return True
    if announce is not None:
        announce()
    command = [
        sys.executable,
        "-P",
        "-m",
        "saddlepoint.games.catalogue.process",
        "tron41",
        player,
        *map(str, size),
    ]
    null = subprocess.DEVNULL
    subprocess.Popen(command, start_new_session=True, stdin=null, stdout=null, stderr=null).wait()
    return not need.is_missing


class Answerer:
    """The player, with what is kept from move to move. Games on maps of one size share a player."""

    def __init__(self, player: str, make: MakePlayer) -> None:
        self._spec, self._make = player, make
        self._players: dict[tuple[int, int], Player] = {}
        self._games: dict[tuple[str, ...], Tron41] = {}
        self._playing: tuple[Tron41, int] | None = None

    def prepare(self, size: Sequence[int], announce: Any = None) -> Player:
        rows, columns = size
        if (rows, columns) not in self._players:
            compile_apart(self._spec, size, announce)
            self._players[rows, columns] = loaded(self._make, self._spec, size)
        return self._players[rows, columns]

    def end_game(self) -> None:
        self._playing = None

    def move(self, message: "Message") -> str:
        question = message.data
        rows = [str(row) for row in question["board"]]
        player = self.prepare((len(rows), len(rows[0])))
        game, turn = self._game(rows), int(question["turn"])
        state = game.from_field(rows, turn, question["armor"], question["speed"])
        if self._playing != (game, turn):
            player.begin(game, turn)
            self._playing = game, turn
        seconds = max(_LEAST_SECONDS, message.search_until - time.monotonic())
        return ACTIONS[message.answer_of(player, state, Clock(seconds, seconds)).action]

    def _game(self, rows: list[str]) -> Tron41:
        """The game on a map with these walls, and as many power-ups at least."""
        walls = tuple("".join("#" if mark == "#" else " " for mark in row) for row in rows)
        goods = sum(row.count(mark) for row in rows for mark in POWERUPS)
        known = self._games.get(walls)
        if known is None or known.layout.powerups < goods:
            marks = [list(row) for row in walls]
            cells = [(r, c) for r, row in enumerate(walls) for c, mark in enumerate(row) if mark == " "]
            for mark, (r, c) in zip("12" + "?" * goods, cells, strict=False):
                marks[r][c] = mark
            self._games[walls] = Tron41("\n".join("".join(row) for row in marks))
        return self._games[walls]


class Message(Question):
    """A message that has just come; `send` takes what is answered. Only one that wants a move has a limit."""

    def __init__(self, data: dict[str, Any], send: Callable[[dict[str, Any]], None]) -> None:
        seconds = float(data["seconds"]) if "move" in data else math.inf
        super().__init__(Deadline(seconds, answer=_WAITING * seconds))
        self.data, self.send = data, send

    def deliver(self, answer: dict[str, Any] | None) -> None:
        if answer is not None:
            self.send({"move": self.data["move"], **answer} if "move" in self.data else answer)


def _dealt_with(answerer: Answerer, message: Message) -> dict[str, Any] | None:
    """The answer to a message; None where it needs none."""
    if "over" in message.data:
        return answerer.end_game()
    try:
        if "prepare" not in message.data:
            return {"answer": answerer.move(message)}
        for size in message.data["prepare"]:
            answerer.prepare(size, lambda size=size: message.send({"compiling": size}))
        return {"ready": True}
    except Exception as error:
        return {"error": (f"{type(error).__name__}: {error}".splitlines() or [""])[0]}


def serve(player: str, make: MakePlayer, source: BinaryIO, answers: BinaryIO) -> None:
    """Answer until the input ends; lines that are no message are ignored."""

    def send(message: dict[str, Any]) -> None:
        with suppress(OSError):  # nobody reads: the input ends too
            answers.write(json.dumps(message).encode() + b"\n")
            answers.flush()

    answerer, timekeeper = Answerer(player, make), Timekeeper()
    # Messages are dealt with by another thread, so that the end of the input is seen.
    thinker = PlayerThread(
        lambda: (lambda message: _dealt_with(answerer, message), lambda: None), lambda *_: None
    )
    for line in iter(source.readline, b""):
        try:
            message = Message(json_object(line), send)
        except (ValueError, TypeError, LookupError):
            continue
        timekeeper.watch(message)
        thinker.ask(message)


def main(make_player: MakePlayer, arguments: Sequence[str]) -> None:
    """Play as the player that is named; with the rows and columns of maps behind it, compile it for them, and end."""
    player, *size = arguments
    if size:
        Need(room([*map(int, size)]), player).compile(make_player)
        return
    answers = os.fdopen(os.dup(1), "wb")  # what anything here prints goes to stderr
    os.dup2(2, 1)
    os.environ["SADDLEPOINT_QUIET"] = "1"
    serve(player, make_player, sys.stdin.buffer, answers)
    # A search or a compilation under way cannot be stopped, and the runner does not wait.
    os._exit(0)


COURSE_SIZES = ((17, 17), (13, 13), (7, 7))
"""Rows and columns of the course's maps, the border included."""

_TEMPLATE = Path(__file__).with_name("bot_file.py")
_PACKAGES = Path(__file__).resolve().parents[3]


def bot_file(
    player: str, make: MakePlayer, max_wait: float = MAX_WAIT, sizes: Sequence[Sequence[int]] = COURSE_SIZES
) -> str:
    """The text of a bot file for the course's runner, with the class StudentBot.

    `max_wait` is the seconds of a move where the runner has set no timer; maps of these sizes are made ready when the
    bot is made. Raises SpecError for what is no player of ours.
    """
    if parse_spec(player).name in ("cmd", "human", "asp"):
        raise SpecError(f"a bot file is written for a player of this library, {player!r} is none")
    make(player, room(sizes[0])).close()
    if not 0 < max_wait < math.inf:
        raise ValueError(f"max_wait takes seconds above 0, not {max_wait}")
    text = _TEMPLATE.read_text(encoding="utf-8")
    values = {
        "PYTHON": sys.executable,
        "PATH": str(_PACKAGES),
        "PLAYER": player,
        "MAX_WAIT": float(max_wait),
        "SIZES": [list(size) for size in sizes],
    }
    for name, value in values.items():
        line = f"{name} = {value!r}"
        text, count = re.subn(rf"^{name} = .*$", lambda _, line=line: line, text, flags=re.MULTILINE)
        assert count == 1
    return text


def write_bot(
    file: str,
    player: str,
    make: MakePlayer,
    max_wait: float,
    sizes: Sequence[Sequence[int]],
    announce: Callable[[Sequence[int]], object],
) -> None:
    """Compile the player for maps of these sizes, then write its bot file; `announce` gets each size that is compiled.

    A file that is there already is only replaced where it is one of ours. Raises GameError.
    """
    text, path = bot_file(player, make, max_wait, sizes), Path(file)
    if path.is_file() and text.split("\n", 1)[0] not in path.read_text(encoding="utf-8", errors="replace"):
        raise GameError(f"{file} is there and was not written by this command; give another name")
    if not path.parent.is_dir():
        raise GameError(f"there is no directory {str(path.parent)!r} to write {path.name} to")
    for size in sizes:
        if not compile_apart(player, size, lambda size=size: announce(size)):
            loaded(make, player, size).close()  # here, then; what is wrong shows
    path.write_text(text, encoding="utf-8")
