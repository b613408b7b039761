"""What `best` wins of who errs where the game is too large to be solved: points of some players against each other and against plain bots.

python benchmarks/expected_errors.py best 'best(tremble=0)' --game 'goofspiel(cards=13)' --games 200 --nodes 40000

A draw is half a point. Each two games have the same seed and exchanged seats.
"""

import argparse
import itertools
import os
import statistics
import time

from plain_bots import PlainBot, bots_of

from saddlepoint import Limits
from saddlepoint.cli.common import read_game
from saddlepoint.game.base import Game
from saddlepoint.games.catalogue.make import make_player
from saddlepoint.play.game import play_game
from saddlepoint.players.base import Player, RandomPlayer


def points(game: Game, one: Player, other: Player, games: int, first: int) -> list[float]:
    """The first player's points, game by game."""
    found = []
    for number in range(games):
        both = (one, other) if number % 2 == 0 else (other, one)
        record = play_game(game, both, seed=first + number // 2)
        assert record.faults == (None, None), record.faults
        won = record.result * (1 - 2 * (number % 2))
        found.append((1 + (won > 0) - (won < 0)) / 2)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("players", nargs="+")
    parser.add_argument("--game", default="goofspiel(cards=13)")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--against", nargs="+", help="bots; else each other and all")
    parser.add_argument("--nodes", type=int, default=40_000, help="a move")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    game = read_game(asked.game)
    made = {spec: make_player(spec, game, Limits(nodes=asked.nodes)) for spec in asked.players}
    bots = {"random": RandomPlayer()} | {name: PlainBot(idea) for name, idea in bots_of(game).items()}
    pairs = [*itertools.combinations(made, 2), *itertools.product(made, bots)]
    if asked.against is not None:
        pairs = [*itertools.product(made, asked.against)]
    print(f"{asked.game}, {asked.nodes:,} nodes a move, load {os.getloadavg()[0]:.1f}\n")
    print("| player | against | points | 95 % | games | CPU time |\n|---|---|---:|---:|---:|---:|")
    for one, other in pairs:
        began = time.process_time()
        found = points(game, made[one], (made | bots)[other], asked.games, asked.seed)
        error = 1.96 * statistics.stdev(found) / len(found) ** 0.5
        print(
            f"| {one} | {other} | {statistics.mean(found):.1%} | {error:.1%} | {len(found)} | {time.process_time() - began:.0f} s |",
            flush=True,
        )


if __name__ == "__main__":
    main()
