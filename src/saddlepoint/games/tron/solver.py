"""The exact value of a position of Tron (Light Riders), without its strategies.

The search asks questions whose answer is yes or no, and wants numbers only where a stage is mixed. Nearly
every value is -1, 0 or 1. "Do I win" has a pure answer: the value is 1 just where one move wins against every
reply. "Do I not lose" nearly always has: yes where one move does not lose against any reply, no where one
reply of his wins something against every move. The rest, for example matching pennies, is a matrix whose
cells are then computed as far as it needs.
"""

import threading
import time
from collections.abc import Callable
from itertools import permutations
from typing import Any, NamedTuple

import numpy as np

from ... import StopToken
from ..interface import (
    SIMULTANEOUS,
    board_of,
    count,
    grid_symmetries,
    int_of,
    is_empty,
    is_last_node,
    jit,
    jit_inline,
    jit_part,
    lowest,
    neighbours,
    new_control,
    reachable,
    run,
    single,
    solve,
    voronoi,
    watched,
    words_of,
)
from .game import State as TronState, Tron
from .memory import (
    ALONG_THE_FRONT,
    ALONG_THE_WALLS,
    BY_SYMMETRY,
    FILLS,
    MIXED,
    POSITIONS,
    SEPARATED,
    carried,
    carrier_of,
    first_row_of,
    keep_fact,
    lead_of_fills,
    margin_of_walk,
    named,
    new_memory,
    put_key,
    row_of,
)

NO_LOSS, WIN, VALUE = 0, 1, 2
"""Whether the value is at least 0; whether it is 1; what it is."""

UNKNOWN, NO, YES = 0, 1, 2
_OPEN = 2.0
"""The answer to a question that is too much work for now."""

_ENDLESS = np.int64(1 << 62)
_FIRST_WORK = np.int64(256)
"""Nodes that a joint move gets before others are looked into; four times as many whenever its turn comes again."""
_LESS_PROMISING = 8
"""The penalty of each turn for the ordering of moves: four cells of territory."""
_CLOCK_INTERVAL = 1023  # nodes between two looks at the clock, as a mask
_CLOSE = 1e-9
"""A value nearer to 0, or to 1, is that number: values are fractions with small denominators, computed as floats."""


@jit_inline
def is_answered(goal, lower, upper):
    return lower == upper if goal == VALUE else lower >= goal or upper < goal


@jit_inline
def answer(goal, lower, upper):
    """The answer: 1.0 or 0.0 for yes or no, or the value."""
    if goal == VALUE:
        return lower
    return 1.0 if lower >= goal else 0.0


@jit
def bounds_by_walks(grid, area, me, him, goal):
    """(lower, upper) of the value, by walks that the other rider cannot stop."""
    # A walk that wins must not meet the other rider; one that does not lose may end in a crash of both, a draw.
    alone = goal == WIN
    for kind in (ALONG_THE_FRONT, ALONG_THE_WALLS):
        if margin_of_walk(grid, area, me, him, alone, kind) >= goal:
            return float(goal), 1.0
    for kind in (ALONG_THE_FRONT, ALONG_THE_WALLS):
        if margin_of_walk(grid, area, him, me, not alone, kind) >= 1 - goal:
            return -1.0, float(goal - 1)
    return -1.0, 1.0


@jit_part
def list_moves(grid, cells, moves):
    found = 0
    while not is_empty(cells):
        moves[found] = lowest(cells)
        cells = cells & ~single(grid, moves[found])
        found += 1
    return found


@jit_part
def begin_stage(grid, area, goal, m, n, frame, memory):
    """Write down what is known of each joint move without looking on, and how promising the others are."""
    for i in range(m):
        mine = memory.moves[frame, 0, i]
        for j in range(n):
            his = memory.moves[frame, 1, j]
            memory.answers[frame, i, j] = UNKNOWN
            memory.margins[frame, i, j] = 0
            memory.tries[frame, i, j] = 0
            if mine == his:
                memory.answers[frame, i, j] = NO if goal == WIN else YES
            else:
                left = area & ~(single(grid, mine) | single(grid, his))
                lands = voronoi(grid, mine, his, left, SIMULTANEOUS)
                memory.margins[frame, i, j] = 2 * (count(lands.territory0) - count(lands.territory1))


@jit_part
def next_cell(m, n, frame, goal, memory):
    """(row, column) of the joint move to look into next; (-1, 1) if the answer is yes, (-1, 0) if no, (-1, -1) if mixed."""
    answers, margins = memory.answers, memory.margins
    best_row, best_score = -1, -(1 << 40)
    for i in range(m):
        score, unknown, refuted = 1 << 20, 0, False
        for j in range(n):
            refuted = refuted or answers[frame, i, j] == NO
            if answers[frame, i, j] == UNKNOWN:
                unknown += 1
                score = min(score, margins[frame, i, j] - _LESS_PROMISING * memory.tries[frame, i, j])
        if refuted:
            continue
        if unknown == 0:
            return -1, 1
        if score > best_score:
            best_row, best_score = i, score
    if best_row >= 0:
        chosen, best_score = -1, 1 << 40
        for j in range(n):
            if answers[frame, best_row, j] == UNKNOWN:
                score = margins[frame, best_row, j] + _LESS_PROMISING * memory.tries[frame, best_row, j]
                for i in range(m):
                    if answers[frame, i, j] == NO:
                        score -= 1 << 10
                if score < best_score:
                    chosen, best_score = j, score
        return best_row, chosen
    if goal == WIN:
        return -1, 0
    for j in range(n):
        granted, unknown = False, -1
        for i in range(m):
            granted = granted or answers[frame, i, j] == YES
            if answers[frame, i, j] == UNKNOWN:
                unknown = i
        if not granted:
            return (-1, 0) if unknown < 0 else (unknown, j)
    return -1, -1


@jit_part
def matrix_value(cells, m, n, memory):
    """The value of a stage's matrix; a value that is nearly 0, 1 or -1 is that number."""
    value, _ = solve(cells, m, n, memory.x, memory.y, memory.work)
    nearest = float(round(value))
    return nearest if abs(value - nearest) < _CLOSE else value


@jit
def settle(grid, area, me, him, goal, limit, frame, memory, control):
    """The answer to a question about a position, for the rider at `me`: 1.0 or 0.0 for yes or no, or the value.

    `area` are the free cells, at least those that a head can reach; the heads are not among them. `_OPEN` where a question of
    yes or no would be more work than `limit`, a number of nodes in all. Meaningless where the search was stopped.
    """
    if is_last_node(control, _CLOCK_INTERVAL):
        return 0.0
    mine, his = neighbours(grid, single(grid, me)) & area, neighbours(grid, single(grid, him)) & area
    if is_empty(mine) or is_empty(his):
        value = 0.0 if is_empty(mine) and is_empty(his) else -1.0 if is_empty(mine) else 1.0
        return answer(goal, value, value)
    my_area, his_area = reachable(grid, me, area), reachable(grid, him, area)
    if is_empty(my_area & his):
        lead = float(lead_of_fills(grid, my_area, me, his_area, him, goal, memory, control))
        return answer(goal, lead, lead)
    area = my_area | his_area
    key = memory.keys[frame]
    swapped, balanced = put_key(grid, area, me, him, key, memory)
    bucket = first_row_of(memory.facts, key)
    row = row_of(memory.facts, key, bucket)
    words = len(key)
    lower, upper = -1.0, 1.0
    if row >= 0:
        lower, upper = memory.bounds[row, words], memory.bounds[row, words + 1]
        if swapped:
            lower, upper = -upper, -lower
        if is_answered(goal, lower, upper):
            return answer(goal, lower, upper)
    nodes = control.nodes
    walked = np.int64(memory.bounds[row, words + 3]) if row >= 0 else np.int64(0)
    memory.counters[POSITIONS] += 1
    side = np.int64(1 if swapped else 4) << goal
    if balanced and memory.counters[BY_SYMMETRY] != 0:
        lower, upper = 0.0, 0.0
    elif goal != VALUE and walked & side == 0:
        walked |= side
        least, most = bounds_by_walks(grid, area, me, him, goal)
        lower, upper = max(lower, least), min(upper, most)
    if not is_answered(goal, lower, upper):
        if goal == VALUE:
            holds = settle(grid, area, me, him, np.int64(NO_LOSS), _ENDLESS, frame + 1, memory, control) > 0.0
            held = settle(grid, area, him, me, np.int64(NO_LOSS), _ENDLESS, frame + 1, memory, control) > 0.0
            if holds and held:
                lower, upper = 0.0, 0.0
            elif holds:
                lower = 0.0
                if settle(grid, area, me, him, np.int64(WIN), _ENDLESS, frame + 1, memory, control) > 0.0:
                    lower = 1.0
            else:
                upper = 0.0
                if settle(grid, area, him, me, np.int64(WIN), _ENDLESS, frame + 1, memory, control) > 0.0:
                    upper = -1.0
        if not is_answered(goal, lower, upper) and control.stop == 0:
            m, n = (
                list_moves(grid, mine, memory.moves[frame, 0]),
                list_moves(grid, his, memory.moves[frame, 1]),
            )
            row, column = -1, -1
            if goal != VALUE:
                begin_stage(grid, area, goal, m, n, frame, memory)
                row, column = next_cell(m, n, frame, goal, memory)
                while row >= 0 and control.stop == 0:
                    my_cell, his_cell = memory.moves[frame, 0, row], memory.moves[frame, 1, column]
                    left = area & ~(single(grid, my_cell) | single(grid, his_cell))
                    if control.nodes >= limit:
                        break
                    most_work = _FIRST_WORK << min(2 * memory.tries[frame, row, column], 40)
                    found = settle(
                        grid,
                        left,
                        my_cell,
                        his_cell,
                        goal,
                        min(limit, control.nodes + most_work),
                        frame + 1,
                        memory,
                        control,
                    )
                    if found == _OPEN:
                        memory.tries[frame, row, column] += 1
                    else:
                        memory.answers[frame, row, column] = YES if found > 0.0 else NO
                    row, column = next_cell(m, n, frame, goal, memory)
                if row < 0 and column > 0:
                    lower = max(lower, float(goal))
                elif row < 0 and column == 0:
                    upper = min(upper, goal - _CLOSE)
            if row < 0 and column < 0 and control.stop == 0:
                memory.counters[MIXED] += 1
                for i in range(m):
                    for j in range(n):
                        yes, no = memory.answers[frame, i, j] == YES, memory.answers[frame, i, j] == NO
                        memory.lower[frame, i, j] = 0.0 if yes and goal != VALUE else -1.0
                        memory.upper[frame, i, j] = 0.0 if no and goal != VALUE else 1.0
                        if memory.moves[frame, 0, i] == memory.moves[frame, 1, j]:
                            memory.lower[frame, i, j], memory.upper[frame, i, j] = 0.0, 0.0
                for i in range(m):
                    for j in range(n):
                        least = matrix_value(memory.lower[frame], m, n, memory)
                        most = matrix_value(memory.upper[frame], m, n, memory)
                        lower, upper = max(lower, least), min(upper, most)
                        if is_answered(goal, lower, upper) or control.stop != 0:
                            break
                        if memory.lower[frame, i, j] < memory.upper[frame, i, j]:
                            my_cell, his_cell = memory.moves[frame, 0, i], memory.moves[frame, 1, j]
                            left = area & ~(single(grid, my_cell) | single(grid, his_cell))
                            found = settle(
                                grid,
                                left,
                                my_cell,
                                his_cell,
                                np.int64(VALUE),
                                _ENDLESS,
                                frame + 1,
                                memory,
                                control,
                            )
                            memory.lower[frame, i, j], memory.upper[frame, i, j] = found, found
                least = matrix_value(memory.lower[frame], m, n, memory)
                most = matrix_value(memory.upper[frame], m, n, memory)
                lower, upper = max(lower, least), min(upper, most)
                if upper - lower < _CLOSE:  # one number, rounded differently
                    lower, upper = least, least
    if control.stop != 0:
        return 0.0
    least, most = (-upper, -lower) if swapped else (lower, upper)
    keep_fact(memory.facts, memory.bounds, key, bucket, least, most, float(control.nodes - nodes + 1), walked)
    return answer(goal, lower, upper) if is_answered(goal, lower, upper) else _OPEN


@jit
def settle_from(grid, words, me, him, goal, arrays, control):
    return settle(grid, board_of(grid, words), me, him, goal, _ENDLESS, np.int64(0), named(arrays), control)


class Start(NamedTuple):
    """A start without walls, and how many ordered pairs of cells are it or its image under a symmetry of the grid."""

    state: TronState
    pairs: int
    exchanged: int
    """As `pairs`, of those whose images are it with the riders exchanged (0 where these are among `pairs` already)."""


def every_start(game: Tron) -> list[Start]:
    """All pairs of cells to start from, those that are the same by symmetry or by exchange together."""
    grid = game.grid
    places = [(x, y) for y in range(grid.height) for x in range(grid.width)]
    seen: set[tuple[int, int]] = set()
    found: list[Start] = []
    for pair in permutations(places, 2):
        heads = grid.cell(*pair[0]), grid.cell(*pair[1])
        if heads in seen:
            continue
        images = {(motion.cell(heads[0]), motion.cell(heads[1])) for motion in grid_symmetries(grid)}
        exchanged = {(second, first) for first, second in images} - images
        seen |= images | exchanged
        found.append(Start(game.initial_state(pair), len(images), len(exchanged)))
    return found


class FoundValue(NamedTuple):
    """The value of a position, and the cost of finding it."""

    value: float
    """Player 0's expected result."""
    nodes: int
    """Positions and steps of longest paths visited."""
    positions: int
    """Positions looked into: not ended, not separated, not in the table."""
    separated: int
    """Positions met in which the riders were separated."""
    fills: int
    """Longest paths of one rider that had to be searched."""
    mixed: int
    """Stages in which no pure action answered the question."""
    seconds: float


class ValueSearch:
    """Finds values of positions on a game's field; the table of `megabytes` keeps what was proven from search to search.

    With `by_symmetry` a position that a symmetry of the board maps to itself with the riders exchanged is known to be worth 0;
    without, it is searched as any other. Threads that share a search wait for each other.
    """

    def __init__(self, game: Tron, megabytes: float = 256, by_symmetry: bool = True) -> None:
        self.game = game
        self._carrier = carrier_of(game.grid)
        self._arrays = new_memory(game.grid, megabytes)
        self._counters = self._arrays[-1]
        self._counters[BY_SYMMETRY] = by_symmetry
        self._lock = threading.Lock()
        self._settle(
            (0,) * self._carrier.words, 0, 1, new_control()
        )  # compiles, so that no clock runs while that goes on

    def value(
        self,
        state: TronState,
        *,
        seconds: float | None = None,
        on_wait: Callable[[int, float], None] | None = None,
    ) -> FoundValue | None:
        """The value for player 0, who has the first head; None where time was up.

        `on_wait` gets the nodes and the seconds so far, ten times a second. An interruption (Ctrl-C) goes through at once.
        """
        grid, blocked = self.game.grid, int_of(state.walls)
        cells = [grid.cell(x, y) for x in range(grid.width) for y in range(grid.height)]
        free = words_of(
            sum(1 << carried(grid, cell) for cell in cells if not blocked >> cell & 1), self._carrier.words
        )
        heads = carried(grid, int(state.head0)), carried(grid, int(state.head1))
        with self._lock:
            before = self._counters.copy()
            control, stop, started = new_control(None, seconds), StopToken(), time.perf_counter()
            stop.attach(control)

            def wait() -> None:
                if on_wait is not None:
                    on_wait(int(control["nodes"]), time.perf_counter() - started)

            value, is_stopped = watched(
                lambda: (self._settle(free, *heads, control), bool(control["stop"])), stop, wait
            )
            did = self._counters - before
        if is_stopped:
            return None
        positions, separated, fills, mixed = did[[POSITIONS, SEPARATED, FILLS, MIXED]].tolist()
        passed = time.perf_counter() - started
        return FoundValue(float(value), int(control["nodes"]), positions, separated, fills, mixed, passed)

    def _settle(self, free: tuple[int, ...], head0: int, head1: int, control: Any) -> float:
        words = tuple(map(np.uint64, free))
        return run(settle_from, self._carrier, words, head0, head1, VALUE, self._arrays, control)
