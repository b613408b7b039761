"""Times of moves, and repeated games, which count once."""

import hashlib
import math
from array import array
from collections import Counter
from collections.abc import Container
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from ...players.base import FaultKind
from ..conditions import PlayedGame

_BINS_A_DECADE = 100  # so a quantile is at most 2.3 % above the time it stands for
_LEAST = 1e-7


class Latency:
    """A histogram of seconds on a logarithmic scale."""

    def __init__(self) -> None:
        self._bins: Counter[int] = Counter()
        self.moves = 0
        self.longest = 0.0

    def add(self, seconds: float) -> None:
        """Count one choice."""
        self._bins[math.ceil(math.log10(max(seconds, _LEAST)) * _BINS_A_DECADE)] += 1
        self.moves += 1
        self.longest = max(self.longest, seconds)

    def quantile(self, share: float) -> float | None:
        """A time that at least this share of the choices did not exceed; None without choices."""
        left = share * self.moves
        for number in sorted(self._bins):
            left -= self._bins[number]
            if left <= 0:
                return min(self.longest, 10 ** (number / _BINS_A_DECADE))
        return None

    def summary(self) -> dict[str, float | None]:
        """Median, 99th percentile, longest: seconds."""
        return {
            "median": self.quantile(0.5),
            "p99": self.quantile(0.99),
            "longest": self.longest if self.moves else None,
        }


# Which games are nothing new: the same game played again by players that were never seen to vary.
#
# docs/statistics.md has the rule in words.

_KEPT_LINES = 10_000  # how many different games are distinguished; where there are more, nobody asks how many


class _CellKey(NamedTuple):
    """Two players, by side, an opening, and a set of conditions."""

    conditions: str
    players: tuple[str, str]
    turned: bool
    """Of a player against itself: whether it is the second game of a pair."""
    opening: bytes

    @property
    def mirrored(self) -> "_CellKey":
        """The same with sides swapped."""
        turned = not self.turned if self.players[0] == self.players[1] else self.turned
        return self._replace(players=self.players[::-1], turned=turned)


@dataclass(frozen=True)
class _Line:
    """The actions and faults of a game, without their times."""

    moves: "array[int]"
    """Joint actions, one after the other."""
    faults: tuple[FaultKind | None, FaultKind | None]
    """By which the game ended."""

    @classmethod
    def of(cls, played: PlayedGame) -> "_Line":
        """The line of a game."""
        a, b = (None if fault is None else fault.kind for fault in played.faults)
        return cls(array("i", (action for joint in played.actions for action in joint)), (a, b))

    def who_differs(self, other: "_Line") -> list[int]:
        """The sides that did something else where the two lines part; none where they are the same."""
        step = next((k // 2 * 2 for k, (x, y) in enumerate(zip(self.moves, other.moves)) if x != y), None)
        if step is not None:
            return [side for side in (0, 1) if self.moves[step + side] != other.moves[step + side]]
        if len(self.moves) == len(other.moves):
            return [side for side in (0, 1) if self.faults[side] != other.faults[side]]
        shorter = self if len(self.moves) < len(other.moves) else other
        at_fault = [side for side in (0, 1) if shorter.faults[side] is not None]
        return at_fault or [0, 1]  # without a fault the rules do not decide alone when it ends


@dataclass
class _Cell:
    """The games of two players, by side, from one opening under one set of conditions."""

    first: _Line
    """The line of the first of them."""
    pair: int
    """That the first of them counts in."""
    second: bool
    """Whether that was the second game of its pair."""
    held: list[PlayedGame] = field(default_factory=list[PlayedGame])
    """Games like it that do not count while neither player has been seen to vary; without their times and moves."""


class Repeats:
    """Tells new games from repeated ones, in the order in which they are given.

    A game repeats an earlier one of the same players (on the same sides), opening, conditions, moves, faults and outcomes of
    chance if both have the same seed; or if nothing was left to chance, and neither player was ever seen to do
    something else after the same moves from the same opening. Clocks make no difference.

    `seeds` are those that may occur more than once; games of other seeds are not kept in mind for theirs.
    """

    def __init__(self, seeds: Container[int] = frozenset()) -> None:
        self._seeds = seeds
        self._seen: set[bytes] = set()
        self._cells: dict[_CellKey, _Cell] = {}
        self._varying: set[tuple[str, str]] = set()  # (condition_key, player)
        self._held: dict[tuple[str, str], set[_CellKey]] = {}  # cells by player
        self._exchanged: dict[
            tuple[_CellKey, int], int
        ] = {}  # the pair that a game counts in, by its cell and its own pair
        self._lines: set[bytes] = set()
        self.repeated = 0
        """Games that repeat another, so far."""
        self.alike = 0
        """Games that are the same as an earlier one in all that was done, whether they count or not."""

    def new_games(self, played: PlayedGame, condition_key: str = "") -> list[PlayedGame]:
        """The games that count now: this one unless it repeats another, and earlier ones that turned out to
        be new.

        `condition_key` stands for the conditions. Of an opening that is played again and again a whole pair
        counts, whichever of its games ended first.
        """
        job = played.job
        opening = hashlib.blake2b(job.opening.encode(), digest_size=8).digest()
        key = _CellKey(
            condition_key, job.players, job.players[0] == job.players[1] and job.number != job.pair, opening
        )
        line = _Line.of(played)
        name = hashlib.blake2b(
            repr((key, line.faults)).encode() + line.moves.tobytes(), digest_size=12
        ).digest()
        if name in self._lines:
            self.alike += 1
        elif len(self._lines) < _KEPT_LINES:
            self._lines.add(name)
        if job.seed in self._seeds:
            seeded = name + repr(job.seed).encode()
            if seeded in self._seen:
                self.repeated += 1
                return []
            self._seen.add(seeded)
        if (pair := self._exchanged.pop((key, job.pair), None)) is not None:
            played = _in_pair(played, pair)
        if played.chance or all(self._varies(key)):
            return [played]  # and of players who both vary nothing need be kept in mind
        freed = self._compare(key, line)
        if key not in self._cells:
            played = self._open(key, line, played)
        elif not any(self._varies(key)):
            return self._hold(key, played)
        self.repeated -= len(freed)
        return [played, *freed]

    def _varies(self, key: _CellKey) -> list[bool]:
        return [(key.conditions, player) in self._varying for player in key.players]

    def _open(self, key: _CellKey, line: _Line, played: PlayedGame) -> PlayedGame:
        """Enter the first game of its cell, and return it, in the pair of the mirrored game if that one has
        no other half.
        """
        pair, second = played.job.pair, played.job.number != played.job.pair
        mirrored = self._cells.get(key.mirrored)
        if (
            mirrored is not None
            and mirrored.second != second
            and mirrored.pair != pair
            and not any(self._varies(key))
        ):
            self._exchanged[key, mirrored.pair] = pair
            played = _in_pair(played, mirrored.pair)
        self._cells[key] = _Cell(line, played.job.pair, second)
        return played

    def _hold(self, key: _CellKey, played: PlayedGame) -> list[PlayedGame]:
        short = PlayedGame(
            played.job, played.result, played.points, played.reason, played.faults, chance=False
        )
        self._cells[key].held.append(short)
        for player in key.players:
            self._held.setdefault((key.conditions, player), set()).add(key)
        self.repeated += 1
        return []

    def _compare(self, key: _CellKey, line: _Line) -> list[PlayedGame]:
        """Note the players that differ from the cell's first game.

        Returns the held games that count because of it.
        """
        cell = self._cells.get(key)
        freed: list[PlayedGame] = []
        for side in () if cell is None else cell.first.who_differs(line):
            player = (key.conditions, key.players[side])
            self._varying.add(player)
            for held_in in self._held.pop(player, ()):
                freed += self._cells[held_in].held
                self._cells[held_in].held = []
        return freed


def _in_pair(played: PlayedGame, pair: int) -> PlayedGame:
    """The game as one of another pair, on the same side in it."""
    job = played.job
    return replace(played, job=replace(job, number=pair + job.number - job.pair, pair=pair))
