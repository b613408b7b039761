"""Games a second with players in processes of their own, beside the same games in one process.

    python benchmarks/isolated_games.py [games] [processes]

Light Riders, 16x16, random against random, 10 ms a move, every game under the arena's clock; as many pairs play at once as
there are processes. A question and its answer: the median and the 99th percentile of what the arena's clock sees, and the
processor time that the arena and the players need for one (users' and system's, games' other work included).
"""

import sys
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from statistics import fmean

import psutil
from saddlepoint.arena.match import make_tasks

from saddlepoint.arena.game import play_game
from saddlepoint.games.light_riders import LightRiders
from saddlepoint.players.clock import Clock
from saddlepoint.players.isolation import Isolation
from saddlepoint.players.make import make_player

GAME = LightRiders()
CLOCK = Clock(0.01, 0.01, 0.01)
TOLERANCE = 0.1  # seconds: a busy machine is no fault of the players
KINDS = {
    "in the arena's process": None,
    "isolated": Isolation(),
    "isolated, memory limited": Isolation(memory=1_000_000_000),
}


def cpu(processes: list[psutil.Process]) -> float:
    """Seconds of processor time so far."""
    return sum(sum(process.cpu_times()[:2]) for process in processes)


def play(kind: str, games: int, seed: int) -> dict[str, float | int | list[float]]:
    """One pair's games, after its warm-up."""
    players = [make_player("random", GAME, isolation=KINDS[kind]) for _ in range(2)]
    for player in players:
        player.warm(GAME, GAME.initial_state())
    arena, others = psutil.Process(), psutil.Process().children(recursive=True)
    tasks = make_tasks(GAME, games + 2, True, seed)
    times: list[float] = []
    faults = 0
    for number, task in enumerate(tasks):
        if number == 2:  # the first games load compiled code
            began, own, theirs = time.perf_counter(), cpu([arena]), cpu(others)
            times.clear()
            faults = 0
        record = play_game(GAME, players, task.start, (CLOCK, CLOCK), task.seed, TOLERANCE)
        times += record.times[0] + record.times[1]
        faults += any(record.faults)
    seconds = time.perf_counter() - began
    result = {
        "rate": games / seconds, "times": times, "arena": (cpu([arena]) - own) / len(times),
        "players": (cpu(others) - theirs) / len(times), "faults": faults,
    }  # fmt: skip
    for player in players:
        player.close()
    return result


def main() -> None:
    """Print the table."""
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    processes = int(sys.argv[2]) if len(sys.argv) > 2 else 2
    load = psutil.getloadavg()[0]
    print(f"{games} games on {processes} processes; load before: {load:.1f} on {psutil.cpu_count()} cores")
    print(f"{'':26}{'games/s':>9}{'median':>9}{'99 %':>9}{'arena':>9}{'players':>9}  faults")
    for kind in KINDS:
        with ProcessPoolExecutor(processes, get_context("spawn")) as pool:
            share = games // processes
            results = list(pool.map(play, [kind] * processes, [share] * processes, range(processes)))
        times = sorted(t for result in results for t in result["times"])
        row = (times[len(times) // 2], times[len(times) * 99 // 100], *(
            fmean(result[key] for result in results) for key in ("arena", "players")
        ))  # fmt: skip
        rate, faults = (sum(result[key] for result in results) for key in ("rate", "faults"))
        print(f"{kind:26}{rate:9.1f}" + "".join(f"{value * 1e6:6.0f} us" for value in row) + f"{faults:8}")


if __name__ == "__main__":
    main()
