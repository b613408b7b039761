"""A random game by what its path is worth so far."""

from dataclasses import dataclass

from ...compiled import Component, kernel


@dataclass(frozen=True)
class Sums(Component):
    """The middle of the results that are still possible: with "sums" the sum so far, as what comes is as often good as bad."""

    @kernel
    def evaluate(self, game, state):
        """The middle of the bounds."""
        low, high = game.bounds(state)
        return 0.5 * (low + high)
