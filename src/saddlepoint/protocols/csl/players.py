"""Players for many games of Simplexity at once, each in a thread of its own; how many there are is bounded."""

import os
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...play.timely import LoadMaker, Thinker, pause_of_collector
from .board import Parameters
from .request import Request

if TYPE_CHECKING:
    from .request import Found

_MOST_PLAYERS = 16
"""Each may have a table of some ten megabytes."""
_AT_ONCE = max(8, 4 * (os.cpu_count() or 1))
"""Searches at the same time: with more, each is too seldom on a core to be in time. The others wait for their turn."""
_NEW_GAME = (None, 0)
"""White's, begun before anybody's match is known: no time of its first move goes into that."""
_BESIDE_COMPILATION, _BESIDE_SEARCH, _BESIDE_SEARCHES = 0.05, 0.005, 0.04  # seconds; the last is the most


@dataclass(frozen=True)
class Setting:
    """What a player is made for."""

    parameters: Parameters
    player: str


class Match:
    """A match of the framework, known by its GID; its player remembers what it found from move to move."""

    def __init__(self, setting: Setting, budget: float | None = None) -> None:
        self.setting = setting
        self.budget = budget
        self.request: Request | None = None
        self.player: MatchPlayer | None = None


class MatchPlayer(Thinker):
    """The player of a setting; `match` is the one it plays in."""

    def __init__(self, setting: Setting, pool: "Players") -> None:
        self.setting, self._pool = setting, pool
        self.match: Match | None = None
        self.used = 0.0
        super().__init__(self._prepared, self._failed, pool.places)

    def ask(self, question: Request) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]
        self.used = question.asked
        super().ask(question)

    def _failed(self, preparing: bool, error: Exception) -> None:
        if preparing:
            self._pool.warn(f"{self.setting.player} cannot play {self.setting.parameters}, quick moves do: {error}")
        else:
            self._playing = None
            self._pool.warn(f"{self.setting.player} failed, a quick move instead: {error}")

    def _prepared(self) -> tuple[Callable[[Request], "Found"], Callable[[], None]]:
        began, warn, warmed = time.monotonic(), self._pool.warn, self.setting in self._pool.warmed
        given = self.setting.parameters
        if not warmed:
            warn(f"preparing {self.setting.player} for {given}")
        from ...algorithms.result import SearchResult
        from ...games.simplexity import Simplexity
        from ...players.clock import Clock
        from ...players.needs import Need

        game = Simplexity(given.rows, given.cols, given.win, given.round, given.square)
        player = self._pool.load()(self.setting.player, game)
        if not warmed:
            with Need(game, self.setting.player).compiling():
                player.warm(game, game.initial_state())
        player.begin(game, 0)
        self._playing: tuple[object, int] | None = _NEW_GAME
        if not warmed:
            self._pool.warmed.add(self.setting)
            warn(f"ready for {given} ({time.monotonic() - began:.1f} s)")

        def think(request: Request) -> "Found":
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


class Players:
    """The players there are; a match takes one when it has a move to make, from the match that waited longest if need be."""

    def __init__(self, load: LoadMaker, warn: Callable[[str], None]) -> None:
        self.load, self.warn = load, warn
        self.places = threading.Semaphore(_AT_ONCE)
        self.warmed: set[Setting] = set()
        """What is compiled or loaded: another player of such a setting is there at once."""
        self._lock = threading.Lock()
        self._players: list[MatchPlayer] = []
        threading.Thread(target=self._import, name="imports", daemon=True).start()

    def _import(self) -> None:
        with pause_of_collector():
            self.load()

    @property
    def reserve(self) -> float:
        """Seconds to hold back besides the usual: a compilation and every search beside it may delay an answer."""
        with self._lock:
            compiling = any(not (player.ready or player.failed) for player in self._players)
            thinking = sum(player.waiting > 0 for player in self._players)
        return _BESIDE_COMPILATION * compiling + min(_BESIDE_SEARCHES, _BESIDE_SEARCH * thinking)

    def prepare(self, setting: Setting, least: int = 1) -> MatchPlayer | None:
        """Have players for that setting made, so many at least and one that no match has yet, if there may be more.

        The one that will be ready last; None where there is none.
        """
        with self._lock:
            alike = [player for player in self._players if player.setting == setting]
            while len(alike) < least or all(player.match is not None for player in alike):
                made = self._add(setting) if not alike or len(self._players) < _MOST_PLAYERS else None
                if made is None:
                    break
                alike.append(made)
            return next((player for player in alike if not player.prepared.is_set()), None) or next(iter(alike), None)

    def for_match(self, match: Match) -> MatchPlayer | None:
        """The match's player, kept or new; None where all there may be are thinking for others."""
        with self._lock:
            player = match.player
            if player is not None:
                return player
            alike = [player for player in self._players if player.setting == match.setting]
            idle = [player for player in alike if not player.waiting]
            player = next((player for player in idle if player.match is None), None) or self._add(match.setting)
            if player is None and idle:
                player = min(idle, key=lambda player: player.used)
            if player is not None:
                if player.match is not None:
                    player.match.player = None
                player.match, match.player = match, player
                player.used = time.monotonic()
            return player

    def release(self, match: Match) -> None:
        """The match is over, as far as anybody knows."""
        with self._lock:
            if match.player is not None:
                match.player.match = match.player = None

    def close(self, until: float) -> bool:
        """Let all threads end; False if one is still at work then."""
        with self._lock:
            for player in self._players:
                player.close()
            return all(player.ended(until) for player in self._players)

    def _add(self, setting: Setting) -> MatchPlayer | None:
        """A new player, in the place of one that nobody needs if there are many."""
        if len(self._players) >= _MOST_PLAYERS:
            spare = [player for player in self._players if not player.waiting and player.setting != setting and player.ready]
            spare += [player for player in self._players if player.failed and player.setting != setting]
            if not spare:
                return None
            oldest = min(spare, key=lambda player: (player.match is not None, player.used))
            if oldest.match is not None:
                oldest.match.player = oldest.match = None
            oldest.close()
            self._players.remove(oldest)
        player = MatchPlayer(setting, self)
        self._players.append(player)
        return player
