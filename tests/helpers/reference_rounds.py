"""The games without a large board in which both move at once, from their rules alone: bids, hands, random games, Tron, pursuit, soccer.

Each class answers the questions of `helpers.reference_rules`.
"""

from ast import literal_eval
from dataclasses import dataclass, replace

from helpers.reference_lines import marks_in
from saddlepoint.game.nodes import CHANCE, SIMULTANEOUS, TERMINAL

STEPS = ((0, -1), (1, 0), (0, 1), (-1, 0))
"""Up, right, down, left: the actions 0 to 3; y down."""


def sign(number):
    return (number > 0) - (number < 0)


def beside(cell, direction):
    return cell[0] + STEPS[direction][0], cell[1] + STEPS[direction][1]


@dataclass(frozen=True)
class Hands:
    """Biased rock-paper-scissors: what a win by rock, paper and scissors is worth; what both showed."""

    worths: tuple
    shown: tuple

    @classmethod
    def read(cls, game, text):
        return cls((game.rock, game.paper, game.scissors), literal_eval(text))

    def mover(self):
        return SIMULTANEOUS if self.shown == (-1, -1) else TERMINAL

    def moves(self, player):
        return [0, 1, 2]

    def after(self, *hands):
        return replace(self, shown=hands)

    def result(self):
        beaten = {0: 2, 1: 0, 2: 1}  # rock beats scissors, paper rock, scissors paper
        first, second = self.shown
        if beaten[first] == second:
            return self.worths[first]
        return -self.worths[second] if beaten[second] == first else 0


@dataclass(frozen=True)
class RandomGame:
    """A random game: the path is SplitMix64's finaliser of three times the one before plus a multiple of the golden ratio."""

    actions: int
    depth: int
    by_sums: bool
    path: int
    stage: int
    total: int

    @classmethod
    def read(cls, game, text):
        return cls(game.actions, game.depth, game.utility == "sums", *literal_eval(text))

    def mover(self):
        return SIMULTANEOUS if self.stage < self.depth else TERMINAL

    def moves(self, player):
        return list(range(self.actions))

    def after(self, first, second):
        joint, word = first * self.actions + second + 1, 2**64
        path = (3 * self.path + joint * 0x9E3779B97F4A7C15) % word
        path = (path ^ path >> 30) * 0xBF58476D1CE4E5B9 % word
        path = (path ^ path >> 27) * 0x94D049BB133111EB % word
        path ^= path >> 31
        total = self.total + (path % 3 - 1 if self.by_sums else 0)
        return replace(self, path=path, stage=self.stage + 1, total=total)

    def result(self):
        return self.total if self.by_sums else (self.path >> 11) / 2**53


@dataclass(frozen=True)
class OshiZumo:
    """Both players' coins, and where the wrestler stands."""

    size: int
    least: int
    by_field: bool
    horizon: int
    coins: tuple
    field: int
    rounds: int

    @classmethod
    def read(cls, game, text):
        first, second, field, *rounds = literal_eval(text)
        return cls(
            game.size,
            game.min_bid,
            game.utility == "field",
            game.horizon,
            (first, second),
            field,
            sum(rounds),
        )

    def mover(self):
        is_late = self.horizon > 0 and self.rounds >= self.horizon
        return TERMINAL if abs(self.field) > self.size or self.coins == (0, 0) or is_late else SIMULTANEOUS

    def moves(self, player):
        coins = self.coins[player]
        return list(range(self.least, coins + 1)) or [coins]

    def after(self, first, second):
        coins = self.coins[0] - first, self.coins[1] - second
        return replace(
            self,
            coins=coins,
            field=self.field + sign(first - second),
            rounds=self.rounds + (self.horizon > 0),
        )

    def result(self):
        return self.field if self.by_field else sign(self.field)


@dataclass(frozen=True)
class Goofspiel:
    """Hands and prizes as the worths of their cards; an action is a card's place among all cards."""

    lowest: int
    order: tuple
    """The prizes as they come; none where chance draws them."""
    by_points: bool
    hands: tuple
    deck: frozenset
    prize: int | None
    points: int

    @classmethod
    def read(cls, game, text):
        told = {name: int(number) for name, number in (word.split("=") for word in text.split()[1:])}
        worths = range(game.lowest, game.lowest + game.cards)
        named = {"random": (), "ascending": tuple(worths), "descending": tuple(reversed(worths))}
        order = named[game.order] if game.order in named else tuple(map(int, game.order.split()))
        hand0, hand1, deck = (
            frozenset(worth for number, worth in enumerate(worths) if told[name] >> number & 1)
            for name in ("hand0", "hand1", "deck")
        )
        prize = None if told["prize"] < 0 else worths[told["prize"]]
        return cls(game.lowest, order, game.utility == "points", (hand0, hand1), deck, prize, told["points"])

    def mover(self):
        return SIMULTANEOUS if self.prize is not None else (CHANCE if self.deck else TERMINAL)

    def moves(self, player):
        return sorted(card - self.lowest for card in (self.deck if player == CHANCE else self.hands[player]))

    def after(self, *actions):
        cards = [action + self.lowest for action in actions]
        if self.prize is None:
            return replace(self, deck=self.deck - set(cards), prize=cards[0])
        hands = tuple(hand - {card} for hand, card in zip(self.hands, cards, strict=True))
        points = self.points + sign(cards[0] - cards[1]) * self.prize
        prize = next((card for card in self.order if card in self.deck), None)
        return replace(self, hands=hands, deck=self.deck - {prize}, prize=prize, points=points)

    def result(self):
        return self.points if self.by_points else sign(self.points)


@dataclass(frozen=True)
class Tron:
    """The free cells and both heads."""

    free: frozenset
    heads: tuple

    @classmethod
    def read(cls, game, text):
        rows = text.split()
        both = marks_in(rows, "*")
        heads = tuple(next(iter(marks_in(rows, mark) or both)) for mark in "01")
        return cls(marks_in(rows, "."), heads)

    def mover(self):
        is_over = self.heads[0] == self.heads[1] or not (self.moves(0) and self.moves(1))
        return TERMINAL if is_over else SIMULTANEOUS

    def moves(self, player):
        return [direction for direction in range(4) if beside(self.heads[player], direction) in self.free]

    def after(self, *directions):
        heads = tuple(map(beside, self.heads, directions))
        return replace(self, free=self.free - set(heads), heads=heads)

    def result(self):
        return 0 if self.heads[0] == self.heads[1] else bool(self.moves(0)) - bool(self.moves(1))


@dataclass(frozen=True)
class Pursuit:
    """The cells of the evader and both pursuers; the pursuers' action is 4 times the first one's direction plus the second one's."""

    width: int
    height: int
    left: int
    """Moves to go."""
    units: tuple
    caught: bool

    @classmethod
    def read(cls, game, text):
        *cells, moves, caught = literal_eval(text)
        return cls(game.width, game.height, game.depth - moves, tuple(map(game.grid.position, cells)), caught)

    def mover(self):
        return TERMINAL if self.caught or self.left == 0 else SIMULTANEOUS

    def ways(self, unit):
        there = {direction: beside(self.units[unit], direction) for direction in range(4)}
        return [d for d, (x, y) in there.items() if 0 <= x < self.width and 0 <= y < self.height]

    def moves(self, player):
        return self.ways(0) if player == 0 else [4 * a + b for a in self.ways(1) for b in self.ways(2)]

    def after(self, direction, both):
        old, new = self.units, tuple(map(beside, self.units, (direction, *divmod(both, 4))))
        caught = any(new[0] == new[k] or (new[0], new[k]) == (old[k], old[0]) for k in (1, 2))
        return replace(self, units=new, left=self.left - 1, caught=caught)

    def result(self):
        return -1 if self.caught else 1


@dataclass(frozen=True)
class Soccer:
    """Both players' cells, and who has the ball: 0, 1, None before the kick-off, or the cell where it lies."""

    width: int
    height: int
    draws: bool
    left: int
    """Moves to go."""
    is_loose: bool
    players: tuple
    ball: object
    chosen: tuple = ()
    """The steps of both, while chance has to say who is first."""
    end: int | None = None

    @classmethod
    def read(cls, game, text):
        words = text.split()
        rows, chosen = words[0].split("/"), ("up", "right", "down", "left", "stand")
        players = tuple(next(iter(marks_in(rows, mark) | marks_in(rows, mark.upper()))) for mark in "ab")
        has_ball = [number for number, mark in enumerate("AB") if marks_in(rows, mark)]
        ball = next(iter([*has_ball, *marks_in(rows, "o")]), None)
        steps, end = tuple(chosen.index(word) for word in words[2:] if word in chosen), None
        if not steps and words[2:]:
            end = {"goal of 0": 1, "goal of 1": -1, "drawn": 0}[" ".join(words[2:])]
        left = game.max_moves - int(words[1])
        return cls(
            game.width, game.height, game.draw > 0, left, game.ball == "loose", players, ball, steps, end
        )

    @property
    def goal_rows(self):
        """The one or two rows in the middle."""
        return range((self.height - 1) // 2, self.height // 2 + 1)

    def mover(self):
        if self.end is not None or self.left == 0:
            return TERMINAL
        return CHANCE if self.ball is None or self.chosen else SIMULTANEOUS

    def moves(self, player):
        if player != CHANCE:
            return [0, 1, 2, 3, 4]
        if self.ball is None:
            return list(range(len(self.goal_rows))) if self.is_loose else [0, 1]
        return [0, 1, 2, 3] if self.draws else [0, 1]

    def after(self, *actions):
        if len(actions) == 2:
            return replace(self, chosen=actions)
        if self.ball is None:
            lies = self.width // 2, self.goal_rows[min(actions[0], len(self.goal_rows) - 1)]
            return replace(self, ball=lies if self.is_loose else actions[0])
        later = self
        for player in (actions[0] % 2, 1 - actions[0] % 2):
            if later.end is None:
                later = later.stepped(player)
        if later.end is None and actions[0] >= 2:
            later = replace(later, end=0)
        return replace(later, chosen=(), left=self.left - 1)

    def stepped(self, player):
        """After one player's step."""
        if self.chosen[player] == 4:
            return self
        x, y = beside(self.players[player], self.chosen[player])
        if (x, y) == self.players[1 - player]:
            return replace(self, ball=1 - player) if self.ball in (0, 1) else self
        if 0 <= x < self.width and 0 <= y < self.height:
            players = ((x, y), self.players[1]) if player == 0 else (self.players[0], (x, y))
            return replace(self, players=players, ball=player if self.ball == (x, y) else self.ball)
        scores = x == (self.width if player == 0 else -1) and y in self.goal_rows and self.ball == player
        return replace(self, end=1 - 2 * player) if scores else self

    def result(self):
        return self.end or 0
