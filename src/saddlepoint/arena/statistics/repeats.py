"""Which games are nothing new: the same game played again, which could not have come out otherwise.

docs/statistics.md has the rule in words.
"""

import hashlib
from array import array
from collections.abc import Container
from dataclasses import dataclass, field
from typing import TypeAlias

from ..job import PlayedGame

Moves: TypeAlias = "array[int]"


@dataclass
class _Cell:
    """The games of two players, by side, from one opening under one set of conditions."""

    first: Moves
    """What was played in the first of them."""
    held: list[PlayedGame] = field(default_factory=list[PlayedGame])
    """Games like it that do not count while neither player has been seen to vary; without their times and moves."""


class Repeats:
    """Tells new games from repeated ones, in the order in which they are given.

    A game repeats an earlier one of the same players (on the same sides), opening, conditions, moves and outcomes of chance if
    both have the same seed; or if no clock ran, nothing was left to chance, and neither player was ever seen to
    choose differently from the same opening after the same moves. A game decided by a fault repeats none.

    `seeds` are those that may occur more than once; games of other seeds are not kept in mind for theirs.
    """

    def __init__(self, seeds: Container[int] = frozenset()) -> None:
        self._seeds = seeds
        self._seen: set[bytes] = set()
        self._cells: dict[tuple[str, tuple[str, str], str], _Cell] = {}
        self._varying: set[tuple[str, str]] = set()  # (condition_key, player)
        self._held: dict[tuple[str, str], set[tuple[str, tuple[str, str], str]]] = {}  # cells by player
        self.repeated = 0
        """Games that repeat another, so far."""
        self.in_a_row = 0
        """Of the last games, so many in a row."""

    def new_games(self, played: PlayedGame, condition_key: str = "", timed: bool = True) -> list[PlayedGame]:
        """The games that count now: this one, none if it repeats another, or also such as turned out to be new after all.

        `condition_key` stands for the conditions; `timed`: a clock ran.
        """
        if not played.actions or any(played.faults):
            return self._counted([played])
        job = played.job
        cell_key = (condition_key, job.players, hashlib.blake2b(job.opening.encode(), digest_size=8).hexdigest())
        moves = array("i", (action for joint in played.actions for action in joint))
        if job.seed in self._seeds:
            name = hashlib.blake2b(repr((cell_key, job.seed)).encode() + moves.tobytes(), digest_size=16).digest()
            if name in self._seen:
                return self._repeat()
            self._seen.add(name)
        if timed or played.chance is not False or all((condition_key, player) in self._varying for player in job.players):
            return self._counted([played])  # and of players who both vary nothing need be kept in mind
        freed = self._compare(cell_key, moves)
        cell = self._cells.setdefault(cell_key, _Cell(moves))
        if cell.first is moves or any((condition_key, player) in self._varying for player in job.players):
            return self._counted([played], freed)
        cell.held.append(PlayedGame(job, played.result, played.points, played.reason, actions=(), chance=False))
        for player in job.players:
            self._held.setdefault((condition_key, player), set()).add(cell_key)
        return self._repeat()

    def _counted(self, games: list[PlayedGame], freed: list[PlayedGame] | None = None) -> list[PlayedGame]:
        self.in_a_row = 0
        self.repeated -= len(freed or ())
        return [*games, *(freed or ())]

    def _repeat(self) -> list[PlayedGame]:
        self.repeated += 1
        self.in_a_row += 1
        return []

    def _compare(self, key: tuple[str, tuple[str, str], str], moves: Moves) -> list[PlayedGame]:
        """Note who chose differently than in the cell's first game; the games that count because of it."""
        cell = self._cells.get(key)
        if cell is None or cell.first == moves:
            return []
        step = next((k // 2 * 2 for k, (x, y) in enumerate(zip(cell.first, moves)) if x != y), None)
        freed: list[PlayedGame] = []
        if step is None:  # one game is the beginning of the other: then the rules do not decide alone when it ends
            different = [0, 1]
        else:
            different = [side for side in (0, 1) if cell.first[step + side] != moves[step + side]]
        for side in different:
            player = (key[0], key[1][side])
            self._varying.add(player)
            for held_in in self._held.pop(player, ()):
                freed += self._cells[held_in].held
                self._cells[held_in].held = []
        return freed
