"""The workers that an option names, and how many games at a time are wise."""

from contextlib import closing

from ...cluster import cluster_address
from ...roster.make import make_player
from ..conditions import MatchConditions
from ..load import current_load, usable_cores
from .base import Say, Workers
from .local import HereWorkers, LocalWorkers


def make_workers(executor: str | None, concurrency: int, say: Say = lambda text: None) -> Workers:
    """The workers that an option names: none for this machine, dask://host:port for a cluster.

    `say` is told what takes long. Raises ValueError for another option, ConnectionError where no scheduler answers.
    """
    if executor is None:
        return HereWorkers() if concurrency <= 1 else LocalWorkers(concurrency)
    address = cluster_address(executor)
    from .dask import DaskWorkers  # an extra

    return DaskWorkers(address, say)


def default_concurrency(conditions: MatchConditions, players: tuple[str, ...]) -> int:
    """Games at a time that keep the clocks honest: cores by those that a game needs."""
    return max(1, usable_cores() // cores_of_game(conditions, players))


def cores_of_game(conditions: MatchConditions, players: tuple[str, ...]) -> int:
    """The cores that a game among these players needs at most.

    Where both think one after another, the threads of the hungriest player; where both are asked at once, one more for the
    other, which thinks elsewhere on this machine.
    """
    asked = [_needs(conditions, spec) for spec in players]
    both = not conditions.sequential and any(is_remote for _, is_remote in asked)
    return max([1, *(threads for threads, _ in asked)]) + both


def _needs(conditions: MatchConditions, spec: str) -> tuple[int, bool]:
    """The threads a player searches with, 1 where it does not say, and whether it is asked while others think."""
    with closing(make_player(spec, conditions.game, conditions.limits)) as player:
        return int(getattr(getattr(player, "algorithm", None), "threads", 1)), player.is_remote


def oversubscribed(concurrency: int, threads: int) -> str:
    """A warning if the machine has fewer free cores than the games need; an empty string if not."""
    cores = usable_cores()
    if concurrency * threads > cores:
        wise = max(1, cores // threads)
        return f"{concurrency} games at a time with {threads} thread(s) each on {cores} core(s): moves will be late; use -j {wise}"
    load = current_load().average
    if load + concurrency * threads > cores + 1:
        return f"the machine is busy already (load {load:.1f} on {cores} core(s)): players get less than their time"
    return ""
