"""What is solved before a game: all of it where it fits a budget that is counted, and nothing of what is much too large."""

import pytest

from helpers.sizes import COMPILED_ONLY
from saddlepoint.compiled import PLAIN_PYTHON
from saddlepoint.games import ConnectFour, Goofspiel, OshiZumo, Othello, Soccer, TicTacToe
from saddlepoint.policies import SolutionPolicy
from saddlepoint.policies.evaluation import Evaluation
from saddlepoint.policies.opponents import choices_within
from saddlepoint.solvers import beforehand
from saddlepoint.solvers.beforehand import Budget, solve_beforehand, warm_rest
from saddlepoint.solvers.cycles import solve_cycles
from saddlepoint.solvers.general.reached import Size, Walks
from saddlepoint.solvers.general.solve import solve_positions

pytestmark = [pytest.mark.plain, pytest.mark.compiles_long]


@pytest.mark.parametrize(
    "game", [OshiZumo(coins=6), Goofspiel(3), Goofspiel(3, "descending", "points")], ids=repr
)
def test_a_small_game_is_solved_to_its_value(game):
    assert solve_beforehand(game).value == pytest.approx(solve_positions(game).value, abs=1e-12)


@pytest.mark.parametrize(
    "game", [Goofspiel(13), pytest.param(Othello(8), marks=COMPILED_ONLY), ConnectFour()], ids=repr
)
def test_what_is_much_too_large_is_not_even_begun(game, monkeypatch):
    def no_solving(*args, **options):
        raise AssertionError("it was begun")

    monkeypatch.setattr(beforehand, "Induction", no_solving)
    assert solve_beforehand(game) is None


def test_a_spent_budget_ends_the_work():
    game = Goofspiel(3 if PLAIN_PYTHON else 6)
    assert solve_beforehand(game, budget=Budget(positions=20)) is None
    assert solve_beforehand(game, budget=Budget(work=1e-6)) is None


def test_where_positions_come_back_a_near_limit_of_moves_counts():
    """Nothing is gained from who plays the solution: as if there were no limit, a lead would be taken home too late."""
    game = Soccer(width=3, height=2, max_moves=3)
    choices = choices_within(game, game.initial_state(), 1e9)
    found, endless = solve_beforehand(game), solve_cycles(game, check=False).solution
    assert found is not None
    assert choices is not None
    gained = [Evaluation(choices, SolutionPolicy(one)).nash_conv for one in (found, endless)]
    assert gained[0] == pytest.approx(0.0, abs=1e-9)
    assert gained[1] > 0.2


def test_a_game_that_is_over_needs_no_solution():
    game = OshiZumo(coins=4)
    assert solve_beforehand(game, game.initial_state()._replace(coins0=0, coins1=0)) is None


@pytest.mark.parametrize(
    "game", [pytest.param(Goofspiel(4), marks=COMPILED_ONLY), TicTacToe(), OshiZumo(coins=10)], ids=repr
)
def test_walks_tell_about_how_many_positions_there_are(game):
    if PLAIN_PYTHON and isinstance(game, TicTacToe):
        game = OshiZumo(coins=5)
    size = Walks(game, game.initial_state()).size(400 if PLAIN_PYTHON else 8192)
    counts = solve_positions(game, fold=True).counts()
    assert counts.positions / 4 < size.positions < 2 * counts.positions
    assert counts.edges / 6 < size.cells < 2 * counts.edges


@pytest.mark.parametrize("game", [TicTacToe(), Goofspiel(4)], ids=str)
def test_what_warms_is_solved_whole_however_few_the_walks_have_seen(game, monkeypatch):
    """Walks may see fewer positions than there are: `best` of a game of somebody's own was at fault before its first move."""
    monkeypatch.setattr(Walks, "size", lambda self, number: Size(1.0, 1.0, 1.0))
    monkeypatch.setattr(beforehand, "_FEW_SOLVED", 20)
    assert warm_rest(game, game.initial_state()) is not None
