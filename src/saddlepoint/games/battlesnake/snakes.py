"""Two Battlesnake players that follow rules: the official starter snake, and one that goes where the most room is."""

import random
from collections import deque
from typing import Any

from ..interface import Clock, Game, Player
from .board import cells_in
from .game import Battlesnake
from .rules import target
from .state import NO_CELL

_HUNGRY = 40
"""The health below which food comes before room."""
_FAR = 10**6


class _RuleSnake(Player):
    """A snake that moves by a rule, on lists of cells."""

    def begin(self, game: Game, player: int, seed: int | None = None) -> None:
        assert isinstance(game, Battlesnake)
        if not hasattr(self, "_rules") or self._rules != game:
            grid = game.grid
            cells = [grid.cell(x, y) for y in range(grid.height) for x in range(grid.width)]
            self._beside = {
                cell: [int(target(grid, cell, way, game.wrapped)) for way in range(4)] for cell in cells
            }
            self._rules = game
        super().begin(game, player, seed)
        self._random = random.Random(seed)


class StarterSnake(_RuleSnake):
    """Any direction but back onto the own neck, at random: the official starter snake before anybody has improved it."""

    def choose(self, state: Any, clock: Clock) -> int:
        head, neck = self._rules.snake(state, self.player).cells[:2]
        return self._random.choice(
            [way for way, there in enumerate(self._beside[head]) if there != neck or head == neck]
        )


class SpaceSnake(_RuleSnake):
    """Goes where a flood fill finds the most room, and to the nearest food when hungry or not longer than the other.

    Walls, bodies and starving are avoided before anything else, then cells that the head of a snake at least as long may enter, then
    hazards. A tail that moves on is free. A room for the whole body is room enough: among such moves food decides where it is wanted,
    then the room. Equally good moves are drawn.
    """

    def choose(self, state: Any, clock: Clock) -> int:
        mine, other = self._rules.snake(state, self.player), self._rules.snake(state, 1 - self.player)
        blocked = {*mine.cells[:-1], *other.cells[:-1]}  # a doubled tail is in there still
        food = set(cells_in(self._rules.grid, state.food))
        hazards = (
            set(cells_in(self._rules.grid, state.hazards)) if self._rules.hazard_damage > 0 else set[int]()
        )
        feared = set(self._beside[other.cells[0]]) if len(other.cells) >= len(mine.cells) else set[int]()
        wants_food = not self._rules.constrictor and (
            mine.health < _HUNGRY or len(mine.cells) <= len(other.cells)
        )

        def worth(way: int) -> tuple[bool, bool, bool, int, int, int]:
            there = self._beside[mine.cells[0]][way]
            if there == NO_CELL or there in blocked or (mine.health <= 1 and there not in food):
                return False, False, False, 0, 0, 0
            room, steps = self._explored(there, blocked, food)
            enough = min(room, len(mine.cells))
            nearness = -steps if wants_food else 0
            return True, there not in feared, there not in hazards or there in food, enough, nearness, room

        worths = [worth(way) for way in range(4)]
        best = max(worths)
        return self._random.choice([way for way, found in enumerate(worths) if found == best])

    def _explored(self, start: int, blocked: set[int], food: set[int]) -> tuple[int, int]:
        """(cells that can be reached from this one, itself among them; steps to the nearest food)."""
        steps = {start: 0}
        waiting = deque([start])
        nearest = 0 if start in food else _FAR
        while waiting:
            here = waiting.popleft()
            for there in self._beside[here]:
                if there != NO_CELL and there not in blocked and there not in steps:
                    steps[there] = steps[here] + 1
                    nearest = steps[there] if there in food and nearest == _FAR else nearest
                    waiting.append(there)
        return len(steps), nearest
