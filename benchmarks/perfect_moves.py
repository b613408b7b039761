"""How often searches find a perfect move of Othello 6x6 shortly before its end, where every move's value is known.

    python benchmarks/perfect_moves.py pvs 'pvs(evaluator=mobility)' --empty 12 --nodes 1000 --positions 1000

Positions come from random games; kept are those in which not all moves are worth the same.
"""

import argparse
import random
from typing import Any

from saddlepoint.algorithms import Limits
from saddlepoint.algorithms.searcher import Searcher
from saddlepoint.game.base import NO_ACTION, TERMINAL
from saddlepoint.game.spec import parse_spec
from saddlepoint.game.steps import random_step
from saddlepoint.games.catalogue.searches import make_algorithm
from saddlepoint.games.othello import Othello
from saddlepoint.system.terminal import Progress

GAME = Othello(6)


def empty_cells(state: Any) -> int:
    """The cells without a disc."""
    return GAME.size**2 - (int(state.discs0) | int(state.discs1)).bit_count()


def perfect_moves(solver: Searcher, state: Any) -> tuple[set[int], int]:
    """The moves that lead to the best result, and how many moves there are."""
    player = GAME.current_player(state)
    values: dict[int, float] = {}
    for action in GAME.legal_actions(state, player):
        after = GAME.advance(state, *((action, NO_ACTION) if player == 0 else (NO_ACTION, action)))
        if GAME.current_player(after) == TERMINAL:
            worth = float(GAME.returns(after))
        else:
            found = solver.search(after, Limits(depth=GAME.max_depth))
            assert found.exact
            worth = found.value
        values[action] = worth if player == 0 else -worth
    return {action for action, worth in values.items() if worth == max(values.values())}, len(values)


def positions(empty: int, count: int, seed: int) -> list[tuple[Any, set[int], int]]:
    """So many positions with so few empty cells in which a move matters, with their perfect moves."""
    draw, solver = random.Random(seed), Searcher(GAME, make_algorithm(parse_spec("pvs")))
    found: list[tuple[Any, set[int], int]] = []
    with Progress(count) as bar:
        while len(found) < count:
            state = GAME.initial_state()
            while GAME.current_player(state) != TERMINAL and empty_cells(state) > empty:
                state = random_step(GAME, state, draw)
            if GAME.current_player(state) == TERMINAL:
                continue
            perfect, moves = perfect_moves(solver, state)
            if len(perfect) < moves:
                found.append((state, perfect, moves))
                bar.update(len(found), "positions")
    return found


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "search", nargs="+", help="a search with its evaluator, such as 'pvs(evaluator=mobility)'"
    )
    parser.add_argument("--empty", type=int, default=12, help="empty cells at most")
    parser.add_argument("--nodes", type=int, default=1000, help="nodes of a search")
    parser.add_argument("--positions", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    searches = {spec: make_algorithm(parse_spec(spec)) for spec in asked.search}
    found = positions(asked.empty, asked.positions, asked.seed)
    share = sum(len(perfect) / moves for _, perfect, moves in found) / len(found)
    print(
        f"{len(found)} positions with at most {asked.empty} empty cells; a random move is perfect in {100 * share:.1f} %"
    )
    for spec, algorithm in searches.items():
        right = 0
        for state, perfect, _ in found:
            strategy = (
                Searcher(GAME, algorithm)
                .search(state, Limits(nodes=asked.nodes))
                .strategies[GAME.current_player(state)]
            )
            right += max(strategy, key=lambda action: strategy[action]) in perfect
        print(f"{spec}, {asked.nodes:,} nodes: {100 * right / len(found):.1f} %", flush=True)


if __name__ == "__main__":
    main()
