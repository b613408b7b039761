"""What folding saves: positions kept and CPU time of solving, whole and folded in turn, and whether the values are the same.

    python benchmarks/folding.py

Medians of several times, one thread, compiled before, without writing and checking.
"""

import argparse
import os
import statistics
import time

from saddlepoint.game.base import Game
from saddlepoint.games import (
    ConnectFour,
    Goofspiel,
    LightRiders,
    OshiZumo,
    Othello,
    PursuitEvasion,
    Soccer,
    TicTacToe,
    Tron,
)
from saddlepoint.solvers.general.solve import Induction, solve_positions

GAMES: tuple[Game, ...] = (
    Goofspiel(5),
    OshiZumo(50),
    LightRiders(6, 5),
    LightRiders(6, 6),
    Tron(5, 6),
    Tron(6, 6),
    PursuitEvasion(5, 5, 6),
    PursuitEvasion(6, 6, 20),
    Soccer(max_moves=10),
    TicTacToe(),
    ConnectFour(4, 4),
    ConnectFour(5, 4),
    Othello(4),
)
"""Sizes that are solved in seconds."""


def timed(game: Game, fold: bool) -> tuple[Induction, float]:
    began = time.process_time()
    work = solve_positions(game, fold=fold)
    return work, time.process_time() - began


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--times", type=int, default=5, help="how often each is solved")
    options = parser.parse_args()
    print(
        "| game | all positions | ms | kept | ms | times as fast | load |\n|---|---:|---:|---:|---:|---:|---:|"
    )
    for game in GAMES:
        taken: dict[bool, list[float]] = {False: [], True: []}
        kept = {fold: timed(game, fold)[0] for fold in taken}
        if abs(kept[True].value - kept[False].value) > 1e-9:
            raise SystemExit(f"{game!r} is worth {kept[True].value} folded and {kept[False].value} whole")
        for _ in range(options.times):
            for fold, times in taken.items():
                times.append(1e3 * timed(game, fold)[1])
        whole, folded = (statistics.median(taken[fold]) for fold in (False, True))
        print(
            f"| {game!r} | {kept[False].positions.filled:,} | {whole:.3g} | {kept[True].positions.filled:,} | {folded:.3g} | "
            f"{whole / folded:.2g} | {os.getloadavg()[0]:.1f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
