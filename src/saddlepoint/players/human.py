"""A person at the terminal."""

import sys
from collections.abc import Iterable
from typing import Any, TextIO

from ..game import GameError
from .base import Player, PlayerError
from .clock import Clock


class HumanPlayer(Player):
    """Shows the position, asks, and asks again until the answer is a legal action (or the start of just one)."""

    def __init__(self, source: TextIO | None = None, screen: TextIO | None = None) -> None:
        self._source, self._screen = source, screen

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
            starting = [name for name in names if name.startswith(word)] if word else []
            try:
                return self.game.string_to_action(state, self.player, starting[0] if len(starting) == 1 else word)
            except GameError as error:
                print(str(error).splitlines()[0], file=screen)
