"""A search to the end of the game before the player's own: what it proves is played."""

from typing import Any

from ..algorithms.algorithm import Algorithm, Memory
from ..algorithms.limits import Limits
from ..algorithms.result import SearchResult
from ..algorithms.searcher import Searcher
from ..game import Game
from .base import Answer
from .clock import Clock
from .searching import EndgamePlan, SearchPlayer, mixture_of

_SHARE = 0.25


class ExactEnd(EndgamePlan):
    """Searches deeper and deeper for a part of a move's time, or nodes; a value that is proven decides the move, and else nothing does.

    For players whose own search samples: that one finds its way where the end is far, and does not know when it has proven something.
    """

    share = _SHARE

    def __init__(self, algorithm: Algorithm) -> None:
        self._algorithm = algorithm
        self._searchers: dict[Game, Searcher] = {}

    def begin(self, searching: SearchPlayer) -> None:
        self._searcher(searching.game).memory.clear()

    def warm(self, game: Game, state: Any) -> None:
        self._searcher(game).search(state, Limits(depth=1), variation=False)

    def choose(self, searching: SearchPlayer, state: Any, clock: Clock) -> Answer | None:
        if len(searching.game.search_actions(state, searching.player)) == 1:
            return None
        result = self._proven(searching, state, searching.seconds(searching.allowance(clock).hard))
        return None if result is None else Answer(searching.chosen(result), result)

    def mixture(self, searching: SearchPlayer, state: Any) -> dict[int, float] | None:
        self.begin(searching)
        result = self._proven(searching, state, searching.limits.seconds)
        return None if result is None else mixture_of(result, searching.player, searching.choice)

    def _searcher(self, game: Game) -> Searcher:
        if game not in self._searchers:
            self._searchers[game] = Searcher(game, self._algorithm, memory=Memory())
        return self._searchers[game]

    def _proven(self, searching: SearchPlayer, state: Any, seconds: float | None) -> SearchResult | None:
        """What a search finds whose value is the whole game's; None where it proves nothing."""
        limits = Limits(searching.limits.depth, searching.limits.nodes, seconds).times(self.share)
        result = self._searcher(searching.game).search(state, limits, stop=searching.stop, variation=False)
        return result if result.exact and result.strategies[searching.player] else None
