"""Games on a Dask cluster: a scheduler somewhere, workers on other machines, the ledger here."""

from typing import Any

from ...cluster.dask import DaskCluster
from ..conditions import MatchConditions
from ..job import Job
from ..ledger.versions import player_version
from .base import Batch, Say, Workers
from .remote import end_run, inspect_worker, play_remotely
from .worker import warm_players

_WAY_OUT = "a ledger has the finished games, and --resume plays the others"


class DaskWorkers(Workers):
    """The workers of a cluster, as many games at a time as they have threads; give each worker one thread.

    `say` is told what takes long; for the address, the limits (`patience`, `alone`) and what is raised see `DaskCluster`.
    """

    loses_all = False

    def __init__(self, address: str, say: Say = lambda text: None, **limits: Any) -> None:
        self._cluster = DaskCluster(address, say, way_out=_WAY_OUT, **limits)

    @property
    def slots(self) -> int:  # type: ignore[override]
        """The cluster's threads; they may come and go."""
        return self._cluster.slots

    def warm(self, conditions: MatchConditions, players: tuple[str, ...]) -> None:
        """Compile on every worker; raises ValueError where a worker has another version of this library or of a program."""
        here = [player_version(spec) for spec in players]

        def check(worker: str, versions: Any) -> None:
            for spec, mine, its in zip(players, here, versions, strict=True):
                if mine != its:
                    raise ValueError(f"the worker {worker} has no or another file for {spec!r}: put the same at the same path")

        self._cluster.prepare(inspect_worker, (players,), check, warm_players, (conditions, players))

    def submit(self, conditions: MatchConditions, jobs: list[Job]) -> Batch:
        return self._cluster.submit(play_remotely, self._cluster.run, conditions, jobs)

    def is_death(self, error: BaseException) -> bool:
        return self._cluster.is_death(error)

    def close(self, at_once: bool = False) -> None:
        self._cluster.close(end_run)
