"""The fit: its gradient is that of the cross entropy, it finds what there is to find, and the same arguments give the same numbers."""

import random
from typing import Any

import numpy as np
import pytest

from helpers.fitted_files import random_layers
from saddlepoint import ConnectFour, Game, Goofspiel, TicTacToe
from saddlepoint.evaluators.network.file import HIGHEST, Weights, words_of
from saddlepoint.evaluators.network.fitted import fitted_in_memory
from saddlepoint.evaluators.network.inputs import Inputs, find_inputs, random_positions
from saddlepoint.evaluators.network.training import (
    Layers,
    Samples,
    encoded,
    fit_layers,
    held_out_entropy,
    new_layers,
    quantised,
)

GAME = TicTacToe()


@pytest.fixture(scope="module")
def inputs() -> Inputs:
    return find_inputs(GAME, 1, 60)


def samples_of(game: Game, count: int, worth: Any, seed: int = 4) -> tuple[list[Any], Samples]:
    states = random_positions(game, count, count, random.Random(seed))
    return states, Samples(words_of(game, states), np.array([worth(state) for state in states], np.float32))


def corner_lead(state: Any) -> float:
    """A value that the symmetries keep: corners of player 0 less those of player 1."""
    corners = 0b101000101
    lead = (int(state.crosses) & corners).bit_count() - (int(state.noughts) & corners).bit_count()
    return 0.4 * max(-2, min(2, lead))


def entropy_bound(targets: Any) -> float:
    """No prediction has a smaller mean cross entropy."""
    share = 0.5 + 0.5 * targets
    inside = np.clip(share, 1e-9, 1 - 1e-9)
    return float(-(share * np.log(inside) + (1 - share) * np.log(1 - inside)).mean())


def test_it_finds_what_there_is_to_find(inputs: Inputs) -> None:
    _, samples = samples_of(GAME, 3000, corner_lead)
    _, others = samples_of(GAME, 500, corner_lead, seed=77)
    before = new_layers(inputs.coding, 16, 8, 1)
    after, entropy = fit_layers(inputs, samples, before, 30, 0.01, 1, turn_based=True)
    best = entropy_bound(others.targets)
    assert held_out_entropy(inputs, others, before, True) > best + 0.03
    assert held_out_entropy(inputs, others, after, True) < best + 0.003
    assert entropy < entropy_bound(samples.targets) + 0.005


def test_the_same_arguments_give_the_same_numbers_and_another_seed_others(inputs: Inputs) -> None:
    _, samples = samples_of(GAME, 600, corner_lead)
    start = new_layers(inputs.coding, 8, 8, 1)
    one, two, other = (
        fit_layers(inputs, samples, start, 2, 0.01, seed, turn_based=True)[0] for seed in (1, 1, 2)
    )
    assert all(np.array_equal(a, b) for a, b in zip(one, two, strict=True))
    assert not np.array_equal(one.first, other.first)


def goes_down(inputs: Inputs, samples: Samples, seen: Samples, turn_based: bool) -> int:
    """Whether Adam's first step is against the sign of the gradient, which differences of the mean cross entropy of what is `seen` give.

    Returns how many numbers were looked at.
    """
    layers = Layers(*(np.float32(0.1) * part for part in random_layers(inputs, 8, seed=3)))
    half = np.float32(0.5)  # so that nothing is cut off
    layers = layers._replace(first_bias=layers.first_bias + half, second_bias=layers.second_bias + half)
    after, _ = fit_layers(inputs, samples, layers, 1, 2e-6, 1, turn_based)
    checked = 0
    for name in Layers._fields:
        part = getattr(layers, name).astype(np.float64)
        moved = getattr(after, name).astype(np.float64) - part
        for place in random.Random(1).sample(list(np.ndindex(part.shape)), min(8, part.size)):
            slopes: list[float] = []
            for step in (1e-3, -1e-3):
                changed = part.copy()
                changed[place] += step
                slopes.append(held_out_entropy(inputs, seen, layers._replace(**{name: changed}), turn_based))
            slope = (slopes[0] - slopes[1]) / 2e-3
            if abs(slope) > 1e-5 and abs(moved[place]) > 0:
                checked += 1
                assert np.sign(moved[place]) == -np.sign(slope), (name, place, slope)
    return checked


def only(inputs: Inputs, *images: int) -> Inputs:
    """The inputs with these images alone."""
    kept = type(inputs.symmetries)(*(part[list(images)] for part in inputs.symmetries))
    return inputs._replace(symmetries=kept)


def test_a_small_step_goes_down_the_gradient_of_the_cross_entropy(inputs: Inputs) -> None:
    _, samples = samples_of(GAME, 256, corner_lead)
    assert goes_down(only(inputs, 0), samples, samples, turn_based=True) > 15


@pytest.mark.slow
def test_an_image_with_the_players_exchanged_is_worth_the_others_result() -> None:
    """Goofspiel, whose points change their sign: a step on images is one on the exchanged positions, with the negative values."""
    game = Goofspiel(4, utility="points")
    inputs = find_inputs(game, 1, 60)
    assert len(inputs.coding.scaled)
    states, samples = samples_of(
        game, 256, lambda state: max(-1.0, min(1.0, 0.1 * int(state.points) + 0.02 * int(state.hand0)))
    )
    exchanged = [game.symmetries(state)[0].state for state in states]
    seen = Samples(words_of(game, exchanged), -samples.targets)
    exchanging = int(np.nonzero(inputs.symmetries.swaps)[0][0])
    assert goes_down(only(inputs, exchanging), samples, seen, turn_based=False) > 15


def test_what_is_fitted_is_what_plays_for_either_mover() -> None:
    """Connect Four, which has features: the layers' own output, and the evaluator's of the same layers."""
    game = ConnectFour(4, 4, 3)
    inputs = find_inputs(game, 1, 60)
    layers = random_layers(inputs, 8, seed=2)
    evaluator = fitted_in_memory(
        Weights(inputs.coding, quantised(layers, inputs.coding), inputs.exchanges, {}, {})
    )
    states, samples = samples_of(game, 60, lambda state: 0.0)
    rows, starts, scaled, _ = encoded(inputs, samples, True)
    for k, state in enumerate(states):
        hidden = (
            layers.first_bias
            + layers.first[rows[starts[k] : starts[k + 1]]].sum(axis=0)
            + scaled[k] @ layers.scaled_first
        )
        outputs = np.clip(np.clip(hidden, 0, HIGHEST) @ layers.second + layers.second_bias, 0, HIGHEST)
        value = np.tanh(outputs @ layers.last + layers.last_bias[0])
        sign = 1 - 2 * game.current_player(state)
        assert evaluator.evaluate(game, state) == pytest.approx(sign * value, abs=0.02)
    assert {game.current_player(state) for state in states} == {0, 1}


@pytest.mark.slow
def test_a_game_with_an_exchange_learns_from_either_side() -> None:
    """Connect Four: what is learnt of one player's discs holds for the other's."""
    game = ConnectFour(4, 4, 3)
    inputs = find_inputs(game, 1, 60)

    def worth(state: Any) -> float:
        own, other = (int(discs & np.uint64(0x1F)).bit_count() for discs in (state.discs0, state.discs1))
        return 0.1 * max(-8, min(8, own - other))

    states, samples = samples_of(game, 3000, worth)
    first = samples.words[:, -1] == 0
    half = Samples(samples.words[first], samples.targets[first])
    mirrored = only(inputs, 0, int(np.nonzero(inputs.symmetries.swaps)[0][0]))
    # So many rounds, since most inputs, the cells that complete a line among them, say nothing of this worth.
    layers, _ = fit_layers(mirrored, half, new_layers(inputs.coding, 16, 8, 1), 120, 0.01, 1, turn_based=True)
    weights = Weights(inputs.coding, quantised(layers, inputs.coding), inputs.exchanges, {}, {})
    evaluator = fitted_in_memory(weights)
    others = [state for state, is_first in zip(states, first, strict=True) if not is_first]
    errors = [abs(evaluator.evaluate(game, state) - worth(state)) for state in others[:300]]
    assert np.mean(errors) < 0.05


def test_rounding_to_16_bits_changes_little(inputs: Inputs) -> None:
    layers = random_layers(inputs, 16, size=3.0)
    network = quantised(layers, inputs.coding)
    assert np.abs(network.first * network.unit - layers.first).max() <= 0.5001 * network.unit
    assert network.unit < 1e-2
