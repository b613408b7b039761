"""Racetrack: two cars with inertia on squared paper; run this file to check the rules.

In turn the players drive a car around a bend. A car moves as it moved last time, changed by at most one cell across and one cell down.
Nobody may stop on the other's cell. Whoever leaves the road loses. Whoever comes back over the left edge below the wall is through. If
player 0 is through first, player 1 has one more move, and if it is through then too, it is a draw, as after `turns` turns.

Rules: Martin Gardner, Mathematical Games, Scientific American (January 1973), https://en.wikipedia.org/wiki/Racetrack_(game)
"""

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from saddlepoint import TERMINAL, Game, check_game, kernel, with_item

MAP = ("..........##", "...........#", "............", "########....", "............", "...........#", "..........##")
WIDTH, HEIGHT = len(MAP[0]), len(MAP)
ROAD = tuple(mark != "#" for row in MAP for mark in row)
BELOW = 4
DRIVES, THROUGH, CRASHED = 0, 1, 2


class State(NamedTuple):
    cars: tuple[tuple[int, int, int, int, int], tuple[int, int, int, int, int]]
    """Of each car the column, the row, what it moved by across and down, and DRIVES, THROUGH or CRASHED."""
    turn: int


@dataclass(frozen=True)
class Racetrack(Game):
    """Drive around a bend with inertia; the first one through wins, who leaves the road loses."""

    turns: int = 80

    name: ClassVar[str] = "racetrack"
    max_actions = 9

    @property
    def max_depth(self):
        return self.turns

    def initial_state(self):
        return State(((0, 0, 0, 0, DRIVES), (0, 2, 0, 0, DRIVES)), 0)

    @kernel
    def current_player(self, state):
        own, other = state.cars[0][4], state.cars[1][4]
        is_over = own == CRASHED or other != DRIVES or (own == THROUGH and state.turn % 2 == 0)
        return TERMINAL if is_over or state.turn == self.turns else state.turn % 2

    @kernel
    def moved(self, car, action):
        """Where a car is after a move, whatever lies between."""
        across, down = car[2] + action % 3 - 1, car[3] + action // 3 - 1
        return car[0] + across, car[1] + down, across, down, car[4]

    @kernel
    def legal_actions(self, state, player, out):
        other, count = state.cars[1 - player], 0
        for action in range(9):
            car = self.moved(state.cars[player], action)
            if other[4] != DRIVES or car[0] != other[0] or car[1] != other[1]:
                out[count] = action
                count += 1
        return count

    @kernel
    def drive(self, car, action):
        """A car after its move, which goes straight from cell to cell."""
        x, y, across, down, _ = self.moved(car, action)
        steps = max(abs(across), abs(down))
        for step in range(1, steps + 1):
            # The nearest cell to the point of the line; halves are rounded up.
            x1 = car[0] + (2 * across * step + steps) // (2 * steps)
            y1 = car[1] + (2 * down * step + steps) // (2 * steps)
            if x1 < 0 and BELOW <= y1 < HEIGHT:
                return x, y, across, down, THROUGH
            if not (0 <= x1 < WIDTH and 0 <= y1 < HEIGHT and ROAD[y1 * WIDTH + x1]):
                return x, y, across, down, CRASHED
        return x, y, across, down, DRIVES

    @kernel
    def next_state(self, state, action):
        player = state.turn % 2
        return State(with_item(state.cars, player, self.drive(state.cars[player], action)), state.turn + 1)

    @kernel
    def returns(self, state):
        own, other = state.cars[0][4], state.cars[1][4]
        lead = (own == THROUGH) - (other == THROUGH) + (other == CRASHED) - (own == CRASHED)
        return 1.0 if lead > 0 else -1.0 if lead < 0 else 0.0

    def action_to_string(self, state, player, action):
        across, down = state.cars[player][2] + action % 3 - 1, state.cars[player][3] + action // 3 - 1
        return f"{across:+d},{down:+d}"

    def render(self, state):
        rows = [list(row) for row in MAP]
        for (x, y, _, _, _), mark in zip(state.cars, "AB", strict=True):
            if 0 <= x < WIDTH and 0 <= y < HEIGHT:
                rows[y][x] = mark
        speeds = " and ".join(f"{across:+d},{down:+d}" for _, _, across, down, _ in state.cars)
        return "\n".join(" ".join(row) for row in rows) + f"\nspeeds: {speeds}"


if __name__ == "__main__":
    check_game(Racetrack())
    print("the rules hold")
