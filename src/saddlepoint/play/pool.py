"""Players that are made once and kept from use to use: whoever plays or answers takes one, and gives it back."""

import os
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Hashable
from contextlib import contextmanager
from typing import Any, Generic, TypeVar

from ..players.base import Player
from .timely import LoadMaker, PlayerThread, Question

KeyT = TypeVar("KeyT", bound=Hashable)


class KeptPlayers(Generic[KeyT]):
    """Players by what they are made of, each used by one at a time; they may be asked for in any thread.

    Besides those in use there are `most` at most: the one that was unused longest is closed first.
    """

    def __init__(self, make: Callable[[KeyT], Player], most: int) -> None:
        self._make, self._most = make, most
        self._lock = threading.RLock()  # whom a signal lets close them may hold it
        self._idle: list[tuple[KeyT, Player]] = []
        self._used: list[Player] = []
        self._closed = False

    def __len__(self) -> int:
        """The number of kept players that are not in use."""
        return len(self._idle)

    @contextmanager
    def use(self, key: KeyT) -> Generator[Player]:
        """One that nobody else uses, made where none is kept. It is closed where what is done with it fails."""
        player, is_kept = self._take(key), False
        try:
            yield player
            is_kept = True
        finally:
            self._give_back(key, player, is_kept)

    def close(self, at_once: bool = False) -> None:
        """Close them all; those in use when they are given back, but with `at_once` now."""
        with self._lock:
            self._closed = True
            ended = [player for _, player in self._idle]
            self._idle.clear()
            if at_once:
                ended += self._used
                self._used.clear()
        for player in ended:
            player.close()

    def _take(self, key: KeyT) -> Player:
        with self._lock:
            place = max((place for place, (other, _) in enumerate(self._idle) if other == key), default=None)
            if place is not None:
                self._used.append(self._idle.pop(place)[1])
                return self._used[-1]
        player = self._make(key)
        with self._lock:
            self._used.append(player)
        return player

    def _give_back(self, key: KeyT, player: Player, is_kept: bool) -> None:
        ended = player
        with self._lock:
            if player not in self._used:  # it was closed meanwhile
                return
            self._used.remove(player)
            if is_kept and not self._closed:
                self._idle.append((key, player))
                if len(self._idle) <= self._most:
                    return
                ended = self._idle.pop(0)[1]
        ended.close()


# Players for many games at once, each in a thread of its own; how many there are is bounded.

MOST_PLAYERS = 16
"""Each may have a table of some ten megabytes."""
_BESIDE_COMPILATION, _BESIDE_SEARCH, _BESIDE_SEARCHES = 0.05, 0.005, 0.04  # seconds; the last is the most

SettingT = TypeVar("SettingT", bound=Hashable)


class PooledPlayer(PlayerThread, ABC, Generic[SettingT]):
    """The player of a setting; `match` is the game it plays in, and remembers what it found from move to move."""

    def __init__(self, setting: SettingT, pool: "PlayerPool[SettingT]") -> None:
        self.setting, self.pool = setting, pool
        self.match: object = None
        self.used = 0.0
        super().__init__(self.made, self.failed_to, pool.places)

    @abstractmethod
    def made(self) -> tuple[Callable[[Any], Any], Callable[[], None]]:
        """(the object that chooses, a function that ends the player); called in the player's thread."""

    @abstractmethod
    def failed_to(self, prepare: bool, error: Exception) -> None:
        """An exception, met while preparing or while thinking."""

    def ask(self, question: Question) -> None:
        self.used = question.asked
        super().ask(question)


class PlayerPool(Generic[SettingT]):
    """The players there are; a game takes one when it has a move to make, from the game that waited longest if need be."""

    at_once = max(8, 4 * (os.cpu_count() or 1))
    """Searches at the same time: with more, each is too seldom on a core to be in time. The others wait for their turn."""

    def __init__(
        self,
        make: Callable[[SettingT, "PlayerPool[SettingT]"], PooledPlayer[SettingT]],
        load: LoadMaker,
        warn: Callable[[str], None],
        *,
        kept: float = 0.0,
        made_at_once: int = MOST_PLAYERS,
    ) -> None:
        """A game that asked nothing for `kept` seconds may lose its player to another; `made_at_once` of a setting are made at a time."""
        self.load, self.warn, self._make = load, warn, make
        self._kept, self._made_at_once = kept, made_at_once
        self.places = threading.Semaphore(self.at_once)
        self.refusal = ""
        """Why no player can be made: nobody knows its name or an option. Empty while none was refused."""
        self.warmed: set[Hashable] = set()
        """The settings that are compiled or loaded: another player of one of them is made at once."""
        self.lock = threading.Lock()
        """Held while a game gets or loses a player."""
        self._players: list[PooledPlayer[SettingT]] = []
        threading.Thread(target=self.load, name="imports", daemon=True).start()

    @property
    def thinking(self) -> int:
        """The number of players with a question."""
        with self.lock:
            return sum(player.waiting > 0 for player in self._players)

    @property
    def compiling(self) -> bool:
        """Whether a player is being made."""
        with self.lock:
            return any(not (player.ready or player.failed) for player in self._players)

    @property
    def reserve(self) -> float:
        """Seconds to hold back besides the usual: a compilation and every search beside it may delay an answer."""
        return _BESIDE_COMPILATION * self.compiling + min(_BESIDE_SEARCHES, _BESIDE_SEARCH * self.thinking)

    def prepare(self, setting: SettingT, least: int = 1) -> PooledPlayer[SettingT] | None:
        """Have players for that setting made, `least` of them and one that no game has yet, if there may be more.

        The one that will be ready last; None where there is none.
        """
        with self.lock:
            alike = [player for player in self._players if player.setting == setting]
            while len(alike) < least or all(player.match is not None for player in alike):
                made = self._add(setting) if not alike or len(self._players) < MOST_PLAYERS else None
                if made is None:
                    break
                alike.append(made)
            return next((player for player in alike if not player.prepared.is_set()), None) or next(
                iter(alike), None
            )

    def for_match(
        self, match: object, setting: SettingT, *, may_make: bool = True, may_take: bool = True
    ) -> PooledPlayer[SettingT] | None:
        """The game's player: kept, spare, new if one may be made, or if it may be taken that of a game that asks nothing; else None."""
        with self.lock:
            player = self._of(match)
            if player is not None:
                return player
            alike = [player for player in self._players if player.setting == setting]
            idle = [player for player in alike if not player.waiting]
            player = next((player for player in idle if player.match is None), None)
            being_made = sum(not (player.ready or player.failed) for player in alike)
            if player is None and may_make and being_made < self._made_at_once:
                player = self._add(setting)
            left = [player for player in idle if time.monotonic() - player.used >= self._kept]
            if player is None and left and may_take:
                player = min(left, key=lambda player: player.used)
            if player is not None:
                player.match, player.used = match, time.monotonic()
            return player

    def release(self, match: object) -> None:
        """The game is over, as far as anybody knows."""
        with self.lock:
            player = self._of(match)
            if player is not None:
                player.match = None

    def close(self, until: float) -> bool:
        """Let all threads end; False if one is still at work then."""
        with self.lock:
            for player in self._players:
                player.close()
            return all(player.ended(until) for player in self._players)

    def _of(self, match: object) -> PooledPlayer[SettingT] | None:
        return next((player for player in self._players if player.match is match), None)

    def _add(self, setting: SettingT) -> PooledPlayer[SettingT] | None:
        """A new player, in the place of one that nobody needs if there are many."""
        if len(self._players) >= MOST_PLAYERS:
            spare = [
                player
                for player in self._players
                if not player.waiting and player.setting != setting and player.ready
            ]
            spare += [player for player in self._players if player.failed and player.setting != setting]
            if not spare:
                return None
            oldest = min(spare, key=lambda player: (player.match is not None, player.used))
            oldest.match = None
            oldest.close()
            self._players.remove(oldest)
        player = self._make(setting, self)
        self._players.append(player)
        return player
