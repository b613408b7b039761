"""Weights for tests: of random numbers, for real games."""

from pathlib import Path
from typing import Any

import numpy as np

from saddlepoint.evaluators.network.file import Weights, save_weights
from saddlepoint.evaluators.network.inputs import Inputs, find_inputs
from saddlepoint.evaluators.network.training import Layers, new_layers, quantised
from saddlepoint.game.base import Game
from saddlepoint.game.own_games import described
from saddlepoint.learning.run_folder import plain_data


def random_layers(inputs: Inputs, units: int = 16, seed: int = 1, size: float = 1.0) -> Layers:
    """Layers whose units are neither all cut off nor all alike."""
    layers = new_layers(inputs.coding, units, 8, seed)
    draw = np.random.default_rng(seed)
    return Layers(*(part + (size * draw.normal(0, 0.2, part.shape)).astype(np.float32) for part in layers))


def random_weights(game: Game, units: int = 16, seed: int = 1, inputs: Inputs | None = None) -> Weights:
    """Weights that play badly."""
    found = inputs or find_inputs(game, seed, 60)
    layers = random_layers(found, units, seed)
    return Weights(
        found.coding,
        quantised(layers, found.coding),
        found.exchanges,
        plain_data(described(game)),
        {"made": "at random"},
    )


def random_weights_file(path: Path, game: Game, **options: Any) -> Path:
    """A file of them."""
    save_weights(path, random_weights(game, **options))
    return path
