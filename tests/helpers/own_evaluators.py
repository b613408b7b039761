"""An evaluator with features, as somebody writes it in a file of his own: for Othello."""

from dataclasses import dataclass

from saddlepoint.compiled import kernel, popcount
from saddlepoint.evaluators.network.features import FeatureNetwork


@dataclass(frozen=True)
class OthelloCounts(FeatureNetwork):
    """Discs and placements of either player, and whether an odd number of cells is empty."""

    weight: float = 1.0

    @kernel
    def features(self, game, state):
        free0 = popcount(game.placements(state.discs0, state.discs1))
        free1 = popcount(game.placements(state.discs1, state.discs0))
        discs0, discs1 = popcount(state.discs0), popcount(state.discs1)
        return (discs0, self.weight * free0), (discs1, self.weight * free1), ((discs0 + discs1) & 1,)
