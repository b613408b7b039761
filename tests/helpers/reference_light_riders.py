"""The rules of Light Riders over a set of blocked cells, as slow and plain as they are written.

A direction is a pair (dx, dy), y down; `None` as an answer is anything that is no direction: `pass`, silence, nonsense.
"""

from dataclasses import dataclass, replace

UP, DOWN, LEFT, RIGHT = (0, -1), (0, 1), (-1, 0), (1, 0)
NAMES = {UP: "up", DOWN: "down", LEFT: "left", RIGHT: "right"}


def starts(width, height):
    """Every start: player 0 in the left half but not at the edge, player 1 mirrored left to right."""
    return [
        Riders(width, height, frozenset(), ((x, y), (width - 1 - x, y)))
        for x in range(1, width // 2 - 1)
        for y in range(1, height - 1)
    ]


@dataclass(frozen=True)
class Riders:
    width: int
    height: int
    blocked: frozenset
    """Walls and trails, without the heads."""
    heads: tuple
    facing: tuple = (RIGHT, LEFT)
    alive: tuple = (True, True)
    round: int = 0
    max_rounds: int = 0
    """0: no limit."""

    @property
    def over(self):
        return not all(self.alive) or (self.max_rounds > 0 and self.round >= self.max_rounds)

    @property
    def result(self):
        """1 where player 0 alone is alive, -1 where player 1 alone is, 0 for a draw."""
        return self.alive[0] - self.alive[1]

    def ridden(self, player, answer):
        """The direction in which a player rides after an answer."""
        (dx, dy), reversing = self.facing[player], self.round > 0
        return (dx, dy) if answer is None or (reversing and answer == (-dx, -dy)) else answer

    def after(self, answers):
        """The position after a round."""
        ridden = tuple(self.ridden(player, answers[player]) for player in (0, 1))
        cells = tuple((x + dx, y + dy) for (x, y), (dx, dy) in zip(self.heads, ridden, strict=True))
        blocked = self.blocked | set(self.heads)
        met = cells[0] == cells[1]
        alive = tuple(
            0 <= x < self.width and 0 <= y < self.height and (x, y) not in blocked and not met
            for x, y in cells
        )
        return replace(self, blocked=blocked, heads=cells, facing=ridden, alive=alive, round=self.round + 1)

    def free(self, player):
        """The directions in which the next cell is in the field and empty."""
        x, y = self.heads[player]
        taken = self.blocked | set(self.heads)
        return [
            (dx, dy)
            for dx, dy in NAMES
            if 0 <= x + dx < self.width and 0 <= y + dy < self.height and (x + dx, y + dy) not in taken
        ]
