"""Evaluators of Tron-41."""

import math
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from ..interface import (
    TERMINAL,
    Component,
    Squashed,
    board_of,
    count,
    edges,
    empty,
    fillable_bound,
    flooded,
    free_cells,
    is_empty,
    jit_inline,
    kernel,
    kernel_inline,
    lowest,
    neighbours,
    reachable,
    single,
    value_by_blocks,
    voronoi,
)
from .rules import BOMB_REACH, square


class TurnTerritories(NamedTuple):
    """Boards of the cells each player arrives at first; heads are in none of them."""

    territory0: Any
    territory1: Any
    separated: bool
    """Whether no cell can be reached by both."""


@jit_inline
def steps_to(grid, start, free, goals):
    """Steps over free cells from the cell `start` to the nearest cell of `goals`, at least 1; -1 where none is reached."""
    reached = single(grid, start)
    left = free & ~reached
    steps = 0
    while True:
        new = neighbours(grid, reached) & left
        steps += 1
        if is_empty(new):
            return -1
        if not is_empty(new & goals):
            return steps
        reached = new
        left = left & ~new


@jit_inline
def advanced(grid, front, reached, left):
    """(the cells of `left` next to the front, what is reached with them, what is left then)."""
    front = neighbours(grid, front) & left
    return front, reached | front, left & ~front


@jit_inline
def turn_voronoi(grid, head0, head1, free, turn, extra0, extra1):
    """Divide the free cells by the player that arrives first when both take shortest ways in turn.

    `turn` moves first; a player whose `extra` is above 0 keeps the turn after a move, and has one extra less. No two
    arrive at the same moment, so nothing is contested.
    """
    front0, front1 = single(grid, head0), single(grid, head1)
    left = free & ~(front0 | front1)
    reached0, reached1 = empty(grid), empty(grid)
    player = turn
    while extra0 > 0 or extra1 > 0:
        if player == 0:
            front0, reached0, left = advanced(grid, front0, reached0, left)
            if extra0 > 0:
                extra0 -= 1
            else:
                player = 1
        else:
            front1, reached1, left = advanced(grid, front1, reached1, left)
            if extra1 > 0:
                extra1 -= 1
            else:
                player = 0
    if player == 1:
        front1, reached1, left = advanced(grid, front1, reached1, left)
    while True:
        front0, reached0, left = advanced(grid, front0, reached0, left)
        front1, reached1, left = advanced(grid, front1, reached1, left)
        if is_empty(front0 | front1):
            break
    # One of them may have had all of a region that both can enter.
    shared = neighbours(grid, reached0 | single(grid, head0)) & reached1
    shared = shared | (neighbours(grid, single(grid, head1)) & reached0)
    return TurnTerritories(reached0, reached1, is_empty(shared))


SHARE, POWERUP, ARMOR = 0.85, 0.05, 0.10
SHARE_ALONE = 0.90
"""The weight of free space where power-ups do not count."""


@dataclass(frozen=True)
class TronFreespace(Component):
    """Share of free space, nearness of power-ups, armor: weights 0.85, 0.05, 0.10, each term between 0 and 1.

    - Free space: own reachable cells / (own + the opponent's), each by a flood fill of its own (heads not counted;
      1/2 where neither has any).
    - Power-ups: 1 - d / (d + d'), with the steps d and d' to the nearest one for itself and for the opponent; 0 or 1
      where only one of them reaches any. Where the opponent cannot be reached, or no power-up is left that anybody
      reaches, the weight is 0 and free space has 0.90.
    - Armor: 1 if only it has armor, 0 if only the opponent has, else 1/2.

    The terms of the two players sum to 1, so the evaluation is a number between 0 and 1 for player 0, given here as a
    result between -1 and 1. Built as it was described: the original's code never finds the opponent reachable, adds a
    stray 0.5 where one side has no power-up left, and does not cut off at minimising nodes.
    """

    bound: ClassVar[float] = 1.0

    @kernel
    def cells(self, game, state, player):
        return reachable(game.grid, game.head(state, player), free_cells(game.grid, game.walls(state)))

    @kernel
    def separated(self, game, state):
        """Whether no path leads from one player to the other."""
        grid = game.grid
        mine = self.cells(game, state, 0) | single(grid, game.head(state, 0))
        return is_empty(neighbours(grid, mine) & single(grid, game.head(state, 1)))

    @kernel
    def nearness(self, game, state):
        """Player 0's power-up term; -1 where power-ups do not count."""
        if self.separated(game, state):
            return -1.0
        grid = game.grid
        free, powerups = free_cells(grid, game.walls(state)), board_of(grid, game.powerups(state))
        mine = steps_to(grid, game.head(state, 0), free, powerups)
        yours = steps_to(grid, game.head(state, 1), free, powerups)
        if mine < 0 and yours < 0:
            return -1.0
        if mine < 0:
            return 0.0
        return 1.0 if yours < 0 else 1.0 - mine / (mine + yours)

    @kernel
    def evaluate(self, game, state):
        """Player 0's evaluation, stretched from 0 .. 1 to -1 .. 1."""
        mine, yours = count(self.cells(game, state, 0)), count(self.cells(game, state, 1))
        share = mine / (mine + yours) if mine + yours > 0 else 0.5
        armor = 0.5 + 0.5 * (game.armor(state, 0) - game.armor(state, 1))
        nearness = self.nearness(game, state)
        if nearness < 0.0:
            return 2.0 * (SHARE_ALONE * share + ARMOR * armor) - 1.0
        return 2.0 * (SHARE * share + POWERUP * nearness + ARMOR * armor) - 1.0

    @kernel
    def cutoff_depth(self, game, state):
        """The depth of the bot's search: 7 plies below 100 cells that the two of them can reach (together), 6
        below 250, else 5.
        """
        space = count(self.cells(game, state, 0)) + count(self.cells(game, state, 1))
        return 7 if space < 100 else 6 if space < 250 else 5


@jit_inline
def sigmoid(x):
    """1 / (1 + exp(-x)) stretched from 0 .. 1 to -1 .. 1, where 0 and 1 are the results of the course's games."""
    return 2.0 / (1.0 + math.exp(-x)) - 1.0


@dataclass(frozen=True)
class TronOwnFill(Component):
    """sigmoid(own flood fill / 200): the cells that the searching player can reach, whatever the opponent can.

    The two players' views are not each other's negatives; a search takes the view of the player who is to move at its
    root.
    """

    bound: ClassVar[float] = 1.0

    @kernel
    def estimate(self, game, state, player):
        free = free_cells(game.grid, game.walls(state))
        return sigmoid(count(reachable(game.grid, game.head(state, player), free)) / 200.0)

    @kernel
    def evaluate_for(self, game, state, player):
        """The player's view, -1 to 1; of a finished game its result."""
        if game.current_player(state) == TERMINAL:
            return game.returns(state) if player == 0 else -game.returns(state)
        return self.estimate(game, state, player)

    @kernel
    def evaluate(self, game, state):
        """Player 0's view, for searches that know only one."""
        return self.evaluate_for(game, state, 0)


@dataclass(frozen=True)
class TronTwoFills(TronOwnFill):
    """sigmoid((50 + own - opponent's) / 200) over a flood fill from both heads at once.

    The flood is one queue that the searching player's head enters first, so it has the cells that are equally near.
    The 50 make the two players' views differ, as in TronOwnFill.
    """

    @kernel
    def estimate(self, game, state, player):
        free = free_cells(game.grid, game.walls(state))
        found = voronoi(game.grid, game.head(state, 0), game.head(state, 1), free, player)
        lead = count(found.territory0) - count(found.territory1)
        return sigmoid((50.0 + (lead if player == 0 else -lead)) / 200.0)


LARGEST = 0.98
"""Estimates stay below it, so that a loss however far away is worse than any of them."""


@dataclass(frozen=True)
class TronControl(Squashed):
    """Turn-based territory with the power-ups in it; where the players are separated, how long each can survive.

    Not separated: cells by a flood that follows the turns, with the moves in a row that a speed counter gives. A territory
    counts its cells and their free neighbours (with `chambers` by the best way through its chambers), and the
    power-ups in it: `armors`, `speeds`, `bombs` and `traps` are the weights of a power-up that lies on the board (plural),
    `armor` is that of armor that the player holds (singular).

    Separated: the bound of the steps each can make, less those that a speed counter makes it waste, half a
    step less for the player to move; free neighbours of free cells, because a ragged region is not filled up
    to its bound. Armor is a step through a barrier and half of the cells it may open. A bomb in reach counts
    for all cells that its square will free: with a smaller weight it is used too early (with 1, and small
    edges, plans last half as long again as with 1/4). A trap costs the other player a few cells. Speed has a
    negative weight.

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
        free = free_cells(game.grid, game.walls(state))
        turn = 1 if game.current_player(state) == 1 else 0
        return turn_voronoi(
            game.grid,
            game.head(state, 0),
            game.head(state, 1),
            free,
            turn,
            game.speed(state, 0),
            game.speed(state, 1),
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
            steps += self.bomb_separated * count(
                square(grid, bomb, BOMB_REACH) & (own | board_of(grid, state.barriers))
            )
        steps += self.speed_separated * count(own & board_of(grid, state.speeds))
        steps += self.armor_separated * count(own & board_of(grid, state.armors))
        return steps + self.trap_separated * count(own & board_of(grid, state.traps))

    @kernel
    def lead_by_life(self, game, state, found):
        player = game.current_player(state)
        tempo = -0.5 if player == 0 else 0.5 if player == 1 else 0.0
        return (
            self.life(game, state, 0, found.territory0) - self.life(game, state, 1, found.territory1) + tempo
        )

    @kernel
    def lead(self, game, state, found):
        return (
            self.lead_by_life(game, state, found)
            if found.separated
            else self.lead_by_territory(game, state, found)
        )

    @kernel
    def raw(self, game, state):
        return self.lead(game, state, self.found(game, state))

    @kernel
    def evaluate(self, game, state):
        """Player 0's expected result; each of the two kinds of positions with its own squashing function."""
        found = self.found(game, state)
        lead = self.lead(game, state, found)
        if self.scale == 0.0:
            return lead
        return self.result_of(lead, self.scale_separated if found.separated else self.scale)

    @kernel_inline
    def result_of(self, lead, scale):
        """The expected result of a lead: its share of itself and the scale."""
        return LARGEST * lead / (scale + abs(lead))

    def steps_of(self, value: float) -> float:
        """The lead in steps that an evaluation of a separated position stands for; of an ended game as many as on any board."""
        most = self.largest_raw
        return max(-most, min(most, self.scale_separated * value / max(LARGEST - abs(value), 1e-9)))
