"""The evaluator with one value for all positions."""

from dataclasses import dataclass

from ..compiled import Component, kernel


@dataclass(frozen=True)
class Constant(Component):
    """Every position has the value `value`."""

    value: float = 0.0

    @property
    def bound(self) -> float:
        """The largest absolute value an evaluation can have."""
        return abs(self.value)

    @kernel
    def raw(self, game, state):
        """The constant."""
        return float(self.value)

    @kernel
    def evaluate(self, game, state):
        """The constant."""
        return float(self.value)
