"""Whether every named player of every game keeps to its limits: its longest move by the clock, and its most positions.

Each plays the first moves of some games against `random`, once with so many seconds a move, once with so many positions.
What has to be compiled is compiled before. On a busy machine a move may wait for a core: the share of CPU time tells.

    python benchmarks/player_limits.py --time 0.05 --nodes 200
"""

import argparse
import os
import random
import time
from typing import Any, NamedTuple

from rich.console import Console
from rich.table import Table

from saddlepoint.algorithms import Limits
from saddlepoint.game.base import CHANCE, NO_ACTION, TERMINAL, Game
from saddlepoint.games.catalogue.games import GAMES, make_game
from saddlepoint.games.catalogue.make import make_player
from saddlepoint.games.catalogue.players import players_of
from saddlepoint.players.base import Answer, Player
from saddlepoint.players.clock import ENDLESS, Clock


class Longest(NamedTuple):
    """Of a player's moves."""

    moves: int
    seconds: float
    cpu: float
    """CPU seconds of the move with the most of them."""
    nodes: int | None
    """The most positions visited for a move; None of players that tell none."""


def subjects() -> list[tuple[str, str]]:
    """(game, player) of every named player that needs no file."""
    return [(game, entry.name) for game in GAMES for entry in players_of(game) if entry.is_complete]


def longest_moves(game: Game, player: Player, clock: Clock, moves: int, games: int, seed: int) -> Longest:
    """The longest of the moves of some games against random moves, both seats in turn, at most `moves` a game."""
    drawn, seconds, cpu, nodes, made = random.Random(seed), 0.0, 0.0, -1, 0
    for number in range(games):
        seat, state, left = number % 2, game.initial_state(), moves
        while game.current_player(state) == CHANCE:
            state = game.next_state(state, game.chance_outcomes(state)[0][0])
        player.warm(game, state)
        player.begin(game, seat, seed + number)
        while left and game.current_player(state) != TERMINAL:
            if game.current_player(state) == CHANCE:
                outcomes, chances = zip(*game.chance_outcomes(state), strict=True)
                state = game.next_state(state, *drawn.choices(outcomes, chances))
                continue
            joint = [NO_ACTION, NO_ACTION]
            for mover in game.players_to_act(state):
                if mover != seat:
                    joint[mover] = drawn.choice(game.search_actions(state, mover))
                    continue
                started, used = time.perf_counter(), time.process_time()
                answer = Answer.of(player.choose(state, clock))
                joint[mover] = answer.action
                seconds = max(seconds, time.perf_counter() - started)
                cpu = max(cpu, time.process_time() - used)
                told = answer.statistics
                if told is not None and told.nodes is not None:
                    nodes = max(nodes, told.nodes)
                made, left = made + 1, left - 1
            state = game.advance(state, *joint)
    return Longest(made, seconds, cpu, None if nodes < 0 else nodes)


def measured(name: str, spec: str, limits: Limits, moves: int, games: int, seed: int = 1) -> Longest:
    """As `longest_moves`, of a named player within the limits: seconds are its clock's, as in a match with --time."""
    game = make_game(name)
    player = make_player(spec, game, Limits(nodes=limits.nodes))
    clock = ENDLESS if limits.seconds is None else Clock(limits.seconds, limits.seconds)
    try:
        return longest_moves(game, player, clock, moves, games, seed)
    finally:
        player.close()


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--time", type=float, default=0.05, help="seconds a move")
    parser.add_argument("--nodes", type=int, default=200, help="positions a move")
    parser.add_argument("--moves", type=int, default=60, help="moves a game, at most")
    parser.add_argument("--games", type=int, default=2)
    parser.add_argument("--game", default="", help="only this game")
    given: Any = parser.parse_args()
    table = Table(
        "game",
        "player",
        "moves",
        f"longest at {given.time} s",
        "its CPU s",
        f"longest at {given.nodes} nodes",
        "most nodes",
    )
    for game, spec in subjects():
        if given.game not in ("", game):
            continue
        by_clock = measured(game, spec, Limits(seconds=given.time), given.moves, given.games)
        by_nodes = measured(game, spec, Limits(nodes=given.nodes), given.moves, given.games)
        told = "-" if by_nodes.nodes is None else str(by_nodes.nodes)
        row = (
            game,
            spec,
            str(by_clock.moves),
            f"{by_clock.seconds:.3f} s",
            f"{by_clock.cpu:.3f}",
            f"{by_nodes.seconds:.3f} s",
            told,
        )
        print(*row, flush=True)
        table.add_row(*row)
    load = os.getloadavg()[0]
    Console().print(table, f"{os.cpu_count()} cores, load {load:.1f}")


if __name__ == "__main__":
    main()
