"""The objects of a fit, made from specs: the search, evaluators, players."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ..algorithms import Algorithm
from ..compiled import Component
from ..compiled.words import state_from_words
from ..evaluators.network.features import FeatureNetwork, described_evaluator, feature_count, feature_words
from ..evaluators.network.file import Coding, Weights, feature_sets, words_of
from ..evaluators.network.fitted import fitted_in_memory
from ..evaluators.network.inputs import Inputs, Symmetries, find_inputs
from ..evaluators.network.training import Layers, Samples
from ..game.base import Game
from ..game.spec import Spec, SpecError, parse_own, parse_spec
from ..games.catalogue.searches import EVALUATORS, make_algorithm, make_evaluator


def evaluator_spec(text: str) -> Spec:
    """The spec of an evaluator, which may be a class in a file of somebody's own."""
    return parse_own(text) or parse_spec(text)


_MOST_PLAYED = 20_000
"""Positions of the first generation in which inputs are looked for, besides random ones."""


def first_evaluator(game: Game, asked: str | None) -> str | None:
    """The evaluator of the first games: the one asked for, or none at all; else the game's own."""
    if asked == "none":
        return None
    if asked is not None:
        EVALUATORS.check(make_evaluator(evaluator_spec(asked)), game)
        return asked
    own = EVALUATORS.own_of(game)
    return own[0] if own else None


def search_of(search: str, start: str | None) -> Algorithm:
    """The search, with the evaluator of the first games or without one. Raises SpecError in one sentence."""
    spec = parse_spec(search)
    options = {key: value for key, value in spec.options.items() if key != "choice"}
    return make_algorithm(
        Spec(spec.name, options if start is None else options | {"evaluator": evaluator_spec(start)})
    )


def player_spec(game: Game, search: str, evaluator: Spec | None) -> str:
    """The player of a search with that evaluator: where both move at once it draws from its mixture."""
    spec = parse_spec(search)
    options = dict(spec.options)
    if evaluator is not None:
        options["evaluator"] = evaluator
    if not game.turn_based:
        options.setdefault("choice", "mixture")
    return str(Spec(spec.name, options))


# What a fit makes: the weights of `fitted`, over the words of a game's states, or of an evaluator that computes numbers of its own.


class Model:
    """The model that is fitted, by default `fitted`: a network over states and the game's `features`."""

    described: dict[str, str] | None = None
    """Its record in a file of weights."""
    start: str | None = None
    """The evaluator that plays the first games, where another one is not asked for; None: the game's own."""

    def check(self, game: Game) -> None:
        """Raise ValueError, in one sentence, where it cannot be fitted to a game."""
        feature_sets(game, game.initial_state())

    def samples(self, game: Game, states: Sequence[Any], targets: Any) -> Samples:
        """Positions, and what they are worth, as the network sees them: those of them that it is asked for."""
        return Samples(words_of(game, states), targets)

    def inputs(self, game: Game, seed: int, first: Samples | None) -> Inputs | None:
        """The inputs; `first`, once they are there, are the positions of the first generation. None: they are needed."""
        if first is None:
            find_inputs(game, seed)  # raises, before anything is played, where there are none
            return None
        like = game.initial_state()
        return find_inputs(
            game, seed, played=[state_from_words(row, like) for row in first.words[:_MOST_PLAYED]]
        )

    def layers(self, inputs: Inputs) -> Layers | None:
        """The layers from which the first fit starts: its present weights for these inputs.

        None: it has none.
        """
        return None

    def evaluator(self, weights: Weights) -> Component:
        """The evaluator with weights that lie in no file."""
        return fitted_in_memory(weights)

    def spec(self, file: Path | str) -> Spec:
        return Spec("fitted", {"file": str(file)})


class FeatureModel(Model):
    """An evaluator made of `FeatureNetwork`: it looks at the numbers that this computes, and at nothing else."""

    def __init__(self, spec: Spec) -> None:
        self._spec = Spec(spec.name, {key: value for key, value in spec.options.items() if key != "weights"})
        made = make_evaluator(spec)
        if not isinstance(made, FeatureNetwork):
            raise SpecError(
                f"{spec.name} has no weights that can be fitted: give fitted, or an evaluator made of FeatureNetwork"
            )
        self._made = made
        self.described, self.start = described_evaluator(type(made)), str(spec) if made.is_fitted else "none"

    def check(self, game: Game) -> None:
        EVALUATORS.check(self._made, game)
        self._made.check_fit(game)
        if game.min_utility != -game.max_utility:
            raise ValueError(
                f"{game!r}: the features of {self._spec.name} are for games in which both can win or lose as much"
            )
        feature_count(self._made, game)

    def samples(self, game: Game, states: Sequence[Any], targets: Any) -> Samples:
        words, decided = feature_words(self._made, game, states)
        return Samples(words[~decided], targets[~decided])

    def inputs(self, game: Game, seed: int, first: Samples | None) -> Inputs | None:
        return None if first is None else inputs_of_features(first, *feature_count(self._made, game))

    def layers(self, inputs: Inputs) -> Layers | None:
        return layers_of_features(self._made, inputs) if self._made.is_fitted else None

    def evaluator(self, weights: Weights) -> Component:
        return self._made.with_weights(weights)

    def spec(self, file: Path | str) -> Spec:
        return Spec(self._spec.name, {**self._spec.options, "weights": str(file)})


def model_of(spec: str | None) -> Model:
    """The model of a spec; None: `fitted`. Raises SpecError in one sentence."""
    return Model() if spec is None else FeatureModel(evaluator_spec(spec))


def inputs_of_features(samples: Samples, own: int, shared: int) -> Inputs:
    """The inputs of a network over `own` numbers of each player and `shared` ones of both, scaled by these
    positions.

    Exchanging the players exchanges theirs, so the numbers of both have one scale.
    """
    count = 2 * own + shared
    numbers = np.ascontiguousarray(samples.words[:, :count]).view(np.float64)
    if not np.isfinite(numbers).all():
        raise ValueError("one of the evaluator's features is not always finite: a network cannot look at it")
    either = numbers[:, : 2 * own].reshape(-1, own)
    centre = np.concatenate([np.tile(either.mean(axis=0), 2), numbers[:, 2 * own :].mean(axis=0)])
    width = np.concatenate([np.tile(either.std(axis=0), 2), numbers[:, 2 * own :].std(axis=0)])
    scales = np.array([centre, 1.0 / np.where(width < 1e-6, 1.0, width)], np.float32).T
    here = np.arange(count, dtype=np.int32)
    there = np.concatenate([here[own : 2 * own], here[:own], here[2 * own :]])
    signs, none = np.ones((2, count), np.float32), np.zeros((2, 0), np.int32)
    coding = Coding(
        np.zeros(count + 1, np.uint64),
        np.full((2, count + 1, 64), -1, np.int32),
        np.zeros((0, 4), np.int64),
        none,
        np.array([(word, 1) for word in range(count)], np.int64).reshape(-1, 2),
        np.ascontiguousarray(scales),
        np.array([here, there]),
        signs,
    )
    return Inputs(
        coding, Symmetries(none, np.array([here, there]), signs, np.array([False, True])), True, np.inf
    )


def layers_of_features(made: Any, inputs: Inputs) -> Layers:
    """The weights of a FeatureNetwork, for its numbers as these inputs scale them."""
    centre, scale = inputs.coding.scales.astype(np.float64).T
    rows = made.first.astype(np.float64)
    found = (
        np.zeros((inputs.coding.rows, made.units)),
        made.first_bias + centre @ rows,
        rows / scale[:, None],
        made.second,
        made.second_bias,
        made.last,
        np.array([made.last_bias]),
    )
    return Layers(*(np.array(one, np.float32) for one in found))
