"""The evaluator of the strongest Battlesnake player: who reaches what first while tails move on, food, length, and room that lasts."""

from dataclasses import dataclass

from ...boards.bitboard import board_of, contains, count, neighbours
from ...compiled import jit_inline, kernel
from ...games.battlesnake.state import health_of, length_of, tail_of
from ..squashed import Squashed
from .race import race


@jit_inline
def side(grid, snake, length_other, own, body, near, food, shut):
    """One snake's part of the lead."""
    length = length_of(snake)
    size = count(own)
    lead = min(max(length - length_other, -3), 3)
    room = 1.0 * size + 0.5 * near
    follows = contains(grid, own | neighbours(grid, own), tail_of(snake))
    short = max(0, length - size)
    hungry = health_of(snake) - food
    return room + 3.0 * lead - food * 0.15 - (30.0 if shut else 0.0) + (3.0 if follows else 0.0) - 0.7 * short + min(0.0, 0.5 * (hungry - 10))


@dataclass(frozen=True)
class SnakeProspects(Squashed):
    """What is likely to become of two snakes."""

    @kernel
    def raw(self, game, state):
        """The difference."""
        grid = game.grid
        found = race(game, state)
        snake0, snake1 = state.snake0, state.snake1
        body0, body1 = board_of(grid, state.body0), board_of(grid, state.body1)
        one = side(grid, snake0, length_of(snake1), found.own0, body0, found.near0, found.food0, found.shut0)
        two = side(grid, snake1, length_of(snake0), found.own1, body1, found.near1, found.food1, found.shut1)
        return one - two
