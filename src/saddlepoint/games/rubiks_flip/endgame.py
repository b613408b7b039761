"""Exact play near the end without a database: alpha-beta over turns, by iterative deepening.

Inside the search a value is `won(tiles on the board at the end)` for the side to move, so that it needs no step from
ply to ply; what the horizon hides counts as a draw until the horizon is the full board.
"""

import threading
import time
from typing import Any, NamedTuple

import numpy as np

from ..interface import (
    is_last_node,
    jit,
    mix,
    new_control,
    run,
)
from .game import number_of_tiles
from .patterns import SQUARES
from .sweep import WON, won

_LONGER_THAN_ANY = 64


class Outcome(NamedTuple):
    """For the side to move: 1 a win, 0 a draw, -1 a loss; the shortest win or the longest loss in plies."""

    result: int
    plies: int | None
    """Plies to the end; None for a draw."""

    def __str__(self) -> str:
        return "D" if self.plies is None else f"{'W' if self.result > 0 else 'L'}{self.plies}"

    @property
    def value(self) -> int:
        """Larger is better: shorter wins, longer losses."""
        return 0 if self.plies is None else self.result * (_LONGER_THAN_ANY - self.plies)

    def before(self) -> "Outcome":
        """The outcome of a turn that leads here, for the side that plays it."""
        return Outcome(-self.result, None if self.plies is None else self.plies + 1)


_SLOTS = 1 << 18
_CLOCK_INTERVAL = 15  # nodes between two looks at the clock, as a mask: each makes up to some hundred turns
_TABLE_ENTRY = np.dtype(
    [("key", np.int64), ("turn", np.int32), ("horizon", np.int8), ("lower", np.int8), ("upper", np.int8)],
    align=True,
)
_LEAST, _MOST = -WON, WON


@jit
def value_below(game, state, tiles, horizon, alpha, beta, table, turns, control):
    """The value of a position that is not over, between alpha and beta or a bound beyond them; 0 where stopped."""
    if is_last_node(control, _CLOCK_INTERVAL):
        return 0
    # Neither side can win before the next turn is played.
    most = won(tiles + 1)
    alpha, beta = max(alpha, -most), min(beta, most)
    if alpha >= beta:
        return alpha
    key = state.tiles0 | state.tiles1 << 16 | state.turned << 32
    slot = np.int64(mix(np.uint64(key)) & np.uint64(len(table) - 1))
    tried = -1
    lower, upper = -most, most
    if table[slot]["key"] == key:
        tried = int(table[slot]["turn"])
        # A win or loss that was found stays one behind any horizon.
        if table[slot]["horizon"] == horizon or table[slot]["lower"] > 0:
            lower = int(table[slot]["lower"])
        if table[slot]["horizon"] == horizon or table[slot]["upper"] < 0:
            upper = int(table[slot]["upper"])
        if lower >= beta or lower == upper:
            return lower
        if upper <= alpha:
            return upper
    player = tiles & 1
    sign = 1 - 2 * player
    count = game.legal_actions(state, player, turns[tiles])
    best, best_turn = -WON, -1
    open_turns = 0
    for k in range(count):
        turn = turns[tiles, k]
        after = game.next_state(state, turn)
        if game.rows(after) != 0 or tiles + 1 == horizon:
            value = most * sign * int(game.returns(after)) if game.rows(after) != 0 else 0
            if value > best:
                best, best_turn = value, turn
            if best == most:
                break
        else:
            turns[tiles, open_turns] = turn
            if turn == tried:
                turns[tiles, open_turns] = turns[tiles, 0]
                turns[tiles, 0] = turn
            open_turns += 1
    if best < most:
        for k in range(open_turns):
            turn = turns[tiles, k]
            low = max(alpha, best)
            if low >= beta:
                break
            after = game.next_state(state, turn)
            value = -value_below(game, after, tiles + 1, horizon, -beta, -low, table, turns, control)
            if control.stop != 0:
                return 0
            if value > best:
                best, best_turn = value, turn
    if tiles + 1 < horizon or best == most:
        entry = table[slot]
        entry["key"] = key
        entry["turn"] = best_turn
        entry["horizon"] = horizon
        entry["lower"] = best if best > alpha else lower
        entry["upper"] = best if best < beta else upper
    return best


class Line(NamedTuple):
    """A turn with its outcome for the side that plays it."""

    action: int
    outcome: Outcome
    exact: bool
    """False where the search did not see to the end: a draw that may turn out otherwise."""


class EndgameSolver:
    """Searches one game's positions; keeps its table from call to call. Threads that share it wait for each other."""

    def __init__(self, game: Any) -> None:
        self.game = game
        self._table = np.zeros(_SLOTS, _TABLE_ENTRY)
        self._table["key"] = -1
        self._turns = np.zeros((SQUARES + 1, game.max_actions), np.int64)
        self._control = new_control()
        self._lock = threading.Lock()

    @property
    def nodes(self) -> int:
        """Positions visited so far."""
        return int(self._control["nodes"])

    def outcome(self, state: Any) -> Outcome:
        """The outcome of the position for the side to move, however long the search takes."""
        over = _outcome_of_end(self.game, state)
        if over is not None:
            return over
        tiles, value = number_of_tiles(state), 0
        with self._lock:
            self._start()
            for horizon in range(tiles + 1, SQUARES + 1):
                value = self._below(state, tiles, horizon, _LEAST, _MOST)
                if _is_seen(value, horizon):
                    break
        return outcome_of(value, tiles)

    def best(
        self, state: Any, seconds: float | None = None, nodes: int | None = None, depth: int | None = None
    ) -> Line:
        """The best turn: the shortest win, the longest loss, or the first that the search does not see lost.

        Within the limits (seconds, positions visited, turns ahead) it looks as far ahead as it can, at least at the next
        turn; without them to the end.
        """
        tiles = number_of_tiles(state)
        started = time.monotonic()
        after_each = [
            (turn, self.game.next_state(state, turn)) for turn in self.game.legal_actions(state, tiles & 1)
        ]
        turns = [(turn, after, _outcome_of_end(self.game, after)) for turn, after in after_each]
        found = Line(turns[0][0], Outcome(0, None), False)
        with self._lock:
            self._start(seconds, nodes)
            for horizon in range(
                tiles + 1, min(SQUARES, SQUARES if depth is None else tiles + max(1, depth)) + 1
            ):
                deeper = self._best_of(tiles, horizon, turns)
                if deeper is None:
                    break
                found = deeper
                if found.exact or (seconds is not None and time.monotonic() - started >= seconds):
                    break
                best = found.action
                turns.sort(key=lambda turn: turn[0] != best)  # the best one first
        return found

    def _best_of(self, tiles: int, horizon: int, turns: list[Any]) -> Line | None:
        """The best of some turns, each with the position after it and, where it is over, the outcome; None where stopped."""
        best, chosen = _LEAST, turns[0][0]
        for action, after, over in turns:
            if over is not None:
                value = -won(tiles + 1) * over.result
            elif horizon == tiles + 1:
                value = 0
            else:
                value = -self._below(after, tiles + 1, horizon, _LEAST, -best)
                if self._control["stop"]:
                    return None
            if value > best:
                best, chosen = value, action
        return Line(chosen, outcome_of(best, tiles), _is_seen(best, horizon))

    def _start(self, seconds: float | None = None, nodes: int | None = None) -> None:
        visited = self.nodes
        self._control = new_control(None if nodes is None else visited + nodes, seconds)
        self._control["nodes"] = visited

    def _below(self, state: Any, tiles: int, horizon: int, alpha: int, beta: int) -> int:
        bounds = horizon, alpha, beta
        return int(
            run(value_below, self.game, state, tiles, *bounds, self._table, self._turns, self._control)
        )


def _outcome_of_end(game: Any, state: Any) -> Outcome | None:
    """The outcome for the side to move where the game is over."""
    if game.players_to_act(state):
        return None
    result = int(game.returns(state)) * (1 if number_of_tiles(state) % 2 == 0 else -1)
    return Outcome(result, 0 if result else None)


def _is_seen(value: int, horizon: int) -> bool:
    """Whether a search to that horizon sees all that the value depends on.

    An end behind the horizon may be known from an earlier, deeper search, but then not yet that none is nearer.
    """
    return horizon == SQUARES or (value != 0 and WON - abs(value) <= horizon)


def outcome_of(value: int, tiles: int = 0) -> Outcome:
    """The outcome at a position with `tiles` tiles, of a value that counts plies from the empty board (0: from the position)."""
    if value == 0:
        return Outcome(0, None)
    return Outcome(1 if value > 0 else -1, WON - abs(value) - tiles)
