"""Ace and Bob, two published players of Rubik's Flip, against a random mover and against each other.

Whoever begins changes from game to game, as in the published series of 100 games. The random mover draws a tile, where it
tumbles to, a square and a face, each uniformly (with `--random turn`: one of its turns, as the player `random` does).

    python examples/experiments/rubiks_flip_ace_bob.py            # 100 games each, as published
    python examples/experiments/rubiks_flip_ace_bob.py -n 20000
"""

import argparse
import json
import time

import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table

from saddlepoint.arena.statistics.paired import Score
from saddlepoint.boards.limits import new_control
from saddlepoint.compiled import jit, run
from saddlepoint.games.catalogue.make import make_player
from saddlepoint.games.rubiks_flip import RubiksFlip, action_of
from saddlepoint.players.published import published_search

RANDOM, ACE, BOB = 0, 1, 2
NAMES = ("random", "ace", "bob")
NO_ROW, FIRST_ROW, SECOND_ROW, DOUBLE_LOCK = range(4)
PUBLISHED = {(ACE, RANDOM): (89, 4, 7), (BOB, RANDOM): (94, 2, 4), (ACE, BOB): (50, 50, 0)}
"""Wins, losses and ties of the first named in 100 games. The program behind them undid a flip too early; see `ace`."""


@jit
def random_turn(game, state, player, flips, by_turn, rng):
    """A tile drawn uniformly, where it tumbles to, a free square, a face; or one of all turns."""
    turns = np.empty(game.max_actions, np.int64)
    if by_turn:
        return turns[rng.integers(0, game.legal_actions(state, player, turns))]
    count, flip = game.flips(state, player, flips), 0
    if count > 0:
        tiles = 0
        for k in range(count):  # tumbles of one tile follow each other
            tiles += int(k == 0 or (flips[k] - 1) >> 2 != (flips[k - 1] - 1) >> 2)
        drawn, first = rng.integers(0, tiles), 0
        for k in range(1, count):
            if (flips[k] - 1) >> 2 != (flips[k - 1] - 1) >> 2:
                drawn -= 1
                if drawn == 0:
                    first = k
        ways = 1
        while first + ways < count and (flips[first + ways] - 1) >> 2 == (flips[first] - 1) >> 2:
            ways += 1
        flip = flips[first + rng.integers(0, ways)]
    free = 0
    for k in range(game.legal_actions(state, player, turns)):
        if turns[k] >> 5 == flip and turns[k] & 1 == 0:
            turns[free] = turns[k]
            free += 1
    chosen = turns[rng.integers(0, free)]
    return action_of(flip, chosen >> 1 & 15, rng.integers(0, 2))


@jit
def play(game, ace, bob, state, seats, depth, window, unshuffled, by_turn, rng, control, drawn):
    """One game: who has a row in the end (`NO_ROW` to `DOUBLE_LOCK`), and its plies."""
    flips = np.empty(64, np.int64)
    actions, chances = np.empty((2 * depth + 2, game.max_actions), np.int64), np.zeros(game.max_actions)
    plies = 0
    player = game.current_player(state)
    while player >= 0:
        if seats[player] == 0:
            action = random_turn(game, state, player, flips, by_turn, rng)
        else:
            if seats[player] == 1:
                published_search(
                    game, ace, state, depth, -window, window, player, unshuffled, actions, chances, control, drawn
                )
            else:
                published_search(
                    game, bob, state, depth, -window, window, player, unshuffled, actions, chances, control, drawn
                )
            action = actions[0, 0]
        state = game.next_state(state, action)
        plies += 1
        player = game.current_player(state)
    return game.rows(state), plies


def series(game, players, pair, games, by_turn, rng):
    """(wins, losses, ties) of the first of the pair, how often each end came, and the mean length."""
    ends, plies, result = np.zeros(4, np.int64), 0, [0, 0, 0]
    ace, bob = players
    for number in track(range(games), f"{NAMES[pair[0]]} against {NAMES[pair[1]]}", console=Console(stderr=True), transient=True):
        seats = np.array(pair if number % 2 == 0 else pair[::-1])
        end, length = run(
            play, game, ace.manner, bob.manner, game.initial_state(), seats, ace.depth, 1000.0, False, by_turn, rng,
            new_control(), np.zeros(1, np.uint64),
        )
        ends[end] += 1
        plies += length
        if end in (NO_ROW, DOUBLE_LOCK):
            result[2] += 1
        else:
            result[0 if (end == FIRST_ROW) == (number % 2 == 0) else 1] += 1
    return tuple(result), ends.tolist(), plies / games


def share(count, games):
    """A count as a percentage with its 95 % interval."""
    low, high = Score(wins=count, losses=games - count).interval()
    digits = 1 if games < 2000 else 2
    return f"{100 * count / games:.{digits}f} ({100 * low:.{digits}f}-{100 * high:.{digits}f})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-n", "--games", type=int, default=100, help="games of each series")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--random", choices=("parts", "turn"), default="parts",
        help="what the random mover draws uniformly: tile, tumble, square and face in turn, or one of all its turns",
    )
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    game, rows, started = RubiksFlip(), [], time.perf_counter()
    players = make_player("ace", game), make_player("bob", game)
    for pair in (*PUBLISHED, (RANDOM, RANDOM)):
        rng = np.random.default_rng(options.seed)
        result, ends, length = series(game, players, pair, options.games, options.random == "turn", rng)
        rows.append({"pair": [NAMES[one] for one in pair], "result": result, "ends": ends, "plies": round(length, 2),
                     "published": PUBLISHED.get(pair)})  # fmt: skip
    seconds = time.perf_counter() - started
    if options.json:
        print(json.dumps({"games": options.games, "seed": options.seed, "rows": rows, "seconds": round(seconds, 1)}))
        return
    table = Table(title=f"Rubik's Flip, {options.games} games each, seed {options.seed}; 95 % intervals")
    for column in ("series", "published", "here", "wins %", "losses %", "ties %"):
        table.add_column(column, justify="left" if column == "series" else "right")
    for row in rows:
        published = "-".join(map(str, row["published"])) if row["published"] else ""
        shares = [share(count, options.games) for count in row["result"]]
        table.add_row(" - ".join(row["pair"]), published, "-".join(map(str, row["result"])), *shares)
    Console().print(table)
    ends = [share(count, options.games) for count in rows[-1]["ends"]]
    Console().print(
        f"Wins, losses and ties are the first named player's. Random against random, in %: a row of the first player's alone "
        f"{ends[FIRST_ROW]}, of the second's alone {ends[SECOND_ROW]}, of both {ends[DOUBLE_LOCK]}, of nobody {ends[NO_ROW]}; "
        f"{rows[-1]['plies']} plies on average. {seconds:.0f} s.",
        soft_wrap=True,
    )


if __name__ == "__main__":
    main()
