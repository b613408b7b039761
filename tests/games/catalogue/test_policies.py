"""A player's spec as a policy: what it would play, on either side, in any position."""

import pytest

from saddlepoint import BiasedRPS, Goofspiel, Limits, SaddlePruning, TicTacToe, Tron41, solve
from saddlepoint.game.spec import SpecError
from saddlepoint.games.catalogue.make import make_player
from saddlepoint.games.catalogue.policies import policy_of
from saddlepoint.players.base import Answer
from saddlepoint.players.clock import ENDLESS
from saddlepoint.policies import SearchPolicy, SolutionPolicy, UniformPolicy, nash_conv, value_of
from saddlepoint.solvers.general import save_solution

pytestmark = pytest.mark.plain
GAME = Goofspiel(cards=3)


def test_random_takes_what_is_worth_searching_alike():
    assert policy_of("random", GAME) == (UniformPolicy(GAME, only_searched=True), False)


PAPER, NASH = {1: 1.0}, pytest.approx({0: 1 / 16, 1: 10 / 16, 2: 5 / 16})


@pytest.mark.parametrize(
    ("spec", "played", "gained"),
    [
        # Always paper loses 5 to scissors on either side; the mixture is the published equilibrium.
        ("saddle(nodes=10)", PAPER, 10.0),
        ("saddle(nodes=10, choice=mixture)", NASH, 0.0),
        pytest.param("best(choice=best)", PAPER, 10.0, marks=pytest.mark.compiles_long),
        # Serialised, each player commits first, and avoids the dearest loss.
        pytest.param("alphabeta(depth=1)", PAPER, 10.0, marks=pytest.mark.compiles_long),
    ],
)
def test_a_search_plays_its_best_action_or_its_mixture(spec, played, gained):
    game = BiasedRPS()
    policy = policy_of(spec, game).policy
    assert list(policy(game.initial_state())) == [played, played]
    assert nash_conv(game, policy) == pytest.approx(gained, abs=1e-9)


def test_a_mixture_is_that_of_the_search_within_its_limits():
    named, search = (
        policy_of("saddle(choice=mixture)", GAME, nodes=20).policy,
        SearchPolicy(GAME, SaddlePruning(), Limits(nodes=20)),
    )
    state = GAME.next_state(GAME.initial_state(), 2)
    assert named(state) == search(state)
    assert named is not search


@pytest.mark.parametrize("side", [0, 1])
def test_a_search_plays_in_a_game_what_its_policy_says(side):
    policy, state = policy_of("saddle(nodes=30)", GAME).policy, GAME.next_state(GAME.initial_state(), 1)
    player = make_player("saddle(nodes=30)", GAME)
    player.begin(GAME, side, 1)
    assert policy(state)[side] == {Answer.of(player.choose(state, ENDLESS)).action: 1.0}


@pytest.mark.compiles_long
def test_what_is_solved_beforehand_needs_no_limit():
    found = policy_of("best", GAME)
    assert isinstance(found.policy, SolutionPolicy)
    assert not found.is_searched
    assert nash_conv(GAME, found.policy) == pytest.approx(0.0, abs=1e-9)


@pytest.mark.compiles_long
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
    ("spec", "told", "game"),
    [
        ("saddle", "--nodes 1000", GAME),
        ("best(solve=false)", "--nodes 1000", GAME),
        ("human", "a person", GAME),
        ("cmd:true", "a program", GAME),
        ("./bot.py", "a program", GAME),
        ("nobody", "no player", GAME),
        ("wall", "nobody can tell", Tron41()),
        ("best(risk=1)", "--study 5000", GAME),
    ],
)
def test_who_has_no_probabilities_to_ask_for_is_refused_in_one_sentence(spec, told, game):
    with pytest.raises(SpecError, match=told) as error:
        policy_of(spec, game)
    assert "\n" not in str(error.value)


def test_even_against_even_is_worth_what_the_sides_are_worth():
    assert value_of(GAME, policy_of("saddle(nodes=9)", GAME).policy) == pytest.approx(0.0, abs=1e-12)
