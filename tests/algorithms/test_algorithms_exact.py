"""Every exact algorithm finds the same value, with strategies that nobody can exploit, on random games of all kinds."""

import itertools
import secrets
from dataclasses import replace

import numpy as np
import pytest
from random_points import RandomPoints

from helpers.random_trees import MIXED, ONLY_SIMULTANEOUS, ONLY_TURNS, RandomGame, by_definition
from helpers.sizes import scaled
from saddlepoint import (
    SIMULTANEOUS,
    SMAB,
    BackwardInduction,
    BoundedInduction,
    DoubleOracle,
    DoubleOracleBounds,
    Goofspiel,
    LightRiders,
    Limits,
    SaddlePruning,
    Searcher,
    SerialisedAlphaBeta,
    search,
)
from saddlepoint.compiled import PLAIN_PYTHON
from saddlepoint.evaluators import Voronoi

pytestmark = pytest.mark.compiles_long

EXACT = [
    BackwardInduction(table=False),
    BackwardInduction(table=True),
    SaddlePruning(table=False),
    SaddlePruning(table=True),
    SMAB(table=False),
    SMAB(table=True),
    SMAB(window_depth=2, table=False),
    BoundedInduction(table=False),
    BoundedInduction(table=True),
    DoubleOracle(table=False),
    DoubleOracle(table=True),
    DoubleOracleBounds(table=False),
    DoubleOracleBounds(table=True),
]
GAME = RandomGame()
LEVELS = (0, 1, 2, 3, 5)
FRESH = secrets.randbits(30)


def positions(count, depth=3, kinds=(ONLY_SIMULTANEOUS, ONLY_TURNS, MIXED), start=0):
    """Random trees of every kind and tie density; small ones in plain Python, where a tree of depth 3 takes seconds."""
    depth = min(depth, 2) if PLAIN_PYTHON and ONLY_TURNS not in kinds[:1] else depth
    for seed, (kind, levels) in zip(
        range(start, start + count), itertools.cycle(itertools.product(kinds, LEVELS)), strict=False
    ):
        yield GAME.initial_state(seed, depth, 2 + seed % 3, kind, levels)


def anew(searcher, state):
    """The result of a search that knows of no other."""
    searcher.memory.clear()
    return searcher.search(state, Limits(), variation=False)


@pytest.mark.compiles_long
@pytest.mark.parametrize(("count", "depth"), [(500, 3), (300, 4)])
@pytest.mark.parametrize(
    "start", [pytest.param(0, marks=pytest.mark.slow), FRESH], ids=["fixed seed", "fresh seed"]
)
def test_every_exact_algorithm_returns_the_value_of_backward_induction_with_no_more_joint_actions(
    start, count, depth
):
    searchers = [Searcher(GAME, algorithm) for algorithm in EXACT]
    for state in positions(scaled(count, 4), depth, start=start):
        results = [anew(searcher, state) for searcher in searchers]
        for algorithm, result in zip(EXACT, results, strict=True):
            assert result.exact
            assert result.complete
            assert result.bounds == (result.value, result.value)
            assert result.value == pytest.approx(results[0].value, abs=1e-9), (algorithm, state)
            assert result.statistics.cells <= results[0].statistics.cells, (algorithm, state)


def test_simultaneous_algorithms_give_minimax_on_games_of_turns():
    searchers = [
        Searcher(GAME, algorithm)
        for algorithm in (*EXACT, SerialisedAlphaBeta(), SerialisedAlphaBeta(first=1))
    ]
    for state in positions(scaled(150, 2), depth=5, kinds=(ONLY_TURNS,)):
        expected = by_definition(GAME, state)
        for searcher in searchers:
            assert anew(searcher, state).value == pytest.approx(expected, abs=1e-9)


@pytest.mark.compiles_long
def test_strategies_at_the_root_leave_no_gap_to_a_best_response():
    exact = Searcher(GAME, BackwardInduction(table=False))
    searchers = [Searcher(GAME, algorithm) for algorithm in EXACT]
    for state in positions(scaled(200, 4), kinds=(ONLY_SIMULTANEOUS, MIXED)):
        if GAME.current_player(state) != SIMULTANEOUS:
            continue
        rows, columns = GAME.legal_actions(state, 0), GAME.legal_actions(state, 1)
        stage = np.array(
            [
                [exact.search(GAME.next_state(state, a, b), Limits(), variation=False).value for b in columns]
                for a in rows
            ]
        )
        for searcher in searchers:
            mine, theirs = anew(searcher, state).strategies
            x, y = np.array([mine[a] for a in rows]), np.array([theirs[b] for b in columns])
            assert x.sum() == pytest.approx(1)
            assert (x >= 0).all()
            gap = (stage @ y).max() - (x @ stage).min()  # best responses on both sides
            assert gap <= 1e-9, searcher.algorithm


@pytest.mark.compiles_long
def test_the_first_action_tried_changes_nothing_but_the_effort():
    """Results do not depend on cell order: a search told to begin with other actions finds the same value."""

    class Reordered(Searcher):
        def _reset(self, limits, started_ns, root_step):
            ws = super()._reset(limits, started_ns, root_step)
            ws["preferred"] = self.order
            return ws

    for algorithm in EXACT:
        searcher = Reordered(GAME, algorithm)
        for state in positions(scaled(25, 1), kinds=(ONLY_SIMULTANEOUS,)):
            values = []
            for searcher.order in itertools.product(range(3), range(3)):
                values.append(anew(searcher, state).value)
            assert np.ptp(values) <= 1e-9, algorithm


@pytest.mark.plain
def test_whoever_commits_first_cannot_gain_by_it():
    bi = Searcher(GAME, BackwardInduction(table=False))
    low, high = (Searcher(GAME, SerialisedAlphaBeta(first=first)) for first in (0, 1))
    strict = 0
    for state in positions(scaled(300)):
        below, value, above = (anew(searcher, state).value for searcher in (low, bi, high))
        assert below <= value + 1e-9
        assert value <= above + 1e-9
        strict += below < above
    assert strict > scaled(20, 0)  # the games are not all solved by pure saddle points


SETTINGS = [
    SerialisedAlphaBeta(table=False, killers=False),
    SerialisedAlphaBeta(table=True, killers=False),
    SerialisedAlphaBeta(table=False, killers=True, history=True),
    SerialisedAlphaBeta(history=True, sort_rounds=2),
    SerialisedAlphaBeta(table=False, killers=False, sort_rounds=3),
    SerialisedAlphaBeta(null_windows=True),
    SerialisedAlphaBeta(table=False, killers=False, null_windows=True),
]


@pytest.mark.plain
@pytest.mark.parametrize("first", [0, 1])
def test_no_ordering_or_table_changes_the_value_of_alpha_beta(first):
    searchers = [Searcher(GAME, replace(setting, first=first)) for setting in SETTINGS]
    for state in positions(scaled(200, 4), depth=4):
        assert np.ptp([anew(searcher, state).value for searcher in searchers]) <= 1e-9, state


def test_goofspiel_published_values_before_the_last_prizes():
    """Rhoads and Bartholdi 2012: cards 1..4, all hands full but one card each, deck full except the 4, points."""
    game = Goofspiel(4, "random", "points")
    full = game.initial_state()
    published = {
        (1, 2): 12371 / 17145,
        (1, 3): 16981 / 8820,
        (1, 4): 161291 / 43560,
        (2, 3): 947 / 1140,
        (2, 4): 14 / 5,
        (3, 4): 83 / 60,
    }
    for (mine, his), value in published.items():
        state = full._replace(hand0=15 & ~(1 << (mine - 1)), hand1=15 & ~(1 << (his - 1)), deck=0b0111)
        assert abs(search(game, state, BackwardInduction(table=True)).value) == pytest.approx(value, abs=1e-9)
        assert search(game, state, BackwardInduction(table=False)).value == pytest.approx(value, abs=1e-9)


def test_goofspiel_five_fixed_has_the_published_number_of_histories():
    """1, 25, 400, 3600, 14400 (Bosansky et al. 2016); every last history is one leaf."""
    game = Goofspiel(5, "descending", "win")
    result = search(game, game.initial_state(), BackwardInduction(table=False), variation=False)
    # The last card is forced: 14400 histories before it, as many after.
    assert result.statistics.leaves == 14400
    assert result.statistics.nodes == 1 + 25 + 400 + 3600 + 14400 + 14400


@pytest.mark.parametrize("prizes", ["descending", "ascending"])
def test_smab_visits_under_half_of_the_leaves_on_goofspiel(prizes):
    """Saffidine et al. 2012 report about 29 % of the nodes at best on Goofspiel.

    A cell that the bounds of the points settle counts as a leaf, though nobody looks behind it.
    """
    game = Goofspiel(5, prizes, "win")
    full = search(game, game.initial_state(), BackwardInduction(table=False), variation=False).statistics
    pruned = search(game, game.initial_state(), SMAB(table=False), variation=False).statistics
    assert pruned.leaves < 0.5 * full.leaves
    assert pruned.cells < 0.3 * full.cells


def test_smab_visits_well_under_half_of_the_leaves_on_random_games_like_goofspiel():
    """Each of seven rounds gives a point to somebody or nobody; three actions each, and the more points win."""
    game, full, pruned = RandomPoints(7), 0, 0
    for seed in range(2):
        state = game.initial_state(seed)
        everything = search(game, state, BackwardInduction(table=False), variation=False)
        found = search(game, state, SMAB(table=False), variation=False)
        assert found.value == pytest.approx(everything.value, abs=1e-9)
        full, pruned = full + everything.statistics.leaves, pruned + found.statistics.leaves
    assert pruned < 0.45 * full


def light_riders_starts(game, count):
    draw = np.random.default_rng(5)
    cells = [(x, y) for x in range(game.width) for y in range(game.height)]
    for _ in range(count):
        a, b = draw.choice(len(cells), 2, replace=False)
        yield game.initial_state(heads=(cells[a], cells[b]))


def test_estimates_at_one_depth_give_one_value_for_all_algorithms():
    game = LightRiders()
    plain = [
        BackwardInduction(table=False),
        SaddlePruning(),
        SMAB(),
        BoundedInduction(),
        DoubleOracle(),
        DoubleOracleBounds(),
    ]
    searchers = [Searcher(game, replace(a, evaluator=Voronoi())) for a in plain]
    for state in light_riders_starts(game, scaled(20, 2)):
        for depth in (1, 2, 3):
            results = [s.search(state, Limits(depth=depth), variation=False) for s in searchers]
            assert np.ptp([r.value for r in results]) <= 1e-9
            assert not results[0].exact
