"""OpenSpiel's `value_iteration` beside `solve` on the same games, one after the other in one run: CPU times and their ratio.

    pip install open_spiel cvxpy ecos                          # in any environment; ecos is the solver that value_iteration asks for
    python benchmarks/openspiel_value_iteration.py --python /path/to/that/bin/python --time 400

A run of OpenSpiel's is stopped after --time seconds of CPU time; the ratio is then told as more than that. It runs in a
process of its own, with the Python that has it: the two need not be installed together.
"""

import argparse
import json
import os
import signal
import subprocess
import sys
import time

from saddlepoint.game import Game
from saddlepoint.games import Goofspiel, OshiZumo
from saddlepoint.solvers.general import Induction, solve_positions

GAMES: dict[str, tuple[Game, str]] = {
    "Goofspiel(4), stochastic": (
        Goofspiel(4), "goofspiel(imp_info=False,num_cards=4,players=2,points_order=random,returns_type=win_loss)",
    ),
    "Goofspiel(5), descending": (
        Goofspiel(5, "descending"), "goofspiel(imp_info=False,num_cards=5,players=2,points_order=descending,returns_type=win_loss)",
    ),
    "Goofspiel(5), stochastic": (
        Goofspiel(5), "goofspiel(imp_info=False,num_cards=5,players=2,points_order=random,returns_type=win_loss)",
    ),
    "Oshi-Zumo(10, 3, 1)": (OshiZumo(), "oshi_zumo(alesia=False,coins=10,horizon=1000,min_bid=1,size=3)"),
}  # fmt: skip

THEIRS = """
import json, resource, sys, time
limit = int(sys.argv[2])
resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 5))
import pyspiel
from open_spiel.python.algorithms import value_iteration
game = pyspiel.load_game(sys.argv[1])
before = time.process_time()
values = value_iteration.value_iteration(game, depth_limit=-1, threshold=1e-3)
print(json.dumps({"seconds": time.process_time() - before, "value": values[str(game.new_initial_state())], "states": len(values)}))
"""


def ours(game: Game) -> tuple[float, float, int]:
    """(CPU seconds, value, positions); the best of five runs, since the first ones fill the processor's caches."""
    Induction(game)  # compiles, or loads
    times: list[float] = []
    for _ in range(5):
        before = time.process_time()
        solve_positions(game)
        times.append(time.process_time() - before)
    work = solve_positions(game)
    return min(times), work.value, work.counts().positions


def theirs(python: str, text: str, limit: float) -> dict[str, float] | None:
    """OpenSpiel's figures; None where it was stopped."""
    done = subprocess.run([python, "-c", THEIRS, text, f"{limit:.0f}"], capture_output=True, text=True, check=False)
    if done.returncode == -signal.SIGXCPU:
        return None
    if done.returncode:
        raise SystemExit(f"OpenSpiel failed: {done.stderr.strip().splitlines()[-1]}")
    return json.loads(done.stdout.splitlines()[-1])


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--python", default=sys.executable, help="the Python in which open_spiel is installed")
    parser.add_argument("--time", type=float, default=400.0, help="seconds of CPU time after which a run of OpenSpiel's is stopped")
    parser.add_argument("--game", help="only games with this word in their names")
    options = parser.parse_args()
    if subprocess.run([options.python, "-c", "import pyspiel"], capture_output=True, check=False).returncode:
        parser.error(f"{options.python} has no open_spiel; give --python one that has")
    for name, (game, text) in GAMES.items():
        if options.game and options.game not in name:
            continue
        seconds, value, positions = ours(game)
        found = theirs(options.python, text, options.time)
        told = f"stopped at {options.time:g} s" if found is None else f"{found['seconds']:.1f} s, value {found['value']:+.4f}"
        ratio = f"> {options.time / seconds:,.0f}" if found is None else f"{found['seconds'] / seconds:,.0f}"
        own = f"{seconds * 1000:.3g} ms, value {value + 0.0:+.4f}, {positions:,} positions"
        print(f"{name}: {own}; OpenSpiel {told}; ratio {ratio}", flush=True)
    print(f"load {os.getloadavg()[0]:.1f}, {os.cpu_count()} cores")


if __name__ == "__main__":
    main()
