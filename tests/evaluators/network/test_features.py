"""Weights of an evaluator's own features: what is fitted is what plays, for either player; other files are refused."""

import random
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from helpers.fitted_files import random_layers, random_weights_file
from helpers.own_evaluators import OthelloCounts
from saddlepoint import Game, LightRiders, Othello, TicTacToe
from saddlepoint.compiled import KernelError, jit, kernel, run
from saddlepoint.compiled.states import as_machine_words
from saddlepoint.evaluators import Fitted, Prospects
from saddlepoint.evaluators.network.features import (
    FeatureNetwork,
    described_evaluator,
    feature_count,
    feature_words,
    ladder_of,
)
from saddlepoint.evaluators.network.file import Weights, WeightsFileError, save_weights
from saddlepoint.evaluators.network.inputs import Inputs, random_positions
from saddlepoint.evaluators.network.training import Layers, Samples, encoded, quantised
from saddlepoint.game.own_games import described
from saddlepoint.learning.models import inputs_of_features
from saddlepoint.learning.run_folder import plain_data

pytestmark = pytest.mark.plain
OTHELLO, RIDERS = Othello(6), LightRiders(8, 8)
BOTH: list[Any] = [
    (OthelloCounts(), OTHELLO),
    pytest.param(Prospects(), RIDERS, marks=pytest.mark.compiles_long),
]


def positions(game: Game, count: int = 80) -> list[Any]:
    return random_positions(game, 10, count, random.Random(5))


def samples(evaluator: FeatureNetwork, game: Game) -> Samples:
    words, _ = feature_words(evaluator, game, positions(game))
    return Samples(words, np.zeros(len(words), np.float32))


def made_at_random(
    evaluator: FeatureNetwork, game: Game, units: int = 16, seed: int = 1
) -> tuple[Inputs, Layers, Weights]:
    """Inputs, layers, and the weights that would be kept of them."""
    inputs = inputs_of_features(samples(evaluator, game), *feature_count(evaluator, game))
    layers = random_layers(inputs, units, seed)
    whose, record = plain_data(described(game)), {"made": "at random"}
    network = quantised(layers, inputs.coding)
    return (
        inputs,
        layers,
        Weights(inputs.coding, network, True, whose, record, evaluator=described_evaluator(type(evaluator))),
    )


def fitted_lead(inputs: Inputs, layers: Layers, known: Samples, turn_based: bool) -> Any:
    """What the fit takes for the output, from the side of who is player 0 there: word for word as `held_out_entropy`."""
    _, _, scaled, _ = encoded(inputs, known, turn_based)
    hidden = np.clip(layers.first_bias + scaled @ layers.scaled_first, 0, 4)
    return np.clip(hidden @ layers.second + layers.second_bias, 0, 4) @ layers.last + layers.last_bias[0]


@pytest.mark.parametrize(("evaluator", "game"), BOTH)
def test_what_is_fitted_is_what_plays(evaluator: FeatureNetwork, game: Game) -> None:
    inputs, layers, weights = made_at_random(evaluator, game)
    leads = fitted_lead(inputs, layers, samples(evaluator, game), game.turn_based)
    plays, values = evaluator.with_weights(weights), set[float]()
    for state, lead in zip(positions(game), leads, strict=True):
        second_moves = game.turn_based and game.current_player(state) == 1
        found = plays.lead(game, state)
        assert found == pytest.approx(
            -lead if second_moves else lead, abs=2e-3
        )  # the file keeps biases in 16 bits
        if (
            game is OTHELLO
        ):  # the features of riders need arrays that plain Python has not where things are compiled
            assert plays.plain.lead(game, as_machine_words(state)) == pytest.approx(found, abs=1e-4)
        values.add(round(found, 3))
    assert len(values) > 20


@pytest.mark.parametrize(("evaluator", "game"), BOTH)
def test_exchanging_the_players_exchanges_their_numbers(evaluator: FeatureNetwork, game: Game) -> None:
    """As the fit takes for granted; so in turn both are seen from the side of who moves."""
    own, _ = feature_count(evaluator, game)
    plays = evaluator.with_weights(made_at_random(evaluator, game)[2])
    for state in positions(game, 40):
        image = next(one for one in game.symmetries(state) if one.swap)
        words, decided = feature_words(evaluator, game, [state, image.state])
        one, other = np.ascontiguousarray(words[:, :-1]).view(np.float64)
        assert np.allclose(
            one, np.concatenate([other[own : 2 * own], other[:own], other[2 * own :]]), atol=1e-4
        )
        assert decided[0] == decided[1]
        if game.turn_based:
            assert plays.evaluate(game, image.state) == -plays.evaluate(game, state)


def test_it_is_a_result_in_the_games_units() -> None:
    game = Othello(6, utility="discs")
    plays = OthelloCounts().with_weights(made_at_random(OthelloCounts(), game)[2])
    for state in positions(game):
        assert plays.evaluate(game, state) == pytest.approx(36 * np.tanh(plays.lead(game, state)), abs=1e-4)


def test_without_weights_it_says_nothing() -> None:
    assert not OthelloCounts().is_fitted
    assert OthelloCounts().evaluate(OTHELLO, OTHELLO.initial_state()) == 0.0
    assert Prospects().is_fitted


@pytest.mark.parametrize(
    ("read", "name", "said"),
    [
        (Prospects, "counts", "is fitted to features of OthelloCounts, not to features of Prospects"),
        (Prospects, "states", "is fitted to the states of a game, for fitted, not to features of Prospects"),
        (Fitted, "counts", "is fitted to the features of OthelloCounts, which takes it: weights="),
        (Prospects, "none", "cannot be read"),
        (
            OthelloCounts,
            "former",
            "features of OthelloCounts, as it was, not to features of OthelloCounts as it is",
        ),
    ],
)
def test_files_of_other_evaluators_and_of_games_are_refused(
    read: Any, name: str, said: str, tmp_path: Path
) -> None:
    weights = made_at_random(OthelloCounts(), OTHELLO)[2]
    save_weights(tmp_path / "counts", weights)
    former = {"class": "OthelloCounts", "digest": "of another file"}
    save_weights(tmp_path / "former", weights._replace(evaluator=former))
    random_weights_file(tmp_path / "states", TicTacToe())
    with pytest.raises(WeightsFileError, match=said):
        read(**{"file" if read is Fitted else "weights": str(tmp_path / name)})


@pytest.mark.parametrize(("word", "is_float"), [(5, 1), (0, 0)], ids=["who moves", "a whole number"])
def test_weights_that_look_at_anything_but_features_are_refused(
    word: int, is_float: int, tmp_path: Path
) -> None:
    weights = made_at_random(OthelloCounts(), OTHELLO)[2]
    scaled = weights.coding.scaled.copy()
    scaled[0] = word, is_float
    save_weights(tmp_path / "x.weights", weights._replace(coding=weights.coding._replace(scaled=scaled)))
    with pytest.raises(WeightsFileError, match="holds no weights of an evaluator's features"):
        OthelloCounts(weights=str(tmp_path / "x.weights"))


@dataclass(frozen=True)
class Uneven(FeatureNetwork):
    """Unequally many numbers."""

    @kernel
    def features(self, game, state):
        return (1.0,), (1.0, 2.0), ()


@dataclass(frozen=True)
class More(OthelloCounts):
    """The same features and one more, for weights that are made for the others."""

    @kernel
    def lead(self, game, state):
        features0, features1, _ = self.features(game, state)
        return self.compared(game, state, features0, features1, (1.0, 2.0))


def test_other_numbers_than_those_fitted_to_are_never_looked_at() -> None:
    state = OTHELLO.initial_state()
    with pytest.raises(
        ValueError, match="Uneven.features must give as many numbers of either player, not 1 and 2"
    ):
        feature_count(Uneven(), OTHELLO)
    with pytest.raises((KernelError, ValueError), match="the network is fitted to 5 numbers, not to 6"):
        More().with_weights(made_at_random(OthelloCounts(), OTHELLO)[2]).evaluate(OTHELLO, state)


def test_an_evaluators_options_stay_its_own() -> None:
    weights = made_at_random(OthelloCounts(weight=2.0), OTHELLO)[2]
    assert OthelloCounts(weight=2.0).with_weights(weights).weight == 2.0
    assert replace(Prospects(), scale=3.0).is_fitted


def ladder(straight: Any, steps: int) -> tuple[Any, Any, Any]:
    """A second layer of steps that add up the first one's units by these weights."""
    signs = np.repeat(np.array([1, -1], np.float32), steps)
    return (
        np.outer(straight, signs).astype(np.float32),
        np.tile(-4.0 * np.arange(steps, dtype=np.float32), 2),
        signs,
    )


@pytest.mark.parametrize("units", [3, 8, 40, 56])
@pytest.mark.parametrize("scale", [0.3, 30.0], ids=["within the steps", "far beyond them"])
def test_a_second_layer_that_only_adds_up_gives_what_it_gives_step_by_step_and_is_cut_off_where_the_steps_end(
    scale: float,
    units: int,
) -> None:
    evaluator, draw = OthelloCounts(), np.random.default_rng(units)
    _, _, weights = made_at_random(evaluator, OTHELLO, units)
    second, second_bias, last = ladder(draw.normal(0, scale, units).astype(np.float32), 2)
    network = weights.network._replace(second=second, second_bias=second_bias, last=last, last_bias=0.0)
    made = evaluator.with_weights(weights._replace(network=network, digest=""))
    assert made.steps == 2
    for state in (one for one in positions(OTHELLO) if OTHELLO.current_player(one) == 0):
        numbers = np.concatenate([np.array(one, np.float64) for one in made.features(OTHELLO, state)])
        hidden = np.clip(made.first_bias + numbers @ made.first, 0, 4)
        lead = np.clip(hidden @ second.astype(np.float64) + second_bias, 0, 4) @ last
        assert float(run(leads, made, OTHELLO, as_machine_words(state))) == pytest.approx(lead, abs=1e-4)


@jit
def leads(evaluator: Any, game: Any, state: Any) -> Any:
    return evaluator.lead(game, state)


def test_a_second_layer_that_is_no_ladder_is_computed() -> None:
    second, second_bias, last = ladder(np.ones(4), 2)
    assert ladder_of(second, second_bias, last)[0] == 2
    for changed in (
        (second + np.float32(1e-6) * (np.arange(4) == 2), second_bias, last),
        (second, second_bias - 1, last),
        (second, second_bias, -last),
        (second[:, :3], second_bias[:3], last[:3]),
        (second[:, :0], second_bias[:0], last[:0]),
    ):
        assert ladder_of(*changed)[0] == 0
    assert Prospects().steps == 4
