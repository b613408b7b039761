"""Plays a tournament into a ledger over and over, each time in a process that is killed: a program for test_ledger.py.

    python killed_writer.py LEDGER KILLS GAMES

When all games are played, the next process begins another tournament. Prints which games any process reported as
entered, tournament and number, one a line; then END, the kills, and how many of these games processes had entered that
were killed.
"""

import os
import random
import select
import signal
import sys
import time
from itertools import count

from saddlepoint.arena.conditions import MatchConditions
from saddlepoint.arena.ledger import Ledger, LedgerError
from saddlepoint.arena.openings import make_openings
from saddlepoint.arena.schedule import Plan, RoundRobin, find_unfinished, settings_of
from saddlepoint.arena.tournament import run_tournament
from saddlepoint.games.light_riders import LightRiders

GAME = LightRiders(8, 6)
SCHEDULE, CONDITIONS = RoundRobin(("random", "random")), MatchConditions(GAME)


def go_on(path: str, plan: Plan, report: int) -> None:
    """Play what is missing; tell every game after it was entered."""
    with Ledger(path) as ledger:
        try:
            number = find_unfinished(
                ledger, SCHEDULE.kind, SCHEDULE.players, lambda seed: settings_of(CONDITIONS, plan), plan.seed
            ).id
        except LedgerError:
            number = ledger.begin(
                RoundRobin.kind, SCHEDULE.players, settings_of(CONDITIONS, plan), plan.games
            )
        run_tournament(
            SCHEDULE,
            plan,
            CONDITIONS,
            ledger=ledger,
            tournament=number,
            on_game=lambda played, outcome: (
                os.write(report, b"%d:%d\n" % (number, played.job.number)) and None
            ),
        )


def main() -> None:
    """See above."""
    path, kills, games = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    plan = Plan(games, tuple(make_openings(GAME, "starts", games, 1)))
    draw = random.Random()
    run_tournament(
        SCHEDULE, Plan(2, plan.openings), CONDITIONS
    )  # imported and compiled before the first fork
    killed = entered = 0
    for _ in count():
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reading)
            go_on(path, plan, writing)
            os._exit(0)
        os.close(writing)
        if draw.random() < 0.7:  # else it dies while it opens the file
            select.select([reading], [], [])  # its first game is entered, or it ended
        time.sleep(draw.uniform(0.0, 0.03))
        if killed < kills:
            os.kill(child, signal.SIGKILL)
            killed += 1
        _, status = os.waitpid(child, 0)
        with os.fdopen(reading) as told:
            lines = told.readlines()
        sys.stdout.writelines(lines)
        entered += len(lines) if os.WIFSIGNALED(status) else 0
        if killed >= kills and os.WIFEXITED(status):
            break
    print("END", killed, entered, flush=True)


if __name__ == "__main__":
    main()
