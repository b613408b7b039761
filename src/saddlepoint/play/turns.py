"""Turns as people count them: what chance does is none, and a round in which both move is one."""

from collections.abc import Sequence
from typing import Any

from ..game import CHANCE, TERMINAL, Game


class Turns:
    """The numbers of the turns of a game, given its positions.

    A step is one change of the position, by players or by chance; steps are indices of positions.
    """

    def __init__(self, game: Game, states: Sequence[Any]) -> None:
        self.word = game.turn_word or ("move" if game.turn_based else "round")
        self._first = game.first_turn
        before = game.turns_played(states[0])
        self._done = [before]
        for state in states[:-1]:
            self._done.append(self._done[-1] + (game.current_player(state) not in (CHANCE, TERMINAL)))

    @property
    def steps(self) -> int:
        """How many steps there are."""
        return len(self._done) - 1

    @property
    def count(self) -> int:
        """How many turns were played in the end, those before the first position included."""
        return self._done[-1]

    def done(self, step: int) -> int:
        """How many turns were played before the position."""
        return self._done[step]

    def number(self, step: int) -> int:
        """The number of the turn that is played next in the position."""
        return self._done[step] + self._first

    def label(self, step: int) -> str:
        """`round 23`: the turn that is played next in the position."""
        return f"{self.word} {self.number(step)}"

    def span(self, first: int, last: int) -> str:
        """`rounds 23 to 26`: the turns from one position to another."""
        a, b = self.number(first), self.number(last)
        return f"{self.word} {a}" if a == b else f"{self.word}s {a} to {b}"

    def after(self, step: int) -> str:
        """`after 46 of 110 turns`: where the position stands in the game."""
        return f"after {self.done(step)} of {self.counted()}"

    def counted(self) -> str:
        """`110 turns`: how many were played in the end."""
        return f"{self.count} {self.word}{'' if self.count == 1 else 's'}"

    def step_after(self, turns: int) -> int:
        """The last position with so many turns before it: the one in which players move; raises ValueError where there is none."""
        if not self._done[0] <= turns <= self.count:
            raise ValueError(f"there are {self._done[0]} to {self.count} {self.word}s, not {turns}")
        return len(self._done) - 1 - self._done[::-1].index(turns)

    def nearest(self, turns: int) -> int:
        """The step after so many turns, or the end of the game on that side."""
        return self.step_after(min(max(turns, self._done[0]), self.count))
