"""What a fit goes on from: an evaluator's own weights, for its numbers as the fit scales them."""

import random
from typing import Any

import numpy as np
import pytest

from helpers.small_games import Guess
from saddlepoint.evaluators.network.file import Weights
from saddlepoint.evaluators.network.inputs import find_inputs, random_positions
from saddlepoint.evaluators.network.training import quantised
from saddlepoint.games.light_riders import LightRiders
from saddlepoint.learning.models import model_of


@pytest.mark.plain
@pytest.mark.compiles_long
def test_weights_of_features_say_the_same_however_the_features_are_scaled() -> None:
    game, model = LightRiders(), model_of("prospects")
    states = random_positions(game, 4, 200, random.Random(1))
    samples = model.samples(game, states, np.zeros(len(states), np.float32))
    inputs: Any = model.inputs(game, 1, samples)
    network = quantised(model.layers(inputs), inputs.coding)
    again: Any = model.evaluator(
        Weights(inputs.coding, network, inputs.exchanges, {}, {}, evaluator=model.described)
    )
    shipped = type(again)()
    values = [shipped.evaluate(game, state) for state in states]
    assert np.ptp(values) > 0.5
    assert [again.evaluate(game, state) for state in states] == pytest.approx(values, abs=0.003)


@pytest.mark.plain
@pytest.mark.compiles_long
def test_the_states_of_a_game_begin_with_random_numbers() -> None:
    game, model = LightRiders(8, 8), model_of(None)
    samples = model.samples(game, [game.initial_state()], np.zeros(1, np.float32))
    inputs: Any = model.inputs(game, 1, samples)
    assert model.layers(inputs) is None


@pytest.mark.plain
@pytest.mark.compiles_long
def test_inputs_are_looked_for_in_the_games_of_the_first_generation() -> None:
    game, model = Guess(rounds=40), model_of(None)
    assert model.inputs(game, 1, None) is None
    always_higher = game.initial_state()._replace(round=39, lead=39)  # at random in no game of 400
    first = model.samples(game, [always_higher], np.zeros(1, np.float32))
    found = model.inputs(game, 1, first)
    assert found is not None
    assert found.coding.rows > find_inputs(game, 1).coding.rows
