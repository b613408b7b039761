"""The PettingZoo environments: its own tests, and what its interface does not say."""

import warnings
from collections.abc import Iterator
from typing import Any

import pytest

from helpers.small_games import Guess
from saddlepoint.games import ConnectFour, Goofspiel, LightRiders, OshiZumo, Othello, Soccer, TicTacToe

pytest.importorskip(
    "pettingzoo", reason="PettingZoo is not installed: make test-interop installs it and tries this"
)

from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test

from saddlepoint.interop.pettingzoo import GameAECEnv, GameParallelEnv, env, parallel_env

pytestmark = pytest.mark.interop

TOGETHER = [LightRiders(6, 5), Goofspiel(4), OshiZumo(), Soccer(), Guess()]
IN_TURN = [TicTacToe(), ConnectFour(), Othello(4)]


@pytest.fixture(autouse=True)
def _hints() -> Iterator[None]:
    """What PettingZoo's tests say of its own games, too: observations with a mask, boards and masks of zeros, stacks of boards."""
    with warnings.catch_warnings():
        for hint in (
            "Observation space for each agent probably should be",
            "Observation is not a NumPy array",
            "Observation numpy array is all zeros",
            "Action mask numpy array is all zeros",
            "Agents have different",
        ):
            warnings.filterwarnings("ignore", f".*{hint}.*")
        yield


@pytest.mark.parametrize("game", TOGETHER, ids=lambda game: type(game).__name__)
def test_pettingzoos_tests_of_parallel_environments(game: Any) -> None:
    parallel_api_test(GameParallelEnv(game), num_cycles=200)
    parallel_seed_test(lambda: GameParallelEnv(game))


@pytest.mark.parametrize("game", [*IN_TURN, *TOGETHER], ids=lambda game: type(game).__name__)
def test_pettingzoos_tests_of_every_game_one_agent_after_the_other(game: Any) -> None:
    api_test(env(game), num_cycles=100)
    seed_test(lambda: env(game), num_cycles=50)


@pytest.mark.parametrize("kind", ["planes", "bits", "words"])
def test_every_kind_of_observation(kind: str) -> None:
    api_test(env(TicTacToe(), observations=kind), num_cycles=20)
    parallel_api_test(parallel_env(LightRiders(6, 5), observations=kind), num_cycles=20)


def test_a_game_in_turn_as_a_parallel_environment() -> None:
    both = parallel_env(TicTacToe())
    seen, _ = both.reset(seed=1)
    for action in (0, 3, 1, 4, 2):
        _, rewards, over, _, _ = both.step(dict.fromkeys(both.agents, action))
    assert rewards == {"player_0": 1.0, "player_1": -1.0} and all(over.values()) and seen


def test_the_results_are_the_games() -> None:
    game = TicTacToe()
    played = GameAECEnv(game, render_mode="ansi")
    played.reset(seed=1)
    for action in (0, 3, 1, 4):
        played.step(action)
    assert played.render() == game.render(game.from_text(game.to_text(played._one.state)))
    played.step(2)
    assert played.rewards == {"player_0": 1.0, "player_1": -1.0}
    assert played.terminations == {"player_0": True, "player_1": True}


def test_an_illegal_action_loses() -> None:
    one = GameAECEnv(TicTacToe())
    one.reset(seed=1)
    one.step(4)
    one.step(4)
    assert one.rewards == {"player_0": 1.0, "player_1": -1.0}
    assert one.infos["player_1"] == {"illegal": True} and one.infos["player_0"] == {}
    both = GameParallelEnv(Goofspiel(4))
    both.reset(seed=1)
    _, rewards, over, _, infos = both.step({"player_0": 77, "player_1": 0})
    assert (
        rewards["player_0"] == both.game.min_utility
        and all(over.values())
        and infos["player_0"] == {"illegal": True}
    )


def test_a_game_of_the_other_kind_is_refused_with_the_way_out() -> None:
    with pytest.raises(
        ValueError, match="TicTacToe is played in turn: take GameAECEnv, or the function parallel_env"
    ):
        GameParallelEnv(TicTacToe())
    with pytest.raises(
        ValueError, match="both players move at once in Guess: take GameParallelEnv, or the function env"
    ):
        GameAECEnv(Guess())
