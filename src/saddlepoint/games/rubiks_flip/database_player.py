"""The player that plays from the database, and makes it where it is not there."""

import os
import random
import time
from pathlib import Path
from typing import Any

from filelock import FileLock

from ... import (
    Limits,
    SearchResult,
    Statistics,
)
from ...system.terminal import WaitingLine, warn
from ..interface import (
    Answer,
    Clock,
    Game,
    Line as ExpectedLine,
    Player,
    PlayerError,
    Uniform,
)
from .database import Database, default_path, expected_size, solve_to_file
from .endgame import EndgameSolver, Line, Outcome
from .game import RubiksFlip, number_of_tiles

_ENDLESS = 10.0
"""Seconds for a move where the clock is endless."""


def solved_once(double_lock: str) -> Database | None:
    """The database where players look for it, made if it is not there; None where there is no room for it, and in plain Python."""
    if os.environ.get("NUMBA_DISABLE_JIT", "0") != "0":
        return None
    path = default_path(double_lock)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(path.with_suffix(".lock"), thread_local=False):  # another process may be at it
            if not path.exists():
                _solve_said(path, double_lock)
        found = Database(path)
        found.check()
        return found
    except (MemoryError, OSError) as error:
        warn(f"Rubik's Flip is searched, because its solution could not be kept: {error}")
        return None


def _solve_said(path: Path, double_lock: str) -> None:
    message = (
        "solving Rubik's Flip, to play it perfectly (once, half a minute; "
        f"{expected_size() / 1e6:.0f} MB in {path}; `best(solve=false)` searches instead)"
    )
    line, solved = WaitingLine(message, "solved Rubik's Flip", patience=0.0), False
    try:
        solve_to_file(path, double_lock)
        solved = True
    finally:
        line.close(solved)


class FlipDatabasePlayer(Player):
    """Plays the shortest win or the longest loss; of turns that keep a draw, one after which most replies lose.

    Equals are drawn from the seed. Without a database, and where it does not keep the positions after a turn, it looks as
    far ahead as `limits` and the clock allow: to the end, where that is near enough. With `solves` it makes a database before a clock
    runs, where there is none.
    """

    def __init__(
        self, database: Database | None, limits: Limits | None = None, *, solves: bool = False
    ) -> None:
        self.database, self._solves = database, solves
        self.limits = limits or Limits()
        self._endgame: EndgameSolver | None = None

    def begin(self, game: Game, player: int, seed: int | None = None) -> None:
        super().begin(game, player, seed)
        if self.database is None and self._solves and isinstance(game, RubiksFlip):
            self.database, self._solves = solved_once(game.double_lock), False
        if self.database is not None and game != self.database.game:
            raise PlayerError(f"the database is one of {self.database.game!r}, not of {game!r}")
        self._random = random.Random(seed)
        if self.database is not None:
            self.database.warm()
        if self._endgame is None or self._endgame.game != game:
            self._endgame = EndgameSolver(game)
            self._endgame.best(game.initial_state(), 0.001)

    def turns(self, state: Any) -> list[Line] | None:
        """Every legal turn with its value, the best first; None without a database."""
        return None if self.database is None else self.database.turns(state)

    def choose(self, state: Any, clock: Clock) -> Answer:
        assert self._endgame is not None
        started, before = time.perf_counter(), self._endgame.nodes
        line = None if self.database is None else self._looked_up(state, self.database)
        if line is None:
            line = self._searched(state, clock, self._endgame)
        # The node that was refused is counted, but not visited.
        visited = min(self._endgame.nodes - before, self.limits.nodes or self._endgame.nodes)
        return Answer(line.action, _result_of(line, self.player, time.perf_counter() - started, visited))

    def _looked_up(self, state: Any, database: Database) -> Line | None:
        """None where the database does not keep the positions after this one."""
        if not database.keeps_after(state):
            return None
        lines = database.turns(state)
        best = [line for line in lines if line.outcome == lines[0].outcome]
        if lines[0].outcome.result == 0 and len(best) > 1:
            shares = [
                database.losing_share(database.game.next_state(state, line.action)) or 0.0 for line in best
            ]
            best = [line for line, share in zip(best, shares, strict=True) if share == max(shares)]
        return self._random.choice(best)

    def _searched(self, state: Any, clock: Clock, endgame: EndgameSolver) -> Line:
        left = self.game.max_depth - number_of_tiles(state)
        seconds = self.limits.seconds
        if seconds is None and self.limits.nodes is None:
            seconds = min(Uniform().deadline(clock, (left + 1) // 2).search, _ENDLESS)
        return endgame.best(state, seconds, self.limits.nodes, self.limits.depth)


def _result_of(line: Line, player: int, seconds: float, nodes: int) -> SearchResult:
    """A line of the database as the result of a search."""
    outcome: Outcome = line.outcome
    value = float(outcome.result if player == 0 else -outcome.result)
    joint = (line.action, -1) if player == 0 else (-1, line.action)
    choice = {line.action: 1.0}
    return SearchResult(
        value=value,
        bounds=(value, value) if line.exact else (-1.0, 1.0),
        strategies=(choice, {}) if player == 0 else ({}, choice),
        principal_variation=ExpectedLine((joint,)),
        depth=(outcome.plies or 0) if nodes else 0,  # without nodes it was looked up
        exact=line.exact,
        complete=line.exact,
        seconds=seconds,
        statistics=Statistics(nodes=nodes),
        plies=outcome.plies,
    )
