"""What each search is worth in Battlesnake: with `best`'s evaluator, without chance, against `best`'s own search at equal processor time.

    python benchmarks/battlesnake_searches.py --pairs 12 --milliseconds 20

Who moves by processor time is given nodes: as many a move as took that time in its moves so far, so that both sides take the same on a
busy machine too. Pairs are a start with both sides, with the same new food as long as the games do not part; the interval is of pairs.
"""

import argparse
import math
import os
import time
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from saddlepoint.algorithms import (
    SMAB,
    BackwardInduction,
    DoubleOracle,
    DoubleOracleBounds,
    Limits,
    SaddlePruning,
    SerialisedAlphaBeta,
)
from saddlepoint.game.base import CHANCE, SIMULTANEOUS, TERMINAL, Game
from saddlepoint.games.battlesnake import Battlesnake, best_search
from saddlepoint.players.clock import ENDLESS
from saddlepoint.players.searching import SearchPlayer

LONGEST = 600
"""Rounds after which a game is called a draw."""
BEST = best_search()
OTHERS: dict[str, Any] = {
    "alphabeta, plain": SerialisedAlphaBeta(BEST.evaluator, chance="quiet"),
    "smab": SMAB(BEST.evaluator, chance="quiet"),
    "do_alphabeta": DoubleOracleBounds(BEST.evaluator, chance="quiet"),
    "do": DoubleOracle(BEST.evaluator, chance="quiet"),
    "saddle": SaddlePruning(BEST.evaluator, chance="quiet"),
    "bi": BackwardInduction(BEST.evaluator, chance="quiet"),
}


class Side:
    """A search with so many milliseconds of processor time a move."""

    def __init__(self, algorithm: Any, milliseconds: float) -> None:
        self.algorithm, self.seconds, self.speed = algorithm, milliseconds / 1000, 100_000.0
        self.spent, self.moves, self.depths = 0.0, 0, 0
        mixed = not isinstance(algorithm, SerialisedAlphaBeta)
        self.players = [SearchPlayer(algorithm, choice="mixture" if mixed else "best") for _ in (0, 1)]

    def begin(self, game: Game, player: int, seed: int) -> None:
        """Before a game in this seat."""
        self.seat = self.players[player]
        self.seat.begin(game, player, seed)

    def action(self, state: Any) -> int:
        """The move; what it took says how many nodes the next one gets."""
        self.seat.limits = Limits(nodes=max(50, int(self.speed * self.seconds)))
        began = time.thread_time()
        answer = self.seat.choose(state, ENDLESS)
        spent = time.thread_time() - began
        if answer.findings is not None:
            nodes = answer.findings.statistics.nodes
            self.spent, self.moves, self.depths = (
                self.spent + spent,
                self.moves + 1,
                self.depths + answer.findings.depth,
            )
            self.speed += 0.1 * (nodes / spent - self.speed)
        return answer.action


def played(game: Battlesnake, sides: list[Side], state: Any, seed: int) -> float:
    """Player 0's result of one game."""
    draw = np.random.default_rng(seed)
    for player in (0, 1):
        sides[player].begin(game, player, seed)
    while (node := game.current_player(state)) != TERMINAL and state.round < LONGEST:
        if node == CHANCE:
            state = game.next_state(
                state, game.drawn_outcome(state, np.uint64(draw.integers(2**64, dtype=np.uint64))), -1
            )
        elif node == SIMULTANEOUS:
            state = game.next_state(state, *(side.action(state) for side in sides))
    return float(game.returns(state)) if node == TERMINAL else 0.0


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", help="the searches; all of them where none is named")
    parser.add_argument("--pairs", type=int, default=12)
    parser.add_argument("--milliseconds", type=float, default=20.0, help="processor time of a move")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    game = Battlesnake()
    starts = game.starts()
    table = Table(title=f"Against best's search, {options.milliseconds:g} ms of processor time a move")
    for heading in (
        "search",
        "won",
        "drawn",
        "lost",
        "score %",
        "+-",
        "its ms",
        "best's ms",
        "its depth",
        "best's depth",
    ):
        table.add_column(heading)
    for name in options.names or OTHERS:
        other, best = Side(OTHERS[name], options.milliseconds), Side(BEST, options.milliseconds)
        results: list[float] = []
        for pair in range(options.pairs):
            start = starts[(7 * pair + options.seed) % len(starts)]
            seed = options.seed * 1_000_003 + pair
            results += [played(game, [other, best], start, seed), -played(game, [best, other], start, seed)]
        points = (np.array(results).reshape(-1, 2).mean(axis=1) + 1) / 2
        error = 1.96 * float(np.std(points, ddof=1)) / math.sqrt(len(points)) if len(points) > 1 else math.nan
        counts = [str(results.count(kind)) for kind in (1.0, 0.0, -1.0)]
        times = [f"{1000 * side.spent / max(1, side.moves):.1f}" for side in (other, best)]
        depths = [f"{side.depths / max(1, side.moves):.1f}" for side in (other, best)]
        row = [name, *counts, f"{100 * points.mean():.1f}", f"{100 * error:.1f}", *times, *depths]
        table.add_row(*row)
        print(*row, sep=" | ", flush=True)
    Console().print(table)
    print(f"load {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
