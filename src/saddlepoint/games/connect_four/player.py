"""The plan of Connect Four's best player: it proves that the searched column keeps the result, or finds one that does."""

import time
from dataclasses import replace
from typing import Any

from ... import (
    Limits,
    SearchResult,
)
from ..interface import (
    Answer,
    Clock,
    EndgamePlan,
    Game,
    Line,
    SearchPlayer,
    popcount,
)
from .game import ConnectFour
from .proofs import ProofSearch, Proven

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
        found = searching.search(state, Limits(limits.depth, _part(nodes), _part(seconds)))
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


def _part(limit: Any) -> Any:
    return None if limit is None else type(limit)(limit * _SEARCHED)


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
