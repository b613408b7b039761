"""The evaluation of the Tron bot that this game comes from."""

from dataclasses import dataclass
from typing import ClassVar

from ....boards.bitboard import board_of, count, free_cells, is_empty, neighbours, single
from ....boards.flood import reachable, steps_to
from ....compiled import Component, kernel

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
        """The board of cells that a flood from the player's head reaches."""
        free = free_cells(game.grid, game.walls(state))
        return reachable(game.grid, game.head(state, player), free)

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
        """How deep the bot searches: 7 plies below 100 cells that the two of them can reach (together), 6 below 250, else 5."""
        space = count(self.cells(game, state, 0)) + count(self.cells(game, state, 1))
        return 7 if space < 100 else 6 if space < 250 else 5
