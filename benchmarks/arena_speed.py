"""Games a second in the arena, and whether its memory stays flat.

    python benchmarks/arena_speed.py [--games 10000] [--isolated 400] [--long 0] [-j 2] [--turns 0]

Light Riders on the contest's field, random against random: in the arena's own processes without and with a ledger, and
with a process for each player at 10 ms a move. `--long 100000` plays so many games more and prints the memory of all
processes on the way. `--turns 6` measures by turns, here, what it costs that games that run may be seen: seconds of the processor a game.
"""

import argparse
import os
import statistics
import tempfile
import time
from pathlib import Path

import psutil

from saddlepoint.arena import tournament
from saddlepoint.arena.conditions import MatchConditions
from saddlepoint.arena.ledger import Ledger
from saddlepoint.arena.openings import make_openings
from saddlepoint.arena.schedule import Plan, RoundRobin
from saddlepoint.arena.tournament import TournamentOutcome, run_tournament
from saddlepoint.arena.workers import make_workers
from saddlepoint.games.light_riders import LightRiders
from saddlepoint.players.clock import Clock
from saddlepoint.players.programs.isolation import Isolation

GAME = LightRiders()
PLAYERS = RoundRobin(("random", "random"))
TEN_MS = Clock(0.01, 0.01, 0.01)


def memory() -> float:
    """Megabytes resident in this process and all below it."""
    me = psutil.Process()
    return sum(one.memory_info().rss for one in (me, *me.children(recursive=True))) / 1e6


def play(
    games: int, processes: int, conditions: MatchConditions, ledger: Ledger | None = None, every: int = 0
) -> tuple[float, TournamentOutcome]:
    """Games a second, from the first finished game to the last, and what became of them."""
    marks: list[float] = []

    def mark(_: object, outcome: TournamentOutcome) -> None:
        marks.append(time.perf_counter())
        if every and outcome.played % every == 0:
            del marks[1:]
            print(f"  after {outcome.played:>7} games: {memory():.0f} MB")

    plan = Plan(games, tuple(make_openings(GAME, "starts", games, 1)))
    outcome = run_tournament(PLAYERS, plan, conditions, make_workers(None, processes), ledger, on_game=mark)
    return (len(marks) - 1) / max(1e-9, marks[-1] - marks[0]), outcome


def seconds_a_game(games: int, seen: bool) -> float:
    """Of the processor, with every game into a ledger; where they are `seen` they are watched while they run, as they usually are."""
    usual = tournament.RunningGames
    tournament.RunningGames = usual if seen else lambda *_: None  # type: ignore[assignment, misc]
    before = time.process_time()
    try:
        with tempfile.TemporaryDirectory() as folder, Ledger(Path(folder) / "games.db") as ledger:
            play(games, 1, MatchConditions(GAME), ledger)
    finally:
        tournament.RunningGames = usual  # type: ignore[misc]
    return (time.process_time() - before) / games


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])  # type: ignore[union-attr]
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--isolated", type=int, default=400)
    parser.add_argument("--long", type=int, default=0)
    parser.add_argument("-j", type=int, default=2)
    parser.add_argument("--turns", type=int, default=0)
    arguments = parser.parse_args()
    if arguments.turns:
        found: dict[bool, list[float]] = {True: [], False: []}
        seconds_a_game(arguments.games // 10, seen=True)
        for turn in range(2 * arguments.turns):
            found[turn % 4 in (1, 2)].append(seconds_a_game(arguments.games, turn % 4 in (1, 2)))
        print(
            f"load {os.getloadavg()[0]:.1f}, {arguments.games} games each time, microseconds of the processor a game"
        )
        for seen, times in found.items():
            middle, least, most = (1e6 * figure(times) for figure in (statistics.median, min, max))
            print(f"{'seen' if seen else 'not seen'}: {middle:.0f} ({least:.0f} to {most:.0f})")
        return
    print(f"load {os.getloadavg()[0]:.1f}, {arguments.j} processes")
    speed, outcome = play(arguments.games, arguments.j, MatchConditions(GAME))
    rounds = outcome.standings.steps / outcome.played
    print(
        f"in process:                {speed:8.0f} games/s ({outcome.played} games, {rounds:.0f} rounds each)"
    )
    with tempfile.TemporaryDirectory() as folder, Ledger(Path(folder) / "games.db") as ledger:
        speed, outcome = play(arguments.games, arguments.j, MatchConditions(GAME), ledger)
        size = os.path.getsize(Path(folder) / "games.db") / outcome.played
        print(
            f"in process, into a ledger: {speed:8.0f} games/s ({outcome.played} games, {size:.0f} bytes each)"
        )
    apart = MatchConditions(GAME, TEN_MS, tolerance=0.05, isolation=Isolation())
    speed, outcome = play(arguments.isolated, arguments.j, apart)
    late = sum(figures.late_moves for figures in outcome.standings.players.values())
    print(f"isolated, 10 ms a move:    {speed:8.0f} games/s ({outcome.played} games, {late} late moves)")
    if arguments.long:
        print("memory of all processes:")
        play(arguments.long, arguments.j, MatchConditions(GAME), every=max(1, arguments.long // 10))


if __name__ == "__main__":
    main()
