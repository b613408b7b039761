"""How many positions a second a fit learns from, beside PyTorch with the same network, loss and batches: one run.

    pip install torch                                               # in any environment; a version for the processor alone will do
    python benchmarks/training_speed.py --python /path/to/that/bin/python

The network is that of `saddlepoint fit`: a sum of rows for the inputs that are there (PyTorch: EmbeddingBag), scaled numbers, two cut-off
layers; Adam (PyTorch's fused one); batches of 256. Positions are of random games, with random targets. PyTorch runs in a process of its
own, with the Python that has it, once with one thread and once with two, step by step, without `torch.compile`; positions are encoded, and
for PyTorch in their order, before its clock runs. Ours is compiled before.
"""

import argparse
import json
import random
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from saddlepoint.evaluators.network.file import words_of
from saddlepoint.evaluators.network.inputs import find_inputs, random_positions
from saddlepoint.evaluators.network.training import Samples, encoded, fit_layers, new_layers
from saddlepoint.game.base import Game
from saddlepoint.games.catalogue.games import make_game
from saddlepoint.players.protocols.lines_bot import game_from_text

_THEIRS = """
import json, sys, time
import numpy as np, torch
asked = json.loads(sys.argv[1])
torch.set_num_threads(asked["threads"])
torch.manual_seed(1)
data = np.load(asked["file"])
rows, starts, scaled, targets = (data[name] for name in ("rows", "starts", "scaled", "targets"))
count, units, width, batch = len(targets), asked["units"], 16, 256

class Network(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.bag = torch.nn.EmbeddingBag(int(asked["rows"]), units, mode="sum", include_last_offset=True)
        self.bias = torch.nn.Parameter(torch.full((units,), 0.4))
        self.scaled = torch.nn.Linear(scaled.shape[1], units, bias=False) if scaled.shape[1] else None
        self.second, self.last = torch.nn.Linear(units, width), torch.nn.Linear(width, 1)

    def forward(self, rows, offsets, numbers):
        before = self.bag(rows, offsets) + self.bias
        if self.scaled is not None:
            before = before + self.scaled(numbers)
        return self.last(self.second(before.clamp(0, 4)).clamp(0, 4)).squeeze(1)

network = Network()
adam = torch.optim.Adam(network.parameters(), lr=0.003, fused=True)
loss = torch.nn.BCEWithLogitsLoss()
lengths = np.diff(starts)

def ordered():
    order = np.random.default_rng(1).permutation(count)
    own_lengths = lengths[order]
    ends = np.concatenate([[0], np.cumsum(own_lengths)])
    places = np.repeat(starts[:-1][order] - ends[:-1], own_lengths) + np.arange(ends[-1])
    shuffled = torch.from_numpy(rows[places].astype(np.int64))
    return ends, shuffled, torch.from_numpy(scaled[order]), torch.from_numpy(0.5 + 0.5 * targets[order])

def epoch(ends, shuffled, numbers, wanted):
    for at in range(0, count - batch + 1, batch):
        low, high = ends[at], ends[at + batch]
        offsets = torch.from_numpy(ends[at : at + batch + 1] - low)
        adam.zero_grad()
        found = loss(2.0 * network(shuffled[low:high], offsets, numbers[at : at + batch]), wanted[at : at + batch])
        found.backward()
        adam.step()

data = ordered()
epoch(*data)
taken = []
for _ in range(asked["runs"]):
    before = time.perf_counter()
    epoch(*data)
    taken.append(time.perf_counter() - before)
print(json.dumps({"seconds": taken, "version": torch.__version__}))
"""


def samples_of(game: Game, count: int) -> Samples:
    """Positions of random games, with random targets."""
    draw = random.Random(1)
    states: list[Any] = []
    while len(states) < count:
        states += random_positions(game, 200, count - len(states), draw)
    return Samples(
        words_of(game, states), np.random.default_rng(1).uniform(-1, 1, len(states)).astype(np.float32)
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--python", required=True, help="a Python that has torch")
    parser.add_argument(
        "--games", nargs="*", default=["connect_four", "othello(size=6)", "goofspiel(cards=6)"]
    )
    parser.add_argument("--positions", type=int, default=100_000)
    parser.add_argument("--units", type=int, default=32)
    parser.add_argument("--runs", type=int, default=3, help="passes over the positions; the quickest counts")
    asked = parser.parse_args()
    print(
        "| game | inputs | ours, positions/s | PyTorch, 1 thread | 2 threads | ours / the better |\n|---|---|---|---|---|---|"
    )
    for text in asked.games:
        game = game_from_text(text, make_game)
        inputs, samples = find_inputs(game, 1), samples_of(game, asked.positions)
        layers = new_layers(inputs.coding, asked.units, 16, 1)
        fit_layers(
            inputs, Samples(samples.words[:512], samples.targets[:512]), layers, 1, 0.003, 1, game.turn_based
        )
        ends: list[float] = []

        def ended(epoch: int, loss: float, ends: list[float] = ends) -> None:
            ends.append(time.perf_counter())

        fit_layers(inputs, samples, layers, asked.runs + 1, 0.003, 1, game.turn_based, ended)
        own = min(float(taken) for taken in np.diff(ends))
        rows, starts, scaled, targets = encoded(inputs, samples, game.turn_based)
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "data.npz"
            np.savez(file, rows=rows, starts=starts, scaled=scaled, targets=targets)
            theirs = [_theirs(asked, file, inputs.coding.rows, threads) for threads in (1, 2)]
        count = len(targets)
        rates = [count / own, *(count / taken for taken in theirs)]
        told = " | ".join(f"{rate:,.0f}" for rate in rates)
        print(f"| {text} | {inputs.coding.rows} | {told} | {rates[0] / max(rates[1:]):.1f} |", flush=True)


def _theirs(asked: argparse.Namespace, file: Path, rows: int, threads: int) -> float:
    told = {"file": str(file), "rows": rows, "units": asked.units, "threads": threads, "runs": asked.runs}
    done = subprocess.run(
        [asked.python, "-c", _THEIRS, json.dumps(told)], stdout=subprocess.PIPE, text=True, check=True
    )
    return min(json.loads(done.stdout.splitlines()[-1])["seconds"])


if __name__ == "__main__":
    main()
