"""Policies and CFR+ on Goofspiel, and Monte-Carlo tree search on Connect Four, beside OpenSpiel in one run: CPU times and their ratios.

    pip install open_spiel                                          # in any environment
    python benchmarks/openspiel_policies.py --python /path/to/that/bin/python

Three tables. NashConv of an even policy and of one that is drawn position by position: both must find the same to 1e-9. CFR+ until
NashConv is at most --target: the library's passes over positions, where those that merge are one, OpenSpiel's `CFRPlusSolver` over
histories, so that iterations need not be as many. Simulations a second of `mcts` and of `MCTSBot` with one random play-out each, from the
start of Connect Four. OpenSpiel's functions are those in C++, called from its Python binding. They run in a process of their own, with the
Python that has them: the two need not be installed together. Tables of policies are made before any clock runs.
"""

import argparse
import hashlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

from saddlepoint.algorithms import Limits, MonteCarlo, search
from saddlepoint.games import ConnectFour, Goofspiel
from saddlepoint.policies import CFRPlus, TablePolicy, UniformPolicy, nash_conv
from saddlepoint.solvers.general.solution import Solution
from saddlepoint.solvers.general.solve import solve_positions

GAMES = {
    "Goofspiel(4), descending": Goofspiel(4, "descending"),
    "Goofspiel(4), stochastic": Goofspiel(4),
    "Goofspiel(5), descending": Goofspiel(5, "descending"),
    "Goofspiel(5), stochastic": Goofspiel(5),
}
WITHOUT_TABLE = {"Goofspiel(5), stochastic"}
"""A table of a policy takes OpenSpiel's Python binding many minutes to write."""
RUNS = 5
"""Of ours: the best counts, since the first ones fill the processor's caches."""
GRID = [k * 10**n for n in range(4) for k in (1, 2, 3, 5, 7)]
"""Iterations after which the distance is looked at."""

_THEIRS = """
import hashlib, json, resource, sys, time
import pyspiel
asked = json.loads(sys.argv[1])

def begin():  # the limit is of what is timed
    limit = int(time.process_time()) + 1 + asked["limit"]
    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 5))

def timed(work):
    before = time.process_time()
    found = work()
    return found, time.process_time() - before

def goofspiel():
    return pyspiel.convert_to_turn_based(pyspiel.load_game(
        f"goofspiel(imp_info=False,num_cards={asked['cards']},players=2,points_order={asked['order']},returns_type=win_loss)"
    ))

def weight(key, player, action):
    return 1 + hashlib.blake2b(f"{key} {player} {action}".encode()).digest()[0]

def position(history):  # hands, deck, prize and points, in the words of the other side
    cards, drawn = asked["cards"], asked["order"] == "random"
    hands, deck, points, prize = [set(range(cards)), set(range(cards))], set(range(cards)), 0, -1
    moves, bids = list(history), []
    if not drawn:
        prize = cards - 1
        deck.discard(prize)
    for move in moves:
        if drawn and prize < 0:
            prize = move
            deck.discard(prize)
            continue
        bids.append(move)
        if len(bids) == 2:
            hands[0].discard(bids[0]); hands[1].discard(bids[1])
            points += (prize + 1) * ((bids[0] > bids[1]) - (bids[0] < bids[1]))
            bids, prize = [], -1
            if not drawn and deck:
                prize = max(deck)
                deck.discard(prize)
    return " ".join(["".join(map(str, sorted(one))) or "-" for one in (*hands, deck)] + [str(prize), str(points)])

def table(game):
    rows = {}
    def walk(state):
        if state.is_terminal():
            return
        if state.is_chance_node():
            for action, _ in state.chance_outcomes():
                walk(state.child(action))
            return
        text, player = state.information_state_string(), state.current_player()
        if player == 0 and text in rows:
            return  # the same follows as before
        own = state.legal_actions()
        key = position(state.history())
        weights = [weight(key, player, action) for action in own]
        rows[text] = [(action, share / sum(weights)) for action, share in zip(own, weights)]
        for action in own:
            walk(state.child(action))
    walk(game.new_initial_state())
    return rows

if asked["what"] == "nash_conv":
    game = goofspiel()
    rows = table(game) if asked["kind"] == "drawn" else pyspiel.UniformRandomPolicy(game)
    begin()
    found = timed(lambda: pyspiel.nash_conv(game, rows))
elif asked["what"] == "cfr_plus":
    game = goofspiel()
    begin()
    solver, seconds, found = pyspiel.CFRPlusSolver(game), 0.0, None
    for iteration in range(1, asked["grid"][-1] + 1):
        seconds += timed(solver.evaluate_and_update_policy)[1]
        if iteration in asked["grid"]:
            found = iteration, seconds, pyspiel.nash_conv(game, solver.average_policy(), True)
            if found[2] <= asked["target"]:
                break
else:
    game = pyspiel.load_game("connect_four")
    state = game.new_initial_state()
    runs = []
    for seed in range(asked["runs"]):
        bot = pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(1, seed), 1.4, asked["simulations"], 1000, True, seed, False)
        root, seconds = timed(lambda: bot.mcts_search(state))
        runs.append(root.explore_count / seconds)
    found = max(runs)
print(json.dumps(found))
"""


def theirs(python: str, what: str, limit: float, **asked: Any) -> Any:
    """What OpenSpiel finds, and in how many seconds of CPU time; None where it was stopped."""
    done = subprocess.run(
        [python, "-c", _THEIRS, json.dumps({"what": what, "limit": round(limit), **asked})],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode < 0:
        return None
    if done.returncode:
        raise SystemExit(f"OpenSpiel failed: {done.stderr.strip().splitlines()[-1]}")
    return json.loads(done.stdout.splitlines()[-1])


def timed(work: Callable[[], Any], runs: int = RUNS) -> tuple[Any, float]:
    """What it gives, and the least CPU seconds."""
    times: list[float] = []
    found: Any = None
    for _ in range(runs):
        before = time.process_time()
        found = work()
        times.append(time.process_time() - before)
    return found, min(times)


def drawn(game: Goofspiel) -> TablePolicy:
    """A policy drawn position by position, from a text that both sides can write."""
    rows: dict[Any, Any] = {}
    for state in Solution.of(solve_positions(game)).kept_states():
        own = [
            [card for card in range(game.cards) if hand >> card & 1]
            for hand in (state.hand0, state.hand1, state.deck)
        ]
        key = " ".join(
            ["".join(map(str, cards)) or "-" for cards in own]
            + [str(int(state.prize)), str(int(state.points))]
        )
        weights = [{card: weight(key, player, card) for card in own[player]} for player in (0, 1)]
        rows[state] = tuple(
            {card: one / sum(side.values()) for card, one in side.items()} for side in weights
        )
    return TablePolicy(game, rows)


def weight(key: str, player: int, action: int) -> int:
    """A number from 1 to 256."""
    return 1 + hashlib.blake2b(f"{key} {player} {action}".encode()).digest()[0]


def nash_conv_rows(options: argparse.Namespace) -> None:
    """NashConv of the same policies."""
    print("| game | policy | NashConv | here | OpenSpiel | ratio |\n|---|---|---:|---:|---:|---:|")
    for name, game in GAMES.items():
        for kind, policy in (("even", UniformPolicy(game)), ("drawn", drawn(game))):
            if kind == "drawn" and name in WITHOUT_TABLE:
                continue
            other = theirs(
                options.python, "nash_conv", options.time, cards=game.cards, order=game.order, kind=kind
            )
            found, seconds = timed(lambda policy=policy, game=game: nash_conv(game, policy))
            cells = [f"> {options.time:g} s", f"> {options.time / seconds:,.0f}"]
            if other is not None:
                their_value, their_seconds = other
                if abs(their_value - found) > 1e-9:
                    raise SystemExit(
                        f"{name}, {kind}: OpenSpiel's NashConv is {their_value!r}, ours {found!r}"
                    )
                cells = [f"{their_seconds * 1000:,.0f} ms", f"{their_seconds / seconds:,.1f}"]
            print(
                f"| {name} | {kind} | {found:.9f} | {seconds * 1000:,.1f} ms | {' | '.join(cells)} |",
                flush=True,
            )


def reached(game: Goofspiel, target: float) -> tuple[int, float, float]:
    """(iterations, their CPU seconds, NashConv) of the library's CFR+ when the distance is small enough."""
    work, seconds, distance = CFRPlus(game), 0.0, float("inf")
    for iterations in GRID:
        seconds += timed(lambda iterations=iterations: work.run(iterations - work.iterations), 1)[1]
        _, low, high = work.worth()
        distance = high - low
        if distance <= target:
            break
    return work.iterations, seconds, distance


def cfr_rows(options: argparse.Namespace) -> None:
    """CFR+ to the same distance."""
    print(
        f"\n| CFR+ to NashConv {options.target:g} | here | iterations | OpenSpiel | iterations | ratio |\n|---|---:|---:|---:|---:|---:|"
    )
    for name, game in GAMES.items():
        iterations, seconds, _ = min(
            (reached(game, options.target) for _ in range(3)), key=lambda found: found[1]
        )
        other = theirs(
            options.python,
            "cfr_plus",
            options.time,
            cards=game.cards,
            order=game.order,
            target=options.target,
            grid=GRID,
        )
        cells = [f"> {options.time:g} s", "", f"> {options.time / seconds:,.0f}"]
        if other is not None:
            cells = [f"{other[1] * 1000:,.0f} ms", str(other[0]), f"{other[1] / seconds:,.1f}"]
        print(f"| {name} | {seconds * 1000:,.1f} ms | {iterations} | {' | '.join(cells)} |", flush=True)


def connect_four_row(options: argparse.Namespace) -> None:
    """Simulations a second, one random play-out each."""
    game, simulations = ConnectFour(), options.simulations
    algorithm = MonteCarlo(batch=simulations, megabytes=1000.0)
    search(game, game.initial_state(), algorithm, Limits(depth=1))
    rates: list[float] = []
    for seed in range(RUNS):
        found, seconds = timed(
            lambda seed=seed: search(game, game.initial_state(), algorithm, Limits(depth=1), seed=seed), 1
        )
        rates.append(found.statistics.leaves / seconds)
    other = theirs(options.python, "mcts", options.time, simulations=simulations, runs=RUNS)
    print(
        f"\nConnect Four, {simulations:,} simulations from the start: {max(rates):,.0f} a CPU second here",
        end="",
    )
    print(f", {other:,.0f} of MCTSBot's: {max(rates) / other:.1f} times as many" if other else "")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument(
        "--python", default=sys.executable, help="the Python in which open_spiel is installed"
    )
    parser.add_argument(
        "--time",
        type=float,
        default=200.0,
        help="seconds of CPU time after which a run of OpenSpiel's is stopped",
    )
    parser.add_argument("--target", type=float, default=0.01, help="the NashConv at which CFR+ ends")
    parser.add_argument("--simulations", type=int, default=100_000)
    parser.add_argument("--game", help="only games with this word in their names")
    parser.add_argument("--only", choices=["nash_conv", "cfr_plus", "mcts"], help="one of the tables")
    options = parser.parse_args()
    if subprocess.run([options.python, "-c", "import pyspiel"], capture_output=True, check=False).returncode:
        parser.error(f"{options.python} has no open_spiel; give --python one that has")
    for name in list(GAMES):
        if options.game and options.game not in name:
            del GAMES[name]
    for what, work in (("nash_conv", nash_conv_rows), ("cfr_plus", cfr_rows), ("mcts", connect_four_row)):
        if options.only in (None, what):
            work(options)
    print(f"\nload {os.getloadavg()[0]:.1f}, {os.cpu_count()} cores")


if __name__ == "__main__":
    main()
