"""How much faster a tournament is with two workers of a Dask cluster than with one, on this machine.

Two clusters of real processes, one with one worker and one with two, play the same games in turn; every search has the
same number of nodes, so the work is the same however long it takes. Needs two cores that are otherwise idle, a little
more for the scheduler and this process. On a busy machine look at the share of a core that the workers got: where it
is smaller with two workers than with one, the cores were the limit and not the cluster.

    python benchmarks/cluster_scaling.py [--games 60] [--nodes 8000] [--rounds 3]
"""

import argparse
import contextlib
import os
import statistics
import sys
import tempfile
import time
from dataclasses import dataclass, replace
from pathlib import Path

import psutil

from saddlepoint.algorithms.limits import Limits
from saddlepoint.arena.conditions import MatchConditions, PlayedGame
from saddlepoint.arena.openings import make_openings
from saddlepoint.arena.schedule import Plan, RoundRobin
from saddlepoint.arena.tournament import TournamentOutcome, run_tournament
from saddlepoint.arena.workers import DaskWorkers
from saddlepoint.games.light_riders import LightRiders

PLAYERS = ("alphabeta(evaluator=voronoi)", "alphabeta(evaluator=reachable_space)")


@dataclass
class Speed:
    """One run."""

    games_per_second: float
    occupied: float
    """Share of the workers' time that they spent in games."""
    cpu: float
    """Seconds of the workers' processor time a game."""
    beside: float
    """Cores that the scheduler and this process used meanwhile."""
    core: float
    """Share of a core that each worker got while it was in a game; 1 on an idle machine."""


class Cluster:
    """A scheduler and so many workers of one thread, as processes of this machine."""

    def __init__(self, workers: int, folder: Path, stack: contextlib.ExitStack) -> None:
        file = folder / "scheduler.json"

        def start(*arguments: str) -> psutil.Process:
            common = [
                "--scheduler-file",
                str(file),
                "--host",
                "127.0.0.1",
                "--dashboard-address",
                "127.0.0.1:0",
            ]
            log = stack.enter_context((folder / "log").open("ab"))
            # Linux shares out processor time by sessions: every worker has its own share, as on a machine of its own.
            command = [sys.executable, "-m", "dask", *arguments, *common]
            process = psutil.Popen(command, stdout=log, stderr=log, start_new_session=True)
            stack.callback(process.wait)
            stack.callback(process.terminate)
            return process

        self.scheduler = start("scheduler", "--port", "0")
        while not file.exists():
            time.sleep(0.1)
        more = ("--nthreads", "1", "--no-nanny", "--local-directory", str(folder))
        self.workers = [start("worker", *more) for _ in range(workers)]
        from distributed import Client

        with Client(scheduler_file=str(file), set_as_default=False) as client:
            client.wait_for_workers(workers, timeout=120)
            self.address = client.scheduler.address.removeprefix("tcp://")

    def speed(self, conditions: MatchConditions, plan: Plan) -> Speed:
        """Play it all once."""
        used, beside, in_games = 0.0, 0.0, 0.0

        def add(game: PlayedGame, so_far: TournamentOutcome) -> None:
            nonlocal used, beside, in_games
            in_games += game.seconds
            if so_far.played == 1:  # the players are made, the first games played
                used, beside = self._cpu()
            if so_far.played == plan.games:
                total, others = self._cpu()
                used, beside = total - used, others - beside

        outcome = run_tournament(
            RoundRobin(PLAYERS), plan, conditions, DaskWorkers(self.address), on_game=add
        )
        assert outcome.played == plan.games
        return Speed(
            outcome.games_per_second,
            in_games / outcome.seconds / len(self.workers),
            used / plan.games,
            beside / outcome.seconds,
            used / in_games,
        )

    def _cpu(self) -> tuple[float, float]:
        workers = sum(sum(worker.cpu_times()[:2]) for worker in self.workers)
        return workers, sum(self.scheduler.cpu_times()[:2]) + time.process_time()


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=60)
    parser.add_argument("--nodes", type=int, default=8000)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    conditions = MatchConditions(LightRiders(16, 16), limits=Limits(nodes=options.nodes))
    plan = Plan(options.games, tuple(make_openings(conditions.game, "starts", options.games, 1)), True, 1)
    with (
        tempfile.TemporaryDirectory() as first,
        tempfile.TemporaryDirectory() as second,
        contextlib.ExitStack() as stack,
    ):
        one, two = Cluster(1, Path(first), stack), Cluster(2, Path(second), stack)
        for cluster in (one, two):  # compile, and find the code in the cache
            cluster.speed(conditions, replace(plan, games=4))
        ratios: list[float] = []
        for number in range(options.rounds):
            load = os.getloadavg()[0]
            runs = one.speed(conditions, plan), two.speed(conditions, plan)
            ratios.append(runs[1].games_per_second / runs[0].games_per_second)
            equal = ratios[-1] * runs[0].core / runs[1].core
            print(
                f"round {number + 1}, load {load:.1f}: {ratios[-1]:.2f} times as fast with 2 workers "
                f"({equal:.2f} had each of them got as much of a core as the one alone)",
                flush=True,
            )
            for workers, run in enumerate(runs, 1):
                print(
                    f"  {workers} worker{'s' * (workers > 1)}: {run.games_per_second:.2f} games/s, {run.cpu:.3f} s of "
                    f"processor time a game, in games {100 * run.occupied:.1f} % of the time, with {100 * run.core:.0f} % of "
                    f"a core; scheduler and tournament {100 * run.beside:.1f} % of a core",
                    flush=True,
                )
    print(f"median {statistics.median(ratios):.2f}, best {max(ratios):.2f}, on {os.cpu_count()} cores")


if __name__ == "__main__":
    main()
