"""How often players find a perfect move of Othello 6x6, Connect Four or Rubik's Flip, where every move's value is known.

    python benchmarks/perfect_moves.py pvs 'pvs(evaluator=mobility)' --empty 12 --nodes 1000 --positions 1000
    python benchmarks/perfect_moves.py best 'best(solve=false)' --game connect_four --empty 24 --ms 50 --positions 300
    python benchmarks/perfect_moves.py best mcts --game rubiks_flip --database flip.solved --empty 10 --ms 50

Positions come from random games; kept are those in which not all moves are worth the same. Values are those of the plain search,
`pvs` without an evaluator; of Rubik's Flip those of a database, which `saddlepoint solve rubiks_flip -o flip.solved` writes. Time is
that of a core.
"""

import argparse
import os
import random
from collections.abc import Callable
from functools import partial
from typing import Any

from cpu_clock import count_cpu_time

from saddlepoint.algorithms import Limits
from saddlepoint.algorithms.searcher import Searcher
from saddlepoint.game.base import NO_ACTION, TERMINAL
from saddlepoint.game.spec import parse_spec
from saddlepoint.game.steps import random_step
from saddlepoint.games.catalogue.make import make_player
from saddlepoint.games.catalogue.searches import make_algorithm
from saddlepoint.games.connect_four import ConnectFour
from saddlepoint.games.othello import Othello
from saddlepoint.games.rubiks_flip import RubiksFlip
from saddlepoint.games.rubiks_flip.database import Database
from saddlepoint.players.base import Answer
from saddlepoint.players.clock import ENDLESS, Clock
from saddlepoint.system.terminal import Progress

GAMES: dict[str, tuple[Any, int]] = {
    "othello": (Othello(6), 36),
    "connect_four": (ConnectFour(), 42),
    "rubiks_flip": (RubiksFlip(), 16),
}
"""Each with its number of cells."""


def empty_cells(cells: int, state: Any) -> int:
    """The cells without a disc or tile, which the first two words of a state are."""
    return cells - (int(state[0]) | int(state[1])).bit_count()


def looked_up(database: Database, state: Any) -> tuple[set[int], int]:
    """As `perfect_moves`, from a solved game: the result counts, not how soon it comes."""
    lines = database.turns(state)
    return {line.action for line in lines if line.outcome.result == lines[0].outcome.result}, len(lines)


def perfect_moves(solver: Searcher, state: Any) -> tuple[set[int], int]:
    """The moves that lead to the best result, and how many moves there are."""
    game = solver.game
    player = game.current_player(state)
    values: dict[int, float] = {}
    for action in game.legal_actions(state, player):
        after = game.advance(state, *((action, NO_ACTION) if player == 0 else (NO_ACTION, action)))
        if game.current_player(after) == TERMINAL:
            worth = float(game.returns(after))
        else:
            found = solver.search(after, Limits(depth=game.max_depth))
            assert found.exact
            worth = found.value
        values[action] = worth if player == 0 else -worth
    return {action for action, worth in values.items() if worth == max(values.values())}, len(values)


def positions(
    game: Any,
    cells: int,
    empty: int,
    count: int,
    seed: int,
    perfect_in: Callable[[Any], tuple[set[int], int]],
) -> list[tuple[Any, set[int], int]]:
    """So many positions with so few empty cells in which a move matters, with their perfect moves."""
    draw = random.Random(seed)
    found: list[tuple[Any, set[int], int]] = []
    with Progress(count) as bar:
        while len(found) < count:
            state = game.initial_state()
            while game.current_player(state) != TERMINAL and empty_cells(cells, state) > empty:
                state = random_step(game, state, draw)
            if game.current_player(state) == TERMINAL:
                continue
            perfect, moves = perfect_in(state)
            if len(perfect) < moves:
                found.append((state, perfect, moves))
                bar.update(len(found), "positions")
    return found


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "player", nargs="+", help="best, or a search with its evaluator, such as 'pvs(evaluator=mobility)'"
    )
    parser.add_argument("--empty", type=int, default=12, help="empty cells at most")
    parser.add_argument("--game", choices=GAMES, default="othello")
    parser.add_argument("--database", help="the solved game, for rubiks_flip")
    parser.add_argument("--nodes", type=int, default=1000, help="nodes of a move")
    parser.add_argument("--ms", type=float, help="a move's time, in the place of nodes")
    parser.add_argument("--positions", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    if asked.ms is not None:
        count_cpu_time()
    if (asked.database is None) is (asked.game == "rubiks_flip"):
        parser.error("--database is for rubiks_flip, which needs it")
    game, cells = GAMES[asked.game]
    if asked.database is None:
        perfect_in = partial(perfect_moves, Searcher(game, make_algorithm(parse_spec("pvs"))))
    else:
        perfect_in = partial(looked_up, Database(asked.database))
    bounds = Limits(nodes=asked.nodes) if asked.ms is None else None
    clock = ENDLESS if asked.ms is None else Clock(asked.ms / 1000, asked.ms / 1000)
    players = {spec: make_player(spec, game, bounds) for spec in asked.player}
    found = positions(game, cells, asked.empty, asked.positions, asked.seed, perfect_in)
    share = sum(len(perfect) / moves for _, perfect, moves in found) / len(found)
    print(
        f"{len(found)} positions with at most {asked.empty} empty cells; a random move is perfect in {100 * share:.1f} %"
    )
    each = f"{asked.nodes:,} nodes" if asked.ms is None else f"{asked.ms:g} ms"
    for spec, player in players.items():
        right = 0
        for state, perfect, _ in found:
            player.begin(game, game.current_player(state), 1)
            right += Answer.of(player.choose(state, clock)).action in perfect
        print(
            f"{spec}, {each}: {right} of {len(found)}, {100 * right / len(found):.1f} %; load {os.getloadavg()[0]:.1f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
