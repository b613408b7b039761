"""Against a player who errs: a solved game takes the moves that get most, and gives up nothing against one who does not."""

import pytest

from helpers.sizes import COMPILED_ONLY
from saddlepoint import solve
from saddlepoint.games import Goofspiel, OshiZumo, PursuitEvasion, TicTacToe
from saddlepoint.policies import SolutionPolicy, UniformPolicy, nash_conv, value_of
from saddlepoint.solvers.general.check import Erring

GAMES = [
    PursuitEvasion(3, 3, 3),
    PursuitEvasion(),
    Goofspiel(4),
    Goofspiel(4, order="ascending"),
    OshiZumo(6),
    TicTacToe(),
]
GAINS = [Goofspiel(4), TicTacToe()]


def kept(game, solution):
    """The policy of both players that errors are punished by."""

    erring = Erring(solution)

    def mixtures(state):
        found = solution.at(state).strategies
        return tuple(
            erring.better(state, player, one) if len(one) > 1 else one for player, one in enumerate(found)
        )

    return mixtures


@COMPILED_ONLY
@pytest.mark.parametrize("fold", [False, True])
@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_it_is_an_equilibrium_all_the_same(game, fold):
    assert nash_conv(game, kept(game, solve(game, fold=fold))) == pytest.approx(0.0, abs=1e-8)


@COMPILED_ONLY
@pytest.mark.parametrize("fold", [False, True])
@pytest.mark.parametrize("game", GAINS, ids=repr)
def test_it_gets_no_less_against_random_moves_and_more_than_the_solution_alone(game, fold):
    solution, uniform = solve(game, fold=fold), UniformPolicy(game)
    told, usual = kept(game, solution), SolutionPolicy(solution)
    gains = (
        value_of(game, told, uniform) - value_of(game, usual, uniform),
        value_of(game, uniform, usual) - value_of(game, uniform, told),
    )
    assert min(gains) >= -1e-9
    assert max(gains) > 0.01
