"""Whether a side wins, or does not lose: a search to the end of the game whose answers are yes or no.

A position is seen from the side to move: `mine` are its discs, `filled` all. What keeps the tree small:

- A winning cell is taken, a single threat is blocked, and nobody drops below a cell where the other then wins.
- The cells that complete a line are carried along; a drop changes only those of its side.
- Without a line that can still be completed nobody wins.
- A side that drops on top of every drop of the other gets certain cells (`following`), which may settle the position.
- Drops that make the most winning cells are tried first, but before them all those after which the table knows the answer.
"""

import time
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from ... import (
    Limits,
    SearchResult,
)
from ..interface import (
    TERMINAL,
    Answer,
    Bits,
    Clock,
    Columns,
    EndgamePlan,
    Game,
    Line,
    SearchPlayer,
    borrowed,
    formula,
    is_last_node,
    jit,
    jit_inline,
    mix,
    new_control,
    popcount,
    run,
    trailing_zeros,
)
from .game import ConnectFour, State

_WINS, _WINS_NOT, _HOLDS, _LOSES = (np.uint64(1 << k) for k in range(4))
"""What the table knows of a position; who wins also holds at least a draw."""
_FACTS = np.uint64(15)
_NOTHING, _ONE = np.uint64(0), np.uint64(1)
_CLOCK_INTERVAL = 255
_SLOTS = 1 << 20
"""8 MB. A larger table spares less than it costs: it is out of the caches."""


@formula
def open_cells(columns: Columns, filled: Bits) -> tuple[Bits, Bits]:
    """All free cells, and those on which a disc comes to rest."""
    return columns.inside & ~filled, columns.landings(filled)


@formula
def completing(columns: Columns, discs: Bits, free: Bits) -> Bits:
    """The free cells that would complete a line."""
    return columns.completing(discs, free)


@formula
def can_complete(columns: Columns, discs: Bits, free: Bits) -> bool:
    """Whether a line is still possible."""
    return columns.any_run(discs | free)


@formula
def following(columns: Columns, mine: Bits, its: Bits, free: Bits, landing: Bits) -> tuple[bool, bool]:
    """(whether the side to move can win, whether the other must) where the other drops on top of each of its drops.

    An even number of cells must be free. The other gets every second cell of a column from the top; of those on which a disc
    comes to rest in columns with an odd number of free cells it gets half, by dropping into another such column: the side to
    move is given all of them.
    """
    second: Any = columns.bottoms * sum(1 << row for row in range(columns.rows - 1, -1, -2)) & columns.inside
    its_cells = free & second & ~landing
    sides = Bits.split(
        columns.union(
            lambda step: columns.runs(Bits.side_by_side(mine | free & ~its_cells, its | its_cells), step)
        )
    )
    return Bits.nonzero(sides[0]), Bits.nonzero(sides[1])


@jit_inline
def known_of(table, code):
    """What the table knows of the position with that code."""
    entry = table[code & np.uint64(len(table) - 1)]
    return entry & _FACTS if (entry ^ code) & ~_FACTS == _NOTHING else _NOTHING


@jit_inline
def code_of(columns, mine, filled):
    """One number for a position and no other: its discs and the first free cell of every column, well mixed."""
    return mix(mine + filled + np.uint64(columns.bottoms))


@jit
def reaches(columns, mine, filled, my_wins, its_wins, winning, table, drops, control):
    """Whether the side to move wins (`winning`), or else does not lose; False where the search was stopped.

    `my_wins` and `its_wins` are the free cells that complete a line of each side. The game is not over.
    """
    if is_last_node(control, _CLOCK_INTERVAL):
        return False
    free_set, landing = open_cells(columns, (filled,))
    free, places = free_set[0], landing[0]
    if my_wins & places != _NOTHING:
        return True
    threats = its_wins & places
    if threats & (threats - _ONE) != _NOTHING:
        return False
    allowed = (places if threats == _NOTHING else threats) & ~(its_wins >> _ONE)
    if allowed == _NOTHING:
        return False
    left, its = popcount(free), filled ^ mine
    if left <= 2:
        return not winning
    if winning:
        if my_wins == _NOTHING and not can_complete(columns, (mine,), free_set):
            return False
    elif its_wins == _NOTHING and not can_complete(columns, (its,), free_set):
        return True
    if left & 1 == 0:
        may, must = following(columns, (mine,), (its,), free_set, landing)
        if not may and (winning or must):
            return False
    code = code_of(columns, mine, filled)
    known = known_of(table, code)
    if known != _NOTHING:
        if winning and known & (_WINS_NOT | _LOSES | _WINS) != _NOTHING:
            return known & _WINS != _NOTHING
        if not winning and known & (_HOLDS | _LOSES | _WINS) != _NOTHING:
            return known & _LOSES == _NOTHING
    # Of the position after a drop: the other does not reach its goal, or does.
    refuted, refuting = (_LOSES, _HOLDS | _WINS) if winning else (_WINS_NOT | _LOSES, _WINS)
    reached, count, ours = False, 0, drops[left]
    while allowed != _NOTHING and not reached:
        cell = allowed & (~allowed + _ONE)
        allowed ^= cell
        wins = completing(columns, (mine | cell,), (free ^ cell,))[0]
        # Two threats, or none of its drops is safe.
        next_places = (places ^ cell) | ((cell << _ONE) & free)
        next_threats = wins & next_places
        safe = (next_places if next_threats == _NOTHING else next_threats) & ~(wins >> _ONE)
        after = known_of(table, code_of(columns, its, filled | cell))
        if (
            safe == _NOTHING
            or next_threats & (next_threats - _ONE) != _NOTHING
            or after & refuted != _NOTHING
        ):
            reached = True
        elif after & refuting == _NOTHING:
            column = trailing_zeros(cell) // columns.height
            middle = np.uint64(min(column, columns.cols - 1 - column))
            ours[count, 0] = (np.uint64(popcount(wins)) << np.uint64(8)) + middle + _ONE
            ours[count, 1], ours[count, 2] = cell, wins
            count += 1
    for _ in range(0 if reached else count):
        chosen = 0
        for k in range(1, count):
            if ours[k, 0] > ours[chosen, 0]:
                chosen = k
        ours[chosen, 0] = _NOTHING
        cell, wins = ours[chosen, 1], ours[chosen, 2]
        other = its_wins & ~cell
        if not reaches(columns, its, filled | cell, other, wins, not winning, table, drops, control):
            reached = True
            break
    if control.stop != 0:
        return False
    fact = (_WINS if reached else _WINS_NOT) if winning else (_HOLDS if reached else _LOSES)
    table[code & np.uint64(len(table) - 1)] = (code & ~_FACTS) | known_of(table, code) | fact
    return reached


@jit
def reaches_from(columns, mine, filled, winning, table, drops, control):
    """`reaches`, for a position whose winning cells are not known yet."""
    free, _ = open_cells(columns, (filled,))
    return reaches(
        columns,
        mine,
        filled,
        completing(columns, (mine,), free)[0],
        completing(columns, (filled ^ mine,), free)[0],
        winning,
        borrowed(table),
        borrowed(drops),
        control,
    )


class Proven(NamedTuple):
    """The best column, as far as it was looked into."""

    action: int
    value: int | None
    """The result for the side to move: 1, 0 or -1; None where the limits did not allow a proof."""
    nodes: int


class ProofSearch:
    """Asks which column keeps a position's result; what its table holds stays true from search to search of one game."""

    def __init__(self, game: ConnectFour) -> None:
        self.game = game
        self._table = np.zeros(_SLOTS, np.uint64)
        self._drops = np.zeros((game.max_depth + 1, game.columns, 3), np.uint64)

    def forget(self) -> None:
        """Empty the table."""
        self._table[:] = _NOTHING

    def best(
        self,
        state: State,
        first: int,
        nodes: int | None = None,
        seconds: float | None = None,
        stop: Any = None,
    ) -> Proven:
        """A column that keeps the result, `first` if it does; without a proof `first`, or another where that is seen to lose.

        Half of the limits is for the question whether a column wins, a quarter for one that does not lose; the rest goes to what is open.
        `stop` is a StopToken.
        """
        started, visited, may_win = time.perf_counter(), 0, True
        columns = sorted(self.game.search_actions(state, state.turn), key=lambda action: action != first)
        for winning, share in (True, 0.5), (False, 0.75), (True, 1.0), (False, 1.0):
            if winning and not may_win:
                continue
            control = new_control(
                None if nodes is None else max(0, int(share * nodes) - visited),
                None if seconds is None else max(1e-9, share * seconds + started - time.perf_counter()),
            )
            if stop is not None:
                stop.attach(control)
            try:
                keeping = self._keeping(state, columns, winning, control)
            finally:
                if stop is not None:
                    stop.detach(control)
            visited += int(control["nodes"])
            if keeping is not None and winning:
                return Proven(keeping, 1, visited)
            may_win &= not winning or bool(control["stop"])
            if not winning and not may_win and not control["stop"]:
                return Proven(first if keeping is None else keeping, -1 if keeping is None else 0, visited)
        return Proven(columns[0], None, visited)

    def _keeping(self, state: State, columns: list[int], winning: bool, control: Any) -> int | None:
        """The first column with which the side to move wins, or else does not lose; None without one, or where a limit came first.

        Of the columns those that are seen to lose are removed, but not the last one.
        """
        arrays = self._table, self._drops, control
        for column in columns.copy():
            after = self.game.next_state(state, column)
            if self.game.current_player(after) == TERMINAL:
                kept = after.winner == state.turn or not winning
            else:
                mine = after.discs1 if state.turn == 0 else after.discs0
                filled = after.discs0 | after.discs1
                kept = not run(reaches_from, self.game.field, mine, filled, not winning, *arrays)
            if control["stop"]:
                break
            if kept:
                return column
            if not winning and len(columns) > 1:
                columns.remove(column)
        return None


# The plan of the best player: it proves that the searched column keeps the result, or finds one that does.

_SEARCHED = 0.25
"""The share of a move's time, or nodes, that is searched as ever; the rest is for the proof."""
_A_SECOND = 4_000_000
"""About how many positions a proof visits in a second."""


class ProveResult(EndgamePlan):
    """Searches in a part of a move's time, and proves in the rest that the column keeps the result, or finds one that does.

    Where many cells are free, so that a proof is not likely, the search plays alone; with a limit of depth alone, too.
    """

    def __init__(self) -> None:
        self._known: ProofSearch | None = None

    def begin(self, searching: SearchPlayer) -> None:
        self._proofs(searching.game).forget()

    def warm(self, game: Game, state: Any) -> None:
        self._proofs(game).best(state, 0, nodes=1)

    def _proofs(self, game: Any) -> ProofSearch:
        if self._known is None or self._known.game != game:
            self._known = ProofSearch(game)
        return self._known

    def choose(self, searching: SearchPlayer, state: Any, clock: Clock) -> Answer | None:
        game, limits, started = searching.game, searching.limits, time.perf_counter()
        assert isinstance(game, ConnectFour)
        seconds, nodes = searching.seconds(searching.deadline(clock).depth), limits.nodes
        free = game.max_depth - int(popcount(state.discs0 | state.discs1))
        within = nodes if nodes is not None else _A_SECOND * (seconds or 0.0)
        only_depth = limits.depth is not None and nodes is None and limits.seconds is None
        if (
            only_depth
            or 2.0 ** (0.75 * free - 7.0) > within
            or len(game.search_actions(state, state.turn)) == 1
        ):
            return None
        found = searching.search(state, Limits(limits.depth, nodes, seconds).times(_SEARCHED))
        action, visited = searching.chosen(found), found.statistics.nodes
        if found.exact or (searching.stop is not None and searching.stop.stopped):
            return Answer(action, found)
        proven = self._proofs(game).best(
            state,
            action,
            None if nodes is None else max(1, nodes - visited),
            None if seconds is None else max(1e-9, seconds - (time.perf_counter() - started)),
            searching.stop,
        )
        return Answer(proven.action, _with_proof(found, state.turn, action, proven))


def _with_proof(found: SearchResult, player: int, searched: int, proven: Proven) -> SearchResult:
    """What the search found, with what is proven."""
    total = found.statistics.nodes + proven.nodes
    found = replace(found, statistics=replace(found.statistics, nodes=total))
    if proven.action != searched:
        mixture = {action: float(action == proven.action) for action in found.strategies[player]}
        joint = (proven.action, -1) if player == 0 else (-1, proven.action)
        found = replace(
            found,
            strategies=(mixture, {}) if player == 0 else ({}, mixture),
            principal_variation=Line((joint,)),
            partial=None,
        )
    if proven.value is None:
        return found
    value = float(proven.value if player == 0 else -proven.value)
    return replace(found, value=value, bounds=(value, value), exact=True, plies=None)
