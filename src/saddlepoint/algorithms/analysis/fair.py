"""Searches that favour neither player: one in which a player commits first is made both ways, and the mean is taken."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from ...game import TERMINAL, Game
from ..algorithm import Algorithm, Memory
from ..limits import Limits, StopToken
from ..result import SearchResult
from ..searcher import Searcher
from ..simultaneous.serialised_alpha_beta import SerialisedAlphaBeta


class MeanValue(NamedTuple):
    """What a position is worth. Values are player 0's, in units of the game."""

    value: float
    bounds: tuple[float, float]
    """The values when player 0 commits first, and when player 1 does, both to `depth`; the same where nobody does."""
    depth: int
    exact: bool
    """Whether it is proven."""
    complete: bool
    nodes: int
    best: tuple[dict[int, float], dict[int, float]]
    """Each player's strategy where it is the one that commits first."""


class MeanSearcher:
    """Searches of the same positions, of which the mean is taken: one, or one for each player that commits first."""

    def __init__(self, game: Game, algorithms: Sequence[Algorithm], memory: Memory | None = None) -> None:
        memory = memory if memory is not None else Memory()
        self._searchers = [Searcher(game, one, memory=memory) for one in algorithms]
        self.nodes = 0  # of all searches so far

    @property
    def ended(self) -> bool:
        """Whether the last search's value rests on ended games alone: no deeper one finds another."""
        return all(one.ended for one in self._searchers)

    def search(self, state: Any, limits: Limits, *, stop: StopToken | None = None, deepen: bool | None = None) -> MeanValue:
        """As `Searcher.search`; two searches share the limits of nodes and seconds."""
        own = limits.times(1 / len(self._searchers))
        found: list[SearchResult] = []
        for searcher in self._searchers:
            found.append(searcher.search(state, own, stop=stop, deepen=deepen, variation=False))
            if found[-1].exact and found[-1].depth > 0:
                break
        nodes = sum(one.statistics.nodes for one in found)
        self.nodes += nodes
        first, last = found[0], found[-1]
        depth = min(one.depth for one in found)
        exact = last.exact or first.bounds[0] == last.bounds[1]
        values = (last.value, last.value) if last.exact else (_value_at(first, depth, exact), _value_at(last, depth, exact))
        return MeanValue(
            sum(values) / 2, values, depth, exact, all(one.complete for one in found), nodes,
            (first.strategies[0], last.strategies[1]),
        )  # fmt: skip

    def variation(
        self, state: Any, depth: int, stop: StopToken | None = None, seconds: float | None = None
    ) -> tuple[tuple[int, int], ...]:
        """What follows in a position that was searched to this depth; the table knows most of it. Nothing where that takes longer."""
        if depth < 1 or self._searchers[0].game.current_player(state) == TERMINAL:
            return ()
        found = self._searchers[0].search(state, Limits(depth, seconds=seconds), stop=stop, deepen=False)
        return found.principal_variation if seconds is None or found.complete else ()


def _value_at(found: SearchResult, depth: int, exact: bool) -> float:
    """What a search found to a depth, which may be one before its last; what is proven has no depth."""
    return found.value if exact else next((one.value for one in found.iterations if one.depth == depth), found.value)


def fair_searcher(game: Game, algorithm: Algorithm) -> MeanSearcher:
    """A search of positions that favours neither player."""
    is_serialised = isinstance(algorithm, SerialisedAlphaBeta) and not game.turn_based
    return MeanSearcher(game, [replace(algorithm, first=player) for player in (0, 1)] if is_serialised else [algorithm])
