"""Territory: who has more cells nearer to the own head."""

from dataclasses import dataclass

from ...compiled import kernel
from ..squashed import ties_by_turn
from .territorial import Territorial


@dataclass(frozen=True)
class Voronoi(Territorial):
    """Cells nearer to head 0 less cells nearer to head 1; equally near cells go to who moves next, if to anyone."""

    @kernel
    def raw(self, game, state):
        """The difference in cells."""
        return self.cells_lead(game, state, ties_by_turn(game, state))
