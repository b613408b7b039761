"""A referee for any number of snakes, in plain Python, as measurements of a server need one: the standard rules of Battlesnake."""

DIRECTIONS = {"up": (0, 1), "right": (1, 0), "down": (0, -1), "left": (-1, 0)}
_FULL = 100
_FOOD_CHANCE = 0.14  # by the setting 15, of which the official engine takes one away


class Crowd:
    """A game of several snakes on a square board; `draw` is a random.Random. Snakes that are dead are no longer among `snakes`."""

    def __init__(self, size, count, draw, game_id, timeout):
        self.size, self.draw, self.turn = size, draw, 0
        middle, last = size // 2, size - 2
        corners, sides = (
            [(x, y) for x in (1, last) for y in (1, last)],
            [(1, middle), (last, middle), (middle, 1), (middle, last)],
        )
        both = [draw.sample(spots, 4) for spots in draw.sample([corners, sides], 2)]
        places = [*both[0], *both[1]][:count]
        self.snakes = {f"snake-{number}": [place] * 3 for number, place in enumerate(places)}
        self.health = dict.fromkeys(self.snakes, _FULL)
        self.food = {(middle, middle)}
        for x, y in places:
            around = [(x + dx, y + dy) for dx in (-1, 1) for dy in (-1, 1)]
            left = [cell for cell in around if self._begins_there(cell, (x, y), middle)]
            self.food.update(draw.sample(left, min(1, len(left))))
        settings = {"foodSpawnChance": 15, "minimumFood": 1, "hazardDamagePerTurn": 15}
        self.about = {
            "id": game_id,
            "ruleset": {"name": "standard", "version": "v1.0.0", "settings": settings},
            "map": "",
            "timeout": timeout,
            "source": "",
        }

    @property
    def is_over(self):
        """Whether one snake is left, or none."""
        return len(self.snakes) < 2

    def request(self, you, latencies):
        """What that snake is asked; `latencies` are the milliseconds of everybody's last answer, as text."""
        snakes = [self._told(name, latencies.get(name, "0")) for name in self.snakes]
        mine = next((one for one in snakes if one["id"] == you), None) or {**snakes[0], "id": you}
        board = {
            "width": self.size,
            "height": self.size,
            "snakes": snakes,
            "food": _points(self.food),
            "hazards": [],
        }
        return {"game": self.about, "turn": self.turn, "board": board, "you": mine}

    def play(self, moves):
        """The next turn; `moves` are the directions of all snakes by their names."""
        for name, body in self.snakes.items():
            dx, dy = DIRECTIONS[moves[name]]
            body.insert(0, (body[0][0] + dx, body[0][1] + dy))
            body.pop()
            self.health[name] -= 1
        for name, body in self.snakes.items():
            if body[0] in self.food:
                self.health[name] = _FULL
                body.append(body[-1])
        self.food -= {body[0] for body in self.snakes.values()}
        here = {
            name: body
            for name, body in self.snakes.items()
            if self.health[name] > 0 and all(0 <= part < self.size for part in body[0])
        }
        self.snakes = {name: body for name, body in here.items() if not self._crashes(name, here)}
        self.turn += 1
        if not self.food or self.draw.random() < _FOOD_CHANCE:
            taken = {cell for body in self.snakes.values() for cell in body} | self.food
            free = [(x, y) for x in range(self.size) for y in range(self.size) if (x, y) not in taken]
            if free:
                self.food.add(self.draw.choice(free))

    @staticmethod
    def _crashes(name, snakes):
        """Into a body, or head to head with one that is as long."""
        body = snakes[name]
        return any(
            body[0] in other[1:] or (one != name and body[0] == other[0] and len(other) >= len(body))
            for one, other in snakes.items()
        )

    def _begins_there(self, cell, head, middle):
        """Whether the first food of a snake may lie there: farther from the middle than its head, in no corner, where none lies yet."""
        farther = any(c < h < middle or middle < h < c for c, h in zip(cell, head, strict=True))
        return farther and cell not in self.food and not {*cell} <= {0, self.size - 1}

    def _told(self, name, latency):
        body = _points(self.snakes[name])
        return {
            "id": name,
            "name": name,
            "health": self.health[name],
            "body": body,
            "head": body[0],
            "length": len(body),
            "latency": latency,
            "shout": "",
            "squad": "",
        }


def _points(cells):
    return [{"x": x, "y": y} for x, y in cells]
