"""Playing jobs, in whatever process this is: players are made once and kept from game to game."""

import re
import threading
import time
from collections.abc import Generator
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any
from weakref import WeakSet

from ...compiled.errors import is_machine_error
from ...game import Game
from ...play.collector import short_collections
from ...play.game import OnStep, play_game
from ...play.kept import KeptPlayers
from ...play.record import GameRecord
from ...players.base import Player, PlayerError
from ...players.clock import Clock
from ...players.needs import Need, warm_rules
from ...roster.make import make_player
from ..conditions import MatchConditions
from ..job import Job, PlayedGame, VoidGame
from ..load import current_load

_LONGEST_NAME = 60
_KEPT_PLAYERS = 6  # beside the two that play; each may hold a table of tens of megabytes


class MatchPlayers:
    """The players of games under some conditions: made once, and kept from game to game."""

    def __init__(self, conditions: MatchConditions) -> None:
        self.conditions = conditions
        self._kept = KeptPlayers(self._made, _KEPT_PLAYERS)
        self._warm: WeakSet[Player] = WeakSet()
        self._asked: dict[int, Any] | None = None

    def use(self, spec: str) -> AbstractContextManager[Player]:
        """The player of this spec, or another one where it is in use, as it is made. Raises ValueError where there is none."""
        return self._kept.use(spec)

    @contextmanager
    def seated(self, spec: str, state: Any) -> Generator[Player]:
        """The player of this spec, with all compiled that it needs; one that loses its games where it cannot be made."""
        with ExitStack() as stack:
            try:
                player = stack.enter_context(self.use(spec))
            except ValueError as error:
                player = _Absent(str(error))
            else:
                self._compile(player, spec, state)
            yield player

    def play(self, job: Job, on_step: OnStep | None = None) -> PlayedGame | VoidGame:
        """Play one game; a player's fault costs that player the game, and is no error here.

        What `on_step` raises ends the game without a result. A game that the machine failed in is void.
        """
        conditions, game = self.conditions, self.conditions.game
        began, started = time.time(), time.perf_counter()
        try:
            start = game.from_text(job.opening)
            a, b = job.players
            with self.seated(a, start) as player_a, self.seated(b, start) as player_b:
                players = (player_a, player_b)
                for number, player in enumerate(players):
                    player.log_to(log_file(conditions.logs, job, number))
                clocks = (conditions.clock_of(a), conditions.clock_of(b))
                began, started = time.time(), time.perf_counter()
                with short_collections():
                    record = play_game(
                        game, players, start, clocks, job.seed, conditions.tolerance, on_step, at_once=not conditions.sequential
                    )
        except Exception as error:  # its players are closed: they wait for the rest of a game that is over
            if not is_machine_error(error):
                raise
            lines = str(error).splitlines() or [type(error).__name__]
            return VoidGame(job, lines[0], began, time.perf_counter() - started, current_load())
        return _played(game, job, record, began, time.perf_counter() - started)

    def close(self, at_once: bool = False) -> None:
        """Give back the players' processes and memory; with `at_once` of those in a game, too."""
        self._kept.close(at_once)

    def _made(self, spec: str) -> Player:
        return make_player(spec, self.conditions.game, self.conditions.limits, self.conditions.isolation)

    def _compile(self, player: Player, spec: str, state: Any) -> None:
        if player in self._warm:
            return
        game = self.conditions.game
        if self._asked is None:
            self._asked = warm_rules(game, state)
        with Need(game, spec).compiling():
            for seat in (0, 1):
                try:
                    player.warm(game, self._asked.get(seat, state), (seat,))
                except Exception as error:
                    if is_machine_error(error):
                        raise
                    # What is wrong with it will cost it its game.
        self._warm.add(player)


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


class ThreadPlayers:
    """A thread's own players, from batch to batch: several tournaments of a process may run in its threads.

    `lock` is for who plays or closes them from outside; `run` names the tournament they belong to.
    """

    def __init__(self, players: MatchPlayers | None = None) -> None:
        self.lock = threading.Lock()
        self.run = ""
        self._players = players

    def play(
        self, conditions: MatchConditions, jobs: list[Job], run: str = "", on_step: OnStep | None = None
    ) -> list[PlayedGame | VoidGame]:
        """Play games one after another, with the players of the last ones if they are of this run, under these conditions."""
        if self._players is None or self.run != run or self._players.conditions != conditions:
            self.close()
            self.run, self._players = run, MatchPlayers(conditions)
        return [self._players.play(job, on_step) for job in jobs]

    def close(self) -> None:
        """End the players, whatever they do."""
        if self._players is not None:
            self._players.close(at_once=True)
            self._players = None


kept: dict[int, ThreadPlayers] = {}
"""By thread."""


def kept_players() -> ThreadPlayers:
    """Those of this thread."""
    return kept.setdefault(threading.get_ident(), ThreadPlayers())


def play_jobs(conditions: MatchConditions, jobs: list[Job]) -> list[PlayedGame | VoidGame]:
    """Play games one after another in this process, with the players of its last games under these conditions."""
    return kept_players().play(conditions, jobs)


def warm_players(conditions: MatchConditions, players: tuple[str, ...]) -> None:
    """Compile what these players need."""
    with closing(MatchPlayers(conditions)) as pool:
        for spec in players:
            with pool.seated(spec, conditions.game.initial_state()):
                pass


def close_players() -> None:
    """End the players that are kept in this thread, whatever they do."""
    kept_players().close()
