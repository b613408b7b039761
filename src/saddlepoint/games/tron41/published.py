"""The published players of Tron-41: their evaluators, how they search, and those that follow a rule."""

import math
import random
from dataclasses import dataclass
from typing import Any, ClassVar

from ..interface import (
    TERMINAL,
    Clock,
    Component,
    Game,
    Manner,
    Player,
    board_of,
    count,
    free_cells,
    is_empty,
    jit_inline,
    kernel,
    neighbours,
    reachable,
    single,
    voronoi,
)
from .game import Tron41
from .rules import UP


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


@dataclass(frozen=True)
class SafeMoves(Manner):
    """Looks at moves that are safe without armor, like all of the course's bots."""

    @kernel
    def actions(self, game, state, player, out):
        return game.steps(state, player, False, out)


@dataclass(frozen=True)
class CutoffByRoom(Manner):
    """tron_freespace: one view for both players, and a depth that follows the room that is left."""

    @kernel
    def actions(self, game, state, player, out):
        return game.search_actions(state, player, out)

    @kernel
    def end(self, game, state, root):
        return game.returns(state) if root == 0 else -game.returns(state)

    @kernel
    def leaf(self, game, state, root):
        value = self.evaluator.evaluate(game, state)
        return value if root == 0 else -value

    @kernel
    def depth(self, game, state, depth):
        return self.evaluator.cutoff_depth(game, state) if game.current_player(state) != TERMINAL else depth


_AHEAD = 3
"""The safe actions after a step into the open: the cell just left is none."""


class WallPlayer(Player):
    """Keeps to walls and trails: the first safe direction whose target has fewer than 3 safe continuations.

    The directions are tried in an order drawn for each game. Where no target qualifies it takes the first safe
    direction of that order, where none is safe U. Like all of the course's bots it never enters a barrier, armor or not.
    """

    def begin(self, game: Game, player: int, seed: int | None = None) -> None:
        super().begin(game, player, seed)
        self._order = [0, 1, 2, 3]
        random.Random(seed).shuffle(self._order)

    def choose(self, state: Any, clock: Clock) -> int:
        game = self.game
        assert isinstance(game, Tron41)
        safe = [action for action in self._order if game.is_safe(state, self.player, action, False)]
        for action in safe:
            if game.ways_on(state, self.player, action) < _AHEAD:
                return action
        return safe[0] if safe else UP


class SafePlayer(Player):
    """Uniform over the safe actions, U if there is none: the course's random bot."""

    def begin(self, game: Game, player: int, seed: int | None = None) -> None:
        super().begin(game, player, seed)
        self._random = random.Random(seed)

    def choose(self, state: Any, clock: Clock) -> int:
        assert isinstance(self.game, Tron41)
        safe = self.game.safe_actions(state, self.player)
        return self._random.choice(safe) if safe else UP
