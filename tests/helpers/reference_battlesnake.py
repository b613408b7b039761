"""Battlesnake over lists of cells, in the order of the official rules: move, hunger, hazards, food, and who is out.

Answers the questions of `helpers.reference_rules`. Cells are (x, y) from the bottom left.
"""

import re
from collections import Counter
from dataclasses import dataclass, field, replace

from saddlepoint.game.nodes import CHANCE, SIMULTANEOUS, TERMINAL

STEPS = ((0, 1), (1, 0), (0, -1), (-1, 0))
MAYBE = "maybe"


def cells_of(text):
    return tuple((int(x), int(y)) for x, y in re.findall(r"(-?\d+),(-?\d+)", text))


def after_sign(text, name):
    """What a position's line of that name says."""
    return next((line.partition(":")[2] for line in text.splitlines() if line.startswith(name)), "")


@dataclass(frozen=True)
class Snakes:
    game: object = field(compare=False)
    """The parameters."""
    bodies: tuple
    health: tuple
    food: frozenset
    hazards: tuple
    round: int
    alive: tuple = (True, True)
    taken: tuple = (0, 0, 0, 0)
    """Columns and rows that royale has taken, by side."""
    pieces: object = 0
    """Pieces of food that chance has to place next, or MAYBE one."""
    sides: int = 0
    """Sides that chance has to draw after that."""

    @classmethod
    def read(cls, game, text):
        snakes = [after_sign(text, f"snake {player}") for player in (0, 1)]
        told = re.findall(r"health (\d+)( [a-z-]+)?:", text)
        taken = tuple(map(int, re.findall(r"\d+", after_sign(text, "taken")))) or (0, 0, 0, 0)
        due = re.search(r"chance: food (\w+) sides (\d+)", text)
        pieces, sides = (0, 0) if due is None else (due[1] if due[1] == MAYBE else int(due[1]), int(due[2]))
        hazards = tuple(sorted(cells_of(after_sign(text, "hazards"))))
        return cls(
            game,
            tuple(map(cells_of, snakes)),
            tuple(int(health) for health, _ in told),
            frozenset(cells_of(after_sign(text, "food"))),
            hazards,
            int(re.search(r"round (\d+)", text)[1]),
            tuple(not cause for _, cause in told),
            taken=taken,
            pieces=pieces,
            sides=sides,
        )

    def mover(self):
        if not all(self.alive) or self.round >= self.game.max_rounds:
            return TERMINAL
        return CHANCE if self.pieces or self.sides else SIMULTANEOUS

    def moves(self, player):
        if player != CHANCE:
            return [0, 1, 2, 3]
        if not self.pieces:
            return [1, 2, 3, 4]
        room = [1 + x + y * self.game.width for x, y in self.room()]
        is_certain = self.pieces != MAYBE or self.game.food_spawn_chance > 100
        return room if is_certain and room else [0, *room]

    def room(self):
        """Where food may appear: on no snake and no food, and not beside a head."""
        heads = [body[0] for body in self.bodies]
        near = {(x + dx, y + dy) for x, y in heads for dx, dy in STEPS}
        taken = {*self.bodies[0], *self.bodies[1], *self.food, *near}
        cells = [(x, y) for y in range(self.game.height) for x in range(self.game.width)]
        return [cell for cell in cells if cell not in taken]

    def after(self, *actions):
        return self.after_round(actions) if len(actions) == 2 else self.after_chance(actions[0])

    def after_chance(self, outcome):
        if not self.pieces:
            return replace(self.with_side(outcome - 1), sides=self.sides - 1)
        if outcome == 0:
            return replace(self, pieces=0)
        y, x = divmod(outcome - 1, self.game.width)
        left = 0 if self.pieces == MAYBE else self.pieces - 1
        return replace(self, food=self.food | {(x, y)}, pieces=left)

    def with_side(self, side):
        """After royale has taken the next column or row of a side, if there is one."""
        width, height = self.game.width, self.game.height
        most, number = width if side < 2 else height, self.taken[side]
        if number == most:
            return self
        line = number if side in (0, 2) else most - 1 - number
        cells = [(line, y) for y in range(height)] if side < 2 else [(x, line) for x in range(width)]
        new = [cell for cell in cells if cell not in self.hazards]
        taken = tuple(count + (k == side) for k, count in enumerate(self.taken))
        return replace(self, hazards=tuple(sorted([*self.hazards, *new])), taken=taken)

    def after_round(self, actions):
        game, width, height = self.game, self.game.width, self.game.height
        bodies, health = [], []
        for body, action in zip(self.bodies, actions, strict=True):
            x, y = body[0][0] + STEPS[action][0], body[0][1] + STEPS[action][1]
            bodies.append(
                [(x % width, y % height) if game.mode.startswith("wrapped") else (x, y), *body[:-1]]
            )
        heads, alive = [body[0] for body in bodies], [True, True]
        listed = Counter(self.hazards)
        for player in (0, 1):
            left = self.health[player] - 1
            for _ in range(0 if heads[player] in self.food else listed[heads[player]]):
                left = min(100, max(0, left - game.hazard_damage))
                alive[player] = alive[player] and left > 0
                if left == 0:
                    break
            if heads[player] in self.food:
                left = 100
                bodies[player].append(bodies[player][-1])
            health.append(left)
            inside = 0 <= heads[player][0] < width and 0 <= heads[player][1] < height
            alive[player] = alive[player] and left > 0 and inside
        in_game = tuple(alive)
        for player in (0, 1):
            hits = heads[player] in bodies[player][1:]
            if in_game[1 - player]:
                meets = heads[0] == heads[1] and len(bodies[player]) <= len(bodies[1 - player])
                hits = hits or heads[player] in bodies[1 - player][1:] or meets
            alive[player] = in_game[player] and not hits
        food = self.food - set(heads)
        if game.mode.endswith("constrictor"):
            food, health = frozenset(), [100, 100]
            bodies = [[*body, body[-1]] if body[-1] != body[-2] else body for body in bodies]
        later = replace(
            self,
            bodies=tuple(map(tuple, bodies)),
            health=tuple(health),
            food=food,
            round=self.round + 1,
            alive=tuple(alive),
        )
        return later.with_dues() if all(alive) else later

    def with_dues(self):
        """With what chance has to do after a round that both survive."""
        game, pieces, sides = self.game, 0, 0
        if game.map != "empty":
            pieces = max(0, game.minimum_food - len(self.food)) or (
                MAYBE if game.food_spawn_chance > 1 else 0
            )
        if "royale" in (game.mode, game.map) and self.round % game.shrink_every == 0:
            sides = 1
        return replace(self, pieces=pieces, sides=sides)

    def result(self):
        return self.alive[0] - self.alive[1]
