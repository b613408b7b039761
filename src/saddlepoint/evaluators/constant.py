"""The evaluator that knows nothing."""

from dataclasses import dataclass

from ..compiled import Component, kernel


@dataclass(frozen=True)
class Constant(Component):
    """Every unfinished position is worth `value`: the yardstick for what an evaluator is worth."""

    value: float = 0.0

    @property
    def bound(self) -> float:
        """The largest value it can give."""
        return abs(self.value)

    @kernel
    def evaluate(self, game, state):
        return float(self.value)
