"""The settings of serialised alpha-beta, each against its definition."""

import numpy as np
import pytest

from helpers.random_trees import ONLY_SIMULTANEOUS, RandomGame
from helpers.sizes import scaled
from saddlepoint import Battlesnake, LightRiders, Limits, Searcher, SerialisedAlphaBeta
from saddlepoint.evaluators import Separated, Voronoi

pytestmark = pytest.mark.compiles_long

GAME = RandomGame()
RIDERS = LightRiders(6, 6)


def searched(game, algorithm, state, depth=None):
    return Searcher(game, algorithm).search(state, Limits(depth=depth), deepen=False, variation=False)


def value_of(game, algorithm, state, depth=None):
    return searched(game, algorithm, state, depth).value


def rows_and_columns(game, state):
    return game.search_actions(state, 0), game.search_actions(state, 1)


def riders_in_the_open(count):
    """Positions a few rounds after the start, with a choice for both riders."""
    draw = np.random.default_rng(8)
    found = []
    while len(found) < count:
        state = RIDERS.initial_state(heads=((1, int(draw.integers(6))), (4, int(draw.integers(6)))))
        for _ in range(int(draw.integers(1, 5))):
            own, replies = rows_and_columns(RIDERS, state)
            if RIDERS.players_to_act(state) and own and replies:
                state = RIDERS.next_state(state, int(draw.choice(own)), int(draw.choice(replies)))
        if (
            RIDERS.players_to_act(state)
            and min(len(actions) for actions in rows_and_columns(RIDERS, state)) > 1
        ):
            found.append(state)
    return found


def committed(game, state, depth, leaf, ended=float, cost=lambda choices: 1, first=0):
    """Player 0's value where one player commits to its action first in every round, by nothing but the definition."""
    if not game.players_to_act(state):
        return ended(game.returns(state))
    if depth <= 0:
        return leaf(game, state)
    rows, columns = rows_and_columns(game, state)
    left = depth - cost(len(rows) * len(columns))
    cells = [
        [committed(game, game.next_state(state, a, b), left, leaf, ended, cost, first) for b in columns]
        for a in rows
    ]
    return max(map(min, cells)) if first == 0 else min(map(max, zip(*cells, strict=True)))


@pytest.mark.plain
def test_flip_exchanges_who_commits_first_after_the_first_round():
    for seed in range(scaled(60, 4)):
        state = GAME.initial_state(seed, 2, 2, ONLY_SIMULTANEOUS, 5)
        rows, columns = GAME.legal_actions(state, 0), GAME.legal_actions(state, 1)
        expected = max(
            min(committed(GAME, GAME.next_state(state, a, b), 9, None, first=1) for b in columns)
            for a in rows
        )
        found = value_of(GAME, SerialisedAlphaBeta(first=0, flip=True), state)
        assert found == pytest.approx(expected, abs=1e-9)


@pytest.mark.compiles_long
@pytest.mark.plain
@pytest.mark.parametrize("margin", [0.0, 1.5, 1000.0])
def test_pruning_drops_own_actions_that_look_worse_than_the_best_by_more_than_the_margin(margin):
    evaluator = Voronoi(scale=0.0)
    algorithm = SerialisedAlphaBeta(evaluator, sort_rounds=1, prune_margin=margin)
    kept_fewer = 0
    for state in riders_in_the_open(scaled(60, 4)):
        rows, columns = rows_and_columns(RIDERS, state)
        static, searched = (
            {
                a: min(
                    committed(RIDERS, RIDERS.next_state(state, a, b), depth, evaluator.evaluate)
                    for b in columns
                )
                for a in rows
            }
            for depth in (0, 1)
        )
        kept = [action for action in rows if static[action] >= max(static.values()) - margin]
        kept_fewer += len(kept) < len(rows)
        expected = max(searched[action] for action in kept)
        assert value_of(RIDERS, algorithm, state, depth=2) == pytest.approx(expected, abs=1e-9)
    assert (kept_fewer > 0) == (margin < 1000)


@pytest.mark.slow
def test_a_partition_of_decided_positions_changes_no_result():
    board = LightRiders(4, 4)
    plain, cutting = (
        Searcher(board, SerialisedAlphaBeta()),
        Searcher(board, SerialisedAlphaBeta(decided=Separated())),
    )
    fewer = 0
    for x in (1, 0):
        for y in range(4):
            state = board.initial_state(heads=((x, y), (3 - x, y)))
            full, cut = (s.search(state, Limits(), variation=False) for s in (plain, cutting))
            assert cut.value == full.value
            fewer += cut.statistics.nodes < full.statistics.nodes
    assert fewer == 8


def test_a_node_budget_is_divided_among_the_moves():
    """Every line ends where its share falls below one, so about as many positions are visited as there is budget."""
    state = RIDERS.initial_state(heads=((1, 2), (4, 2)))
    before = 0
    for budget in (50.0, 500.0, 5000.0):
        algorithm = SerialisedAlphaBeta(Voronoi(), table=False, killers=False, budget=budget)
        nodes = searched(RIDERS, algorithm, state, 64).statistics.nodes
        assert before < nodes <= 2 * budget
        before = nodes
    small = LightRiders(4, 4)
    start = small.initial_state()
    assert value_of(small, SerialisedAlphaBeta(budget=1e15), start) == value_of(
        small, SerialisedAlphaBeta(), start
    )


@pytest.mark.parametrize("first", [0, 1])
def test_scouting_finds_the_same_value(first):
    full, scouting = (
        Searcher(RIDERS, SerialisedAlphaBeta(Voronoi(), first=first, null_windows=scout))
        for scout in (False, True)
    )
    for state in riders_in_the_open(30):
        values = [
            s.search(state, Limits(depth=6), deepen=True, variation=False).value for s in (full, scouting)
        ]
        assert values[0] == pytest.approx(values[1], abs=1e-9)


def test_depth_by_choices_counts_a_round_as_the_base_4_logarithm_of_its_joint_actions():
    """In fifths, rounded up: 2 choices cost three of them, 4 five, 9 eight, a forced round nothing."""
    evaluator, units = Voronoi(), 5

    def cost(choices):
        return next(c for c in range(99) if 4**c >= choices**units)

    beyond = 0
    for state in riders_in_the_open(scaled(20, 2)):
        for depth in (1, 2, 3):
            expected = committed(RIDERS, state, units * depth, evaluator.evaluate, cost=cost)
            found = value_of(RIDERS, SerialisedAlphaBeta(evaluator, by_choices=True), state, depth)
            assert found == pytest.approx(expected, abs=1e-9)
            beyond += expected != pytest.approx(committed(RIDERS, state, depth, evaluator.evaluate), abs=1e-9)
    assert beyond > 0


def test_forced_rounds_cost_no_depth():
    """Two corridors of different length: one choice deep is deep enough to see their ends."""
    state = RIDERS.from_field(["0.....", "xxxxxx", "xxxxxx", "xxxxxx", "xxxxxx", "1..xxx"])
    assert value_of(RIDERS, SerialisedAlphaBeta(), state, depth=1) == 0.0
    assert value_of(RIDERS, SerialisedAlphaBeta(by_choices=True), state, depth=1) == 1.0


def futile(game, evaluator, state, depth, margin, alpha, beta, ply=0):
    """Fail-soft alpha-beta for player 0, who commits first; a last round far outside the window is not looked at."""
    if not game.players_to_act(state):
        return game.returns(state)
    if depth == 0:
        return evaluator.evaluate(game, state)
    if ply > 0 and depth == 1:
        value = evaluator.evaluate(game, state)
        if value - margin >= beta:
            return value - margin
        if value + margin <= alpha:
            return value + margin
    rows, columns = rows_and_columns(game, state)
    best = -np.inf
    for a in rows:
        worst = np.inf
        for b in columns:
            child = game.next_state(state, a, b)
            low, high = max(alpha, best), min(beta, worst)
            worst = min(worst, futile(game, evaluator, child, depth - 1, margin, low, high, ply + 1))
            if worst <= max(alpha, best):
                break
        best = max(best, worst)
        if best >= beta:
            break
    return best


@pytest.mark.plain
@pytest.mark.parametrize("margin", [0.05, 0.4, 3.0])
def test_futility_takes_the_static_value_less_the_margin_for_a_last_round_outside_the_window(margin):
    evaluator = Voronoi()
    fewer = 0
    for state in riders_in_the_open(scaled(40, 2)):
        algorithm = SerialisedAlphaBeta(evaluator, table=False, killers=False, futility=margin)
        full = SerialisedAlphaBeta(evaluator, table=False, killers=False)
        expected = futile(RIDERS, evaluator, state, 3, margin, -1.0, 1.0)
        found, plain = (searched(RIDERS, one, state, 3) for one in (algorithm, full))
        assert found.value == pytest.approx(expected, abs=1e-9)
        fewer += found.statistics.nodes < plain.statistics.nodes
    assert (fewer > 0) == (margin < 2)  # no value is farther than 2 from another


def test_trusting_deeper_entries_answers_a_shallow_search_from_a_deep_one():
    differing = 0
    for state in riders_in_the_open(20):
        deep, shallow = (value_of(RIDERS, SerialisedAlphaBeta(Voronoi()), state, depth) for depth in (5, 3))
        for trust, then in ((False, shallow), (True, deep)):
            searcher = Searcher(RIDERS, SerialisedAlphaBeta(Voronoi(), deeper_entries=trust))
            for depth, expected in ((5, deep), (3, then)):
                found = searcher.search(state, Limits(depth=depth), deepen=False, variation=False)
                assert found.value == expected
        differing += shallow != deep
    assert differing > 0


@pytest.mark.plain
@pytest.mark.parametrize("first", [0, 1])
def test_contempt_is_what_a_draw_costs_the_first_mover(first):
    """Both snakes are driven towards one free cell, where equal heads meet; unfinished games are worth 0."""
    game = Battlesnake(7, 7).quiet()
    text = "battlesnake 7x7 round 9\nsnake 0 health 90: 0,0 1,0 1,1 1,2\nsnake 1 health 90: 0,2 0,3 1,3 2,3\nfood:"
    state, values = game.from_text(text), []
    for contempt in (0.0, 0.3, 1.0):
        drawn = contempt if first else -contempt
        expected = committed(
            game, state, 2, lambda *_: 0.0, lambda result, drawn=drawn: result or drawn, first=first
        )
        found = searched(game, SerialisedAlphaBeta(first=first, contempt=contempt), state, 2)
        assert found.value == pytest.approx(expected, abs=1e-12)
        assert contempt == 0.0 or found.bounds == (-1.0, 1.0)
        values.append(found.value)
    assert first == 1 or values == [0.0, -0.3, -1.0]


def test_kept_estimates_change_no_value_and_spare_evaluations():
    settings = {"null_windows": True, "by_choices": True}
    for state in riders_in_the_open(3):
        searchers = [
            Searcher(RIDERS, SerialisedAlphaBeta(Voronoi(), keep_estimates=keep, **settings))
            for keep in (True, False)
        ]
        kept, plain = (searcher.search(state, Limits(depth=4), variation=False) for searcher in searchers)
        assert kept.value == plain.value
        known, counted = kept.statistics, plain.statistics
        assert (known.nodes, known.leaves) == (counted.nodes, counted.leaves)
        assert known.evaluations < counted.evaluations
