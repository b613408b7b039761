"""Playing jobs, in whatever process this is: players are made once and kept from game to game."""

import multiprocessing
import multiprocessing.connection
import os
import re
import signal
import threading
import time
from collections import OrderedDict
from contextlib import closing
from pathlib import Path
from typing import Any

from ...compiled.errors import is_machine_error
from ...game import Game
from ...play.collector import short_collections
from ...play.game import OnStep, play_game
from ...play.record import GameRecord
from ...players.base import Player, PlayerError
from ...players.clock import Clock
from ...players.needs import Need
from ...roster.make import make_player
from ..conditions import MatchConditions
from ..job import Job, PlayedGame, VoidGame
from ..load import current_load
from .warming import warm_rules

_LONGEST_NAME = 60
_KEPT_PLAYERS = 8  # each may hold a table of tens of megabytes


class PlayerPool:
    """The players of games under some conditions: made once, and kept from game to game."""

    def __init__(self, conditions: MatchConditions) -> None:
        self.conditions = conditions
        self._players: OrderedDict[tuple[str, int], Player] = OrderedDict()
        self._asked: dict[int, Any] | None = None

    def play(self, job: Job, on_step: OnStep | None = None) -> PlayedGame | VoidGame:
        """Play one game; a player's fault costs that player the game, and is no error here.

        What `on_step` raises ends the game without a result. A game that the machine failed in is void.
        """
        game = self.conditions.game
        began, started = time.time(), time.perf_counter()
        try:
            start = game.from_text(job.opening)
            a, b = job.players
            players = (self.player(a, 0, start), self.player(b, int(a == b), start))
            for number, player in enumerate(players):
                player.log_to(log_file(self.conditions.logs, job, number))
            clocks = (self.conditions.clock_of(a), self.conditions.clock_of(b))
            began, started = time.time(), time.perf_counter()
            with short_collections():
                record = play_game(
                    game, players, start, clocks, job.seed, self.conditions.tolerance, on_step, at_once=not self.conditions.sequential
                )
        except Exception as error:
            if not is_machine_error(error):
                raise
            self.close()  # they wait for the rest of a game that is over
            lines = str(error).splitlines() or [type(error).__name__]
            return VoidGame(job, lines[0], began, time.perf_counter() - started, current_load())
        return _played(game, job, record, began, time.perf_counter() - started)

    def close(self) -> None:
        """Give back the players' processes and memory."""
        while self._players:
            self._players.popitem()[1].close()

    def player(self, spec: str, copy: int, state: Any) -> Player:
        """The player of this spec; a second copy for one that plays itself."""
        key = (spec, copy)
        if key in self._players:
            self._players.move_to_end(key)
            return self._players[key]
        while len(self._players) >= _KEPT_PLAYERS:
            self._players.popitem(last=False)[1].close()
        conditions = self.conditions
        try:
            player = make_player(spec, conditions.game, conditions.limits, conditions.isolation)
        except ValueError as error:
            player = _Absent(str(error))
        self._players[key] = player
        if self._asked is None:
            self._asked = warm_rules(conditions.game, state)
        with Need(conditions.game, spec).compiling():
            for seat in (0, 1):
                try:
                    player.warm(conditions.game, self._asked.get(seat, state), (seat,))
                except Exception as error:
                    if is_machine_error(error):
                        raise
                    # What is wrong with it will cost it its game.
        return player


class _Absent(Player):
    """Stands in for a player that cannot be made, such as a program that is gone: it loses its games."""

    def __init__(self, reason: str) -> None:
        self._reason = reason

    def begin(self, game: Game, player: int, seed: int | None = None) -> None:
        raise PlayerError(self._reason)

    def choose(self, state: Any, clock: Clock) -> int:
        raise PlayerError(self._reason)


def log_file(folder: str | None, job: Job, player: int) -> Path | None:
    """Where it is written what this game's player said and was told; None without a folder."""
    if folder is None:
        return None
    name = re.sub(r"[^A-Za-z0-9._-]+", "_", job.players[player]).strip("_.")[:_LONGEST_NAME]
    return Path(folder) / f"game{job.number:06d}-player{player}-{name}.log"


def _played(game: Game, job: Job, record: GameRecord, began: float, seconds: float) -> PlayedGame:
    middle = (game.min_utility + game.max_utility) / 2
    points = 0.5 if record.result == middle else float(record.result > middle)
    return PlayedGame(
        job, record.result, points, record.reason, record.faults, record.late_answers, record.actions, record.times,
        record.searches, began, seconds, record.chance, current_load(),
    )  # fmt: skip


class KeptPlayers:
    """A thread's own players, from batch to batch: several tournaments of a process may run in its threads.

    `lock` is for who plays or closes them from outside; `run` names the tournament they belong to.
    """

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.run = ""
        self.pool: PlayerPool | None = None

    def play(
        self, conditions: MatchConditions, jobs: list[Job], run: str = "", on_step: OnStep | None = None
    ) -> list[PlayedGame | VoidGame]:
        """Play games one after another, with the players of the last ones if they are of this run, under these conditions."""
        if self.pool is None or self.run != run or self.pool.conditions != conditions:
            self.close()
            self.run, self.pool = run, PlayerPool(conditions)
        return [self.pool.play(job, on_step) for job in jobs]

    def close(self) -> None:
        """End the players."""
        if self.pool is not None:
            self.pool.close()
            self.pool = None


kept: dict[int, KeptPlayers] = {}
"""By thread."""


def kept_players() -> KeptPlayers:
    """Those of this thread."""
    return kept.setdefault(threading.get_ident(), KeptPlayers())


def play_jobs(conditions: MatchConditions, jobs: list[Job]) -> list[PlayedGame | VoidGame]:
    """Play games one after another in this process, with the players of its last games under these conditions."""
    return kept_players().play(conditions, jobs)


def warm_players(conditions: MatchConditions, players: tuple[str, ...]) -> None:
    """Compile what these players need."""
    with closing(PlayerPool(conditions)) as pool:
        for spec in players:
            pool.player(spec, 0, conditions.game.initial_state())


def close_players() -> None:
    """End the players that are kept in this thread."""
    kept_players().close()


def begin_worker() -> None:
    """Make this process one that only plays: its parent alone heeds Ctrl-C; it ends with its parent, its players with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})  # its parent held it back
    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), _end_worker)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    os.environ.setdefault("SADDLEPOINT_QUIET", "1")


def _end_with_parent() -> None:
    """However the parent ends: nobody else would tell a process that waits for work, or plays."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        multiprocessing.connection.wait([parent.sentinel])
        os._exit(1)  # the players' supervisors notice


def _end_worker(number: int, frame: object) -> None:
    close_players()
    os._exit(1)
