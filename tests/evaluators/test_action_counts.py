"""Legal actions of either player as an evaluator: of which games it holds, and what it is."""

from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, ClassVar

import pytest

from helpers.small_games import Guess, Turns
from saddlepoint import kernel
from saddlepoint.cli.common import read_game
from saddlepoint.evaluators import ActionCounts
from saddlepoint.evaluators.network.inputs import random_positions
from saddlepoint.games.catalogue.measured import CANDIDATES, candidates
from saddlepoint.games.tic_tac_toe import TicTacToe

GAMES = Path(__file__).parents[2] / "examples" / "games"
pytestmark = [pytest.mark.plain, pytest.mark.compiles_soon]


def breakthrough() -> Any:
    return read_game(f"{GAMES / 'breakthrough.py'}:Breakthrough")


def test_it_is_the_difference_of_the_actions_of_both_by_their_sum() -> None:
    game = breakthrough()
    for state in random_positions(game, 5, 60, Random(1)):
        one, other = (len(game.legal_actions(state._replace(turn=player), player)) for player in (0, 1))
        assert ActionCounts().evaluate(game, state) == pytest.approx((one - other) / (one + other))


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


@pytest.mark.parametrize("game", [TicTacToe(), Guess(), Raises()], ids=lambda game: game.name)
def test_rules_that_do_not_tell_who_has_more_actions_are_refused(game: Any) -> None:
    """In tic-tac-toe, and where both name a number, both have equally many everywhere."""
    with pytest.raises(ValueError, match="do not tell who has more legal actions"):
        ActionCounts().check_game(game)
    assert not any("action_counts" in spec for spec in candidates(game))


def test_searches_with_it_are_candidates_where_it_holds() -> None:
    added = candidates(breakthrough())[len(CANDIDATES[True]) :]
    assert added == (
        "pvs(evaluator=action_counts())",
        "mcts(implicit=0.4, prior=16, cut=4, evaluator=action_counts())",
    )
