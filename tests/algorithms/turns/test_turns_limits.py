"""Limits, deepening and cancelling of the searches for turn-based games; and playing whole games by them."""

import threading
import time
from dataclasses import replace

import pytest

from helpers.random_trees import Noise, TurnTree, random_positions
from saddlepoint.algorithms import (
    ALGORITHMS,
    Limits,
    MonteCarlo,
    PrincipalVariation,
    Searcher,
    StopToken,
    search,
)
from saddlepoint.game.base import TERMINAL
from saddlepoint.games import ConnectFour
from saddlepoint.games.catalogue.make import make_player
from saddlepoint.players.base import Answer
from saddlepoint.players.clock import Clock

pytestmark = pytest.mark.compiles_long

GAME = ConnectFour()
START = GAME.initial_state()
ALL = [cls() for cls in ALGORITHMS.values() if cls.turns_only]
DEEPENING = [algorithm for algorithm in ALL if algorithm.name != "dfpn"]


def is_usable(result, state):
    player = GAME.current_player(state)
    mixture = result.strategies[player]
    assert set(mixture) <= set(GAME.legal_actions(state, player))
    assert sum(mixture.values()) == pytest.approx(1)
    assert result.strategies[1 - player] == {}
    return True


@pytest.mark.parametrize(
    "algorithm",
    [one if one.name == "pvs" else pytest.param(one, marks=pytest.mark.compiles_soon) for one in ALL],
    ids=lambda a: a.name,
)
def test_a_node_budget_repeats_a_search_to_the_last_bit(algorithm):
    first, second = (search(GAME, START, algorithm, Limits(nodes=20_000), seed=5) for _ in range(2))
    assert first.statistics == second.statistics
    assert first.value == second.value
    assert first.strategies == second.strategies
    assert first.principal_variation == second.principal_variation
    assert not first.complete


@pytest.mark.parametrize("algorithm", ALL, ids=lambda a: a.name)
def test_a_search_cut_off_anywhere_leaves_a_usable_answer(algorithm):
    searcher = Searcher(GAME, algorithm)
    for state in random_positions(GAME, 10, 2, most=12):
        for nodes in (1, 2, 3, 5, 8, 13, 21, 50, 111, 300, 1000, 4000):
            searcher.memory.clear()
            result = searcher.search(state, Limits(nodes=nodes))
            assert is_usable(result, state)
            if not result.complete:
                assert result.partial is not None
                best = result.partial.best
                assert best is None or best[GAME.current_player(state)] in result.strategy(
                    GAME.current_player(state)
                )


def test_what_an_unfinished_iteration_has_found_holds_when_it_is_finished():
    setting = PrincipalVariation(megabytes=0.1, discount=0.0, aspiration=0.0)
    searcher, tree = Searcher(TurnTree(), replace(setting, evaluator=Noise())), TurnTree()
    checked = 0
    for seed in range(200):
        state = tree.initial_state(seed, 8, 5)
        player = tree.current_player(state)
        if player not in (0, 1):
            continue
        searcher.memory.clear()
        partial = searcher.search(state, Limits(depth=5, nodes=60), deepen=False, variation=False).partial
        if partial is None:
            continue
        for joint, (low, high) in partial.cells.items():
            searcher.memory.clear()
            child = tree.next_state(state, joint[player])
            value = searcher.search(child, Limits(depth=4), deepen=False, variation=False).value
            assert low - 1e-9 <= value <= high + 1e-9
            checked += 1
    assert checked > 40


@pytest.mark.parametrize("algorithm", ALL, ids=lambda a: a.name)
def test_a_token_cancels_from_another_thread(algorithm):
    game = GAME
    searcher = Searcher(game, algorithm)
    searcher.search(game.initial_state(), Limits(nodes=100))  # compiled before the clock runs
    token = StopToken()
    threading.Timer(0.15, token.stop).start()
    begun = time.perf_counter()
    result = searcher.search(game.initial_state(), Limits(seconds=60), stop=token)
    assert time.perf_counter() - begun < 30
    assert not result.complete
    assert sum(result.strategy(0).values()) == pytest.approx(1)
    again = searcher.search(game.initial_state(), Limits(seconds=60), stop=token)
    assert again.depth == 0


@pytest.mark.parametrize("algorithm", DEEPENING, ids=lambda a: a.name)
def test_a_deadline_ends_the_search_with_the_last_finished_depth(algorithm):
    searcher = Searcher(GAME, algorithm)
    searcher.search(START, Limits(nodes=100))  # what is compiled is loaded before the clock runs
    searcher.memory.clear()
    seen = []
    result = searcher.search(START, Limits(seconds=0.1), on_iteration=seen.append)
    assert tuple(seen) == result.iterations
    assert [i.depth for i in seen] == list(range(1, result.depth + 1))
    assert result.depth >= 5
    assert not result.complete


def test_a_depth_limit_alone_searches_just_that_depth():
    plain = PrincipalVariation(alpha_beta=False, table=False, winning_actions=False)
    result = search(GAME, START, plain, Limits(depth=3))
    assert result.depth == 3
    assert result.complete
    assert not result.exact
    assert result.bounds == (-1.0, 1.0)
    assert result.statistics.nodes == 1 + 7 + 49 + 343
    assert len(result.principal_variation) == 3


@pytest.mark.parametrize("algorithm", ALL, ids=lambda a: a.name)
def test_a_finished_game_is_worth_its_result(algorithm):
    state = GAME.initial_state("1212121")
    result = search(GAME, state, algorithm)
    assert result.exact
    assert result.value == 1.0
    assert result.strategies == ({}, {})


def play(game, specs, limits, seed):
    players = [make_player(spec, game, limits) for spec in specs]
    for number, player in enumerate(players):
        player.begin(game, number, seed)
    state, moves = game.initial_state(), []
    while (mover := game.current_player(state)) != TERMINAL:
        moves.append(Answer.of(players[mover].choose(state, Clock(float("inf"), 0.0))).action)
        state = game.next_state(state, moves[-1])
    return game.returns(state), moves


@pytest.mark.parametrize("spec", ["pvs", "mcts(batch=32)"])
def test_a_player_of_the_search_beats_the_random_player_and_repeats_its_games(spec):
    limits = Limits(nodes=3000)
    for seed in range(6):
        specs = (spec, "random") if seed % 2 == 0 else ("random", spec)
        result, moves = play(GAME, specs, limits, seed)
        assert result == (1.0 if seed % 2 == 0 else -1.0)
        assert play(GAME, specs, limits, seed) == (result, moves)


def test_a_game_against_itself_goes_on_with_what_the_last_search_knew():
    player = make_player("pvs", GAME, Limits(nodes=30_000))
    player.begin(GAME, 0, 1)
    state, clock = START, Clock(float("inf"), 0.0)
    before = player.choose(state, clock).findings.depth
    for action in (2, 3):
        state = GAME.next_state(state, action)
    assert player.choose(state, clock).findings.depth > before - 2


def test_the_tree_of_a_position_met_again_is_used_again():
    searcher = Searcher(GAME, MonteCarlo(megabytes=8.0))
    first = searcher.search(START, Limits(depth=9), variation=False)
    assert (
        searcher.search(START, Limits(depth=9), variation=False).statistics.nodes
        < first.statistics.nodes / 100
    )
