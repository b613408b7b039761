"""Evaluators that follow from the rules of many games, legal actions and the result so far: of which they hold, and what they are."""

from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, ClassVar

import pytest

from helpers.small_games import Guess, Turns
from saddlepoint import kernel
from saddlepoint.cli.common import read_game
from saddlepoint.evaluators import ActionCounts, ResultSoFar
from saddlepoint.evaluators.network.inputs import random_positions
from saddlepoint.games.catalogue.measured import CANDIDATES, candidates
from saddlepoint.games.tic_tac_toe import TicTacToe

GAMES = Path(__file__).parents[2] / "examples" / "games"
pytestmark = [pytest.mark.plain, pytest.mark.compiles_soon]


def example(name: str) -> Any:
    return read_game(f"{GAMES / name.lower()}.py:{name}")


def test_action_counts_are_the_difference_of_the_actions_of_both_by_their_sum() -> None:
    game = example("Breakthrough")
    for state in random_positions(game, 5, 60, Random(1)):
        one, other = (len(game.legal_actions(state._replace(turn=player), player)) for player in (0, 1))
        assert ActionCounts().evaluate(game, state) == pytest.approx((one - other) / (one + other))


def test_the_result_so_far_is_what_the_rules_say_of_a_game_that_were_over() -> None:
    game = example("Harvest")
    for state in random_positions(game, 5, 200, Random(1)):
        lead = state.points0 - state.points1
        assert ResultSoFar().evaluate(game, state) == (lead > 0) - (lead < 0)


@dataclass(frozen=True)
class Raises(Turns):
    """Its rule takes for granted who is asked."""

    name: ClassVar[str] = "raises"

    @kernel
    def legal_actions(self, state: Any, player: int, out: Any) -> int:
        if player != self.current_player(state):
            raise ValueError("nobody asks for that")
        out[0], out[1] = 0, 1
        return 2


@dataclass(frozen=True)
class ForTheEnd(Turns):
    """Its `returns` is written for the end alone."""

    name: ClassVar[str] = "written_for_the_end"

    @kernel
    def returns(self, state: Any) -> float:
        if state.lead < 6:
            raise ValueError("it is not over")
        return 1.0


@dataclass(frozen=True)
class NeverEnds(Turns):
    """Its sum stays below 6: nobody can win."""

    name: ClassVar[str] = "never_ends"

    @kernel
    def next_state(self, state: Any, action: int) -> Any:
        return state._replace(round=1 - state.round if state.round >= 0 else 0)


@pytest.mark.parametrize(
    ("evaluator", "game", "name", "why"),
    [
        # In tic-tac-toe, and where both name a number, both have equally many everywhere.
        *(
            (ActionCounts(), game, "action_counts", "who has more legal actions")
            for game in (TicTacToe(), Guess(), Raises())
        ),
        *(
            (ResultSoFar(), game, "result_so_far", "who is ahead")
            for game in (TicTacToe(), ForTheEnd(), NeverEnds(), example("Amazons"), example("Clobber"))
        ),
    ],
    ids=lambda one: getattr(one, "name", None),
)
def test_rules_that_do_not_tell_it_are_refused(evaluator: Any, game: Any, name: str, why: str) -> None:
    with pytest.raises(ValueError, match=f"do not tell {why}"):
        evaluator.check_game(game)
    assert not any(name in spec for spec in candidates(game))


@pytest.mark.parametrize(
    ("name", "turns", "added"),
    [
        (
            "Breakthrough",
            True,
            (
                "pvs(evaluator=action_counts())",
                "mcts(implicit=0.4, prior=16, cut=4, evaluator=action_counts())",
            ),
        ),
        (
            "Harvest",
            False,
            tuple(f"{search}(evaluator=result_so_far())" for search in ("saddle", "rm", "alphabeta")),
        ),
    ],
)
def test_searches_with_it_are_candidates_where_it_holds(name: str, turns: bool, added: Any) -> None:
    assert candidates(example(name))[len(CANDIDATES[turns]) :] == added
