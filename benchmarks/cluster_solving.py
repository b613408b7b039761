"""How much faster a game is solved with two workers of a Dask cluster than with one, on this machine.

Two clusters of real processes, one with one worker and one with two, solve the same game in turn; the files that are written are compared.
On a busy machine the wall clock tells little. So processor time is counted, too. On idle cores a run takes about the time of the worker
that has most to do, that of this process for the file, and what this process does while the workers wait for it: at most all else.

    python benchmarks/cluster_solving.py [--game 'goofspiel(cards=13, order=descending, utility=points)'] [--rounds 3] [--no-check]
"""

import argparse
import contextlib
import os
import statistics
import tempfile
import time
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

import psutil
from cluster_scaling import Cluster

from saddlepoint.cli.common import read_game
from saddlepoint.game.base import Game
from saddlepoint.solvers.general import Solution, save_solution
from saddlepoint.solvers.shared.solve import SharedInduction
from saddlepoint.solvers.shared.tasks import inspect_rules, warm_rules
from saddlepoint.system.cluster import DaskCluster

GAME = "goofspiel(cards=13, order=descending, utility=points)"
"""Its stages are large matrices, so that a position takes the workers some five times as long as this process and the scheduler."""


class Run(NamedTuple):
    """What one run took, in seconds."""

    wall: float
    workers: list[float]
    """Processor time of each."""
    here: float
    """Processor time of this process while the game was solved."""
    file: float
    """Afterwards, for the solution and its file."""
    scheduler: float
    positions: int
    digest: str


def on_idle_cores(one: Run, two: Run, together: bool) -> float:
    """How much faster the second run would be, were all, or nothing, done here while the workers work.

    What is done here is the same in both, so its mean is taken: processor time varies where others use the cores, too.
    """
    here = (one.file + two.file) / 2 + (0.0 if together else (one.here + two.here) / 2)
    return (max(one.workers) + here) / (max(two.workers) + here)


def solved(game: Game, cluster: Cluster, folder: Path, bounded: bool) -> Run:
    """Solve it once, and write the file."""
    pool = DaskCluster(cluster.address, way_out="start it again", large=True)
    with contextlib.closing(pool):
        work = SharedInduction(game, pool=pool, bounded=bounded, fold=True)
        pool.prepare(
            inspect_rules, (work.rules,), lambda *_: None, warm_rules, (work.rules, work.is_folded, bounded)
        )
        before, here, began = seconds_of(cluster), time.process_time(), time.perf_counter()
        work.solve()
        solved_here = time.process_time() - here
        save_solution(folder / "game.sol", Solution.of(work), work.certificate() if bounded else None)
        wall, here = time.perf_counter() - began, time.process_time() - here
        scheduler, *workers = (
            after - first for after, first in zip(seconds_of(cluster), before, strict=True)
        )
    digest = blake2b((folder / "game.sol").read_bytes(), digest_size=8).hexdigest()
    return Run(wall, workers, solved_here, here - solved_here, scheduler, work.counts().positions, digest)


def seconds_of(cluster: Cluster) -> list[float]:
    """Processor time so far: the scheduler's, then the workers'."""
    processes: list[psutil.Process] = [cluster.scheduler, *cluster.workers]
    return [sum(process.cpu_times()[:2]) for process in processes]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--game", default=GAME)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--no-check", action="store_true")
    options = parser.parse_args()
    game = read_game(options.game)
    with (
        tempfile.TemporaryDirectory() as first,
        tempfile.TemporaryDirectory() as second,
        contextlib.ExitStack() as stack,
    ):
        clusters = Cluster(1, Path(first), stack), Cluster(2, Path(second), stack)
        ratios: list[tuple[float, ...]] = []
        for number in range(options.rounds):
            load = os.getloadavg()[0]
            one, two = (solved(game, cluster, Path(first), not options.no_check) for cluster in clusters)
            assert one.digest == two.digest
            idle = [on_idle_cores(one, two, together) for together in (False, True)]
            ratios.append((one.wall / two.wall, *idle))
            print(
                f"round {number + 1}, load {load:.1f}, {one.positions:,} positions: with 2 workers {ratios[-1][0]:.2f} times as fast "
                f"by the wall clock, by processor time between {idle[0]:.2f} and {idle[1]:.2f} on idle cores",
                flush=True,
            )
            for run in (one, two):
                print(
                    f"  {len(run.workers)} worker{'s' * (len(run.workers) > 1)}: {run.wall:.1f} s; processor time: workers "
                    f"{' and '.join(f'{seconds:.2f}' for seconds in run.workers)} s, this process {run.here:.2f} s "
                    f"and {run.file:.2f} s for the file, scheduler {run.scheduler:.2f} s",
                    flush=True,
                )
    wall, least, most = (statistics.median(column) for column in zip(*ratios, strict=True))
    print(
        f"median {wall:.2f} by the wall clock, between {least:.2f} and {most:.2f} on idle cores; {os.cpu_count()} cores"
    )


if __name__ == "__main__":
    main()
