"""Players for many games of Simplexity at once, each in a thread of its own."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ....play.pool import PlayerPool, PooledGame, PooledPlayer
from ....play.timely import LoadMaker
from .board import Parameters
from .request import ThinkRequest

if TYPE_CHECKING:
    from .request import Found

_NEW_GAME = (None, 0)
"""White's, begun before anybody's match is known: no time of its first move goes into that."""


@dataclass(frozen=True)
class MatchSetting:
    """What a player is made for."""

    parameters: Parameters
    player: str


class Match(PooledGame[MatchSetting]):
    """A match of the framework, known by its GID."""

    def __init__(self, setting: MatchSetting, budget: float | None = None) -> None:
        super().__init__(setting)
        self.budget = budget
        self.request: ThinkRequest | None = None


class MatchPlayer(PooledPlayer[MatchSetting]):
    """The player of a setting; `match` is the one it plays in."""

    def failed_to(self, prepare: bool, error: Exception) -> None:
        if prepare:
            self.pool.warn(f"{self.setting.player} cannot play {self.setting.parameters}, quick moves do: {error}")
        else:
            self._playing = None
            self.pool.warn(f"{self.setting.player} failed, a quick move instead: {error}")

    def made(self) -> tuple[Callable[[ThinkRequest], "Found"], Callable[[], None]]:
        began, warn, warmed = time.monotonic(), self.pool.warn, self.setting in self.pool.warmed
        given = self.setting.parameters
        if not warmed:
            warn(f"preparing {self.setting.player} for {given}")
        from ....algorithms.result import SearchResult
        from ....players.clock import Clock
        from .. import Simplexity

        game = Simplexity(given.rows, given.cols, given.win, given.round, given.square)
        player = self.pool.load()(self.setting.player, game)
        if not warmed:
            player.warm(game, game.initial_state())
        player.begin(game, 0)
        self._playing: tuple[object, int] | None = _NEW_GAME
        if not warmed:
            self.pool.warmed.add(self.setting)
            warn(f"ready for {given} ({time.monotonic() - began:.1f} s)")

        def think(request: ThinkRequest) -> "Found":
            seat = (request.match, request.position.mover)
            if self._playing != seat and not (self._playing == _NEW_GAME and seat[1] == 0):
                player.begin(game, seat[1])
            self._playing = seat
            seconds = max(0.0, request.search_until - time.monotonic())
            answer = request.put_to(player, game.from_text(request.board), Clock(seconds, seconds, seconds))
            request.report_stopped()
            move = (answer.action >> 1, answer.action & 1)
            if move not in request.position.moves():
                raise ValueError(f"the move {move} is not legal")
            return move, answer.findings if isinstance(answer.findings, SearchResult) else None

        return think, player.close


class SimplexityPlayers(PlayerPool[MatchSetting]):
    """The players there are."""

    def __init__(self, load: LoadMaker, warn: Callable[[str], None]) -> None:
        super().__init__(MatchPlayer, load, warn)
