"""Monte-Carlo search: what it proves is true, what it keeps is right, its memory has a fixed size."""

from dataclasses import dataclass
from typing import ClassVar

import pytest

from helpers.random_trees import Noise, TurnTree, minimax, random_positions, urgent_positions
from helpers.small_games import AllActions, State
from saddlepoint import CHANCE, TERMINAL, ConnectFour, Limits, Memory, MonteCarlo, Othello, Searcher, kernel
from saddlepoint.compiled import Component

pytestmark = pytest.mark.compiles_long

DROPS = ConnectFour()

TREE = TurnTree()
BOARD = ConnectFour(4, 4, 3)
SMALL = MonteCarlo(Noise(), megabytes=1.0)


def trees(count, depth=4):
    for seed in range(count):
        state = TREE.initial_state(seed, depth, 2 + seed % 4, (0, 4)[seed % 2], (2, 3, 5)[seed % 3], 0)
        if TREE.current_player(state) >= CHANCE:
            yield state


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"playouts": False},
        {"mast": 1.0},
        {"grave": 3},
        {"playouts": False, "grave": 3},
        {"prior": 5.0},
        {"implicit": 0.5, "cut": 1},
    ],
)
def test_what_is_proven_is_what_plain_minimax_says(settings):
    searcher = Searcher(TREE, MonteCarlo(Noise(), megabytes=1.0, **settings))
    proven = 0
    for state in trees(400):
        result = searcher.search(state, Limits(depth=10))
        if result.exact:
            proven += 1
            assert result.value == pytest.approx(minimax(TREE, state), abs=1e-9)
            assert result.bounds == (result.value, result.value)
    assert proven > 300


def test_a_proven_position_is_played_without_losing_its_value_and_the_line_ends_with_it():
    searcher = Searcher(BOARD, MonteCarlo(megabytes=4.0))
    proven = 0
    for state in random_positions(BOARD, 60, 7, least=2):
        result = searcher.search(state, Limits(depth=12))
        if result.exact:
            proven += 1
            assert result.value == minimax(BOARD, state)
            after = BOARD.next_state(state, result.best_action(BOARD.current_player(state)))
            assert minimax(BOARD, after) == result.value
            for joint in result.principal_variation:
                state = BOARD.next_state(state, *joint)
            assert BOARD.current_player(state) < CHANCE
            assert BOARD.returns(state) == result.value
    assert proven > 40


def test_bounds_hold_the_value_also_where_not_all_is_proven():
    searcher = Searcher(TREE, MonteCarlo(Noise(), megabytes=1.0))
    unproven = 0
    for state in trees(300, depth=6):
        result = searcher.search(state, Limits(nodes=400), variation=False)
        low, high = result.bounds
        assert low - 1e-9 <= minimax(TREE, state) <= high + 1e-9
        assert low <= result.value <= high
        unproven += TREE.min_utility < low < high
    assert unproven > 20


@pytest.mark.parametrize("nodes", [3_000, 30_000])
def test_a_proven_move_is_not_given_up_for_one_that_seems_to_be_worse(nodes):
    # The solved game says that d4 is worth -8 and b4 +8, which player 1 does not want. The proof of d4 comes before the others'.
    game = Othello(4, utility="discs")
    start = game.initial_state()
    state = game.next_state(start, game.string_to_action(start, 0, "c4"))
    result = Searcher(game, MonteCarlo(megabytes=16.0)).search(state, Limits(nodes=nodes), seed=1)
    assert game.action_to_string(state, 1, result.best_action(1)) == "d4"
    assert result.bounds[1] >= -8.0
    assert result.value < -4.0


def test_a_win_in_one_is_played_and_a_loss_in_one_prevented_by_both_players():
    searcher = Searcher(BOARD, MonteCarlo(megabytes=1.0))
    for state, player, winning, holding in urgent_positions(BOARD, 300, 21):
        found = searcher.search(state, Limits(depth=6), variation=False)
        assert found.best_action(player) in (winning or holding)


def test_with_many_visits_it_finds_the_better_move_without_a_proof():
    state = DROPS.initial_state(
        "334"
    )  # two beside each other on the ground: a third would threaten on both sides
    result = Searcher(DROPS, MonteCarlo(megabytes=8.0)).search(state, Limits(nodes=400_000), variation=False)
    assert result.best_action(1) in (1, 4)


def test_the_same_seed_repeats_a_search_and_another_one_does_not():
    def found(seed):
        return (
            Searcher(BOARD, MonteCarlo(megabytes=4.0))
            .search(BOARD.initial_state(), Limits(depth=5), seed=seed)
            .strategies
        )

    assert found(3) == found(3)
    assert found(3) != found(4)


@dataclass(frozen=True)
class Collect(AllActions):
    """Six turns each, in which a player takes one of eight numbers; player 0 must take 5 three times to win."""

    name: ClassVar[str] = "collect"
    max_actions: ClassVar[int] = 8
    max_depth: ClassVar[int] = 12

    def initial_state(self) -> State:
        return State(0, 0)

    @kernel
    def current_player(self, state):
        return TERMINAL if state.round == 12 else state.round % 2

    @kernel
    def next_state(self, state, action):
        return State(state.round + 1, state.lead + (1 if action == 5 and state.round % 2 == 0 else 0))

    @kernel
    def returns(self, state):
        return 1.0 if state.lead >= 3 else -1.0


@pytest.mark.parametrize("settings", [{"mast": 0.5}, {"grave": 10}, {"prior": 10.0}])
def test_an_action_that_is_good_everywhere_is_found_sooner_where_simulations_tell_of_actions(settings):
    def value(**settings):
        searcher = Searcher(Collect(), MonteCarlo(megabytes=1.0, **settings))
        return searcher.search(Collect().initial_state(), Limits(nodes=2000), seed=1).value

    assert value(**settings) > value() + 0.2


@dataclass(frozen=True)
class Fives(Component):
    """Knows what counts in Collect."""

    @kernel
    def evaluate(self, game, state):
        return state.lead / 3.0 - 0.5


@pytest.mark.parametrize(
    "settings", [{"implicit": 0.5}, {"cut": 2}, {"implicit": 0.5, "cut": 2, "prior": 10.0}]
)
def test_what_the_evaluator_says_finds_the_action_in_fewer_simulations(settings):
    def share(**settings):
        searcher = Searcher(Collect(), MonteCarlo(Fives(), megabytes=1.0, **settings))
        return searcher.search(Collect().initial_state(), Limits(depth=2), seed=1).strategy(0)[5]

    assert share(**settings) > share() + 0.1


def test_implicit_minimax_backs_up_the_best_for_who_moves():
    """After each player's first action player 0 has the 5 or not: by the evaluator alone, which both believe, it takes it."""
    found = Searcher(Collect(), MonteCarlo(Fives(), megabytes=1.0, implicit=1.0, exploration=0.0)).search(
        Collect().initial_state(), Limits(depth=1), seed=1
    )
    assert found.best_action(0) == 5


@pytest.mark.parametrize("settings", [{"implicit": 0.4}, {"cut": 4}])
def test_what_mixes_in_an_evaluator_needs_one(settings):
    with pytest.raises(ValueError, match="evaluator"):
        MonteCarlo(**settings)


def test_what_was_learnt_in_one_game_does_not_change_the_next_one():
    searcher = Searcher(BOARD, MonteCarlo(megabytes=4.0, grave=5), memory=Memory())
    first = searcher.search(BOARD.initial_state(), Limits(depth=5), seed=3).strategies
    searcher.memory.clear()
    assert searcher.search(BOARD.initial_state(), Limits(depth=5), seed=3).strategies == first


def test_the_tree_is_kept_from_one_move_to_the_next():
    memory = Memory()
    searcher = Searcher(DROPS, MonteCarlo(megabytes=16.0), memory=memory)
    state = DROPS.initial_state()
    for joint in searcher.search(state, Limits(depth=10)).principal_variation[:2]:
        state = DROPS.next_state(state, *joint)
    again = searcher.search(state, Limits(depth=1), variation=False)
    fresh = Searcher(DROPS, MonteCarlo(megabytes=16.0)).search(state, Limits(depth=1), variation=False)
    assert again.statistics.nodes < fresh.statistics.nodes / 10  # it had the visits already
    memory.clear()
    assert searcher.search(state, Limits(depth=1), variation=False).statistics.nodes > again.statistics.nodes


def test_a_full_tree_grows_no_more_and_still_answers():
    searcher = Searcher(DROPS, MonteCarlo(megabytes=0.01))
    result = searcher.search(DROPS.initial_state(), Limits(depth=9))
    assert result.depth == 9
    assert sum(result.strategy(0).values()) == pytest.approx(1)
    crowded = Searcher(DROPS, MonteCarlo(megabytes=0.0001))  # not even room for the root's children
    assert crowded.search(DROPS.initial_state(), Limits(depth=3)).best_action(0) in range(7)
