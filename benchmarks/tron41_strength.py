"""Tron-41 matches on the course's four 17x17 maps, as a table: map x opponent, wins and losses with a 95 % interval.

Every start is played twice, with sides swapped. The opponents have a fixed depth, or follow a rule: they take no more of
a longer time, so with less time than the course's 0.3 s a move the figures are lower bounds of what `best` is worth.
`--nodes` instead of `--time` makes the games the same on any machine, however busy; `--long` is the course's time.
Nothing is random on the map without power-ups, so many of its games are the same game: the last table counts the different
ones, and `--start random` plays from redrawn cells.

    python benchmarks/tron41_strength.py                                  # some minutes: 10 games a map and opponent
    python benchmarks/tron41_strength.py --games 100 --nodes 10000        # 400 games an opponent
    python benchmarks/tron41_strength.py --long --games 10 --opponents tron_freespace
    python benchmarks/tron41_strength.py --player tron_freespace --opponents safe wall --games 100
"""

import argparse
import json
import os
import time
from dataclasses import asdict

from rich.console import Console
from rich.table import Table

from saddlepoint.algorithms import Limits
from saddlepoint.arena.conditions import MatchConditions
from saddlepoint.arena.openings import make_openings
from saddlepoint.arena.schedule import Plan, RoundRobin
from saddlepoint.arena.statistics.paired import Score
from saddlepoint.arena.tournament import run_tournament
from saddlepoint.arena.workers import make_workers
from saddlepoint.games.tron41 import Tron41
from saddlepoint.players.clock import ENDLESS, Clock

MAPS = ("empty_room", "divider", "joust", "hunger_games")
OPPONENTS = ("tron_freespace", "wall", "tron_own_fill", "tron_two_fills")
COURSE_SECONDS = 0.3


def play(player, opponent, name, options):
    """One cell of the table: the score, and how many of the games differ from each other."""
    game = Tron41(name, options.start)
    # A machine that is busy with something else hands out its cores late; that is no part of the game.
    clock = ENDLESS if options.nodes else Clock(options.time, options.time)
    conditions = MatchConditions(
        game, clock, Limits(nodes=options.nodes) if options.nodes else None, tolerance=1.0
    )
    games = {}

    def keep(played, _):
        games[played.job.number] = (played.job.players[0], played.actions)

    plan = Plan(
        options.games, tuple(make_openings(game, "starts", options.games, options.seed)), seed=options.seed
    )
    outcome = run_tournament(
        RoundRobin((player, opponent)),
        plan,
        conditions,
        make_workers(None, options.concurrency),
        on_game=keep,
    )
    if outcome.interrupted:
        raise KeyboardInterrupt
    if outcome.unplayable or outcome.standings.faults:
        raise SystemExit(
            f"{player} against {opponent} on {name}: {[*outcome.unplayable, *outcome.standings.faults][0]}"
        )
    return outcome.standings.between(player, opponent).score, {
        "different": len(set(games.values())),
        "mean_length": outcome.standings.steps / len(games),
        "seconds": outcome.seconds,
    }


def shown(score):
    """A score in a few characters."""
    low, high = score.interval()
    return f"{score.wins}-{score.draws}-{score.losses}  {100 * score.mean:.1f} % ({100 * low:.1f}-{100 * high:.1f})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--player", default="best")
    parser.add_argument("--opponents", nargs="+", default=OPPONENTS)
    parser.add_argument("--maps", nargs="+", default=MAPS)
    parser.add_argument("--start", default="map", choices=("map", "random"), help="where the players start")
    parser.add_argument("--games", type=int, default=10, help="a map and opponent")
    parser.add_argument("--time", type=float, default=0.03, help="seconds a move, for both players")
    parser.add_argument("--long", action="store_true", help=f"the course's {COURSE_SECONDS} s a move")
    parser.add_argument(
        "--nodes", type=int, help="nodes a move instead of seconds, for players that search by time"
    )
    parser.add_argument("--seed", type=int, default=1, help="of the starts and all random choices")
    parser.add_argument("-j", "--concurrency", type=int, default=1, help="games at a time")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    if options.long:
        options.time = COURSE_SECONDS
    load, begun = os.getloadavg()[0], time.perf_counter()
    console, progress = Console(), Console(stderr=True)
    rows = []
    for opponent in options.opponents:
        for name in options.maps:
            score, rest = play(options.player, opponent, name, options)
            rows.append({"opponent": opponent, "map": name, **asdict(score), **rest})
            progress.print(
                f"{options.player} against {opponent} on {name}: {shown(score)}, {rest['seconds']:.0f} s"
            )
    if options.json:
        print(json.dumps({"options": vars(options), "load": load, "rows": rows}))
        return
    effort = f"{options.nodes} nodes" if options.nodes else f"{options.time:g} s"
    title = f"{options.player}, {effort} a move, start {options.start}, seed {options.seed}"
    totals, games = (
        Table(title=f"{title}: wins-draws-losses (95 % interval)"),
        Table(title="different games, steps a game"),
    )
    for table in (totals, games):
        table.add_column("against", no_wrap=True)
        for name in options.maps:
            table.add_column(name, no_wrap=True)
    totals.add_column("all", no_wrap=True)
    for opponent in options.opponents:
        mine = [row for row in rows if row["opponent"] == opponent]
        scores = [Score(row["wins"], row["draws"], row["losses"]) for row in mine]
        total = Score(
            *(sum(getattr(score, part) for score in scores) for part in ("wins", "draws", "losses"))
        )
        totals.add_row(opponent, *(shown(score) for score in (*scores, total)))
        games.add_row(opponent, *(f"{row['different']}, {row['mean_length']:.0f}" for row in mine))
    wide = Console(width=max(console.width, 200))
    wide.print(totals)
    wide.print(games)
    print(
        f"{time.perf_counter() - begun:.0f} s; load {load:.2f} at the start, {os.getloadavg()[0]:.2f} at the end"
    )


if __name__ == "__main__":
    main()
