"""Players for many games of Simplexity at once, each in a thread of its own; how many there are is bounded."""

import gc
import os
import queue
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .board import Parameters
from .request import Request

if TYPE_CHECKING:
    from ...games.simplexity import Simplexity
    from ...players.base import MakePlayer, Player

_DESKS = 16
"""Players at most: each may have a table of some ten megabytes."""
_AT_ONCE = max(8, 4 * (os.cpu_count() or 1))
"""Searches at the same time: with more, each is too seldom on a core to be in time. The others wait for their turn."""
_BESIDE_COMPILATION, _BESIDE_SEARCH, _BESIDE_SEARCHES = 0.05, 0.005, 0.04  # seconds; the last is the most
_TURN = 0.02  # seconds between looks whether a request that waits is void


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
        self.desk: Desk | None = None


class _PauseOfCollector:
    """No garbage collection while a player is made: with what a compilation leaves it holds all threads for 0.3 s."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._inside = 0

    def __enter__(self) -> None:
        with self._lock:
            self._inside += 1
            gc.disable()

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._inside -= 1
            if not self._inside:
                gc.freeze()
                gc.enable()


_pause_of_collector = _PauseOfCollector()


class Shared:
    """What the players of a program share."""

    def __init__(self, load: "Callable[[], MakePlayer]", warn: Callable[[str], None]) -> None:
        self.load, self.warn = load, warn
        self.places = threading.Semaphore(_AT_ONCE)
        self.warmed: set[Setting] = set()
        """What is compiled or loaded: another player of such a setting is there at once."""


class Desk:
    """A player in its thread: made and warmed once, then asked; who asked may stop waiting at any time."""

    def __init__(self, setting: Setting, shared: Shared) -> None:
        self.setting, self._shared, self._warn, self._places = setting, shared, shared.warn, shared.places
        self.match: Match | None = None
        self.used = 0.0
        self.ready = self.failed = False
        self.waiting = 0
        """Requests that the thread has not done with."""
        self._lock = threading.Lock()
        self._requests: queue.SimpleQueue[tuple[Match, Request] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name=f"player for {setting.parameters}", daemon=True)
        self._thread.start()

    def ask(self, match: Match, request: Request) -> None:
        """Let the player answer."""
        self.used = request.asked
        with self._lock:
            self.waiting += 1
        self._requests.put((match, request))

    def close(self) -> None:
        """Let the thread end when it has done with its requests."""
        self._requests.put(None)

    def ended(self, until: float) -> bool:
        """Whether the thread has ended by then."""
        self._thread.join(max(0.0, until - time.monotonic()))
        return not self._thread.is_alive()

    def _run(self) -> None:
        began = time.monotonic()
        warmed = self.setting in self._shared.warmed
        if not warmed:
            self._warn(f"preparing {self.setting.player} for {self.setting.parameters}")
        try:
            with _pause_of_collector:
                from ...games.simplexity import Simplexity

                parameters = self.setting.parameters
                game = Simplexity(
                    parameters.rows, parameters.cols, parameters.win, parameters.round, parameters.square
                )
                player = self._shared.load()(self.setting.player, game)
                if not warmed:
                    player.warm(game, game.initial_state())
                player.begin(game, 0)
        except Exception as error:
            self.failed = True
            self._warn(f"{self.setting.player} cannot play {self.setting.parameters}, quick moves do: {error}")
            return
        self.ready = True
        if not warmed:
            self._shared.warmed.add(self.setting)
            self._warn(f"ready for {parameters} ({time.monotonic() - began:.1f} s)")
        playing: tuple[Match, int] | None = None
        while (asked := self._requests.get()) is not None:
            match, request = asked
            seat = (match, request.position.mover)
            if self._place_for(request):
                try:
                    if playing != seat:
                        player.begin(game, seat[1])
                        playing = seat
                    self._search(game, player, request)
                    request.report_stopped()
                except Exception as error:
                    self._warn(f"{self.setting.player} failed, a quick move instead: {error}")
                    playing = None
                finally:
                    self._places.release()
            request.answer_quickly()
            with self._lock:
                self.waiting -= 1
        player.close()

    def _place_for(self, request: Request) -> bool:
        """Wait for one of the places there are for searches, as long as it is worth it."""
        while request.worth_searching:
            if self._places.acquire(timeout=_TURN):
                if request.worth_searching:
                    return True
                self._places.release()
        return False

    def _search(self, game: "Simplexity", player: "Player", request: Request) -> None:
        from ...algorithms import SearchResult, StopToken
        from ...players.base import Answer
        from ...players.clock import Clock
        from ...players.searching import SearchPlayer

        if isinstance(player, SearchPlayer):
            player.stop = StopToken()
            request.cancels(player.stop)
        state = game.from_text(request.board)
        seconds = max(0.0, request.search_until - time.monotonic())
        action, found, *_ = Answer.of(player.choose(state, Clock(seconds, seconds, seconds)))
        move = (action >> 1, action & 1)
        if move not in request.position.moves():
            raise ValueError(f"the move {move} is not legal")
        request.answer(move, f"depth {found.depth} value {found.value:+.3f}" if isinstance(found, SearchResult) else "")


class Desks:
    """The players there are; a match takes one when it has a move to make, from the match that waited longest if need be.

    `load` gives what makes players; it is called in other threads, since its imports take long.
    """

    def __init__(self, load: "Callable[[], MakePlayer]", warn: Callable[[str], None]) -> None:
        self._shared = Shared(load, warn)
        self._lock = threading.Lock()
        self._desks: list[Desk] = []
        threading.Thread(target=self._import, name="imports", daemon=True).start()

    def _import(self) -> None:
        with _pause_of_collector:
            self._shared.load()

    @property
    def reserve(self) -> float:
        """Seconds to hold back besides the usual: a compilation and every search beside it may delay an answer."""
        with self._lock:
            compiling = any(not (desk.ready or desk.failed) for desk in self._desks)
            thinking = sum(desk.waiting > 0 for desk in self._desks)
        return _BESIDE_COMPILATION * compiling + min(_BESIDE_SEARCHES, _BESIDE_SEARCH * thinking)

    def prepare(self, setting: Setting) -> None:
        """Have a player for that setting made, in case it is wanted."""
        with self._lock:
            if all(desk.setting != setting for desk in self._desks):
                self._add(setting)

    def for_match(self, match: Match) -> Desk | None:
        """The match's player, kept or new; None where all there may be are thinking for others."""
        with self._lock:
            desk = match.desk
            if desk is not None:
                return desk
            alike = [desk for desk in self._desks if desk.setting == match.setting]
            idle = [desk for desk in alike if not desk.waiting]
            desk = next((desk for desk in idle if desk.match is None), None) or self._add(match.setting)
            if desk is None and idle:
                desk = min(idle, key=lambda desk: desk.used)
            if desk is not None:
                if desk.match is not None:
                    desk.match.desk = None
                desk.match, match.desk = match, desk
                desk.used = time.monotonic()
            return desk

    def release(self, match: Match) -> None:
        """The match is over, as far as anybody knows."""
        with self._lock:
            if match.desk is not None:
                match.desk.match = match.desk = None

    def close(self, until: float) -> bool:
        """Let all threads end; False if one is still at work then."""
        with self._lock:
            for desk in self._desks:
                desk.close()
            return all(desk.ended(until) for desk in self._desks)

    def _add(self, setting: Setting) -> Desk | None:
        """A new desk, in the place of one that nobody needs if there are many."""
        if len(self._desks) >= _DESKS:
            spare = [desk for desk in self._desks if not desk.waiting and desk.setting != setting and desk.ready]
            spare += [desk for desk in self._desks if desk.failed and desk.setting != setting]
            if not spare:
                return None
            oldest = min(spare, key=lambda desk: (desk.match is not None, desk.used))
            if oldest.match is not None:
                oldest.match.desk = oldest.match = None
            oldest.close()
            self._desks.remove(oldest)
        desk = Desk(setting, self._shared)
        self._desks.append(desk)
        return desk
