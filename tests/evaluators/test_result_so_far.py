"""The result if the game were over now, as an evaluator: of which games it holds, and what it is."""

from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, ClassVar

import pytest

from helpers.small_games import Turns
from saddlepoint import kernel
from saddlepoint.cli.common import read_game
from saddlepoint.evaluators import ResultSoFar
from saddlepoint.evaluators.network.inputs import random_positions
from saddlepoint.games.catalogue.measured import CANDIDATES, candidates
from saddlepoint.games.tic_tac_toe import TicTacToe

GAMES = Path(__file__).parents[2] / "examples" / "games"
pytestmark = [pytest.mark.plain, pytest.mark.compiles_soon]


def example(name: str) -> Any:
    return read_game(f"{GAMES / name.lower()}.py:{name}")


def test_it_is_what_the_rules_say_of_a_game_that_were_over() -> None:
    game = example("Harvest")
    for state in random_positions(game, 5, 200, Random(1)):
        lead = state.points0 - state.points1
        assert ResultSoFar().evaluate(game, state) == (lead > 0) - (lead < 0)


@dataclass(frozen=True)
class ForTheEnd(Turns):
    """Its `returns` is written for the end alone."""

    name: ClassVar[str] = "written_for_the_end"

    @kernel
    def returns(self, state: Any) -> float:
        if state.lead < 6:
            raise ValueError("it is not over")
        return 1.0


@pytest.mark.parametrize(
    "game", [TicTacToe(), ForTheEnd(), example("Amazons"), example("Clobber")], ids=lambda game: game.name
)
def test_rules_that_only_say_who_won_or_who_moved_last_are_refused(game: Any) -> None:
    with pytest.raises(ValueError, match="do not tell who is ahead"):
        ResultSoFar().check_game(game)
    assert not any("result_so_far" in spec for spec in candidates(game))


def test_searches_with_it_are_candidates_where_somebody_is_ahead() -> None:
    added = candidates(example("Harvest"))[len(CANDIDATES[False]) :]
    assert added == ("saddle(evaluator=result_so_far())", "rm(evaluator=result_so_far())")


@dataclass(frozen=True)
class NeverEnds(Turns):
    """Its sum stays below 6: nobody can win."""

    name: ClassVar[str] = "never_ends"

    @kernel
    def next_state(self, state: Any, action: int) -> Any:
        return state._replace(round=1 - state.round if state.round >= 0 else 0)


def test_a_game_that_random_play_does_not_end_is_refused() -> None:
    with pytest.raises(ValueError, match="do not tell who is ahead"):
        ResultSoFar().check_game(NeverEnds())
