"""Who reaches a cell first, as most programs for Battlesnake evaluate a position."""

from dataclasses import dataclass
from typing import Any, NamedTuple

from ....boards.bitboard import board_of, count, empty, free_cells, is_empty, neighbours, single
from ....compiled import jit_inline, kernel
from ....evaluators.squashed import Squashed
from ..state import NO_CELL, coiled_of, tail_of

_FAR = 40
"""Rounds to food where none is reached first; more than most such ways."""


class Reach(NamedTuple):
    """The cells each snake reaches first, and its rounds to the nearest food among them."""

    own0: Any
    own1: Any
    food0: int
    food1: int


@jit_inline
def reach(grid, head0, head1, free, food, lead):
    """Divide the free cells by distance. Equally near ones go to the longer snake: `lead` is by how much player 0's is."""
    reached0, reached1 = single(grid, head0), single(grid, head1)
    own0, own1 = empty(grid), empty(grid)
    open_ = free & ~(reached0 | reached1)
    food0, food1, rounds = _FAR, _FAR, 0
    while True:
        new0, new1 = neighbours(grid, reached0) & open_, neighbours(grid, reached1) & open_
        new = new0 | new1
        if is_empty(new):
            return Reach(own0, own1, food0, food1)
        rounds += 1
        first0 = new0 if lead > 0 else new0 & ~new1
        first1 = new1 if lead < 0 else new1 & ~new0
        if food0 == _FAR and not is_empty(first0 & food):
            food0 = rounds
        if food1 == _FAR and not is_empty(first1 & food):
            food1 = rounds
        own0, own1, open_ = own0 | first0, own1 | first1, open_ & ~new
        if lead > 0:
            new1 = first1
        if lead < 0:
            new0 = first0
        reached0, reached1 = reached0 | new0, reached1 | new1


@jit_inline
def vacated(grid, snake):
    """The board of the cell that a snake's tail leaves in the next round."""
    return single(grid, tail_of(snake) if coiled_of(snake) == 0 else NO_CELL)


@jit_inline
def needs_food(health, rounds, behind):
    """What hunger costs, in cells: much once the nearest food is too far, little while it is only a long way."""
    if health < rounds:
        return 30.0
    return rounds * (0.4 if behind else 0.1) + max(0, 40 - health) * 0.2


@dataclass(frozen=True)
class SnakeVoronoi(Squashed):
    """Cells nearer to head 0 less cells nearer to head 1; the longer snake takes those that are equally near.

    `length_worth` cells for each cell of length that one snake has more, up to five; a few for the way to food, and many once it
    is too far to live that long. Bodies stay where they are, but for tails that move on in the next round. Edges are walls, wrapped
    or not.
    """

    length_worth: float = 3.0

    @kernel
    def raw(self, game, state):
        """The difference, in cells."""
        grid = game.grid
        bodies = board_of(grid, state.body0) | board_of(grid, state.body1)
        free = free_cells(grid, game.outside) & ~(bodies & ~(vacated(grid, state.snake0) | vacated(grid, state.snake1)))
        lead = game.length(state, 0) - game.length(state, 1)
        found = reach(grid, game.head(state, 0), game.head(state, 1), free, board_of(grid, state.food), lead)
        cells = float(count(found.own0) - count(found.own1)) + self.length_worth * min(max(lead, -5), 5)
        if game.constrictor or not game.has_food:
            return cells
        hunger0 = needs_food(game.health(state, 0), found.food0, lead <= 0)
        hunger1 = needs_food(game.health(state, 1), found.food1, lead >= 0)
        return cells - hunger0 + hunger1
