"""The settings of serialised alpha-beta, each against its definition."""

import numpy as np
import pytest

from random_games import ONLY_SIMULTANEOUS, RandomGame
from saddlepoint.evaluators import Separated, Voronoi
from saddlepoint.games.light_riders import LightRiders
from saddlepoint.search import AlphaBeta, Limits, Searcher
from sizes import scaled

GAME = RandomGame()
RIDERS = LightRiders(6, 6)


def value_of(game, algorithm, state, depth=None):
    return Searcher(game, algorithm).search(state, Limits(depth=depth), deepen=False, variation=False).value


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
        if RIDERS.players_to_act(state) and min(len(actions) for actions in rows_and_columns(RIDERS, state)) > 1:
            found.append(state)
    return found


@pytest.mark.plain
def test_flip_exchanges_who_commits_first_after_the_first_round():
    for seed in range(scaled(60, 4)):
        state = GAME.initial_state(seed, 2, 2, ONLY_SIMULTANEOUS, 5)
        rows, columns = GAME.legal_actions(state, 0), GAME.legal_actions(state, 1)
        expected = max(
            min(value_of(GAME, AlphaBeta(first=1), GAME.next_state(state, a, b)) for b in columns) for a in rows
        )
        assert value_of(GAME, AlphaBeta(first=0, flip=True), state) == pytest.approx(expected, abs=1e-9)


@pytest.mark.plain
@pytest.mark.parametrize("margin", [0.0, 1.5, 1000.0])
def test_pruning_drops_own_actions_that_look_worse_than_the_best_by_more_than_the_margin(margin):
    evaluator = Voronoi(scale=0.0)
    searcher = Searcher(RIDERS, AlphaBeta(evaluator))
    algorithm = AlphaBeta(evaluator, sort_rounds=1, prune_margin=margin)
    kept_fewer = 0
    for state in riders_in_the_open(scaled(60, 6)):
        rows, columns = rows_and_columns(RIDERS, state)

        def worst(action, depth, state=state, columns=columns):
            values = []
            for reply in columns:
                child = RIDERS.next_state(state, action, reply)
                over = not RIDERS.players_to_act(child)
                values.append(
                    RIDERS.returns(child) if over
                    else evaluator.evaluate(RIDERS, child) if depth == 0
                    else searcher.search(child, Limits(depth=depth), deepen=False, variation=False).value
                )  # fmt: skip
            return min(values)

        static = {action: worst(action, 0) for action in rows}
        kept = [action for action in rows if static[action] >= max(static.values()) - margin]
        kept_fewer += len(kept) < len(rows)
        expected = max(worst(action, 1) for action in kept)
        assert value_of(RIDERS, algorithm, state, depth=2) == pytest.approx(expected, abs=1e-9)
    assert (kept_fewer > 0) == (margin < 1000)


def test_a_partition_of_decided_positions_changes_no_result():
    board = LightRiders(4, 4)
    plain, cutting = Searcher(board, AlphaBeta()), Searcher(board, AlphaBeta(partition=Separated()))
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
        searcher = Searcher(RIDERS, AlphaBeta(Voronoi(), table=False, killers=False, budget=budget))
        nodes = searcher.search(state, Limits(depth=64), deepen=False, variation=False).statistics.nodes
        assert before < nodes <= 2 * budget
        before = nodes
    small = LightRiders(4, 4)
    start = small.initial_state()
    assert value_of(small, AlphaBeta(budget=1e15), start) == value_of(small, AlphaBeta(), start)


@pytest.mark.parametrize("first", [0, 1])
def test_scouting_finds_the_same_value(first):
    full, scouting = (Searcher(RIDERS, AlphaBeta(Voronoi(), first=first, scout=scout)) for scout in (False, True))
    for state in riders_in_the_open(30):
        values = [s.search(state, Limits(depth=6), deepen=True, variation=False).value for s in (full, scouting)]
        assert values[0] == pytest.approx(values[1], abs=1e-9)


@pytest.mark.parametrize("reduction", [1, 2])
def test_reduction_looks_at_fewer_positions(reduction):
    state = LightRiders().initial_state(4, 7)
    counts = [
        Searcher(LightRiders(), AlphaBeta(Voronoi(), reduction=rounds, reply_reduction=rounds))
        .search(state, Limits(depth=7), deepen=True, variation=False)
        .statistics.nodes
        for rounds in (0, reduction)
    ]
    assert counts[1] < 0.5 * counts[0]
