"""A person at the terminal."""

import sys
from collections.abc import Callable, Iterable
from typing import Any, TextIO

from ..game import GameError
from .base import Player, PlayerError, TakeBack
from .clock import Clock

_HINT = Clock(1.0, 1.0)


class HumanPlayer(Player):
    """Shows the position, asks, and asks again until the answer is a legal action (or the start of just one).

    `undo` takes the last move back, where the game allows it; `hint` asks `adviser`, a factory of a player, for a second.
    """

    def __init__(
        self, source: TextIO | None = None, screen: TextIO | None = None, adviser: Callable[[], Player] | None = None
    ) -> None:
        self._source, self._screen, self._adviser = source, screen, adviser
        self._advice: Player | None = None

    def warm(self, game: Any, state: Any, seats: Iterable[int] = (0, 1)) -> None:
        """Nobody has to be warmed."""

    def choose(self, state: Any, clock: Clock) -> int:
        screen, source = self._screen or sys.stdout, self._source or sys.stdin
        names = [self.game.action_to_string(state, self.player, a) for a in self.game.legal_actions(state, self.player)]
        print(f"\n{self.game.render(state)}\n", file=screen)
        while True:
            print(f"player {self.player}, your move ({', '.join(names)}): ", end="", file=screen, flush=True)
            line = source.readline()
            if not line:
                raise PlayerError("the input ended")
            word = line.strip().lower()
            if word == "undo":
                raise TakeBack
            if word == "hint":
                print(self._hint(state, screen), file=screen)
                continue
            starting = [name for name in names if name.startswith(word)] if word else []
            try:
                return self.game.string_to_action(state, self.player, starting[0] if len(starting) == 1 else word)
            except GameError as error:
                print(str(error).splitlines()[0], file=screen)

    def _hint(self, state: Any, screen: TextIO) -> str:
        if self._adviser is None:
            return "there is nobody to ask in this game"
        if self._advice is None:
            print("thinking ...", file=screen, flush=True)
            self._advice = self._adviser()
            self._advice.warm(self.game, state, (self.player,))
        self._advice.begin(self.game, self.player, self.seed)
        action = self._advice.choose(state, _HINT)
        return f"try {self.game.action_to_string(state, self.player, action)}"

    def close(self) -> None:
        if self._advice is not None:
            self._advice.close()
