"""Exact values and best first moves of games in turn without chance, without keeping every position.

Searches to the end of the game report proven bounds of the value while they run.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple

from ..algorithms import (
    Algorithm,
    Limits,
    Memory,
    PrincipalVariation,
    ProofNumber,
    Searcher,
    SearchResult,
    StopToken,
    UnsupportedGameError,
)
from ..algorithms.limits import watched
from ..algorithms.turns.chance_nodes import ResultValue
from ..algorithms.turns.principal_variation_kernel import search_from
from ..compiled import run
from ..game.base import NO_ACTION, TERMINAL, Game
from ..system.text import value_text

_STEP = 2.0**-40


def least_step(game: Game) -> float:
    """Less than two results of the game differ by; far above the width of a null window."""
    return _STEP * max(abs(game.min_utility), abs(game.max_utility), 1e-30)


def _nobody(low: float, high: float) -> None:
    pass


@dataclass(frozen=True)
class AlphaBetaToTheEnd(PrincipalVariation):
    """Alpha-beta by null windows alone, each to the end of the game: MTD(f) (Plaat et al., Artificial Intelligence 87, 1996).

    Each window asks whether the value reaches a number, and its answer is a bound that stays true: `on_bounds(low, high)` is called.
    With a `target` that is the one question. All of them share the table.
    """

    discount: float = 0.0
    target: float | None = field(default=None, repr=False)
    on_bounds: Callable[[float, float], None] = field(default=_nobody, repr=False, compare=False)

    name: ClassVar[str] = "alpha_beta"

    def check(self, game: Game) -> None:
        super().check(game)
        if game.has_chance:
            raise UnsupportedGameError(
                f"{self.name} solves games without chance; {type(game).__name__} has chance nodes"
            )

    def depths(self, wanted: int, deepen: bool) -> tuple[int, ...]:
        return (wanted,)

    def iterate(self, game: Any, state: Any, depth: int, ws: Any, memory: Memory) -> float:
        self.set_up(game, state, ws)
        table, step, values = self.table_in(memory), least_step(game), ResultValue(self.leaf)
        low, high = float(game.min_utility), float(game.max_utility)
        wanted = (low + high) / 2.0 if self.target is None else self.target
        while low < high and low < wanted <= high:
            edge = wanted - float(ws["grain"])
            value = run(search_from, game, values, None, None, state, depth, 0, edge, wanted, ws, table)
            if ws["stop"]:
                break
            if not ws["proven"]:
                raise UnsupportedGameError(
                    f"{self.name} looks {depth} moves ahead at most, and the game may last longer"
                )
            if value >= wanted - float(ws["noise"]):
                low = max(low, value)
                wanted = low + step
            else:
                high = max(low, min(high, value))
                wanted = high
            if high - low < step:
                high = low
            self.on_bounds(low, high)
            if self.target is not None:
                ws["estimates"] += low < high
                break
        return low


@dataclass(frozen=True)
class ProofToTheEnd(ProofNumber):
    """Proof-number search that reports the proven bounds of the value after each of its questions."""

    target: float | None = field(default=None, repr=False)
    on_bounds: Callable[[float, float], None] = field(default=_nobody, repr=False, compare=False)

    name: ClassVar[str] = "proof_number"

    def _ask(self, game: Any, state: Any, target: float, ws: Any, table: Any) -> None:
        super()._ask(game, state, target, ws, table)
        self.on_bounds(float(ws["floor"]), float(ws["ceiling"]))


# One position of a game in turn: its value, proven, and the moves that keep it.

METHODS = ("alpha_beta", "proof_number")


class TurnValue(NamedTuple):
    """The proven bounds of a position's value, and its best moves."""

    low: float
    """Player 0 gets at least that much."""
    high: float
    """Player 0 gets at most that much."""
    moves: tuple[int, ...]
    """Actions after which the value is the same: best first moves; none where the value is not proven, or the game is over."""
    all_moves: bool
    """Whether these are all of them."""
    nodes: int
    seconds: float

    @property
    def exact(self) -> bool:
        """Whether the value is proven: the bounds meet."""
        return self.low == self.high


def bounds_in_words(game: Game, low: float, high: float) -> str:
    """Between which bounds a value is proven to lie; a bound next to an end of the range is that end, left out."""
    worst, best = float(game.min_utility), float(game.max_utility)
    near = 1e-9 * max(abs(worst), abs(best))
    if low == high:
        return value_text(low, "+.9g")
    above, below = f"at least {value_text(low, '+.9g')}", f"at most {value_text(high, '+.9g')}"
    if worst < low < worst + near:
        above = f"above {value_text(worst, '+.9g')}"
    if best - near < high < best:
        below = f"below {value_text(best, '+.9g')}"
    known = [text for text, is_known in ((above, low > worst), (below, high < best)) if is_known]
    return " and ".join(known) or "not known"


class TurnSearch:
    """Searches one position of a game in turn to the end of the game.

    `method` is one of `METHODS`: "alpha_beta" proves any value by null windows, "proof_number" whether player 0 wins and whether it
    loses, which is the value where results are but the best, the worst and the one between. The table of `megabytes` is fixed;
    positions are distinguished by a hash of 64 bits. Raises UnsupportedGameError for games that are not in turn, or have chance.
    """

    def __init__(self, game: Game, method: str = "alpha_beta", megabytes: float = 256) -> None:
        if method not in METHODS:
            raise ValueError(f"method must be {' or '.join(METHODS)}, not {method!r}")
        self.game, self.method, self.megabytes = game, method, megabytes
        self.low, self.high = float(game.min_utility), float(game.max_utility)
        """The proven bounds so far; any thread may read them."""
        self._memory, self._searched = Memory(), 0
        self._searcher = self._running = Searcher(
            game, self._algorithm(None, self._note_bounds), memory=self._memory
        )

    @property
    def nodes(self) -> int:
        """Positions visited so far, for the last position that was asked for."""
        return self._searched + self._running.counters().nodes

    @property
    def known(self) -> str:
        """The proven bounds so far, in words."""
        return f"the value for player 0 is {bounds_in_words(self.game, self.low, self.high)}"

    def solve(
        self,
        state: Any,
        *,
        all_moves: bool = False,
        seconds: float | None = None,
        on_wait: Callable[[int], None] = lambda nodes: None,
    ) -> TurnValue:
        """Value and best first move of a position, as far as `seconds` allow; all best first moves with `all_moves`.

        `on_wait` is called ten times a second with the positions visited. An interruption (Ctrl-C) goes through at once, and
        leaves what is proven in `low` and `high`.
        """
        game = self.game
        self.low, self.high = float(game.min_utility), float(game.max_utility)
        if game.current_player(state) == TERMINAL:
            self.low = self.high = float(game.returns(state))
            return TurnValue(self.low, self.high, (), True, 0, 0.0)
        _search(
            self._searcher, state, Limits(nodes=1), lambda: None
        )  # compiles, so that no clock runs while that goes on
        started = time.perf_counter()

        def ask(searcher: Searcher, position: Any) -> SearchResult | None:
            left = None if seconds is None else started + seconds - time.perf_counter()
            if left is not None and left <= 0:
                return None
            return _search(searcher, position, Limits(seconds=left), lambda: on_wait(self.nodes))

        self._running, self._searched = self._searcher, 0
        result = ask(self._searcher, state)
        if result is not None and result.exact:
            self.low, self.high = result.bounds
        moves: tuple[int, ...] = ()
        whole = False
        if result is not None and self.low == self.high:
            player = game.current_player(state)
            legal = tuple(game.legal_actions(state, player))
            whole = self.low == (game.min_utility if player == 0 else game.max_utility) or len(legal) == 1
            moves = legal if whole else (result.best_action(player),)  # of a lost position all moves are best
            if all_moves and not whole:
                moves, whole = self._all_moves(state, player, moves[0], ask)
        return TurnValue(self.low, self.high, moves, whole, self.nodes, time.perf_counter() - started)

    def _all_moves(
        self, state: Any, player: int, first: int, ask: Callable[[Searcher, Any], SearchResult | None]
    ) -> tuple[tuple[int, ...], bool]:
        """Ask of every other move whether it keeps the value."""
        game, value = self.game, self.low
        target = value if player == 0 else value + 2 * least_step(game)
        kept: list[int] = []
        for action in game.legal_actions(state, player):
            after = game.advance(state, *((action, NO_ACTION) if player == 0 else (NO_ACTION, action)))
            if action == first:
                kept.append(action)
            elif game.current_player(after) == TERMINAL:
                kept += [action] if game.returns(after) == value else []
            else:
                found = [float(game.min_utility), float(game.max_utility)]

                def on_bounds(low: float, high: float, found: list[float] = found) -> None:
                    found[:] = low, high

                self._searched += self._running.counters().nodes
                self._running = Searcher(game, self._algorithm(target, on_bounds), memory=self._memory)
                ask(self._running, after)
                if found[0] < target <= found[1]:  # not known
                    return tuple(dict.fromkeys((*kept, first))), False
                if (found[0] >= target) == (player == 0):
                    kept.append(action)
        return tuple(kept), True

    def _algorithm(self, target: float | None, on_bounds: Callable[[float, float], None]) -> Algorithm:
        return (AlphaBetaToTheEnd if self.method == "alpha_beta" else ProofToTheEnd)(
            megabytes=self.megabytes, target=target, on_bounds=on_bounds
        )

    def _note_bounds(self, low: float, high: float) -> None:
        self.low, self.high = low, high


def _search(searcher: Searcher, state: Any, limits: Limits, look: Callable[[], None]) -> SearchResult:
    stop = StopToken()
    return watched(
        lambda: searcher.search(state, limits, stop=stop, deepen=False, variation=False), stop, look
    )
