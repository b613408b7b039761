"""A fitted network: compiled code, plain Python and the definition say the same; other weights need no other compilation."""

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from helpers.fitted_files import random_weights, random_weights_file
from saddlepoint import (
    ConnectFour,
    Game,
    Goofspiel,
    LightRiders,
    Othello,
    PrincipalVariation,
    SaddlePruning,
    Soccer,
    TicTacToe,
)
from saddlepoint.compiled import KernelError, put_words, word_count
from saddlepoint.compiled.states import as_machine_words
from saddlepoint.evaluators import Fitted
from saddlepoint.evaluators.network.file import MISSING, Weights, present
from saddlepoint.evaluators.network.fitted import fitted_in_memory
from saddlepoint.evaluators.network.inputs import random_positions

pytestmark = pytest.mark.plain
GAMES: list[Any] = [
    TicTacToe(),
    ConnectFour(4, 4, 3),
    pytest.param(Goofspiel(5), marks=pytest.mark.compiles_long),
]
MORE: list[Any] = [
    pytest.param(game, marks=pytest.mark.slow)
    for game in (Othello(6), Soccer(), LightRiders(8, 8), Goofspiel(13, order="random"))
]


def positions(game: Game, count: int = 60) -> list[Any]:
    return random_positions(game, 10, count, random.Random(5))


def by_definition(weights: Weights, game: Game, state: Any) -> float:
    """The network's output for player 0, word for word as `Coding` and `Network` define it."""
    words = np.zeros(int(word_count(state)), np.uint64)
    put_words(as_machine_words(state), words)
    mover = game.current_player(state)
    kinds = [type(number) for number in game.plain.features(as_machine_words(state), 0)] * 2
    own = [number for player in (0, 1) for number in game.features(state, player)]
    features = [
        int(n) if kind is np.uint64 else int(np.float64(n).view(np.uint64))
        for n, kind in zip(own, kinds, strict=True)
    ]
    numbers = [*map(int, words), *features, mover]
    coding, net = weights.coding, weights.network
    view = 1 if weights.exchanges and game.turn_based and mover == 1 else 0
    total = net.first_bias.astype(np.float64).copy()
    for word, number in enumerate(numbers):
        for bit in range(64):
            if int(coding.masks[word]) & number % 2**64 & 1 << bit:
                total += net.first[coding.bit_rows[view, word, bit]]
    signed = [number - 2**64 if number >= 2**63 else number for number in numbers]
    for word, low, count, first in coding.choices:
        total += net.first[coding.choice_rows[view, first + min(max(signed[word] - low, 0), count - 1)]]
    hidden = total * net.unit
    if len(coding.set_starts):
        there = present(weights.coding, np.array([[number % 2**64 for number in numbers]], np.uint64))[0]
        sums = (coding.set_rows[there].sum(axis=0) + coding.set_starts).reshape(2, -1)
        counts = [int((own == -missing).sum()) for own in sums for missing in range(MISSING)]
        numbers, signed = [*numbers, *counts], [*signed, *counts]
    for k, (word, is_float) in enumerate(coding.scaled):
        number = float(np.uint64(numbers[word]).view(np.float64)) if is_float else float(signed[word])
        seen = (
            min(max((number - float(coding.scales[k, 0])) * float(coding.scales[k, 1]), -4.0), 4.0)
            * coding.scaled_signs[view, k]
        )
        hidden = hidden + seen * net.scaled_first[coding.scaled_rows[view, k]].astype(np.float64)
    outputs = np.clip(np.clip(hidden, 0, 4) @ net.second.astype(np.float64) + net.second_bias, 0, 4)
    lead = float(outputs @ net.last.astype(np.float64)) + net.last_bias
    return -lead if view else lead


@pytest.mark.parametrize("game", [*GAMES, *MORE], ids=repr)
def test_the_value_is_what_the_definition_gives(game: Game) -> None:
    weights = random_weights(game)
    evaluator = fitted_in_memory(weights)
    middle, half = (game.max_utility + game.min_utility) / 2, (game.max_utility - game.min_utility) / 2
    values: list[float] = []
    for state in positions(game):
        values.append(evaluator.evaluate(game, state))
        assert values[-1] == pytest.approx(
            middle + half * np.tanh(by_definition(weights, game, state)), abs=half * 2e-5
        )
        assert game.min_utility <= values[-1] <= game.max_utility
    assert np.std(values) > 0.005 * half  # so that the above can fail


@pytest.mark.parametrize(
    "game", [ConnectFour(4, 4, 3), pytest.param(Othello(4), marks=pytest.mark.slow)], ids=repr
)
def test_a_position_with_the_players_exchanged_has_the_negative_value(game: Game) -> None:
    """In turn: both are seen from the side of who moves."""
    weights = random_weights(game)
    assert weights.exchanges
    evaluator = fitted_in_memory(weights)
    for state in positions(game):
        image = next(one for one in game.symmetries(state) if one.swap)
        # Scaled inputs are summed in single precision, in another order.
        assert evaluator.evaluate(game, image.state) == pytest.approx(
            -evaluator.evaluate(game, state), abs=1e-6
        )


def test_other_weights_of_as_many_units_share_the_compiled_code() -> None:
    game = TicTacToe()
    one, two, larger = (
        fitted_in_memory(random_weights(game, units, seed)) for units, seed in ((16, 1), (16, 2), (32, 1))
    )
    assert one.type_name == two.type_name != larger.type_name
    state = game.initial_state()
    assert one.evaluate(game, state) != two.evaluate(game, state)
    assert {PrincipalVariation(one).identity(game), PrincipalVariation(two).identity(game)} != {
        PrincipalVariation(one).identity(game)
    }


def test_the_same_file_is_the_same_evaluator_until_it_is_written_again(tmp_path: Path) -> None:
    game, path = TicTacToe(), tmp_path / "x.weights"
    random_weights_file(path, game, seed=1)
    before, again = Fitted(str(path)), Fitted(str(path))
    random_weights_file(path, game, seed=2)
    after = Fitted(str(path))
    assert before == again != after
    assert SaddlePruning(before).identity(game) != SaddlePruning(after).identity(game)


def test_a_games_own_features_are_inputs_of_either_player() -> None:
    """With weights of the mover's first feature alone, positions are worth the same where that is the same, and not all alike."""
    game = ConnectFour(4, 4, 3)
    weights = random_weights(game)
    network = weights.network._replace(first=np.zeros_like(weights.network.first))
    for row in range(len(network.scaled_first)):
        network.scaled_first[row] = 0 if row else 0.1
    evaluator = fitted_in_memory(weights._replace(network=network))
    found: dict[int, set[float]] = {}
    for state in positions(game):
        mover = game.current_player(state)
        found.setdefault(game.features(state, mover)[0], set()).add(
            round(evaluator.evaluate(game, state) * (1 - 2 * mover), 6)
        )
    assert {len(values) for values in found.values()} == {1}
    assert len(set.union(*found.values())) > 4


def test_a_state_of_another_size_is_never_looked_at() -> None:
    """The code reads so many words as the file says: those of another game are refused when it is compiled."""
    evaluator = fitted_in_memory(random_weights(TicTacToe()))
    other = ConnectFour(4, 4, 3)
    with pytest.raises((KernelError, ValueError), match="is fitted to positions of 2 numbers, not of 18"):
        evaluator.evaluate(other, other.initial_state())
