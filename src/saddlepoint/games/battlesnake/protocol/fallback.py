"""A move for Battlesnake in plain Python, for when nothing compiled is there yet: a safe one at once, then a look ahead."""

from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple, Self

from ....nodes import SIMULTANEOUS, TERMINAL
from ....players.plain_search import PlainSearch
from .seen import DIRECTIONS, Cell, Seen
from .territory import Area, Body, freed, race, steps_to

_LARGEST = 2500
"""Cells of the largest board on which it looks ahead."""
_MOST_ROUNDS = 12
_DRAWN = -300.0
_HUNGRY = 40
_ROOMY = 1.5
"""A room of so many times the own length is room enough."""


def safe_move(seen: Seen) -> str:
    """A direction that kills neither by itself nor, if it can be helped, in a meeting of heads; the one with the most room."""
    safe = _safe_steps(seen)
    if not safe:
        return _straight_on(seen)
    if len(safe) == 1 or seen.width * seen.height > _LARGEST:
        return next(iter(safe))
    area = Area(seen)
    everybody = [area.body(snake).cells for snake in (seen.you, *seen.others)]
    taken, leaving = freed([cells for cells in everybody if cells], seen.constrictor)
    free = area.full & ~taken
    if leaving:
        free |= leaving[0]
    return max(safe, key=lambda name: _room(area, 1 << area.index(safe[name]), free))


def _room(area: Area, start: int, free: int) -> int:
    """Cells that can be reached from there."""
    found, before = start, 0
    while found != before:
        before, found = found, found | area.spread(found) & free
    return found.bit_count()


def _safe_steps(seen: Seen) -> dict[str, Cell]:
    """The directions that do not kill by themselves, with their cells: those without a risk, where there are some."""
    you = seen.you
    blocked = {cell for snake in (you, *seen.others) for cell in (snake.cells if seen.constrictor else snake.staying)}
    living = {name: there for name, there in seen.beside(you.head) if there not in blocked}
    fed = {name: there for name, there in living.items() if _is_survived(seen, there)}
    feared = {there for one in seen.others if len(one.cells) >= len(you.cells) for _, there in seen.beside(one.head)}
    calm = {name: there for name, there in fed.items() if there not in feared}
    return calm or fed or living


def _is_survived(seen: Seen, there: Cell) -> bool:
    """Whether our health lasts for that step."""
    if there in seen.food or seen.constrictor:
        return True
    return seen.you.health - 1 - seen.hazards.get(there, 0) * seen.damage > 0


def _straight_on(seen: Seen) -> str:
    """Away from the neck; up while coiled on one cell."""
    cells = seen.you.cells
    if len(cells) > 1:
        for name, there in seen.beside(cells[1]):
            if there == cells[0]:
                return name
    return "up"


def looked_ahead(seen: Seen, until: float) -> Iterator[str]:
    """Better and better moves, looking one round farther each, until that moment (time.monotonic()).

    The nearest rival is taken to answer each of our moves as badly for us as it can; the other snakes stay where they are, and their
    tails move on.
    """
    if seen.width * seen.height > _LARGEST or not (0 <= seen.you.head[0] < seen.width and 0 <= seen.you.head[1] < seen.height):
        return
    crowd = _Crowd(seen)
    if crowd.start.me.cells and crowd.area.targets[crowd.start.me.cells[0]]:
        found = PlainSearch(crowd, 0, until, _Crowd.estimate, _DRAWN).moves(crowd.start, _MOST_ROUNDS)
        yield from (DIRECTIONS[direction] for direction in islice(found, 1, None))  # of what is not looked at the safe move is better


class _Place(NamedTuple):
    """A position on the way: we, the rival, the food that is left, rounds from the position that was asked about, and who won."""

    me: Body
    rival: Body | None
    food: int
    rounds: int = 0
    result: float | None = None


class _Crowd:
    """The rules for us and the nearest rival, with all others as walls whose tails move on, as `PlainSearch` asks a game.

    `Battlesnake.plain` knows two snakes, takes fifteen times as long for a round, and cannot be there before Numba is loaded.
    """

    max_actions, turn_based = 4, False

    def __init__(self, seen: Seen) -> None:
        self._constrictor = seen.constrictor
        area = self.area = Area(seen)
        rival = seen.nearest()
        body = area.body(rival) if rival else None
        self.start = _Place(area.body(seen.you), body if body and body.cells else None, 0 if seen.constrictor else area.bits(seen.food))
        thirds = [snake for snake in seen.others if snake is not rival]
        self._walls = [cells for snake in thirds if (cells := area.body(snake).cells)]
        self._hurts = {area.index(cell): times * seen.damage for cell, times in seen.hazards.items() if area.is_inside(cell)}
        strong = [one for one in thirds if len(one.cells) >= len(seen.you.cells)]
        self._feared = {area.index(there) for one in strong for _, there in seen.beside(one.head)}

    @property
    def plain(self) -> Self:
        """The rules, which are not compiled."""
        return self

    def current_player(self, place: _Place) -> int:
        """Who moves: both, we alone, or nobody any more."""
        return TERMINAL if place.result is not None else SIMULTANEOUS if place.rival else 0

    def returns(self, place: _Place) -> float:
        """1 where we have won, -1 where the rival has."""
        return place.result or 0.0

    def search_actions(self, place: _Place, player: int, out: list[int]) -> int:
        """The directions that do not lead into anybody's body or off the board, as far as there are some; at first none that is feared."""
        body = place.rival if player and place.rival else place.me
        bodies = (place.me.cells[:-1], place.rival.cells[:-1] if place.rival else (), *self._standing(place.rounds + 1))
        ways = self.area.targets[body.cells[0]]
        free = {direction: there for direction, there in ways.items() if not any(there in cells for cells in bodies)}
        calm = [one for one, there in free.items() if there not in self._feared] if place.rounds == player == 0 else []
        found = calm or list(free) or list(ways) or [0]
        out[: len(found)] = found
        return len(found)

    legal_actions = search_actions

    def next_state(self, place: _Place, action0: int, action1: int) -> _Place:
        """The position after a round."""
        me, rival, rounds = place.me, place.rival, place.rounds + 1
        there = self.area.targets[me.cells[0]].get(action0, -1)
        moved, dead = self._moved(me, there, place.food)
        walls = self._standing(rounds)
        killed = dead or there in me.cells[:-1] or any(there in cells for cells in walls)
        food = place.food & ~(1 << there if there >= 0 else 0)
        if rival is None:
            return _Place(moved, None, food, rounds, -1.0 if killed else None)
        answer = self.area.targets[rival.cells[0]].get(action1, -1)
        fled, lost = self._moved(rival, answer, place.food)
        killed = killed or (not lost and there in rival.cells[:-1])
        crashed = lost or answer in rival.cells[:-1] or any(answer in cells for cells in walls) or (not dead and answer in me.cells[:-1])
        if there == answer and not dead and not lost:
            killed = killed or len(moved.cells) <= len(fled.cells)
            crashed = crashed or len(fled.cells) <= len(moved.cells)
        food &= ~(1 << answer if answer >= 0 else 0)
        return _Place(moved, fled, food, rounds, float(crashed) - float(killed) if killed or crashed else None)

    def _moved(self, body: Body, there: int, food: int) -> tuple[Body, bool]:
        """(the snake after a step, whether the edge, hunger or a hazard kills it)."""
        cells = (there, *body.cells[:-1])
        if there >= 0 and (self._constrictor or food >> there & 1):
            return Body((*cells, cells[-1]), 100), False
        health = body.health - 1 - self._hurts.get(there, 0)
        return Body(cells, min(health, 100)), health <= 0 or there < 0

    def _standing(self, rounds: int) -> list[tuple[int, ...]]:
        """What is left of third snakes in that round, as far as their tails tell."""
        return self._walls if self._constrictor else [cells[:-rounds] for cells in self._walls]

    def estimate(self, place: _Place) -> float:
        """What a position is worth to us, in cells."""
        me, rival = place.me, place.rival
        walls = [cells[: -place.rounds] or cells[:1] for cells in self._walls] if place.rounds else self._walls
        found = race(self.area, me, rival, walls, place.food, self._constrictor)
        length, other = len(me.cells), len(rival.cells) if rival else 0
        worth = float(found.mine - found.theirs)
        if found.mine < _ROOMY * length:
            worth -= 3.0 * (_ROOMY * length - found.mine)
        if self._constrictor:
            return worth
        worth += 4.0 * (length - other)
        hungry, far = me.health < _HUNGRY, found.food
        if far is None:  # the rival is nearer to all of it, and may go elsewhere
            worth -= 60.0 if hungry else 10.0
            far = steps_to(self.area, me.cells[0], place.food, found.free) if place.food else None
            if far is None:
                return worth
        if far >= me.health:
            worth -= 200.0
        return worth - far * (4.0 if hungry else 1.5 if length <= other + 1 else 0.2)
