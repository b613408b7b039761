"""A person at the terminal."""

import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ..game.base import Game, GameError
from ..game.picture import arrows_of
from ..system.text import error_line, printable, words_in
from .base import Answer, Player, PlayerError, TakeBack
from .clock import Clock

_HINT = Clock(1.0, 1.0)
_ARROWS = {"up": "A", "down": "B", "right": "C", "left": "D"}
_SHOWN = 16
"""With more moves than this the question does not list them."""
_HELP = """\
moves: {moves}
On a terminal the arrow keys move where moves are directions, and go through the moves elsewhere.
A move's first letters will do where they are those of one move only. Also:
undo   take the last move back
hint   ask the computer for a move
help   this (or ?)
quit   leave the game, without a result (or q)"""


class Left(KeyboardInterrupt):
    """The person has left the game: there is no result, and nobody is at fault."""


class HumanPlayer(Player):
    """Shows the position, asks, and asks again until the answer is a legal action (or the start of just one).

    `help` says what may be answered; `undo` takes the last move back, where the game allows it; `hint` asks `adviser`, a
    factory of a player, for a second; `quit` raises Left. On a terminal the arrow keys move where the moves are
    directions, and else go through the moves.
    """

    is_person = True

    def __init__(self, adviser: Callable[[], Player] | None = None) -> None:
        self.adviser = adviser
        self._advice: Player | None = None

    def warm(self, game: Any, state: Any, seats: Iterable[int] = (0, 1)) -> None:
        """Nobody has to be warmed."""

    def choose(self, state: Any, clock: Clock) -> int:
        names = [
            self.game.action_to_string(state, self.player, a)
            for a in self.game.legal_actions(state, self.player)
        ]
        listed = ", ".join(names) if len(names) <= _SHOWN else f"{len(names)} moves, ? lists them"
        _say(f"\n{self.game.render(state)}\n")
        while True:
            word = self._answer(f"player {self.player}, your move ({listed}): ", names)
            if not any(name.lower().startswith(word) for name in names if word) and self._obeyed(
                word, state, names
            ):
                continue
            try:
                return action_meant(self.game, state, self.player, word)
            except GameError as error:
                _say(error_line(error))

    def _obeyed(self, word: str, state: Any, names: Sequence[str]) -> bool:
        """Whether the word asks for something else than a move; it is done then."""
        match word:
            case "undo":
                raise TakeBack
            case "quit" | "q" | "exit":
                raise Left
            case "hint":
                _say(self.hint(state))
            case "help" | "?" | "h":
                _say(_HELP.format(moves=", ".join(names)))
            case _:
                return False
        return True

    def _answer(self, question: str, names: Sequence[str]) -> str:
        """The typed line, in small letters."""
        _set_arrows(names)
        if sys.stdin is None:  # pyright: ignore[reportUnnecessaryComparison]
            raise PlayerError("stdin was closed before the program began: nobody can answer")
        try:
            return " ".join(words_in(input(printable(question)))).lower()
        except EOFError:
            raise PlayerError("the input ended") from None
        except UnicodeDecodeError:
            raise PlayerError("what came on stdin is no text") from None
        except OSError as error:
            raise PlayerError(f"stdin cannot be read: {error.strerror or error}") from None

    def hint(self, state: Any) -> str:
        """The adviser's move here, in words."""
        if self.adviser is None:
            return "there is nobody to ask in this game"
        if self._advice is None:
            _say("thinking ...")
            self._advice = self.adviser()
            self._advice.warm(self.game, state, (self.player,))
        self._advice.begin(self.game, self.player, self.seed)
        action = Answer.of(self._advice.choose(state, _HINT)).action
        return f"try {self.game.action_to_string(state, self.player, action)}"

    def close(self) -> None:
        if self._advice is not None:
            self._advice.close()


def action_meant(game: Game, state: Any, player: int, word: str) -> int:
    """The player's legal action that a word stands for: its name in letters of any size, or the start of just one name.

    Raises GameError.
    """
    names = [game.action_to_string(state, player, action) for action in game.legal_actions(state, player)]
    known = {name.lower(): name for name in names}
    starting = [name for name in names if word and name.lower().startswith(word.lower())]
    chosen = known.get(word.lower()) or (starting[0] if len(starting) == 1 else None)
    if chosen is None and starting:
        raise GameError(f"{word!r} is the start of several moves: {', '.join(starting)}")
    return game.string_to_action(state, player, chosen or word)


def _say(text: str) -> None:
    print(printable(text), flush=True)


def _set_arrows(names: Sequence[str]) -> None:
    """Set the arrow keys of `input` at a terminal: moves are its history, and an arrow plays the move in its
    direction.
    """
    try:
        import readline
    except ImportError:  # not on every system
        return
    readline.set_auto_history(False)
    readline.clear_history()
    for name in reversed(names):
        readline.add_history(printable(name))
    for name, arrow in arrows_of(names).items():
        for start in ("[", "O"):  # what comes before the letter differs between terminals
            readline.parse_and_bind(rf'"\e{start}{_ARROWS[arrow]}": "{name}\n"')
