"""Players that are made once and kept from use to use: whoever plays or answers takes one, and gives it back."""

import threading
from collections.abc import Callable, Generator, Hashable
from contextlib import contextmanager
from typing import Generic, TypeVar

from ..players.base import Player

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
        """How many are kept that nobody uses."""
        return len(self._idle)

    @contextmanager
    def use(self, key: KeyT) -> Generator[Player]:
        """One that nobody else uses, made where none is kept. It is closed where what is done with it fails."""
        player = self._take(key)
        try:
            yield player
        except BaseException:
            self._give_back(key, player, is_kept=False)
            raise
        self._give_back(key, player)

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

    def _give_back(self, key: KeyT, player: Player, is_kept: bool = True) -> None:
        ended: list[Player] = []
        with self._lock:
            if player not in self._used:  # it was closed meanwhile
                return
            self._used.remove(player)
            if is_kept and not self._closed:
                self._idle.append((key, player))
                if len(self._idle) > self._most:
                    ended.append(self._idle.pop(0)[1])
            else:
                ended.append(player)
        for one in ended:
            one.close()
