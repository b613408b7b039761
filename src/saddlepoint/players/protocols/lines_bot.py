"""The library's line protocol (docs/protocol.md): its words, and the bot's side for any player."""

import math
import operator
import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any, BinaryIO
from urllib.parse import unquote

from ...compiled.clock import forgiving
from ...compiled.errors import is_machine_error
from ...compiled.rules import in_package
from ...compiled.words import words_of_state
from ...game.base import Game, GameError
from ...game.own_games import Finder, finder_of
from ...game.spec import SpecError, parse_spec, spec_of
from ...system.text import words_in
from ..base import Answer, MakePlayer, MoveStatistics, Player, PlayerError, next_choice
from ..clock import ENDLESS, Clock

VERSION = 1
WANTS_WORDS = ["wants", "words"]
"""What a bot writes before it is ready, to be fields positions and actions as numbers, too."""

_NO_WORD = re.compile(r"[%\s\x00-\x1f\x7f]")
_MOST_DIGITS = 18  # what everybody can keep in 64 bits


def verb_of(line: str) -> tuple[str, str]:
    """The first word of a line, which says what it is, and the rest of it."""
    verb, rest, *_ = *words_in(line, 2), "", ""
    return verb, rest


def word_of(name: str) -> str:
    """A move's name as one word: blanks and control characters, and `%`, are written %XX."""
    return _NO_WORD.sub(lambda found: "".join(f"%{byte:02X}" for byte in found[0].encode()), name)


def name_of(word: str) -> str:
    """The name that a word stands for."""
    return unquote(word) if "%" in word else word


def game_lines(game: Game, player: int, seed: int | None) -> list[str]:
    """The lines that begin a game: its spec, the seat and the seed."""
    return [f"game {spec_of(game)}", f"seat {player}", f"seed {'none' if seed is None else seed}", "begin"]


def game_from_text(text: str, find: Finder) -> Game:
    """The game that a spec describes, which `find` finds by its name; raises SpecError or GameError."""
    spec = parse_spec(text)
    return find(spec.name, **spec.options)


def clock_line(clock: Clock) -> str:
    """Bank, increment and cap in seconds, or none."""
    if math.isinf(clock.bank):
        return "clock none"
    cap = "" if clock.cap is None or math.isinf(clock.cap) else f" {clock.cap:.6f}"
    return f"clock {clock.bank:.6f} {clock.increment:.6f}{cap}"


def clock_from(words: list[str]) -> Clock:
    """The clock given by the words after `clock`; raises ValueError."""
    if words[:1] == ["none"]:
        return ENDLESS
    bank, increment, *cap = (float(word) for word in words[:3])
    return Clock(bank, increment, cap[0] if cap else math.inf)


def position_lines(text: str) -> Iterable[str]:
    """A position's text, with the number of its lines first."""
    rows = text.split("\n")
    return f"position {len(rows)}", *rows


def word_lines(state: Any, actions: Iterable[int]) -> list[str]:
    """A position as the machine words of its fields, and the numbers of the legal moves, in the order of their names."""
    return [
        f"words {' '.join(f'{word:x}' for word in words_of_state(state))}",
        f"actions {' '.join(map(str, actions))}",
    ]


def info_line(statistics: MoveStatistics) -> str:
    """The line with the known statistics of a search."""
    fields = [f"{key} {value}" for key, value in statistics._asdict().items() if value is not None]
    return f"info {' '.join(fields)}"


def statistics_from(line: str, seconds: float) -> MoveStatistics:
    """The search statistics of an info line; `seconds` where it has none. What is no number is left out."""
    words = words_in(line)[1:]
    fields = dict(zip(words[::2], words[1::2], strict=False))
    used = _number(fields.get("seconds"))
    return MoveStatistics(
        seconds if used is None or used < 0 else used,
        _count(fields.get("depth")),
        _count(fields.get("nodes")),
        _number(fields.get("value")),
    )


def _count(word: str | None) -> int | None:
    return (
        int(word)
        if word is not None and word.isascii() and word.isdigit() and len(word) <= _MOST_DIGITS
        else None
    )


def _number(word: str | None) -> float | None:
    try:
        number = float(word or "")
    except ValueError:
        return None
    return number if math.isfinite(number) else None


# The bot's side of the library's line protocol (docs/protocol.md), for any player.

_SHOWN = 150


class _IllegalError(PlayerError):
    """The player's answer is no legal move."""


class LinesBot:
    """Takes in the arena's lines one at a time and answers through `send`, which gets whole lines.

    `find` finds the game by its name; `make` makes the player when the game is known. Where `only` is given,
    a `game` line need not come, and one of another name is refused; otherwise any game of this library is played.
    Where `marks_illegal`, an answer of the player that is no legal move is said with the verb `illegal`, not as an error: only
    a host of this library may say so. Where it is `trusted` too, a failure of the machine is said with the verb `machine`.
    Where it `forgives`, a wait for a core does not count, as in the arena: then a search may last longer on the wall.
    Where `fixed` is given the game is that one, whatever its line says: for games the library does not know.
    """

    def __init__(
        self,
        make: Callable[[Game], Player],
        send: Callable[[str], None],
        find: Finder,
        only: Game | None = None,
        fixed: Game | None = None,
        marks_illegal: bool = False,
        trusted: bool = False,
        forgives: bool = False,
    ) -> None:
        self._make, self._send, self._find, self._only, self._fixed = make, send, find, only, fixed
        self._illegal = "illegal" if marks_illegal else "error"
        self._trusted, self._forgives = trusted, forgives
        self._game_text: str | None = None
        self._game: Game | None = fixed or only
        self._player: Player | None = None
        self._warmed: set[int] = set()
        self._seat, self._seed = 0, None
        self._began = False
        self._rows: list[str] = []
        self._rows_to_come = 0
        self._clock = ENDLESS

    def run(self, source: BinaryIO) -> None:
        """Answer until `quit`, or the end of the input."""
        with suppress(BrokenPipeError):
            for raw in iter(source.readline, b""):
                if not self.handle(raw.decode(errors="replace").rstrip("\r\n")):
                    break
        if self._player is not None:
            self._player.close()

    def handle(self, line: str) -> bool:
        """Take in a line; False if it was `quit`. Lines not known are ignored."""
        if self._rows_to_come:
            self._rows.append(line)
            self._rows_to_come -= 1
            return True
        verb, rest = verb_of(line)
        if verb == "quit":
            return False
        try:
            self._take_in(verb, rest)
        except BrokenPipeError:
            raise
        except _IllegalError as error:
            self._send(f"{self._illegal} {reason(error)}\n")
        except (Exception, SystemExit) as error:
            machine = self._trusted and isinstance(error, Exception) and is_machine_error(error)
            self._send(f"{'machine' if machine else 'error'} {reason(error)}\n")
        return True

    def _take_in(self, verb: str, text: str) -> None:
        match verb:
            case "game":
                self._set_game(text)
            case "seat":
                if text not in ("0", "1"):
                    raise ValueError(f"a seat is 0 or 1, not {text[:20]!r}")
                self._seat = int(text)
            case "seed":
                self._seed = None if text == "none" else int(text)
            case "begin":
                self._begin()
            case "position":
                if not (text.isascii() and text.isdigit() and 0 < int(text) < 1_000_000):
                    raise ValueError(f"position takes the number of its lines, not {text[:20]!r}")
                self._rows, self._rows_to_come = [], int(text)
            case "clock":
                self._clock = clock_from(words_in(text))
            case "go":
                self._go()
            case "end" if self._began and self._player is not None:
                self._began = False
                self._player.end(float(text or "nan"))
            case _:
                pass

    def _set_game(self, text: str) -> None:
        if text == self._game_text or self._fixed is not None:
            return
        self._game_text = None
        game = game_from_text(text, self._find)
        if self._only is not None and game.name != self._only.name:
            raise SpecError(f"this bot plays {self._only.name}, not {game.name}")
        self._game_text = text
        if game != self._game:
            if self._player is not None:
                self._player.close()
            self._game, self._player = game, None

    def _begin(self) -> None:
        self._began = False
        if self._game is None or (self._game_text is None and self._only is None and self._fixed is None):
            raise SpecError("a game is expected before begin")
        if self._player is None:
            self._player, self._warmed = self._make(self._game), set()
        if self._seat not in self._warmed:
            state = next_choice(self._game, self._game.initial_state(), self._seat)
            if state is not None:
                self._game.legal_actions(state, self._seat)
                self._player.warm(self._game, state, (self._seat,))
            self._warmed.add(self._seat)
        self._player.begin(self._game, self._seat, self._seed)
        self._began = True
        self._send("ready\n")

    def _go(self) -> None:
        game, player = self._game, self._player
        if game is None or player is None or not self._began:
            raise PlayerError("begin is expected before go")
        state = game.from_text("\n".join(self._rows))
        with forgiving(self._clock.forgiven if self._forgives else 0.0):
            answer: Any = player.choose(state, self._clock)
        statistics = answer.statistics if isinstance(answer, Answer) else None
        action = self._legal(game, state, answer.action if isinstance(answer, Answer) else answer)
        info = "" if statistics is None else info_line(statistics) + "\n"
        self._send(f"{info}move {word_of(game.action_to_string(state, self._seat, action))}\n")

    def _legal(self, game: Game, state: Any, chosen: Any) -> int:
        """The action that was chosen by its number or its name; raises _IllegalError where it is none."""
        with suppress(TypeError, GameError):
            if isinstance(chosen, str):
                return game.string_to_action(state, self._seat, name_of(chosen))
            action = operator.index(chosen)
            if not isinstance(chosen, bool) and action in game.legal_actions(state, self._seat):
                return action
        raise _IllegalError(
            f"choose returned {_shown(chosen)}, which is not the number or the name of a legal move"
        )


def run_bot(
    player: str, load: Callable[[], MakePlayer], source: BinaryIO, answers: BinaryIO, game: Game
) -> bool:
    """Play that game until the input ends: the library's own, with any parameters, or one in a user's file as it is."""

    def send(text: str) -> None:
        answers.write(text.encode())
        answers.flush()

    make_player, own = load(), not in_package(type(game))
    make_player(player, game).close()
    LinesBot(
        lambda game: make_player(player, game),
        send,
        finder_of(game),
        None if own else game,
        game if own else None,
    ).run(source)
    return True


def reason(error: BaseException) -> str:
    """One line that says what went wrong."""
    own = isinstance(error, (PlayerError, GameError, SpecError))
    text = str(error) if own else f"{type(error).__name__}: {error}"
    return (text.splitlines() or [type(error).__name__])[0][:_SHOWN]


def _shown(value: Any) -> str:
    try:
        return repr(value)[:40]
    except Exception:  # an int too long to be written, an object of a bot's own
        return f"a value of type {type(value).__name__}"
