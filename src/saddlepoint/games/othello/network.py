"""Othello on its usual board by a network that `saddlepoint fit` made."""

from dataclasses import dataclass
from typing import ClassVar

from ...evaluators.network.fitted import ShippedNetwork


@dataclass(frozen=True)
class OthelloNetwork(ShippedNetwork):
    """An estimate of who wins on 8 x 8 cells: a network over the discs and `Othello.features`.

    docs/experiments-fitted.md says how it was fitted, and what it scores against `Mobility`.
    """

    weights_file: ClassVar[str] = "usual_board.weights"
