"""Our own evaluation of Tron-41: who gets where first, and what lies there."""

from dataclasses import dataclass

from ....boards.bitboard import board_of, count, free_cells, is_empty, lowest, neighbours, single
from ....boards.blocks import value_by_blocks
from ....boards.fill_bounds import fillable_bound
from ....boards.flood import flooded
from ....boards.regions import edges
from ....boards.turn_flood import turn_voronoi
from ....compiled import jit_inline, kernel
from ....evaluators.squashed import Squashed
from ..rules import BOMB_REACH, square

_LARGEST = 0.98
"""Estimates stay below it, so that a loss however far away is worse than any of them."""


@jit_inline
def share_of(lead, scale):
    """The expected result of a lead: its share of itself and the scale."""
    return _LARGEST * lead / (scale + abs(lead))


@dataclass(frozen=True)
class TronControl(Squashed):
    """Turn-based territory with the power-ups in it; where the players are separated, how long each can survive.

    Not separated: cells by a flood that follows the turns, with the moves in a row that a speed counter gives. A territory
    counts its cells and their free neighbours (with `chambers` by the best way through its chambers), and the
    power-ups in it: `armors`, `speeds`, `bombs` and `traps` are the weights of a power-up that lies on the board (plural),
    `armor` is that of armor that the player holds (singular).

    Separated: the bound of the steps each can make, less those that a speed counter makes it waste, half a step less for
    who moves next; free neighbours of free cells, because a ragged region is not filled up to its bound. Armor is a
    step through a barrier and half of the cells it may open. A bomb in reach counts for all cells that its square will free:
    with a smaller weight it is used too early (with 1, and small edges, plans last half as long again as with 1/4). A trap
    costs the other player a few cells. Speed has a negative weight.

    All weights are in cells. `scale` and `scale_separated` squash a lead to a result: lead / (scale + |lead|),
    which distinguishes even the largest leads, where a tanh would be flat.
    """

    scale: float = 40.0
    scale_separated: float = 5.0
    edge: float = 0.3
    chambers: bool = False
    armor: float = 6.0
    armors: float = 4.0
    speeds: float = 3.0
    bombs: float = 1.0
    traps: float = 3.0
    armor_separated: float = 1.5
    bomb_separated: float = 1.0
    trap_separated: float = 3.0
    speed_separated: float = -1.0
    edge_separated: float = 0.05

    @kernel
    def found(self, game, state):
        """Who reaches which cells first."""
        free = free_cells(game.grid, game.walls(state))
        turn = 1 if game.current_player(state) == 1 else 0
        return turn_voronoi(
            game.grid, game.head(state, 0), game.head(state, 1), free, turn, game.speed(state, 0), game.speed(state, 1)
        )

    @kernel
    def territory_value(self, grid, head, own, near_other, free):
        """The value of a territory to the player at `head`, in cells."""
        if not self.chambers:
            return count(own) + self.edge * edges(grid, own, free)
        return value_by_blocks(grid, head, own, own & near_other, free, 1.0, self.edge)

    @kernel
    def goods(self, game, state, own):
        """The value of the power-ups in a territory while the players are not separated."""
        grid = game.grid
        value = self.armors * count(own & board_of(grid, state.armors))
        value += self.speeds * count(own & board_of(grid, state.speeds))
        value += self.bombs * count(own & board_of(grid, state.bombs))
        return value + self.traps * count(own & board_of(grid, state.traps))

    @kernel
    def lead_by_territory(self, game, state, found):
        """Player 0's lead in cells."""
        grid = game.grid
        free = free_cells(grid, game.walls(state))
        head0, head1 = game.head(state, 0), game.head(state, 1)
        near0 = neighbours(grid, found.territory1 | single(grid, head1))
        near1 = neighbours(grid, found.territory0 | single(grid, head0))
        lead = self.territory_value(grid, head0, found.territory0, near0, free)
        lead -= self.territory_value(grid, head1, found.territory1, near1, free)
        lead += self.goods(game, state, found.territory0) - self.goods(game, state, found.territory1)
        return lead + self.armor * (game.armor(state, 0) - game.armor(state, 1))

    @kernel
    def life(self, game, state, player, own):
        """About how many steps a player has left in its part of the board, and how many it takes from the other."""
        grid = game.grid
        free = free_cells(grid, game.walls(state))
        head = game.head(state, player)
        steps = float(fillable_bound(grid, head, free) - game.speed(state, player))
        steps += self.edge_separated * edges(grid, own, free)
        if game.armor(state, player) > 0:
            gates = neighbours(grid, own | single(grid, head)) & board_of(grid, state.barriers)
            behind = neighbours(grid, gates) & free & ~own
            steps += 1.0
            if not is_empty(behind):
                steps += 0.5 * count(flooded(grid, behind, free & ~own))
        bombs = own & board_of(grid, state.bombs)
        while not is_empty(bombs):
            bomb = lowest(bombs)
            bombs = bombs & ~single(grid, bomb)
            steps += self.bomb_separated * count(square(grid, bomb, BOMB_REACH) & (own | board_of(grid, state.barriers)))
        steps += self.speed_separated * count(own & board_of(grid, state.speeds))
        steps += self.armor_separated * count(own & board_of(grid, state.armors))
        return steps + self.trap_separated * count(own & board_of(grid, state.traps))

    @kernel
    def lead_by_life(self, game, state, found):
        """Player 0's lead in steps."""
        player = game.current_player(state)
        tempo = -0.5 if player == 0 else 0.5 if player == 1 else 0.0
        return self.life(game, state, 0, found.territory0) - self.life(game, state, 1, found.territory1) + tempo

    @kernel
    def lead(self, game, state, found):
        """Player 0's lead, in cells or in steps."""
        return self.lead_by_life(game, state, found) if found.separated else self.lead_by_territory(game, state, found)

    @kernel
    def raw(self, game, state):
        """Player 0's lead, in cells or in steps."""
        return self.lead(game, state, self.found(game, state))

    @kernel
    def evaluate(self, game, state):
        """Player 0's expected result; each of the two kinds of positions with its own squashing function."""
        found = self.found(game, state)
        lead = self.lead(game, state, found)
        if self.scale == 0.0:
            return lead
        return share_of(lead, self.scale_separated if found.separated else self.scale)

    def steps_of(self, value: float) -> float:
        """The lead in steps that an evaluation of a separated position stands for; of an ended game as many as on any board."""
        most = self.largest_raw
        return max(-most, min(most, self.scale_separated * value / max(_LARGEST - abs(value), 1e-9)))
