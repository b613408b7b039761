"""What a heap is worth, by the rule that every child finds out."""

from dataclasses import dataclass

from saddlepoint.games.interface import Component, kernel


@dataclass(frozen=True)
class Heaps(Component):
    """Whoever takes from a heap that is a multiple of `most` + 1 loses: `sure` is the value that is given to the other."""

    sure: float = 0.9

    @property
    def bound(self) -> float:
        return self.sure

    @kernel
    def evaluate(self, game, state):
        is_lost = state.stones % (game.most + 1) == 0
        return self.sure if is_lost == (state.turn == 1) else -self.sure
