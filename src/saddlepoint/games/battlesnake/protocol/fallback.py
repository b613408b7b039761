"""A move for Battlesnake in plain Python, for when nothing compiled is there yet: a safe one at once, then a look ahead."""

import time
from collections.abc import Iterator
from typing import NamedTuple

from .seen import Cell, Seen, SeenSnake
from .territory import Area, Body, freed, race, steps_to

_LARGEST = 2500
"""Cells of the largest board on which it looks ahead."""
_MOST_ROUNDS = 12
_LOOKS = 16  # positions between looks at the clock
_WON, _DRAWN = 10_000.0, -300.0
_RISK = 80.0
"""What a cell costs that a third snake's head may enter, at least as long as ours."""
_HUNGRY = 40
_ROOMY = 1.5
"""A room of so many times the own length is room enough."""


class _TooLateError(Exception):
    """The time to look is over."""


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
    look = _Lookahead(seen, until)
    if not look.has_moves:
        return
    try:
        for rounds in range(1, _MOST_ROUNDS + 1):
            yield look.best(rounds)
            if look.is_decided:
                return
    except _TooLateError:
        return


class _Place(NamedTuple):
    """A position on the way: we, the rival, the food that is left."""

    me: Body
    rival: Body | None
    food: int
    rounds: int
    """Rounds from the position that was asked about."""


class _Lookahead:
    """What is won or lost from a position, if the rival always knew our move before it was made."""

    def __init__(self, seen: Seen, until: float) -> None:
        self._seen, self._until, self._looks = seen, until, 0
        area = self._area = Area(seen)
        rival = seen.nearest()
        body = area.body(rival) if rival else None
        food = 0 if seen.constrictor else area.bits(seen.food)
        self._start = _Place(area.body(seen.you), body if body and body.cells else None, food, 0)
        thirds = [snake for snake in seen.others if snake is not rival]
        self._walls = [cells for snake in thirds if (cells := area.body(snake).cells)]
        self._hurts = {area.index(cell): times * seen.damage for cell, times in seen.hazards.items() if area.is_inside(cell)}
        self._feared = self._entered_by(thirds)
        names = {there: name for name, there in seen.beside(seen.you.head)}
        self._moves = {area.index(there): name for there, name in names.items()}
        self._order = list(self._moves)
        self.is_decided = False
        """Whether to look farther is of no use."""

    @property
    def has_moves(self) -> bool:
        """Whether there is a cell to go to, free or not."""
        return bool(self._order)

    def _entered_by(self, snakes: list[SeenSnake]) -> set[int]:
        strong = [one for one in snakes if len(one.cells) >= len(self._seen.you.cells)]
        return {self._area.index(there) for one in strong for _, there in self._seen.beside(one.head)}

    def best(self, rounds: int) -> str:
        """The best direction, looking so many rounds ahead."""
        worths: dict[int, float] = {}
        alpha = -2 * _WON
        for there in self._order:
            worths[there] = self._replied(self._start, there, rounds, alpha)
            if there in self._feared:
                worths[there] -= _RISK
            alpha = max(alpha, worths[there] - _RISK)
        self._order.sort(key=lambda there: -worths[there])
        open_ = [worth for worth in worths.values() if worth > -_WON / 2]
        self.is_decided = len(open_) < 2 or max(open_) > _WON / 2
        return self._moves[self._order[0]]

    def _searched(self, place: _Place, rounds: int, alpha: float, beta: float) -> float:
        if rounds == 0:
            return self._estimate(place)
        best = -2 * _WON
        for there in self._area.targets[place.me.cells[0]]:
            best = max(best, self._replied(place, there, rounds, max(alpha, best)))
            if best >= beta:
                break
        return best if best > -2 * _WON else -_WON + place.rounds

    def _replied(self, place: _Place, there: int, rounds: int, alpha: float) -> float:
        """The worth of going to that cell, whatever the rival does; exact above `alpha`."""
        self._looks += 1
        if self._looks % _LOOKS == 0 and time.monotonic() >= self._until:
            raise _TooLateError
        worst = 2 * _WON
        for answer in self._area.targets[place.rival.cells[0]] if place.rival else (-1,):
            after = self._after(place, there, answer)
            worth = self._searched(after, rounds - 1, alpha, worst) if isinstance(after, _Place) else after
            worst = min(worst, worth)
            if worst <= alpha:
                break
        return worst

    def _after(self, place: _Place, there: int, answer: int) -> _Place | float:
        """The position after both moves, or what a finished game is worth."""
        me, rival, round_ = place.me, place.rival, place.rounds + 1
        moved, dead = self._moved(me, there, place.food)
        fled, lost = self._moved(rival, answer, place.food) if rival else (None, False)
        killed = dead or there in me.cells[:-1] or self._is_wall(there, round_)
        if rival is not None and fled is not None:
            killed = killed or (not lost and there in rival.cells[:-1])
            crashed = lost or answer in rival.cells[:-1] or self._is_wall(answer, round_) or (not dead and answer in me.cells[:-1])
            if there == answer and not dead and not lost:
                killed = killed or len(moved.cells) <= len(fled.cells)
                crashed = crashed or len(fled.cells) <= len(moved.cells)
            if crashed:
                return _DRAWN + round_ if killed else _WON - round_
        if killed:
            return -_WON + round_
        food = place.food & ~(1 << there) & ~(1 << answer if answer >= 0 else 0)
        return _Place(moved, fled, food, round_)

    def _moved(self, body: Body, there: int, food: int) -> tuple[Body, bool]:
        """(the snake after a step, whether hunger or a hazard kills it)."""
        cells = (there, *body.cells[:-1])
        if self._seen.constrictor:
            return Body((*cells, cells[-1]), 100), False
        if food >> there & 1:
            return Body((*cells, cells[-1]), 100), False
        health = body.health - 1 - self._hurts.get(there, 0)
        return Body(cells, min(health, 100)), health <= 0

    def _is_wall(self, cell: int, round_: int) -> bool:
        """Whether a third snake is there in that round, as far as its tail tells."""
        if self._seen.constrictor:
            return any(cell in cells for cells in self._walls)
        return any(cell in cells[:-round_] for cells in self._walls)

    def _estimate(self, place: _Place) -> float:
        me, rival = place.me, place.rival
        walls = [cells[: -place.rounds] or cells[:1] for cells in self._walls] if place.rounds else self._walls
        found = race(self._area, me, rival, walls, place.food, self._seen.constrictor)
        length, other = len(me.cells), len(rival.cells) if rival else 0
        worth = float(found.mine - found.theirs) + 4.0 * (length - other)
        if found.mine < _ROOMY * length:
            worth -= 3.0 * (_ROOMY * length - found.mine)
        if self._seen.constrictor:
            return worth - 4.0 * (length - other)
        hungry, far = me.health < _HUNGRY, found.food
        if far is None:  # the rival is nearer to all of it, and may go elsewhere
            worth -= 60.0 if hungry else 10.0
            far = steps_to(self._area, me.cells[0], place.food, found.free) if place.food else None
            if far is None:
                return worth
        if far >= me.health:
            worth -= 200.0
        return worth - far * (4.0 if hungry else 1.5 if length <= other + 1 else 0.2)
