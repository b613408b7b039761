"""Connect Four on its usual board by a network that `saddlepoint fit` made."""

from dataclasses import dataclass
from typing import ClassVar

from ...evaluators.network.fitted import ShippedNetwork


@dataclass(frozen=True)
class ConnectFourNetwork(ShippedNetwork):
    """An estimate for seven columns, six rows and lines of four: a network over the discs and `ConnectFour.features`.

    docs/experiments-fitted.md says how it was fitted, and what it scores against `Threats`.
    """

    weights_file: ClassVar[str] = "usual_board.weights"
