"""The bot's side of the library's line protocol (docs/protocol.md), for any player."""

import operator
from collections.abc import Callable
from contextlib import suppress
from typing import Any, BinaryIO

from ..._text import words_in
from ...compiled.clock import forgiving
from ...compiled.errors import is_machine_error
from ...compiled.rules import in_package
from ...game import Game, GameError
from ...own_games import Finder, finder_of
from ...players.base import Answer, MakePlayer, Player, PlayerError
from ...players.clock import ENDLESS
from ...spec import SpecError
from .words import clock_from, first_question, game_from_text, info_line, name_of, verb_of, word_of

_SHOWN = 150


class _IllegalError(PlayerError):
    """The player's answer is no legal move."""


class LinesBot:
    """Takes in the arena's lines one at a time and answers through `send`, which gets whole lines.

    `find` finds the game by its name; `make` makes the player when the game is known. Where `only` is given,
    a `game` line need not be told, and one of another name is refused; otherwise any game of this library is played.
    Where `told_apart`, an answer of the player that is no legal move is said with the verb `illegal`, not as an error: only
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
        told_apart: bool = False,
        trusted: bool = False,
        forgives: bool = False,
    ) -> None:
        self._make, self._send, self._find, self._only, self._fixed = make, send, find, only, fixed
        self._illegal = "illegal" if told_apart else "error"
        self._trusted, self._forgives = trusted, forgives
        self._told_game: str | None = None
        self._game: Game | None = fixed or only
        self._player: Player | None = None
        self._warmed: set[int] = set()
        self._seat, self._seed = 0, None
        self._began = False
        self._rows: list[str] = []
        self._rows_to_come = 0
        self._clock = ENDLESS
        self._actions = {
            "game": self._tell_game, "seat": self._tell_seat, "seed": self._tell_seed, "begin": self._begin,
            "position": self._tell_position, "clock": self._tell_clock, "go": self._go, "end": self._end,
        }  # fmt: skip

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
        action = self._actions.get(verb)
        if action is not None:
            try:
                action(rest)
            except BrokenPipeError:
                raise
            except _IllegalError as error:
                self._send(f"{self._illegal} {reason(error)}\n")
            except (Exception, SystemExit) as error:
                machine = self._trusted and isinstance(error, Exception) and is_machine_error(error)
                self._send(f"{'machine' if machine else 'error'} {reason(error)}\n")
        return True

    def _tell_game(self, text: str) -> None:
        if text == self._told_game or self._fixed is not None:
            return
        self._told_game = None
        game = game_from_text(text, self._find)
        if self._only is not None and game.name != self._only.name:
            raise SpecError(f"this bot plays {self._only.name}, not {game.name}")
        self._told_game = text
        if game != self._game:
            if self._player is not None:
                self._player.close()
            self._game, self._player = game, None

    def _tell_seat(self, text: str) -> None:
        if text not in ("0", "1"):
            raise ValueError(f"a seat is 0 or 1, not {text[:20]!r}")
        self._seat = int(text)

    def _tell_seed(self, text: str) -> None:
        self._seed = None if text == "none" else int(text)

    def _tell_position(self, text: str) -> None:
        if not (text.isascii() and text.isdigit() and 0 < int(text) < 1_000_000):
            raise ValueError(f"position takes the number of its lines, not {text[:20]!r}")
        self._rows, self._rows_to_come = [], int(text)

    def _tell_clock(self, text: str) -> None:
        self._clock = clock_from(words_in(text))

    def _begin(self, text: str) -> None:
        self._began = False
        if self._game is None or (self._told_game is None and self._only is None and self._fixed is None):
            raise SpecError("a game is expected before begin")
        if self._player is None:
            self._player, self._warmed = self._make(self._game), set()
        if self._seat not in self._warmed:
            state = first_question(self._game, self._seat)
            if state is not None:
                self._game.legal_actions(state, self._seat)
                self._player.warm(self._game, state, (self._seat,))
            self._warmed.add(self._seat)
        self._player.begin(self._game, self._seat, self._seed)
        self._began = True
        self._send("ready\n")

    def _go(self, text: str) -> None:
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
        raise _IllegalError(f"choose returned {_shown(chosen)}, which is not the number or the name of a legal move")

    def _end(self, text: str) -> None:
        if self._began and self._player is not None:
            self._began = False
            self._player.end(float(text or "nan"))


def run_bot(player: str, load: Callable[[], MakePlayer], source: BinaryIO, answers: BinaryIO, game: Game) -> bool:
    """Play that game until the input ends: the library's own, with any parameters, or one in a user's file as it is."""

    def send(text: str) -> None:
        answers.write(text.encode())
        answers.flush()

    make_player, own = load(), not in_package(type(game))
    make_player(player, game).close()
    LinesBot(lambda told: make_player(player, told), send, finder_of(game), None if own else game, game if own else None).run(source)
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
