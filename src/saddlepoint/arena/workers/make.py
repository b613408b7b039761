"""The workers that an option names, and how many games at a time are wise."""

from ...cluster import cluster_address
from ...cluster.cores import usable_cores
from ..conditions import MatchConditions
from ..load import current_load
from .base import Say, Workers
from .local import HereWorkers, LocalWorkers
from .worker import MatchPlayers


def make_workers(
    executor: str | None, concurrency: int, say: Say = lambda text: None, players: MatchPlayers | None = None
) -> Workers:
    """The workers that an option names: none for this machine, dask://host:port for a cluster.

    `say` is told what takes long; `players` are used where the games are played here. Raises ValueError for another option,
    ConnectionError where no scheduler answers.
    """
    if executor is None:
        return HereWorkers(players) if concurrency <= 1 else LocalWorkers(concurrency)
    address = cluster_address(executor)
    from .dask import DaskWorkers  # an extra

    return DaskWorkers(address, say)


def cores_of_game(conditions: MatchConditions, players: tuple[str, ...], made: MatchPlayers) -> int:
    """The cores that a game among these players needs at most.

    Where both think one after another, the threads of the hungriest player; where both are asked at once, one more for the
    other, which thinks elsewhere on this machine.
    """
    most, elsewhere = 1, False
    for spec in players:
        with made.use(conditions, spec) as player:
            most, elsewhere = max(most, player.threads), elsewhere or player.is_remote
    return most + (elsewhere and not conditions.sequential)


def oversubscribed(concurrency: int, threads: int) -> str:
    """A warning if the machine has fewer free cores than the games need; an empty string if not."""
    cores = usable_cores()
    if concurrency * threads > cores:
        wise = max(1, cores // threads)
        return (
            f"{concurrency} games at a time with {threads} thread(s) each on {cores} core(s): "
            f"players wait for each other, and games take longer; use -j {wise}"
        )
    load = current_load().average
    if load + concurrency * threads > cores + 1:
        return f"the machine is busy already (load {load:.1f} on {cores} core(s)): games take longer"
    return ""
