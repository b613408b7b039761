"""The bot's side of riddles.io's Light Riders, for any player.

The protocol is spoken by this thread, in plain Python; the player lives in a thread of its own. So an answer goes out
in time whatever the player does: while its search is still being compiled, or should it overrun, a safe move is the answer.
"""

import math
import sys
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, BinaryIO, TextIO

from ..interface import (
    Clock,
    Deadline,
    LoadMaker,
    PlayerThread,
    Question,
    Uniform,
    one_line,
    safe_action,
    words_in,
)

_STEPS = {"up": (0, -1), "right": (1, 0), "down": (0, 1), "left": (-1, 0)}
"""The directions by the numbers of the game's actions: its rules are not loaded with this file."""
_CELLS = frozenset(".x01*")
_PIPE_RESERVE = 0.03  # seconds of a bank that are left for the pipe and the scheduler
_FIRST_READY = (
    0.65  # seconds that the first move waits for the player: on a slow machine the fallback makes it
)
_SHARE_TO_WAIT = (
    0.04  # of a bank, beside the increment, for a player that is not ready: what a search would take of it
)
_LARGEST_SHARE = 0.1  # of a bank, the increment included
_FIRST_MOVE = 0.05  # seconds: the opening is not worth more, and the engine learns soon that the bot is there


class FieldQuestion(Question):
    """A question to the player; `rows` is the field, the times are in seconds."""

    def __init__(
        self,
        rows: tuple[str, ...],
        round_: int | None,
        bank: float,
        increment: float,
        cap: float,
        asked: float,
    ) -> None:
        end = bank - max(_PIPE_RESERVE, bank / 20)
        super().__init__(Deadline(end, answer=end, ready=end), asked)
        self.rows, self.round, self.bank, self.increment, self.cap = rows, round_, bank, increment, cap
        self._delivered = threading.Event()
        self._direction: str | None = None

    def deliver(self, answer: str | None) -> None:
        self._direction = answer
        self._delivered.set()

    def direction(self) -> str | None:
        self._delivered.wait(max(0.0, self.answer_until - time.monotonic()))
        self.fall_back()
        self._delivered.wait()  # an answer that is just being delivered
        return self._direction


def _state(game: Any, question: FieldQuestion, previous: Any) -> Any:
    """The position; a rider's direction follows from the step its head made since the round before."""
    state = game.from_field(list(question.rows), question.round)
    if previous is None or previous.round != state.round - 1:
        return state
    directions: list[int] = []
    for player in (0, 1):
        (x0, y0), (x1, y1) = (game.grid.position(game.head(s, player)) for s in (previous, state))
        step, steps = (x1 - x0, y1 - y0), list(_STEPS.values())
        directions.append(
            steps.index(step) if step in steps else (state.direction0, state.direction1)[player]
        )
    return state._replace(direction0=directions[0], direction1=directions[1])


def _free_step(rows: tuple[str, ...], player: int) -> str:
    """The first direction onto a free cell; `pass` where there is none."""
    for y, row in enumerate(rows):
        for name, (dx, dy) in _STEPS.items() if str(player) in row else ():
            x = row.index(str(player)) + dx
            if 0 <= x < len(row) and 0 <= y + dy < len(rows) and rows[y + dy][x] == ".":
                return name
    return "pass"


class RidersBot:
    """Reads the engine's lines one at a time; `handle` gives the answer to a question and None to all others.

    `load` gives what makes the player; it is called in the player's thread, since its imports take long.
    """

    def __init__(self, player: str, load: LoadMaker, log: TextIO | None = None) -> None:
        self._log = log or sys.stderr
        self._numbers = {
            "timebank": 10_000,
            "time_per_move": 200,
            "your_botid": 0,
            "field_width": 16,
            "field_height": 16,
            "max_rounds": 0,
        }
        self._words = {"player_names": "player0,player1", "your_bot": ""}
        self._identified = False
        self._round: int | None = None
        self._rows: tuple[str, ...] | None = None
        self._player, self._load = player, load
        self._known = threading.Event()
        """The game is known, or there will be none."""
        self._first: FieldQuestion | None = None
        self._game: Any = None
        """The rules, as soon as they are loaded; None for a field that they do not have."""
        self.thinker = PlayerThread(self._prepare, self._failed)

    def warn(self, message: str) -> None:
        print(f"saddlepoint bot: {one_line(message)}", file=self._log, flush=True)

    def handle(self, line: str) -> str | None:
        asked = time.monotonic()
        words = words_in(line, 3)
        try:
            match words:
                case []:
                    pass
                case ["settings", key, value]:
                    self._set(key, value.strip())
                case ["update", "game", rest]:
                    self._update(*words_in(rest, 2))
                case ["action", "move", bank]:
                    return self._move(self._bank(bank), asked)
                case ["action", *_]:
                    self.warn(
                        f"a question not known: {line.strip()[:80]!r}; answered as if it were 'action move'"
                    )
                    return self._move(self._bank(words[-1]), asked)
                case _:
                    self.warn(f"line ignored: {line.strip()[:80]!r}")
        except (ValueError, TypeError) as error:
            self.warn(f"line ignored: {line.strip()[:80]!r}: {error}")
        return None

    def _set(self, key: str, value: str) -> None:
        if key in self._numbers:
            number = int(value)
            if number < 0 or (key == "your_botid" and number > 1):
                raise ValueError(f"{number} is out of range")
            self._numbers[key] = number
            self._identified |= key == "your_botid"
        elif key in self._words:
            self._words[key] = value
        else:
            self.warn(f"setting ignored: {key!r}")

    def _update(self, key: str, value: str = "") -> None:
        if key == "round":
            # The engine sends the round first: a field not sent again would be an old one.
            self._round, self._rows = int(value), None
        elif key == "field":
            self._rows = self._read_field(value.strip())
        else:
            self.warn(f"update ignored: {key!r}")

    def _read_field(self, text: str) -> tuple[str, ...]:
        width, height = self._numbers["field_width"], self._numbers["field_height"]
        cells = text.replace(" ", "").split(",")
        if len(cells) != width * height:
            raise ValueError(f"expected {width}x{height} cells, got {len(cells)}")
        if not _CELLS.issuperset(cells):
            raise ValueError("a cell is none of '.', 'x', '0', '1'")
        field = "".join(cells)
        return tuple(field[at : at + width] for at in range(0, width * height, width))

    def _bank(self, text: str) -> float:
        try:
            return max(0, int(text)) / 1000
        except ValueError:
            bank = min(self._numbers["time_per_move"], self._numbers["timebank"])
            self.warn(f"the bank {text[:20]!r} is no number of milliseconds; taken as {bank}")
            return bank / 1000

    @property
    def botid(self) -> int:
        """0 or 1: by its number or, without one, by its name's place among the names."""
        names = self._words["player_names"].split(",")
        own = self._words["your_bot"]
        by_name = names.index(own) if own in names[:2] else 0
        return self._numbers["your_botid"] if self._identified else by_name

    def _move(self, bank: float, asked: float) -> str:
        if self._rows is None:
            self.warn("no field to move in; going straight on")
            return "pass"
        numbers, rows = self._numbers, self._rows
        increment, cap = numbers["time_per_move"] / 1000, max(bank, numbers["timebank"] / 1000)
        question = FieldQuestion(rows, self._round, bank, increment, cap, asked)
        # For a player that is not ready: a compilation must not use up the bank in which it would search.
        patience = min(increment + _SHARE_TO_WAIT * bank, _LARGEST_SHARE * bank)
        if self._first is None:
            self._first, patience = question, min(patience, _FIRST_READY)
            self._known.set()
        self.thinker.prepared.wait(patience)
        why = "it cannot play" if self.thinker.failed else "it is not ready yet"
        if self.thinker.ready:
            why = "it still thinks of an earlier round"
        if self.thinker.ready and not self.thinker.waiting:
            self.thinker.ask(question)
            move = question.direction()
            if move is not None:
                return move
            why = question.why
        self.warn(f"round {self._round}: the fallback moved, not {self._player}: {why}")
        return self.fallback(rows)

    def fallback(self, rows: tuple[str, ...]) -> str:
        """A safe direction, and at once: onto a free cell, and by the rules where they are loaded."""
        with suppress(ValueError):
            if self._game is not None:
                return list(_STEPS)[
                    safe_action(self._game, self._game.from_field(list(rows), self._round), self.botid)
                ]
        return _free_step(rows, self.botid)

    def _prepare(self) -> Any:
        """In the player's thread: make and warm the player once the game is known."""
        from .game import DIRECTIONS, LightRiders

        make_player = self._load()  # the long imports are under way while the engine sends its settings
        self._known.wait()
        if self._first is None:
            raise EOFError
        numbers = self._numbers
        game = self._game = LightRiders(
            numbers["field_width"], numbers["field_height"], numbers["max_rounds"]
        )
        player = make_player(self._player, game)
        previous, at_most = _state(game, self._first, None), _FIRST_MOVE
        player.warm(game, previous, (self.botid,))
        player.begin(game, self.botid)

        def think(question: FieldQuestion) -> str:
            nonlocal previous, at_most
            state = previous = _state(game, question, previous)
            bank = max(0.0, question.bank - (time.monotonic() - question.asked))
            clock, at_most = Clock(min(bank, at_most), question.increment, question.cap), math.inf
            return DIRECTIONS[question.answer_of(player, state, clock).action]

        return think, player.close

    def _failed(self, preparing: bool, error: Exception) -> None:
        if not preparing:
            self.warn(f"{self._player} failed, the fallback moves: {error}")
        elif not isinstance(error, EOFError):
            self.warn(f"{self._player} cannot play, the fallback does: {error}")

    def stop(self) -> bool:
        """Let the player's thread end; False if it is still at work."""
        self._known.set()
        self.thinker.close()
        return self.thinker.ended(time.monotonic() + 0.05)


def run_bot(
    player: str, load: LoadMaker, source: BinaryIO, answers: BinaryIO, log: TextIO | None = None
) -> bool:
    """Play until the input ends; True if the player's thread has ended as well."""
    bot = RidersBot(player, load, log)
    for line in iter(source.readline, b""):
        answer = bot.handle(line.decode(errors="replace"))
        if answer is not None:
            try:
                answers.write(f"{answer}\n".encode())
                answers.flush()
            except BrokenPipeError:
                break
    return bot.stop()


# How long a bot that plays here in the place of another one thinks.


@dataclass(frozen=True)
class NashClock(Uniform):
    """riders_nash: no new depth after a fifth of the move's time, a third when separated.

    The move's time is the whole bank if it is below the increment, else the increment plus an equal share of the rest
    for each round left.
    """

    def deadline(self, clock: Clock, rounds_left: int, separated: bool = False) -> Deadline:
        seconds = (
            clock.increment + (clock.bank - clock.increment) / max(1, rounds_left)
            if clock.bank > clock.increment
            else clock.bank
        )
        hard = clock.bank if clock.is_net else clock.bank - min(self.reserve, 0.1 * clock.bank)
        return Deadline(hard, seconds / (3 if separated else 5))
