"""The players that were published elsewhere choose what their descriptions say."""

import math

import numpy as np
import pytest

from helpers.random_trees import random_positions
from saddlepoint import TERMINAL, Limits, Tron41
from saddlepoint.games.catalogue.make import make_player
from saddlepoint.games.catalogue.players import players_of, roster
from saddlepoint.games.rubiks_flip import Ace, Bob, RubiksFlip
from saddlepoint.games.simplexity import BrokenRuns, CentreDistance, Simplexity
from saddlepoint.players.clock import Clock

pytestmark = pytest.mark.compiles_long

CLOCK = Clock(1.0, 1.0)


def chosen(name, game, state, **options):
    player = make_player(name, game)
    player.begin(game, game.current_player(state), 1)
    return player.choose(state, CLOCK).action


@pytest.mark.plain
@pytest.mark.parametrize("name", ["aiden", pytest.param("minimax", marks=pytest.mark.compiles_soon)])
def test_limits_end_the_search_and_a_legal_move_is_played(name):
    game = Simplexity(5, 5)
    full = make_player(name, game)
    for state in random_positions(game, 3, 5, most=9):
        seat = game.current_player(state)
        full.begin(game, seat, 1)
        whole = full.choose(state, Clock(60.0, 60.0)).statistics
        for nodes in (1, 2, 10):
            player = make_player(name, game, Limits(nodes=nodes))
            player.begin(game, seat, 1)
            answer = player.choose(state, Clock(60.0, 60.0))
            assert answer.action in game.legal_actions(state, seat)
            assert answer.statistics.nodes == min(nodes, whole.nodes)


def worths(game, state, leaf):
    """What each action is worth to who moves if the other minimises that; `leaf` tells it after two moves, or at the end."""
    root = game.current_player(state)

    def value(state, depth):
        node = game.current_player(state)
        if node == TERMINAL or depth == 0:
            return leaf(state, root)
        values = [value(game.next_state(state, a), depth - 1) for a in game.legal_actions(state, node)]
        return max(values) if node == root else min(values)

    return {a: value(game.next_state(state, a), 1) for a in game.legal_actions(state, root)}


@pytest.mark.parametrize(("name", "evaluator"), [("ace", Ace()), ("bob", Bob())])
def test_ace_and_bob_maximise_their_own_view_and_expect_the_other_to_minimise_it(name, evaluator):
    game = RubiksFlip()
    for state in random_positions(game, 3, seed=4, least=7, most=12):
        worth = worths(game, state, lambda after, root: evaluator.evaluate_for(game, after, root))
        first_best = next(a for a in worth if worth[a] == max(worth.values()))
        assert chosen(name, game, state) == first_best


def aiden(game, heuristic, state, depth, alpha, beta):
    """(score, move) by the description: negamax, middle columns first, the child's heuristic added to its score."""
    player = game.current_player(state)
    if player == TERMINAL:
        result = game.returns(state)
        mover = state.moves & 1
        return 1e9 * (result if mover == 0 else -result), None
    if depth == 0:
        return 0.0, None
    best, move = -math.inf, None
    columns = sorted(range(game.cols), key=lambda c: (abs(c - game.cols // 2), c))
    legal = set(game.legal_actions(state, player))
    for action in (2 * column + shape for column in columns for shape in (0, 1)):
        if action not in legal:
            continue
        child = game.next_state(state, action)
        score = -aiden(game, heuristic, child, depth - 1, -beta, -alpha)[0]
        score += heuristic.along_path(game, child, depth - 1)
        if score > best:
            best, move = score, action
        alpha = max(alpha, best)
        if alpha >= beta:
            break
    return best, move


def test_aiden_adds_its_heuristic_along_the_path():
    game, heuristic = Simplexity(), BrokenRuns()
    for state in random_positions(game, 6, seed=5, most=24):
        expected = aiden(game, heuristic, state, 3, -math.inf, math.inf)[1]
        assert chosen("aiden(depth=3)", game, state) == expected


def test_the_frameworks_minimax_counts_nearness_to_the_centre_at_the_leaves():
    game, heuristic = Simplexity(), CentreDistance()

    def leaf(state, root):
        sign = 1 if root == 0 else -1
        is_over = game.current_player(state) == TERMINAL
        return sign * (1e9 * game.returns(state) if is_over else heuristic.raw(game, state))

    for state in random_positions(game, 5, seed=6, most=24):
        worth = worths(game, state, leaf)
        assert worth[chosen("minimax(depth=2)", game, state)] == max(worth.values())


@pytest.mark.parametrize("name", ["tron_freespace", "tron_own_fill", "tron_two_fills"])
def test_the_tron_players_never_crash_where_they_need_not(name):
    game = Tron41()
    player = make_player(name, game)
    draw = np.random.default_rng(7)
    state = game.initial_state()
    player.begin(game, 0, 3)
    for _ in range(60):
        node = game.current_player(state)
        if node == TERMINAL:
            break
        if node not in (0, 1):
            outcomes = game.chance_outcomes(state)
            state = game.next_state(state, outcomes[int(draw.integers(len(outcomes)))][0])
            continue
        safe = game.safe_actions(state, node)
        action = player.choose(state, CLOCK).action if node == 0 else int(draw.choice(safe or [0]))
        if node == 0 and safe:
            assert action in game.safe_actions(state, node, armor=bool(game.armor(state, node)))
        state = game.next_state(state, action)


@pytest.mark.compiles_soon
def test_every_game_has_its_best_player_and_names_are_used_once_a_game():
    for name in ("light_riders", "simplexity", "rubiks_flip", "tron41"):
        names = [entry.name for entry in players_of(name)]
        assert "best" in names and "random" in names
        assert len(set(names)) == len(names)
    assert all(entry.origin and entry.algorithm and entry.evaluator and entry.summary for entry in roster())
