"""Chance nodes: bounds save work without changing a value; a sample of outcomes is right on average and repeatable."""

from dataclasses import replace

import numpy as np
import pytest

from helpers.random_trees import Noise, TurnTree, minimax
from saddlepoint import CHANCE, Limits, PrincipalVariation, Searcher
from saddlepoint.algorithms.turns.chance_nodes import sample_outcomes
from saddlepoint.compiled import jit, run

pytestmark = pytest.mark.compiles_long

TREE = TurnTree()
FULL = PrincipalVariation(Noise(), megabytes=0.1, discount=0.0)


def lucky_trees(count, depth, start=0, branching=6):
    """Trees whose root is a chance node with several outcomes."""
    seed = start
    while count:
        state = TREE.initial_state(seed, depth, branching, 6, 0)
        seed += 1
        if TREE.current_player(state) == CHANCE and len(TREE.chance_outcomes(state)) > 3:
            count -= 1
            yield state


def nodes(setting, states):
    searcher = Searcher(TREE, setting)
    return sum(searcher.search(state, Limits(), variation=False).statistics.nodes for state in states)


def test_bounds_at_chance_nodes_save_work():
    plain = replace(FULL, table=False, star1=False)
    states = list(lucky_trees(60, 7))
    assert nodes(replace(plain, star1=True), states) < 0.8 * nodes(plain, states)


def test_the_value_of_a_chance_node_is_its_expectation():
    searcher = Searcher(TREE, FULL)
    for state in lucky_trees(20, 1):
        expected = sum(p * TREE.returns(TREE.next_state(state, o)) for o, p in TREE.chance_outcomes(state))
        result = searcher.search(state, Limits())
        assert result.value == pytest.approx(expected, abs=1e-12)
        assert result.strategies == ({}, {})


def test_a_sample_is_right_on_average_and_the_same_for_the_same_seed():
    searcher = Searcher(TREE, replace(FULL, samples=2))
    for state in lucky_trees(5, 1):
        expected = minimax(TREE, state)
        found = [searcher.search(state, Limits(), seed=seed, variation=False) for seed in range(1500)]
        assert not any(result.exact for result in found)
        values = np.array([result.value for result in found])
        error = values.std() / np.sqrt(len(values))
        assert abs(values.mean() - expected) < 5 * error + 1e-12
        assert error > 0
        assert searcher.search(state, Limits(), seed=7).value == values[7]


@jit
def sample(outcomes, chances, count, wanted, key):
    return sample_outcomes(outcomes, chances, count, wanted, key)


@pytest.mark.plain
def test_as_many_outcomes_are_followed_as_were_asked_for():
    draw = np.random.default_rng(1)
    for wanted in (1, 2, 7, 40):
        for _ in range(30):
            outcomes, chances = np.arange(560), draw.dirichlet(np.ones(560))
            count = run(sample, outcomes, chances, 560, wanted, np.uint64(draw.integers(1 << 62)))
            assert 1 <= count <= wanted
            assert chances[:count].sum() == pytest.approx(1)
            assert len(set(outcomes[:count].tolist())) == count
        outcomes, chances = np.arange(560), np.full(560, 1 / 560)
        assert run(sample, outcomes, chances, 560, wanted, np.uint64(5)) == wanted
