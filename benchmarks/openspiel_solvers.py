"""OpenSpiel's exact solvers beside `solve` on the same games, one after the other in one run: CPU times and their ratios, as a table.

    pip install open_spiel cvxpy ecos                          # in any environment; ecos is the solver that both ask for
    python benchmarks/openspiel_solvers.py --python /path/to/that/bin/python --time 400

`value_iteration` solves a linear program at each position, again and again until values settle; `sequence_form_lp` solves one linear
program of the whole tree. A run of OpenSpiel's is stopped after --time seconds of CPU time, or where its matrix does not fit into
memory; the ratio is then told as more than that, or not at all. It runs in a
process of its own, with the Python that has it: the two need not be installed together.
"""

import argparse
import json
import os
import signal
import subprocess
import sys
import time

from saddlepoint.game.base import Game
from saddlepoint.games import Goofspiel, OshiZumo
from saddlepoint.solvers.general.solve import Induction, solve_positions

GAMES: dict[str, tuple[Game, str]] = {
    "Goofspiel(4), stochastic": (
        Goofspiel(4),
        "goofspiel(imp_info=False,num_cards=4,players=2,points_order=random,returns_type=win_loss)",
    ),
    "Goofspiel(5), descending": (
        Goofspiel(5, "descending"),
        "goofspiel(imp_info=False,num_cards=5,players=2,points_order=descending,returns_type=win_loss)",
    ),
    "Goofspiel(5), stochastic": (
        Goofspiel(5),
        "goofspiel(imp_info=False,num_cards=5,players=2,points_order=random,returns_type=win_loss)",
    ),
    "Oshi-Zumo(10, 3, 1)": (OshiZumo(), "oshi_zumo(alesia=False,coins=10,horizon=1000,min_bid=1,size=3)"),
}

_BEGIN = """
import json, resource, sys, time
limit = int(sys.argv[2])
resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 5))
import pyspiel
game = pyspiel.load_game(sys.argv[1])
"""
THEIRS = {
    "value_iteration": _BEGIN
    + """
from open_spiel.python.algorithms import value_iteration
before = time.process_time()
values = value_iteration.value_iteration(game, depth_limit=-1, threshold=1e-3)
seconds = time.process_time() - before
def value_of(state):  # there are none of chance nodes
    found = values.get(str(state))
    return found if found is not None else sum(share * value_of(state.child(action)) for action, share in state.chance_outcomes())
print(json.dumps({"seconds": seconds, "value": value_of(game.new_initial_state())}))
""",
    "sequence_form_lp": _BEGIN
    + """
from open_spiel.python.algorithms import sequence_form_lp
game = pyspiel.convert_to_turn_based(game)
before = time.process_time()
try:
    value = sequence_form_lp.solve_zero_sum_game(game)[0]
except MemoryError:
    value = None
print(json.dumps({"seconds": time.process_time() - before, "value": value}))
""",
}


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


def theirs(python: str, method: str, text: str, limit: float) -> dict[str, float | None] | None:
    """OpenSpiel's figures, the value None where memory did not suffice; None where it was stopped."""
    done = subprocess.run(
        [python, "-c", THEIRS[method], text, f"{limit:.0f}"], capture_output=True, text=True, check=False
    )
    if done.returncode == -signal.SIGXCPU:
        return None
    if done.returncode:
        raise SystemExit(f"OpenSpiel failed: {done.stderr.strip().splitlines()[-1]}")
    return json.loads(done.stdout.splitlines()[-1])


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument(
        "--python", default=sys.executable, help="the Python in which open_spiel is installed"
    )
    parser.add_argument(
        "--time",
        type=float,
        default=400.0,
        help="seconds of CPU time after which a run of OpenSpiel's is stopped",
    )
    parser.add_argument("--game", help="only games with this word in their names")
    options = parser.parse_args()
    if subprocess.run([options.python, "-c", "import pyspiel"], capture_output=True, check=False).returncode:
        parser.error(f"{options.python} has no open_spiel; give --python one that has")
    print("| game | positions | `solve` | " + " | ".join(f"`{method}` | ratio" for method in THEIRS) + " |")
    print("|---" + "|---:" * (2 + 2 * len(THEIRS)) + "|")
    for name, (game, text) in GAMES.items():
        if options.game and options.game not in name:
            continue
        seconds, value, positions = ours(game)
        cells = [name, f"{positions:,}", f"{seconds * 1000:.3g} ms"]
        for method in THEIRS:
            cells += compared(
                theirs(options.python, method, text, options.time), seconds, value, options.time
            )
        print(f"| {' | '.join(cells)} |", flush=True)
    print(f"\nload {os.getloadavg()[0]:.1f}, {os.cpu_count()} cores")


def compared(
    found: dict[str, float | None] | None, seconds: float, value: float, limit: float
) -> tuple[str, str]:
    """Their time and how many times ours it is; raises SystemExit where they found another value."""
    if found is None:
        return f"> {limit:g} s", f"> {limit / seconds:,.0f}"
    if found["value"] is None or found["seconds"] is None:
        return "out of memory", ""
    if abs(found["value"] - value) > 1e-3:
        raise SystemExit(f"OpenSpiel's value is {found['value']:+.6f}, ours {value:+.6f}")
    return f"{found['seconds']:.1f} s", f"{found['seconds'] / seconds:,.0f}"


if __name__ == "__main__":
    main()
