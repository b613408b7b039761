"""`saddle(tremble=...)`: strategies against another who, with that probability, takes any action alike (Selten 1975)."""

from typing import Any

import numpy as np
import pytest

from saddlepoint import BiasedRPS, Goofspiel, SaddlePruning, search
from saddlepoint.game.base import NO_ACTION
from saddlepoint.matrix import solve_matrix

pytestmark = [pytest.mark.plain, pytest.mark.compiles_long]

MATRIX = np.array([[0, -25, 50], [25, 0, -5], [-50, 5, 0]])
EQUILIBRIUM = np.array([1, 10, 5]) / 16  # of both


def strategies(tremble: float) -> tuple[Any, list[np.ndarray]]:
    game = BiasedRPS()
    found = search(game, game.initial_state(), SaddlePruning(tremble=tremble))
    return found, [np.array([side[action] for action in sorted(side)]) for side in found.strategies]


@pytest.mark.parametrize("tremble", [0.1, 0.3])
def test_each_player_takes_what_is_best_against_who_trembles(tremble: float) -> None:
    """Whoever trembles plays (1 - t) y + t/3: what is guaranteed against every y is the value of that other matrix game."""
    found, (x, y) = strategies(tremble)
    assert found.exact
    assert found.value == pytest.approx(0.0)  # the value is that of the game itself
    for own, matrix in ((x, MATRIX), (y, -MATRIX.T)):
        against_trembling = (1 - tremble) * matrix + tremble * matrix.mean(axis=1, keepdims=True)
        assert (own @ against_trembling).min() == pytest.approx(solve_matrix(against_trembling).value)
        # (1 - t) min + t mean is at least what the equilibrium gets there, (1 - t) 0 + t mean: no more is given up than this.
        given_up = tremble / (1 - tremble) * (own @ matrix - EQUILIBRIUM @ matrix).mean()
        assert (own @ matrix).min() >= -given_up - 1e-9
        # Who trembles with 0.3 takes each action with 0.1 at least, and so cannot play 1/16; with 0.1 it can still play its equilibrium.
        assert (own @ matrix).mean() > 1 if tremble > 3 / 16 else (own @ matrix).mean() == pytest.approx(0.0)


def test_without_it_the_strategies_are_the_equilibrium() -> None:
    _, (x, y) = strategies(0.0)
    assert x == pytest.approx([1 / 16, 10 / 16, 5 / 16])
    assert y == pytest.approx([1 / 16, 10 / 16, 5 / 16])


def test_a_game_with_chance_and_several_rounds_has_the_value_it_has_without() -> None:
    game = Goofspiel(3)
    dealt = game.advance(game.initial_state(), game.chance_outcomes(game.initial_state())[0][0], NO_ACTION)
    plain, trembling = (search(game, dealt, SaddlePruning(tremble=tremble)) for tremble in (0.0, 0.25))
    assert trembling.value == pytest.approx(plain.value)
    assert trembling.exact
    assert all(sum(side.values()) == pytest.approx(1.0) for side in trembling.strategies)
