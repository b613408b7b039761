"""The games that a server of ours plays: what it remembers of each, which a restart may forget."""

import time
from collections import Counter, OrderedDict
from collections.abc import Callable

from ....play.pool import PlayerPool, PooledGame
from .crowd import Setting
from .seen import Seen
from .timing import Machine, Way

_MOST = 500
_OLD, _QUIET = 900.0, 60.0  # seconds without a question
_NAMES = 60  # characters

Key = tuple[str, str]
"""A game's id, and the id of our snake in it."""


class SnakeGame(PooledGame[Setting]):
    """One game of one snake of ours."""

    def __init__(self, setting: "Setting", key: Key, machine: Machine) -> None:
        super().__init__(setting.compiled)
        self.key, self.rules = key, setting.rules
        self.way = Way(machine)
        self.against = ""
        self.timeout = 0.0
        self.turns = self.answers = 0
        self.slowest = 0.0
        """Seconds of our slowest answer, from the request's arrival here."""
        self.fallbacks: Counter[str] = Counter()
        """Answers that were not the player's, by the reason."""
        self.used = time.monotonic()
        self.is_asked = False
        """Whether a question is open."""
        self.is_known = False
        """Whether it was begun, or asked about before: what was not may be no game at all."""
        self._thought: list[float] = []

    def see(self, seen: Seen, timeout: float) -> None:
        """Note what a request shows."""
        self.used, self.timeout, self.turns = time.monotonic(), timeout, max(self.turns, seen.turn)
        if seen.others and not self.against:
            self.against = ", ".join(one.name or one.id for one in seen.others)[:_NAMES]

    def note_thought(self, seconds: float) -> None:
        """The player has thought so long about a move."""
        self._thought.append(seconds)

    def summary(self, result: str) -> str:
        """One line on the whole game."""
        slow = f"slowest of {self.answers} answers {1000 * self.slowest:.0f} ms of {1000 * self.timeout:.0f}" if self.answers else "no move"
        reasons = ", ".join(f"{why}: {times}" for why, times in self.fallbacks.most_common())
        stood_in = f"{self.fallbacks.total()} by the look-ahead ({reasons})" if reasons else "none by the look-ahead"
        thought = ""
        if self._thought:
            median, least = sorted(self._thought)[len(self._thought) // 2], min(self._thought)
            thought = f"; it thought {1000 * median:.0f} ms (median), {1000 * least:.0f} at least"
        return f"{self.name} {self.rules} against {self.against or 'nobody'}: {result}, turn {self.turns}; {slow}; {stood_in}{thought}"

    @property
    def name(self) -> str:
        """How the log calls it."""
        return f"game {self.key[0][:8]}"


class RunningGames:
    """The games under way; an old one is dropped when a new one begins."""

    def __init__(self, pool: PlayerPool[Setting], machine: Machine, tell: Callable[[str], None]) -> None:
        self._pool, self._machine, self._tell = pool, machine, tell
        self._games: OrderedDict[Key, SnakeGame] = OrderedDict()

    def __len__(self) -> int:
        return len(self._games)

    @property
    def are_under_way(self) -> bool:
        """Whether something was heard of one not long ago."""
        return any(time.monotonic() - game.used < _QUIET for game in self._games.values())

    def under(self, key: Key, setting: "Setting") -> SnakeGame:
        """The game of that key, which may be new, or new to this process."""
        game = self._games.get(key)
        if game is None:
            self._drop_old()
            game = self._games[key] = SnakeGame(setting, key, self._machine)
        elif game.setting != setting.compiled:  # hazards were piled up meanwhile
            self._pool.release(game)
            game.setting = setting.compiled
        game.rules = setting.rules
        self._games.move_to_end(key)
        return game

    def known(self, key: Key) -> SnakeGame | None:
        """The game of that key, if there is one."""
        return self._games.get(key)

    def end(self, key: Key) -> SnakeGame | None:
        """The game is over; None where nothing is known of it."""
        game = self._games.pop(key, None)
        if game is not None:
            self._pool.release(game)
        return game

    def _drop_old(self) -> None:
        """Those of which nothing was heard for long, or that are too many."""
        while self._games:
            key, oldest = next(iter(self._games.items()))
            if len(self._games) < _MOST and time.monotonic() - oldest.used < _OLD:
                return
            self.end(key)
            self._tell(oldest.summary("given up: no /end came"))
