"""Bots that a first-time author would write: three for each of the games in examples/games/, each with one simple idea.

    saddlepoint match best ./benchmarks/general_bots.py --game ./examples/games/hex.py:Hex    # the game's first bot

A copy of this file that is named after a bot, such as `centre_first.py`, plays that bot.

Each game has a class, of which an object is a position as one player sees it. Its public methods are the bots: each says what an action
is worth, by a number or by a tuple of which the first difference counts. The legal action that is worth most is played, one of several at
random.
"""

import functools
import heapq
import random
from pathlib import Path

from saddlepoint.players import base


class View:
    """A position as one player sees it, with what the bots of several games need."""

    def __init__(self, game, state, player):
        self._game, self._state, self._player, self._other = game, state, player, 1 - player

    def _after(self, action):
        """The position after an action, where only one player moves."""
        return self._game.next_state(self._state, action)

    def _pieces(self, player, state=None):
        """The cells in which a player's number stands."""
        return [cell for cell, owner in enumerate((state or self._state).cells) if owner == player]

    def _of_both(self, name, state=None):
        """A field of the state that each player has: the own one first."""
        return [getattr(state or self._state, f"{name}{one}") for one in (self._player, self._other)]


def apart(cell, other, side):
    """The steps from cell to cell along rows and columns."""
    return abs(cell % side - other % side) + abs(cell // side - other // side)


def rings(cell, other, side):
    """The steps from cell to cell, diagonal ones too."""
    return max(abs(cell % side - other % side), abs(cell // side - other // side))


def near(cells, place, side):
    """How many of these cells are beside a place, diagonally too."""
    return sum(rings(cell, place, side) == 1 for cell in cells)


class Amazons(View):
    """An action is a start and an end, of a move or of an arrow."""

    def most_moves(self, action):
        """Many moves for the own amazons, few for the other's."""
        after = self._after(action)._replace(archer=-1)
        return len(self._game.choices(after, self._player)) - len(self._game.choices(after, self._other))

    def wall_them_in(self, action):
        """Moves and shoots to where the other's amazons are near."""
        end = action % self._game.cells
        return -sum(rings(end, cell, self._game.size) for cell in self._pieces(self._other))

    def stay_in_the_open(self, action):
        """Moves to where most cells are free, and shoots beside as many of the other's amazons as it can."""
        start, end = divmod(action, self._game.cells)
        cells = [*self._pieces(-1), start] if self._state.archer < 0 else self._pieces(self._other)
        return near(cells, end, self._game.size)


class Ataxx(View):
    """An action below the number of cells is a new piece."""

    def most_pieces(self, action):
        """As many pieces more than the other as possible."""
        after = self._after(action)
        return len(self._pieces(self._player, after)) - len(self._pieces(self._other, after))

    def add_before_jumping(self, action):
        """Jumps only where no piece can be added; then the most pieces."""
        return action < 25, self.most_pieces(action)

    def close_ranks(self, action):
        """The most pieces, then beside as many of its own and as few free cells as possible."""
        after, end = self._after(action), action % 25
        own, free = (near(self._pieces(one, after), end, 5) for one in (self._player, -1))
        return self.most_pieces(action), own - free


class Auction(View):
    """An action is a bid."""

    def bid_the_share(self, bid):
        """Of its coins what the lot is of the points that are left."""
        lots = self._game.lots[self._state.lot :]
        return -abs(bid - self._of_both("coins")[0] * lots[0] / sum(lots))

    def even_parts_of_the_coins(self, bid):
        """The same for each lot that is left."""
        return -abs(bid - self._of_both("coins")[0] / len(self._game.lots[self._state.lot :]))

    def only_big_lots(self, bid):
        """Nothing for lots below the mean, an even part of its coins for the others."""
        mean = sum(self._game.lots) / len(self._game.lots)
        big = [points >= mean for points in self._game.lots[self._state.lot :]]
        return -abs(bid - (self._of_both("coins")[0] / sum(big) if big[0] else 0))


class Blotto(View):
    """An action is a number of soldiers on each field."""

    def even_parts(self, action):
        """The same number on each field."""
        return -max(self._game.spread(action))

    def near_even_parts(self, action):
        """Any parts that differ by two soldiers at most."""
        return max(self._game.spread(action)) - min(self._game.spread(action)) <= 2

    def all_but_one_field(self, action):
        """At most one soldier on one field, about half of them on each other one."""
        low, _, high = sorted(self._game.spread(action))
        return low <= 1 and high <= (self._game.soldiers + 1) // 2


class Breakthrough(View):
    """An action is a cell and one of three ways."""

    def _step(self, action):
        """The rows that the pawn has gone then, and whether it captures."""
        target = self._game.target(action // 3, action % 3, self._player)
        return target // 6 if self._player else 5 - target // 6, self._state.cells[target] == self._other

    def capture_or_foremost(self, action):
        """Captures where it can, else the foremost pawn goes on."""
        gone, captures = self._step(action)
        return gone == 5, captures, gone

    def capture_or_hindmost(self, action):
        """Captures where it can, else the hindmost pawn goes on."""
        gone, captures = self._step(action)
        return gone == 5, captures, -gone

    def safe_steps(self, action):
        """Captures, else the foremost pawn that nobody can capture then."""
        gone, captures = self._step(action)
        target, way = self._game.target(action // 3, action % 3, self._player), 1 - 2 * self._player
        ahead = {target - 6 * way - 1, target - 6 * way + 1} & set(self._pieces(self._other))
        return gone == 5, captures - any(rings(cell, target, 6) == 1 for cell in ahead), gone


class Clobber(View):
    """An action is a cell and one of four ways."""

    def _target(self, action):
        columns = self._game.columns
        return action // 4 + (-columns, 1, columns, -1)[action % 4]

    def movable_stones(self, action):
        """As many stones that can move as possible, as few of the other's."""
        after = self._after(action)
        own, other = (self._game.choices(after, one) for one in (self._player, self._other))
        return len({move // 4 for move in own}) - len({move // 4 for move in other})

    def towards_the_middle(self, action):
        """Captures near the middle."""
        return -apart(
            self._target(action), self._game.cells // 2 + self._game.columns // 2, self._game.columns
        )

    def stay_together(self, action):
        """Captures where most of its own stones are near."""
        return near(self._pieces(self._player), self._target(action), self._game.columns)


class DotsAndBoxes(View):
    """An action is a line; those above the boxes come first, by rows, then those beside them."""

    @functools.cached_property
    def _boxes(self):
        wide, upright = self._game.columns, self._game.columns * (self._game.rows + 1)
        tops = [(top, upright + top + top // wide) for top in range(wide * self._game.rows)]
        return [{top, top + wide, left, left + 1} for top, left in tops]

    def _boxes_with(self, sides, drawn):
        return [box for box in self._boxes if len(box & drawn) == sides]

    def _drawn(self, line):
        return {line, *(other for other, is_drawn in enumerate(self._state.lines) if is_drawn)}

    def take_boxes(self, line):
        """Takes a box where it can."""
        return len(self._boxes_with(4, self._drawn(line)))

    def take_or_give_none(self, line):
        """Takes a box, else draws a line that gives none."""
        return self.take_boxes(line), -len(self._boxes_with(3, self._drawn(line)))

    def give_the_shortest(self, line):
        """Takes a box, else gives as few in a row as possible."""
        drawn, count = self._drawn(line), 0
        while given := self._boxes_with(3, drawn):
            drawn, count = drawn | given[0], count + 1
        return self.take_boxes(line), -count


class Ewn(View):
    """An action is a stone and one of three ways."""

    def _step(self, action):
        """Whether the stone takes one of the other's, the steps left to the corner, and its cell."""
        start = self._state.stones[6 * self._player + action // 3]
        target = self._game.target(start, action % 3, self._player)
        return target in self._others, rings(target, 0 if self._player else 24, 5), target

    @property
    def _others(self):
        return [cell for cell in self._state.stones[6 * self._other :][:6] if cell >= 0]

    def run(self, action):
        """The stone that is nearest to the corner, diagonally where that helps."""
        return -self._step(action)[1]

    def take_or_run(self, action):
        """Takes one of the other's stones where it can, else runs."""
        takes, left, _ = self._step(action)
        return left == 0, takes, -left

    def run_where_safe(self, action):
        """Takes, then runs to where none of the other's stones is near."""
        takes, left, target = self._step(action)
        return left == 0, takes - 0.5 * (near(self._others, target, 5) > 0), -left


class Gems(View):
    """An action is a step."""

    @property
    def _gems(self):
        return [cell for cell, points in enumerate(self._state.cells) if points]

    def _steps(self, action, gem):
        return apart(self._game.after(self._of_both("place")[0], action), gem, 7)

    def nearest(self, action):
        """Towards the nearest gem."""
        return -min(self._steps(action, gem) for gem in self._gems)

    def most_points_a_step(self, action):
        """Towards the gem with the most points for each step to it."""
        return max(self._state.cells[gem] / (1 + self._steps(action, gem)) for gem in self._gems)

    def where_it_is_first(self, action):
        """Towards the nearest gem to which the other has no shorter way."""
        here, there = self._of_both("place")
        own = [gem for gem in self._gems if apart(here, gem, 7) <= apart(there, gem, 7)]
        return -min(self._steps(action, gem) for gem in own or self._gems)


class Harvest(View):
    """An action is a step."""

    def to_the_fruit(self, action):
        """Towards the fruit."""
        return -apart(self._game.after(self._of_both("place")[0], action), self._state.fruit, 5)

    def across_first(self, action):
        """Towards the fruit, first to its column."""
        return self.to_the_fruit(action), action % 2

    def fruit_or_middle(self, action):
        """Towards the fruit, but to the middle where the other is nearer to it."""
        here, there = self._of_both("place")
        is_first = apart(here, self._state.fruit, 5) <= apart(there, self._state.fruit, 5)
        return self.to_the_fruit(action) if is_first else -apart(self._game.after(here, action), 12, 5)


class Hex(View):
    """An action is a cell, or the swap."""

    def _cell(self, action):
        """Where the new stone is; by a swap it is the mirrored one."""
        size, stones = self._game.size, [cell for cell, stone in enumerate(self._state.cells) if stone >= 0]
        return action if action < self._game.cells else stones[0] % size * size + stones[0] // size

    def _cells(self, cell, ways):
        x, y, size = cell % self._game.size, cell // self._game.size, self._game.size
        return [(y + b) * size + x + a for a, b in ways if 0 <= x + a < size and 0 <= y + b < size]

    def _missing(self, player, side):
        """By cell: the stones that would still link it to a side (Dijkstra's algorithm)."""
        price = [1 if stone < 0 else 0 if stone % 2 == player else 99 for stone in self._state.cells]
        row = [
            side * self._game.size + k if player == 0 else k * self._game.size + side
            for k in range(self._game.size)
        ]
        waiting, found = [(price[cell], cell) for cell in row], {}
        heapq.heapify(waiting)
        while waiting:
            count, cell = heapq.heappop(waiting)
            if found.setdefault(cell, count) == count:
                for beside in self._cells(cell, ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))):
                    if beside not in found:
                        heapq.heappush(waiting, (count + price[beside], beside))
        return found

    @functools.cached_property
    def _ways(self):
        return [self._missing(player, side) for player in (0, 1) for side in (0, self._game.size - 1)]

    def shortest_path(self, action):
        """On its shortest path and the other's, near the centre; swaps always."""
        if action == self._game.cells:
            return 0, 0
        return -sum(way[action] for way in self._ways), self.centre_first(action)

    def centre_first(self, action):
        """The cell nearest to the centre."""
        place, size = self._cell(action), self._game.size
        return -abs(2 * (place % size) - size + 1) - abs(2 * (place // size) - size + 1)

    def build_bridges(self, action):
        """A bridge away from as many of its stones as possible, near the centre."""
        ways = ((1, 1), (-1, 2), (-2, 1), (-1, -1), (1, -2), (2, -1))
        stones = [self._state.cells[cell] for cell in self._cells(self._cell(action), ways)]
        return sum(stone >= 0 and stone % 2 == self._player for stone in stones), self.centre_first(action)


class Kalah(View):
    """An action is a house."""

    def again_or_most(self, action):
        """Another turn where it can, else as many seeds for its store as possible."""
        after = self._after(action)
        return after.mover == self._player, after.seeds[6 + 7 * self._player]

    def nearest_house(self, action):
        """The house nearest to its store."""
        return action

    def leave_little(self, action):
        """As many seeds for its store as possible, less what the other can then store at once."""
        after, own, other = self._after(action), 6 + 7 * self._player, 6 + 7 * self._other
        replies = self._game.choices(after, self._other) if after.mover == self._other else []
        stored = [self._game.next_state(after, reply).seeds[other] for reply in replies]
        return after.seeds[own] - max(stored, default=after.seeds[other])


class LaserTag(View):
    """An action is a step, a turn or a shot; it thinks that the other turns to the left meanwhile."""

    def _look(self, action):
        """Whether it hits, whether its beam then meets the other, whether the other's meets it, and the way to the other."""
        after = self._game.advance(self._state, *((4, action) if self._player else (action, 4)))
        (here, there), (own, other) = self._of_both("cell", after), self._of_both("facing", after)
        hits = self._of_both("points", after)[0] > self._of_both("points")[0]
        beams = [self._game.hits(here, own, there), self._game.hits(there, (other + 1) % 4, here)]
        return hits, *beams, apart(here, there, 6)

    def shoot_or_approach(self, action):
        """Shoots where that hits, turns or steps to where it will, else goes nearer."""
        hits, aims, _, way = self._look(action)
        return hits, aims, -way

    def stand_and_shoot(self, action):
        """Shoots where that hits, else turns towards the other; steps only where that helps to aim."""
        hits, aims, _, _ = self._look(action)
        return hits, aims, action in (4, 5)

    def keep_out_of_the_beam(self, action):
        """Shoots where that hits, else goes out of the other's beam, aims, and goes nearer."""
        hits, aims, is_aimed_at, way = self._look(action)
        return hits, -is_aimed_at, aims, -way


class Ludo(View):
    """An action is a runner, or the pass."""

    def _hits(self, action):
        others = slice(3 * self._other, 3 * self._other + 3)
        return self._after(action).places[others] != self._state.places[others]

    def _place(self, action):
        return 0 if action == 3 else self._state.places[3 * self._player + action]

    def hit_or_foremost(self, action):
        """Hits where it can, else the foremost runner goes."""
        return self._hits(action), self._place(action)

    def hit_or_hindmost(self, action):
        """Hits where it can, else the hindmost runner goes."""
        return self._hits(action), -self._place(action)

    def hit_or_flee(self, action):
        """Hits where it can, else has as few runners as possible up to six before one of the other's."""
        places = self._after(action).places
        own, others = (places[3 * one : 3 * one + 3] for one in (self._player, self._other))
        in_danger = [
            place < self._game.track and any(0 < place - far <= 6 for far in others) for place in own
        ]
        return self._hits(action), -sum(in_danger), self._place(action)


class Racetrack(View):
    """An action changes how the car moves."""

    def _best(self, car, action, ahead):
        """How far the car comes with this action and the best ones after it, the other car left aside."""
        car = self._game.drive(car, action)
        if car[4]:
            return -100 if car[4] == 2 else 100 + ahead
        if ahead:
            return max(self._best(car, then, ahead - 1) for then in range(9))
        return (
            min(car[0], 8) + car[1] if car[1] < 4 else 23 - car[0]
        )  # above the wall to the right, then down

    def slowly(self, action):
        """One cell at a time."""
        car = self._game.moved(self._state.cars[self._player], action)
        return max(abs(car[2]), abs(car[3])) <= 1, self._best(self._state.cars[self._player], action, 0)

    def one_ahead(self, action):
        """As far as it can come in two moves."""
        return self._best(self._state.cars[self._player], action, 1)

    def two_ahead(self, action):
        """As far as it can come in three moves."""
        return self._best(self._state.cars[self._player], action, 2)


class RpsCards(View):
    """An action is a kind, which beats the first and the third one after it."""

    def most_of_its_hand(self, kind):
        """What it has most of."""
        return self._of_both("hand")[0][kind]

    def against_the_hand(self, kind):
        """What beats more of the other's cards than it loses to."""
        hand = self._of_both("hand")[1]
        return sum(sign * hand[(kind + k) % 5] for k, sign in ((1, 1), (2, -1), (3, 1), (4, -1)))

    def beat_its_most(self, kind):
        """What beats the kind that the other has most of."""
        hand = self._of_both("hand")[1]
        return (hand.index(max(hand)) - kind) % 5 in (1, 3)


def bots_of(class_name):
    """The names of the bots of a game, by its class's name."""
    return [name for name in vars(VIEWS[class_name]) if not name.startswith("_")]


VIEWS = {view.__name__: view for view in View.__subclasses__()}
"""By the name of the game's class."""


class Player(base.Player):
    """Plays the bot after which this file is named, by its own name the first one of the game."""

    def begin(self, game, player, seed=None):
        super().begin(game, player, seed)
        name, self._random = Path(__file__).stem, random.Random(seed)
        self._bot = bots_of(type(game).__name__)[0] if name == "general_bots" else name

    def warm(self, game, state, seats=(0, 1)):
        """Choose once for each seat: what is compiled for that is compiled before the clock runs."""
        for seat in seats:
            self.begin(game, seat, 0)
            if (asked := base.next_choice(game, state, seat)) is not None:
                self.choose(asked, None)

    def choose(self, state, clock):
        actions = list(self.game.legal_actions(state, self.player))
        self._random.shuffle(actions)
        view = VIEWS[type(self.game).__name__](self.game, state, self.player)
        return max(actions, key=getattr(view, self._bot)) if len(actions) > 1 else actions[0]
