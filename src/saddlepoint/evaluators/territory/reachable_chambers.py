"""A single-player fill estimate: what each rider could fill of its best chambers while the opponent stands still."""

from dataclasses import dataclass

from ...boards.bitboard import empty
from ...boards.chambers import best_way
from ...boards.flood import reachable
from ...boards.regions import choke_points, passages
from ...compiled import kernel
from .territorial import Territorial


@dataclass(frozen=True)
class ReachableChambers(Territorial):
    """The cells each head can reach, of chambers behind choke points only the best; own less the opponent's.

    A choke point has exactly two free neighbours, opposite each other: the same program's chamber count of
    one player. With `narrow` it is every free cell between two walls, in a corner too, as `riders_nash` estimates the
    leaves of its endgame: the area before choke points plus the largest area behind one, recursively.
    """

    narrow: bool = False

    @kernel
    def raw(self, game, state):
        """The difference in cells."""
        return self.room(game, state, 0) - self.room(game, state, 1)

    @kernel
    def room(self, game, state, player):
        """The cells of the player's best way."""
        grid = game.grid
        free = self.free(game, state)
        head = game.head(state, player)
        own = reachable(grid, head, free)
        chokes = passages(grid, own, free) if self.narrow else choke_points(grid, own, free)
        return best_way(grid, head, own, chokes, empty(grid), free, 1.0, 0.0, 1.0)
