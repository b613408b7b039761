"""How often Simplexity's best player walks into a forced loss: positions of its own games, judged by the forced search.

A blunder is a move after which the other side wins by force within `--plies`, played where another move does not lose so soon.
The games are against `minimax` and against itself, with colours exchanged, from openings of up to
`--opening` random moves (the players are nearly deterministic, so games from one start would soon repeat each other); no
position counts twice. Time is that of a core.

    python benchmarks/simplexity_blunders.py --positions 1000 --ms 200
"""

import argparse
import json
import os
import random
import time
from dataclasses import dataclass, field
from typing import Any

from cpu_clock import count_cpu_time
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from saddlepoint.algorithms import Limits, SearchResult
from saddlepoint.arena.statistics.paired import Score
from saddlepoint.games.catalogue.make import make_player
from saddlepoint.games.simplexity import UNDECIDED, Simplexity, State
from saddlepoint.games.simplexity.forced import ForcedSearch
from saddlepoint.players.base import Answer
from saddlepoint.players.clock import Clock

OPPONENTS = ("minimax", "best")


@dataclass
class Judge:
    """Who is lost by force within so many plies."""

    game: Simplexity
    plies: int
    search: ForcedSearch = field(init=False)

    def __post_init__(self) -> None:
        self.search = ForcedSearch(self.game, 64)

    def is_lost(self, state: State) -> bool:
        """Whether after every move the other side wins by force within the plies."""
        return not self.search.ask(state, False, self.plies + 1).reached

    def loses(self, state: State, action: int) -> bool:
        """Whether the other side wins by force within the plies that follow the action."""
        return bool(self.search.ask(self.game.next_state(state, action), True, self.plies).reached)


@dataclass
class Tally:
    """What was counted."""

    positions: dict[str, int] = field(default_factory=lambda: dict.fromkeys(OPPONENTS, 0))
    blunders: list[dict[str, str]] = field(default_factory=list)
    lost: int = 0
    games: int = 0
    depths: list[int] = field(default_factory=list)
    nodes: list[int] = field(default_factory=list)

    @property
    def total(self) -> int:
        return sum(self.positions.values())


def opening(game: Simplexity, most: int, draw: random.Random) -> list[int]:
    """Up to `most` random moves after which nobody has won."""
    while True:
        state, moves = game.initial_state(), []
        for _ in range(draw.randint(0, most)):
            moves.append(draw.choice(game.legal_actions(state, state.moves & 1)))
            state = game.next_state(state, moves[-1])
            if state.result != UNDECIDED:
                break
        if state.result == UNDECIDED:
            return moves


def play(game, players, tested, opponent, moves, clock, judge, tally, seen, wanted) -> None:
    """One game; the moves of the `tested` seats are judged, until so many positions are counted."""
    state = game.initial_state()
    for action in moves:
        state = game.next_state(state, action)
    while state.result == UNDECIDED and tally.total < wanted:
        mover = state.moves & 1
        action, result, *_ = Answer.of(players[mover].choose(state, clock))
        if mover in tested and state not in seen:
            seen.add(state)
            if judge.is_lost(state):
                tally.lost += 1
            else:
                tally.positions[opponent] += 1
                if isinstance(result, SearchResult):
                    tally.depths.append(result.depth)
                    tally.nodes.append(result.statistics.nodes)
                if judge.loses(state, action):
                    kept = [a for a in game.legal_actions(state, mover) if not judge.loses(state, a)]
                    tally.blunders.append(
                        {
                            "against": opponent,
                            "moves": game.moves_to_text(moves),
                            "played": game.action_to_string(state, mover, action),
                            "kept": " ".join(game.action_to_string(state, mover, one) for one in kept),
                        }
                    )
        moves = [*moves, action]
        state = game.next_state(state, action)


def measure(options: argparse.Namespace) -> Tally:
    """Play until enough positions are counted."""
    game, draw, judge, tally = Simplexity(), random.Random(options.seed), None, Tally()
    judge = Judge(game, options.plies)
    clock = Clock(options.ms / 1000, options.ms / 1000)
    limits = None if options.nodes is None else Limits(nodes=options.nodes)
    if limits is not None:
        clock = Clock(1e6, 1e6)
    tested = make_player(options.player, game, limits)
    others = {"minimax": make_player("minimax", game), "best": make_player(options.player, game, limits)}
    for player in (tested, *others.values()):
        player.warm(game, game.initial_state(), (0,))
    judge.is_lost(game.initial_state())
    seen: set[State] = set()
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("positions", total=options.positions)
        while tally.total < options.positions:
            number = tally.games
            opponent, seat = OPPONENTS[number // 2 % 2], number % 2
            if seat == 0:  # the same opening with either colour
                moves = opening(game, options.opening, draw)
            players = [others[opponent], others[opponent]]
            players[seat] = tested
            for k, player in enumerate(players):
                player.begin(game, k, draw.getrandbits(32))
            seats = (0, 1) if opponent == "best" else (seat,)
            play(game, players, seats, opponent, moves, clock, judge, tally, seen, options.positions)
            tally.games += 1
            progress.update(
                task, completed=tally.total, description=f"positions, {len(tally.blunders)} blunders"
            )
    return tally


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--positions", type=int, default=1000)
    parser.add_argument("--ms", type=float, default=200, help="a move's time")
    parser.add_argument(
        "--nodes", type=int, help="a move's positions instead of its time: repeatable, on a busy machine too"
    )
    parser.add_argument("--plies", type=int, default=8, help="how far a loss by force may be")
    parser.add_argument("--opening", type=int, default=6, help="the most random moves at the start of a game")
    parser.add_argument("--player", default="best")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    count_cpu_time()
    load, started = os.getloadavg()[0], time.monotonic()
    tally = measure(options)
    count, total = len(tally.blunders), tally.total
    low, high = Score(wins=count, losses=total - count).interval()
    nodes, depths = sorted(tally.nodes), sorted(tally.depths)
    row: dict[str, Any] = {
        "positions": total,
        "blunders": count,
        "rate": count / total,
        "interval95": [low, high],
        "games": tally.games,
        "against": tally.positions,
        "lost already": tally.lost,
        "median nodes": nodes[len(nodes) // 2],
        "median depth": depths[len(depths) // 2],
        "load": [round(load, 1), round(os.getloadavg()[0], 1)],
        "seconds": round(time.monotonic() - started, 1),
    }
    if options.json:
        print(json.dumps({**row, "found": tally.blunders}))
        return
    for blunder in tally.blunders:
        print(
            "after {moves} against {against}: played {played}; moves that do not lose so soon: {kept}".format(
                **blunder
            )
        )
    budget = f"{options.nodes:,} nodes" if options.nodes is not None else f"{options.ms:g} ms"
    print(
        f"{options.player} at {budget} a move: {count} of {total} positions ({100 * count / total:.2f} %, 95 % interval "
        f"{100 * low:.2f} to {100 * high:.2f} %) lost by force within {options.plies} plies after its move, "
        "where another does not"
    )
    print(
        f"{tally.games} games, in {tally.lost} positions more every move lost so soon; median {row['median nodes']:,} nodes and depth "
        f"{row['median depth']} a move; load {load:.1f} at the start, {row['load'][1]:.1f} at the end, {row['seconds']:.0f} s"
    )


if __name__ == "__main__":
    main()
