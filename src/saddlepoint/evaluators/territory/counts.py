"""Evaluators of territories: cells, chambers, and what each player can fill once they are separated."""

import math
from dataclasses import dataclass
from typing import ClassVar

from ...boards.bitboard import count, empty, free_cells, neighbours, single
from ...boards.blocks import best_way, choke_points, edges, passages, value_by_blocks
from ...boards.flood import reachable, separated, voronoi
from ...boards.images import scratch
from ...boards.longest_path import fillable_bound, greedy_fill
from ...compiled import kernel, weight
from ..squashed import Squashed


@dataclass(frozen=True)
class Territorial(Squashed):
    """Base of evaluators for two heads on a grid.

    The game must have the property `grid` and the kernels `walls(state)`, the words of blocked cells (heads and all
    bits outside included), and `head(state, player)`, a cell index.
    """

    needs: ClassVar[tuple[str, ...]] = ("grid", "walls", "head")

    @kernel
    def free(self, game, state):
        return free_cells(game.grid, game.walls(state))

    @kernel
    def territories(self, game, state, ties):
        """The cells nearer to each player; equally near ones go to the player `ties`, if it is one."""
        return voronoi(game.grid, game.head(state, 0), game.head(state, 1), self.free(game, state), ties)

    @kernel
    def cells_lead(self, game, state, ties):
        """The number of cells nearer to player 0, less those nearer to player 1."""
        found = self.territories(game, state, ties)
        return float(count(found.territory0) - count(found.territory1))

    @kernel
    def separated(self, game, state):
        """Whether no cell can be reached by both players."""
        return separated(game.grid, game.head(state, 0), game.head(state, 1), self.free(game, state))

    @kernel
    def is_decided(self, game, state):
        """Whether a search may take the evaluation for the result."""
        return self.separated(game, state)


@dataclass(frozen=True)
class Voronoi(Territorial):
    """Cells nearer to head 0 less cells nearer to head 1.

    Equally near cells go to the player to move, if there is one.

    >>> from saddlepoint import LightRiders
    >>> from saddlepoint.evaluators import Voronoi
    >>> game = LightRiders(8, 8)
    >>> state = game.next_state(game.initial_state(), 1, 0)
    >>> round(Voronoi().evaluate(game, state), 3)
    0.716
    """

    @kernel
    def raw(self, game, state):
        return self.cells_lead(game, state, game.current_player(state))


@dataclass(frozen=True)
class VoronoiEdges(Territorial):
    """k1 (N0 - N1) + k2 (E0 - E1): N counts a player's cells, E the free neighbours of these cells.

    The weights are a1k0n10's, fitted on 11,691 games: the raw number is then about the log-odds of a win, whose
    expected result is tanh(raw / 2), the default squashing function.

    >>> from saddlepoint import LightRiders
    >>> from saddlepoint.evaluators import VoronoiEdges
    >>> game = LightRiders(8, 8)
    >>> state = game.next_state(game.initial_state(), 1, 0)
    >>> round(VoronoiEdges().evaluate(game, state), 3)
    1.0
    """

    scale: float = 2.0
    k1: float = weight(0.055)
    k2: float = weight(0.194)

    @property
    def largest_raw(self) -> float:
        return 1024.0 * (abs(self.k1) + 4 * abs(self.k2))

    @kernel
    def raw(self, game, state):
        grid, free = game.grid, self.free(game, state)
        found = self.territories(game, state, game.current_player(state))
        cells = count(found.territory0) - count(found.territory1)
        return self.k1 * cells + self.k2 * (
            edges(grid, found.territory0, free) - edges(grid, found.territory1, free)
        )


@dataclass(frozen=True)
class QueueTerritory(Territorial):
    """One queue of cells for both players, head 0 first.

    A cell belongs to the player whose cell reached it first.

    In such a queue the cells of each layer come in the order of the layer before, so all of player 0's stand before
    player 1's, and equally near cells are player 0's, whoever moves: what the queue finds is the division that gives ties
    to player 0, which is how it is computed here. The flood of the one with SMAB, which takes a layer for player
    0, then one for player 1, finds the same.

    `riders_nash` values finished positions by the same count: a game's rules give results instead, so use `raw` where
    its own pay-off of a finished position is wanted.

    >>> from saddlepoint import LightRiders
    >>> from saddlepoint.evaluators import QueueTerritory
    >>> game = LightRiders(8, 8)
    >>> state = game.next_state(game.initial_state(), 1, 0)
    >>> round(QueueTerritory().evaluate(game, state), 3)
    0.716
    """

    @kernel
    def raw(self, game, state):
        return self.cells_lead(game, state, 0)


@dataclass(frozen=True)
class ReachableSpace(Territorial):
    """Cells head 0 can reach less cells head 1 can reach.

    >>> from saddlepoint import LightRiders
    >>> from saddlepoint.evaluators import ReachableSpace
    >>> game = LightRiders(8, 8)
    >>> state = game.next_state(game.initial_state(), 1, 0)
    >>> round(ReachableSpace().evaluate(game, state), 3)
    0.0
    """

    @kernel
    def raw(self, game, state):
        free = self.free(game, state)
        mine = count(reachable(game.grid, game.head(state, 0), free))
        return float(mine - count(reachable(game.grid, game.head(state, 1), free)))


# Chambers: a territory divided by its choke points, in three evaluators of programs.

_CELL = 256.0
"""The weight of a cell in the variant that also counts neighbours."""

_SEPARATED = 512.0


@dataclass(frozen=True)
class Chambers(Territorial):
    """The best single way through a player's chambers, own less the opponent's.

    Both floods advance together, player 0's layer first. A claimed cell is a choke point if it has exactly two free
    neighbours and these lie opposite each other; it is on the battlefront if it is next to the opponent's head or
    cells. The value of a way is defined at `best_way`; ways that exclude each other are never added.

    `connected`: each cell counts 256 and one more for each of its neighbours that the same player claimed (a step to
    the battlefront counts 256). `separated_bonus`: once no cell can be reached by both, 512 cells more (raw) go to who is
    ahead, so that every separated position counts more than any other.

    >>> from saddlepoint import LightRiders
    >>> from saddlepoint.evaluators import Chambers
    >>> game = LightRiders(8, 8)
    >>> state = game.next_state(game.initial_state(), 1, 0)
    >>> round(Chambers().evaluate(game, state), 3)
    0.691
    """

    connected: bool = False
    separated_bonus: bool = False

    @property
    def largest_raw(self) -> float:
        return (1024.0 + (_SEPARATED if self.separated_bonus else 0.0)) * (260.0 if self.connected else 1.0)

    @kernel
    def raw(self, game, state):
        """The difference in cells (in 256ths of a cell where `connected`)."""
        grid, free = game.grid, self.free(game, state)
        head0, head1 = game.head(state, 0), game.head(state, 1)
        found = self.territories(game, state, 0)
        lead = self.territory_value(grid, head0, head1, found.territory0, found.territory1, free)
        lead -= self.territory_value(grid, head1, head0, found.territory1, found.territory0, free)
        if self.separated_bonus and found.separated and lead != 0.0:
            bonus = _SEPARATED * (_CELL if self.connected else 1.0)
            lead += bonus if lead > 0.0 else -bonus
        return lead

    @kernel
    def territory_value(self, grid, head, other_head, own, other, free):
        """The value of the cells `own` to the rider at `head`."""
        front = own & neighbours(grid, other | single(grid, other_head))
        chokes = choke_points(grid, own, free)
        per_cell, per_edge = (_CELL, 1.0) if self.connected else (1.0, 0.0)
        return best_way(grid, head, own, chokes, front, own, per_cell, per_edge, per_cell)


@dataclass(frozen=True)
class ReachableChambers(Territorial):
    """The cells each head can reach, of chambers behind choke points only the best; own less the opponent's.

    A choke point has exactly two free neighbours, opposite each other: the same program's chamber count of
    one player. With `narrow` it is every free cell between two walls, in a corner too, as `riders_nash` estimates the
    leaves of its endgame: the area before choke points plus the largest area behind one, recursively.

    >>> from saddlepoint import LightRiders
    >>> from saddlepoint.evaluators import ReachableChambers
    >>> game = LightRiders(8, 8)
    >>> state = game.next_state(game.initial_state(), 1, 0)
    >>> round(ReachableChambers().evaluate(game, state), 3)
    0.0
    """

    narrow: bool = False

    @kernel
    def raw(self, game, state):
        return self.room(game, state, 0) - self.room(game, state, 1)

    @kernel
    def room(self, game, state, player):
        grid = game.grid
        free = self.free(game, state)
        head = game.head(state, player)
        own = reachable(grid, head, free)
        chokes = passages(grid, own, free) if self.narrow else choke_points(grid, own, free)
        return best_way(grid, head, own, chokes, empty(grid), free, 1.0, 0.0, 1.0)


@dataclass(frozen=True)
class ChamberTree(VoronoiEdges):
    """The best way through the chambers of each player's territory, after a1k0n10.

    Articulation points divide a territory into blocks, of which a rider can fill only those along one way. A block
    weighs k1 a cell and k2 a free neighbour of a cell. Before a block on the battlefront only the shortest way counts,
    each step as a corridor's cell (k1 + 2 k2).

    >>> from saddlepoint import LightRiders
    >>> from saddlepoint.evaluators import ChamberTree
    >>> game = LightRiders(8, 8)
    >>> state = game.next_state(game.initial_state(), 1, 0)
    >>> round(ChamberTree().evaluate(game, state), 3)
    1.0
    """

    @kernel
    def raw(self, game, state):
        grid, free = game.grid, self.free(game, state)
        head0, head1 = game.head(state, 0), game.head(state, 1)
        found = self.territories(game, state, game.current_player(state))
        near0 = neighbours(grid, found.territory1 | found.contested | single(grid, head1))
        near1 = neighbours(grid, found.territory0 | found.contested | single(grid, head0))
        lead = self.territory_value(grid, head0, found.territory0, near0, free)
        return lead - self.territory_value(grid, head1, found.territory1, near1, free)

    @kernel
    def territory_value(self, grid, head, own, near_other, free):
        return value_by_blocks(grid, head, own, own & near_other, free, self.k1, self.k2)


# Where the players are separated: the player that can fill more of its own region.


@dataclass(frozen=True)
class Endgame(Territorial):
    """A fill-bound evaluator. Separated: the difference of the upper bounds of fillable cells; else the value of `inner`.

    The bound takes articulation points and checkerboard colours into account (see `fillable_bound`). It is tight, so
    the default squashing function is steep.

    >>> from saddlepoint import LightRiders
    >>> from saddlepoint.evaluators import Endgame
    >>> game = LightRiders(8, 8)
    >>> state = game.next_state(game.initial_state(), 1, 0)
    >>> round(Endgame().evaluate(game, state), 3)
    0.716
    """

    scale: float = 3.0
    inner: Squashed = Voronoi()

    @property
    def largest_raw(self) -> float:
        return max(1024.0, getattr(self.inner, "largest_raw", 0.0))

    @property
    def bound(self) -> float:
        return max(1.0, getattr(self.inner, "bound", 1.0)) if self.scale else self.largest_raw

    @kernel
    def separated_lead(self, game, state):
        """Player 0's lead where separated: the difference of the upper bounds of fillable cells."""
        free = self.free(game, state)
        mine = fillable_bound(game.grid, game.head(state, 0), free)
        return float(mine - fillable_bound(game.grid, game.head(state, 1), free))

    @kernel
    def separated_value(self, game, state):
        return math.tanh(self.separated_lead(game, state) / self.scale)

    @kernel
    def raw(self, game, state):
        """The lead where separated; the inner evaluator's raw number elsewhere."""
        return (
            self.separated_lead(game, state) if self.separated(game, state) else self.inner.raw(game, state)
        )

    @kernel
    def evaluate(self, game, state):
        """Player 0's expected result; each of the two kinds of positions with its own squashing function."""
        if self.scale == 0.0:
            return self.raw(game, state)
        return (
            self.separated_value(game, state)
            if self.separated(game, state)
            else self.inner.evaluate(game, state)
        )


@dataclass(frozen=True)
class Separated(Endgame):
    """A provable-separation evaluator. Separated: +1 or -1 where bounds prove it, else by the middle of the bounds.

    Not separated: the value of `inner`.

    A rider's steps lie between those of a greedy walk and `fillable_bound`. Where both make the same number, the game
    is a draw if they move at once, and in a turn-based game lost for the player who moves next. A limit of rounds is not
    considered.

    >>> from saddlepoint import LightRiders
    >>> from saddlepoint.evaluators import Separated
    >>> game = LightRiders(8, 8)
    >>> state = game.next_state(game.initial_state(), 1, 0)
    >>> round(Separated().evaluate(game, state), 3)
    0.716
    """

    @kernel
    def margins(self, game, state):
        """(least, most) steps that player 0 outlives player 1 by; in turn-based games half a step less for who moves next."""
        grid = game.grid
        free = self.free(game, state)
        head0, head1 = game.head(state, 0), game.head(state, 1)
        player = game.current_player(state)
        tempo = -0.5 if player == 0 else 0.5 if player == 1 else 0.0
        path = scratch(grid, 1)
        least = greedy_fill(grid, head0, free, path) - fillable_bound(grid, head1, free)
        most = fillable_bound(grid, head0, free) - greedy_fill(grid, head1, free, path)
        return least + tempo, most + tempo

    @kernel
    def is_decided(self, game, state):
        """Whether the result is proven."""
        if not self.separated(game, state):
            return False
        least, most = self.margins(game, state)
        return least > 0.0 or most < 0.0 or least == most

    @kernel
    def separated_lead(self, game, state):
        """The middle of the margins, in steps."""
        least, most = self.margins(game, state)
        return 0.5 * (least + most)

    @kernel
    def separated_value(self, game, state):
        least, most = self.margins(game, state)
        if least > 0.0:
            return 1.0
        if most < 0.0:
            return -1.0
        return math.tanh(0.5 * (least + most) / self.scale)
