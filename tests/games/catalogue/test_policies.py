"""A player's spec as a policy: what it would play, on either side, in any position."""

import pytest

from saddlepoint.algorithms import SaddlePruning
from saddlepoint.algorithms.limits import Limits
from saddlepoint.game.spec import SpecError
from saddlepoint.games.biased_rps import BiasedRPS
from saddlepoint.games.catalogue.make import make_player
from saddlepoint.games.catalogue.policies import policy_of
from saddlepoint.games.goofspiel import Goofspiel
from saddlepoint.games.tic_tac_toe import TicTacToe
from saddlepoint.games.tron41 import Tron41
from saddlepoint.players.base import Answer
from saddlepoint.players.clock import ENDLESS
from saddlepoint.policies import SearchPolicy, SolutionPolicy, UniformPolicy, nash_conv, value_of
from saddlepoint.solvers.general import save_solution
from saddlepoint.solvers.whole_game import solve

pytestmark = pytest.mark.plain
GAME = Goofspiel(cards=3)


def test_random_takes_what_is_worth_searching_alike():
    assert policy_of("random", GAME) == (UniformPolicy(GAME, only_searched=True), False)


def test_a_search_plays_its_best_action_or_its_mixture():
    """Always paper loses 5 to scissors on either side; the mixture is the published equilibrium."""
    game = BiasedRPS()
    best = policy_of("saddle(nodes=10)", game).policy
    assert best(game.initial_state()) == ({1: 1.0}, {1: 1.0})
    assert nash_conv(game, best) == 10.0
    mixture = policy_of("saddle(nodes=10, choice=mixture)", game).policy
    assert mixture(game.initial_state())[0] == pytest.approx({0: 1 / 16, 1: 10 / 16, 2: 5 / 16})
    assert nash_conv(game, mixture) == pytest.approx(0.0, abs=1e-9)


def test_a_mixture_is_that_of_the_search_within_its_limits():
    named, search = (
        policy_of("saddle(choice=mixture)", GAME, nodes=20).policy,
        SearchPolicy(GAME, SaddlePruning(), Limits(nodes=20)),
    )
    state = GAME.next_state(GAME.initial_state(), 2)
    assert named(state) == search(state)
    assert named is not search


@pytest.mark.compiles_long
def test_a_serialised_search_lets_each_player_commit_first():
    """Knowing the other's hand one wins: who commits first expects to lose, whichever player it is, and avoids the dearest loss."""
    game = BiasedRPS()
    assert policy_of("alphabeta(depth=1)", game).policy(game.initial_state()) == ({1: 1.0}, {1: 1.0})


def test_a_search_plays_in_a_game_what_its_policy_says():
    policy, state = policy_of("saddle(nodes=30)", GAME).policy, GAME.next_state(GAME.initial_state(), 1)
    for side in (0, 1):
        player = make_player("saddle(nodes=30)", GAME)
        player.begin(GAME, side, 1)
        assert policy(state)[side] == {Answer.of(player.choose(state, ENDLESS)).action: 1.0}


@pytest.mark.compiles_long
def test_what_is_solved_beforehand_needs_no_limit():
    found = policy_of("best", GAME)
    assert isinstance(found.policy, SolutionPolicy)
    assert not found.is_searched
    assert nash_conv(GAME, found.policy) == pytest.approx(0.0, abs=1e-9)
    assert nash_conv(BiasedRPS(), policy_of("best(choice=best)", BiasedRPS()).policy) == 10.0


def test_a_solution_is_read_from_its_file(tmp_path):
    file = tmp_path / "three.sol"
    save_solution(file, solve(GAME))
    assert nash_conv(GAME, policy_of(f'solution("{file}")', GAME).policy) == pytest.approx(0.0, abs=1e-9)


def test_a_search_that_samples_is_the_same_with_the_same_seed():
    game = TicTacToe()
    state = game.initial_state()
    first, again = (policy_of("mcts(nodes=50, megabytes=1)", game, seed=4).policy(state) for _ in range(2))
    assert first == again
    assert sum(first[0].values()) == 1.0
    assert first[1] == {}


@pytest.mark.parametrize(
    ("spec", "told"),
    [
        ("saddle", "--nodes 1000"),
        ("best(solve=false)", "--nodes 1000"),
        ("human", "a person"),
        ("cmd:true", "a program"),
        ("./bot.py", "a program"),
        ("nobody", "no player"),
    ],
)
def test_who_has_no_probabilities_to_ask_for_is_refused_in_one_sentence(spec, told):
    with pytest.raises(SpecError, match=told) as error:
        policy_of(spec, GAME)
    assert "\n" not in str(error.value)


def test_a_player_that_follows_rules_of_its_own_is_refused():
    with pytest.raises(SpecError, match="nobody can tell"):
        policy_of("wall", Tron41())


def test_even_against_even_is_worth_what_the_sides_are_worth():
    assert value_of(GAME, policy_of("saddle(nodes=9)", GAME).policy) == pytest.approx(0.0, abs=1e-12)
