"""Workers of this machine: the calling process, or processes that it starts."""

from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool

from ...cluster.processes import Processes
from ..conditions import MatchConditions
from ..job import Job
from .base import Batch, Workers
from .worker import MatchPlayers, close_players, play_jobs


class HereWorkers(Workers):
    """Plays in the calling process, when asked to; with `players`, if they are there already."""

    slots = 1

    def __init__(self, players: MatchPlayers | None = None) -> None:
        self._players = players or MatchPlayers()

    def submit(self, conditions: MatchConditions, jobs: list[Job]) -> Batch:
        future: Batch = Future()
        future.set_result([self._players.play(conditions, job, running=self.running) for job in jobs])
        return future

    def close(self, at_once: bool = False) -> None:
        self._players.close(at_once=True)


class LocalWorkers(Workers):
    """Processes of this machine."""

    def __init__(self, processes: int) -> None:
        self.slots = processes
        self._processes = Processes(processes, close_players)

    def submit(self, conditions: MatchConditions, jobs: list[Job]) -> Batch:
        try:
            return self._processes.run(play_jobs, conditions, jobs, self.running)
        except BrokenProcessPool as error:  # a process ended a moment ago, and what it played will say so too
            future: Batch = Future()
            future.set_exception(error)
            return future

    def restart(self) -> None:
        self.close(at_once=True)
        self._processes = Processes(self.slots, close_players)

    def close(self, at_once: bool = False) -> None:
        self._processes.close(at_once)
