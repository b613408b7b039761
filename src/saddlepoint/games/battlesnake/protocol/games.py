"""The games that a server of ours plays: the position that is searched, what is remembered of each game, and the log."""

import queue
import sys
import threading
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import asdict, replace
from typing import Any, NamedTuple, TextIO

from ...interface import PlayerPool, PooledGame, int_of, one_line, words_of
from ..game import Battlesnake, State
from ..requests import USUAL_DAMAGE, Cell, Seen, SeenSnake
from ..text import position, snake_of
from .timing import Machine, Way

# The position that our player searches: we and the nearest rival, all other snakes as walls.
#
# Rules and searches know two snakes. The rest are walls that move: they are read anew from every request.

_USUAL_ROUNDS = 1000
"""Far from the last round of a game here: the contest knows none."""


class Rules(Battlesnake):
    """The parameters of a game, also of one whose board is too large or too small for players here."""

    def __post_init__(self) -> None:
        """Nothing is refused."""

    @property
    def compiled(self) -> tuple[int, int, int]:
        """What machine code is made for; all else is read at run time."""
        return self.width, self.height, self.hazard_stack

    def __str__(self) -> str:
        return (
            f"{self.mode} {self.width}x{self.height}{' with piled hazards' if self.hazard_stack > 1 else ''}"
        )


class Setting(NamedTuple):
    """What a player is made for."""

    rules: Rules
    player: str

    @property
    def compiled(self) -> "Setting":
        """The setting whose machine code serves this one: its players can play this one too."""
        width, height, hazard_stack = self.rules.compiled
        return Setting(Rules(width, height, hazard_stack=hazard_stack), self.player)


def rules_of(seen: Seen) -> Rules:
    """The rules of a request, as far as they are known here; numbers out of range have their usual value."""
    rules = Rules(**seen.parameters)
    may_hurt = bool(seen.hazards) or "royale" in (rules.mode, rules.map)
    # A player of other rules would have to be made.
    return rules if may_hurt else replace(rules, hazard_damage=USUAL_DAMAGE)


def game_of(rules: Rules) -> Battlesnake:
    """The game by these rules; raises ValueError where the board is too large or too small for it."""
    return Battlesnake(**asdict(rules))


def state_of(game: Battlesnake, seen: Seen) -> State:
    """The position of a request with another snake, `you` as player 0; raises ValueError where there is none such."""
    rival = seen.nearest()
    if rival is None:
        raise ValueError("there is no other snake")
    snakes = [snake_of(game, one) for one in (seen.you, rival)]
    state = position(game, game.royale, seen, snakes, _round(seen.turn, game.shrink_every))
    walls = [game.cell(*cell) for cell in _walls(seen, rival) if game.is_inside(*cell)]
    return with_walls(game, state, walls) if walls else state


def with_walls(game: Battlesnake, state: State, cells: Iterable[int]) -> State:
    """The same position with cells in which every head dies.

    They become cells of player 1's body that no tail ever leaves: they are not on the way from its tail to its head.
    """
    bits = int_of(state.body1)
    for cell in cells:
        bits |= 1 << cell
    words: Any = words_of(bits & ~int_of(state.body0), game.grid.words)
    return state._replace(body1=words)


def _walls(seen: Seen, rival: SeenSnake) -> set[Cell]:
    """The cells of third snakes, and those that only they should enter next, unless we could then go nowhere."""
    thirds = [one for one in seen.others if one is not rival]
    bodies = {cell for one in thirds for cell in (one.cells if seen.constrictor else one.staying)}
    taken = bodies | {cell for one in (seen.you, rival) for cell in one.cells}
    feared = {
        there for one in thirds if len(one.cells) >= len(seen.you.cells) for _, there in seen.beside(one.head)
    } - taken
    ways = {there for _, there in seen.beside(seen.you.head)} - taken
    return bodies | feared if ways - feared else bodies


def _round(turn: int, shrink_every: int) -> int:
    """The round, less as many of royale's periods as keep it away from the end of a game here."""
    if turn <= _USUAL_ROUNDS:
        return turn
    if shrink_every > _USUAL_ROUNDS:
        return _USUAL_ROUNDS
    return turn - -(-(turn - _USUAL_ROUNDS) // shrink_every) * shrink_every


# The games that a server of ours plays: what it remembers of each, which a restart may forget, and its log.

_MOST_LINES = 1000
"""Lines that wait for a slow reader; further ones are lost."""


class Log:
    """Lines on stderr, or on another stream."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream or sys.stderr
        self._lines: queue.Queue[str | None] = queue.Queue(_MOST_LINES)
        self._thread = threading.Thread(target=self._run, name="log", daemon=True)
        self._thread.start()

    def write(self, message: str) -> None:
        """One line, from any thread."""
        try:
            self._lines.put_nowait(f"saddlepoint bot: {one_line(message)}\n")
        except queue.Full:
            pass

    def close(self, seconds: float = 0.2) -> None:
        """Write what is left, as far as somebody reads it within `seconds`."""
        try:
            self._lines.put_nowait(None)
        except queue.Full:
            return
        self._thread.join(seconds)

    def _run(self) -> None:
        while (line := self._lines.get()) is not None:
            try:
                self._stream.write(line)
                self._stream.flush()
            except (OSError, ValueError):  # nobody reads any more
                pass


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
        self.thought: list[float] = []
        """Seconds that the player has thought about each move."""

    def see(self, seen: Seen, timeout: float) -> None:
        """Note what a request shows."""
        self.used, self.timeout, self.turns = time.monotonic(), timeout, max(self.turns, seen.turn)
        if seen.others and not self.against:
            self.against = ", ".join(one.name or one.id for one in seen.others)[:_NAMES]

    def summary(self, result: str) -> str:
        """One line on the whole game."""
        slow = (
            f"slowest of {self.answers} answers {1000 * self.slowest:.0f} ms of {1000 * self.timeout:.0f}"
            if self.answers
            else "no move"
        )
        reasons = ", ".join(f"{why}: {times}" for why, times in self.fallbacks.most_common())
        stood_in = (
            f"{self.fallbacks.total()} by a safe move ({reasons})" if reasons else "none by a safe move"
        )
        thought = ""
        if self.thought:
            median, least = sorted(self.thought)[len(self.thought) // 2], min(self.thought)
            thought = f"; it thought {1000 * median:.0f} ms (median), {1000 * least:.0f} at least"
        return f"{self.name} {self.rules} against {self.against or 'nobody'}: {result}, turn {self.turns}; {slow}; {stood_in}{thought}"

    @property
    def name(self) -> str:
        """How the log calls it."""
        return f"game {self.key[0][:8]}"


class RunningGames:
    """The games under way; an old one is dropped when a new one begins."""

    def __init__(self, pool: PlayerPool[Setting], machine: Machine, warn: Callable[[str], None]) -> None:
        self._pool, self._machine, self._warn = pool, machine, warn
        self._games: OrderedDict[Key, SnakeGame] = OrderedDict()

    def __len__(self) -> int:
        return len(self._games)

    @property
    def are_under_way(self) -> bool:
        """Whether something was heard of one not long ago."""
        return any(time.monotonic() - game.used < _QUIET for game in self._games.values())

    @property
    def are_played(self) -> bool:
        """Whether one of them has gone on for a while."""
        return any(
            game.answers > 1 and time.monotonic() - game.used < _QUIET for game in self._games.values()
        )

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
            self._warn(oldest.summary("given up: no /end came"))
