"""Sampled trees for simultaneous moves: they converge where they are known to, repeat themselves, and keep to their memory."""

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest

from helpers.small_games import AllActions, State as Lead
from saddlepoint import (
    CHANCE,
    SIMULTANEOUS,
    TERMINAL,
    BiasedRPS,
    DecoupledPUCTTree,
    DecoupledUCTTree,
    Exp3Tree,
    Limits,
    Memory,
    OutcomeSamplingTree,
    RegretMatching,
    RegretMatchingTree,
    Searcher,
    SimultaneousMonteCarlo,
    UnsupportedGameError,
    kernel,
    search,
)
from saddlepoint.algorithms.sampling.joint_tree import ACTION
from saddlepoint.algorithms.sampling.playouts import begin_trace, note_moves, pair_of
from saddlepoint.algorithms.sampling.sampled_tree import tree_positions
from saddlepoint.compiled import PLAIN_PYTHON
from saddlepoint.game.spec import SpecError, parse_spec
from saddlepoint.games.catalogue.searches import make_algorithm
from saddlepoint.games.goofspiel import Goofspiel, Hands, State
from saddlepoint.policies import nash_conv, tree_policy

pytestmark = pytest.mark.compiles_long

RPS = BiasedRPS()
CARDS = Goofspiel(4)
START = CARDS.next_state(CARDS.initial_state(), 3, -1)  # the prize is 4
RM, OOS, DUCT = (kind(megabytes=8.0) for kind in (RegretMatchingTree, OutcomeSamplingTree, DecoupledUCTTree))


@pytest.mark.plain
@pytest.mark.skipif(not PLAIN_PYTHON, reason="compiled, it is called by what is compiled alone")
def test_what_is_chosen_at_the_same_time_is_no_reply():
    ws = RegretMatchingTree(mast=0.5).workspace(CARDS)
    with np.errstate(over="ignore"):
        begin_trace(ws)
        note_moves(ws, SIMULTANEOUS, 1, 2)
        note_moves(ws, SIMULTANEOUS, 3, 0)
        ws.last[:] = 1, 2  # the actions of the round before
        assert ws.pairs[2:4].tolist() == [pair_of(ws, 0, 3), pair_of(ws, 1, 0)]
    assert ws.moves[:4].tolist() == [[0, 1], [1, 2], [0, 3], [1, 0]]


# -- convergence -----------------------------------------------------------------------------------------------------


def distance(algorithm, depth, game=RPS):
    """NashConv of the strategies after so many doublings, as a share of the greatest result."""
    return nash_conv(game, tree_policy(game, algorithm, Limits(depth=depth), seed=1)) / game.max_utility


def test_deterministic_decoupled_uct_runs_in_a_cycle_and_random_ties_end_it():
    """Bošanský et al. 2016: in biased rock-paper-scissors it stays far from equilibrium, at 0.5 to 0.8 of their units, after 10^8
    iterations too; with a random choice among scores within 0.01 it comes to 0.01 to 0.05. Here both always show the same, in turn."""
    fixed, random = (DecoupledUCTTree(batch=1000, megabytes=1.0, random_ties=ties) for ties in (False, True))
    far = [distance(fixed, depth) for depth in (7, 9, 11)]  # 64,000, 256,000 and 1,024,000 iterations
    near = [distance(random, depth) for depth in (7, 9, 11)]
    assert min(far) > 0.33
    assert max(near) < 0.15
    assert search(RPS, RPS.initial_state(), fixed, Limits(depth=7)).strategy(0) == pytest.approx(
        {0: 1 / 3, 1: 1 / 3, 2: 1 / 3}, abs=1e-3
    )


@pytest.mark.slow
def test_outcome_sampling_comes_to_the_equilibrium_of_biased_rock_paper_scissors():
    assert distance(OutcomeSamplingTree(batch=1000, megabytes=1.0), 12) < 0.005


WHOLE = {
    "rm": RegretMatchingTree(batch=1000, megabytes=16.0, exploration=0.05),
    "oos": OutcomeSamplingTree(batch=1000, megabytes=16.0),
}


@pytest.mark.parametrize("name", WHOLE)
def test_the_whole_tree_of_goofspiel_comes_to_an_equilibrium_in_half_a_million_iterations(name):
    """Four cards, a win counts 1, the prizes come from 4 down to 1: 512,000 iterations of one tree; all cards alike would be at 1.5."""
    assert distance(WHOLE[name], 10, Goofspiel(4, "descending")) < 0.02


@pytest.mark.slow
@pytest.mark.parametrize("name", WHOLE)
def test_with_drawn_prizes_it_takes_some_ten_millions(name):
    assert distance(WHOLE[name], 16, CARDS) < 0.02  # 32,768,000 iterations


def test_a_play_out_that_the_evaluator_ends_visits_fewer_positions_than_a_whole_one():
    cards = Goofspiel(8)
    visited = [
        search(cards, cards.initial_state(), tree, Limits(depth=1), seed=1).statistics.nodes
        for tree in (RegretMatchingTree(Hands()), RegretMatchingTree(Hands(), cut=2), RegretMatchingTree())
    ]
    assert visited[0] < visited[1] < visited[2]


# -- many actions ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Nearer(AllActions):
    """Both take a number below 300 at the same time, and the one nearer to 200 wins by how much nearer it is: 200 dominates."""

    name: ClassVar[str] = "nearer"
    max_actions: ClassVar[int] = 300
    max_depth: ClassVar[int] = 1

    def initial_state(self) -> Lead:
        return Lead(0, 0)

    @kernel
    def current_player(self, state):
        return TERMINAL if state.round else SIMULTANEOUS

    @kernel
    def next_state(self, state, action0, action1):
        return Lead(1, abs(action1 - 200) - abs(action0 - 200))

    @kernel
    def returns(self, state):
        return state.lead / 200.0


def given_away(kind, **settings):
    """What the root's strategy loses to the action that dominates all, on average of three seeds; all alike would lose 0.43."""
    game, lost = Nearer(), 0.0
    for seed in range(3):
        found = search(game, game.initial_state(), kind(batch=500, **settings), Limits(depth=3), seed=seed)
        lost += sum(share * abs(action - 200) / 200 for action, share in found.strategy(0).items()) / 3
    return lost


def test_of_many_actions_a_few_are_looked_at_first_and_a_better_one_is_found_sooner():
    assert given_away(RegretMatchingTree) < 0.6 * given_away(RegretMatchingTree, widening=0.0)


def test_with_enough_visits_all_of_many_actions_are_looked_at():
    game, tree = Nearer(), DecoupledUCTTree(batch=500, widening=5.0)
    seen = [
        sum(
            share > 0
            for share in search(game, game.initial_state(), tree, Limits(depth=depth)).strategy(0).values()
        )
        for depth in (1, 2, 4)
    ]
    assert 100 < seen[0] < seen[1] < seen[2] == 300


def test_trees_in_threads_add_up_what_is_known_of_the_same_action():
    """In each tree the actions are in an order of its own."""
    assert given_away(RegretMatchingTree, threads=2) < 0.1


# -- play ------------------------------------------------------------------------------------------------------------


DECIDING = [
    # the prize 4 and then 1: who bids 4 against 3 has won
    (State(0b1001, 0b0110, 0b0001, 3, 0), 3),
    # both have 4 and 1: who does not bid 4 for the prize 4 loses
    (State(0b1001, 0b1001, 0b0001, 3, 0), 3),
]


@pytest.mark.parametrize("algorithm", [RM, OOS, DUCT], ids=lambda a: a.name)
@pytest.mark.parametrize(("state", "good"), DECIDING, ids=["a win", "no loss"])
def test_a_win_in_one_is_played_and_a_loss_in_one_prevented_at_the_same_time(algorithm, state, good):
    searcher = Searcher(CARDS, algorithm)
    assert searcher.search(state, Limits(nodes=20_000), seed=5).strategy(0)[good] > 0.8
    swapped = State(state.hand1, state.hand0, state.deck, state.prize, -state.points)
    assert searcher.search(swapped, Limits(nodes=20_000), seed=5).strategy(1)[good] > 0.8


def test_priors_and_values_come_from_the_evaluator():
    """With a prior of its own, PUCT looks first where the evaluator points to: at the high card for the high prize."""
    few = Limits(depth=1)
    with_prior = search(
        CARDS, START, DecoupledPUCTTree(Hands(), temperature=0.02, batch=24, megabytes=1.0), few
    ).strategy(0)
    without = search(
        CARDS, START, DecoupledPUCTTree(Hands(), temperature=0.0, batch=24, megabytes=1.0), few
    ).strategy(0)
    assert with_prior[3] > without[3]
    assert search(CARDS, START, DecoupledPUCTTree(Hands(), megabytes=1.0), few).statistics.evaluations > 64


# -- what every search promises --------------------------------------------------------------------------------------


@pytest.mark.compiles_soon
def test_another_seed_finds_something_else_within_the_budget():
    first, other = (search(CARDS, START, RM, Limits(nodes=20_000), seed=seed) for seed in (3, 4))
    assert (first.value, first.strategies) != (other.value, other.strategies)
    assert first.statistics.nodes <= 20_002


@pytest.mark.compiles_soon
def test_what_a_limit_ends_early_counts_with_what_it_has():
    result = search(CARDS, START, RM, Limits(nodes=15_000), seed=1)
    assert [i.depth for i in result.iterations] == list(range(1, result.depth + 1))
    assert result.iterations[-1].nodes + sum(i.nodes for i in result.iterations[:-1]) >= 14_990


@pytest.mark.compiles_soon
def test_a_full_tree_grows_no_more_and_still_answers():
    small, usual = (
        search(CARDS, CARDS.initial_state(), RegretMatchingTree(megabytes=m), Limits(depth=9))
        for m in (0.02, 8.0)
    )
    searcher = Searcher(CARDS, RegretMatchingTree(megabytes=0.0001))  # not even room for the root's actions
    crowded = searcher.search(START, Limits(depth=3))
    assert small.depth == usual.depth == 9
    assert crowded.strategies == (dict.fromkeys(range(4), 0.25),) * 2
    searcher = Searcher(CARDS, RegretMatchingTree(megabytes=0.02))
    searcher.search(START, Limits(depth=9))
    nodes, _, _, counters = searcher.algorithm.half_of(searcher._workspace, searcher.memory)
    assert len(nodes) - 20 < counters[0] <= len(nodes)
    assert sum(searcher.search(START, Limits(depth=9)).strategy(0).values()) == pytest.approx(1)


@pytest.mark.compiles_soon
def test_the_tree_is_kept_from_one_move_to_the_next():
    memory = Memory()
    searcher = Searcher(CARDS, RM, memory=memory)
    searcher.search(START, Limits(depth=10), deepen=False)
    before = {p.state: p for p in tree_positions(searcher, START)}
    after = CARDS.next_state(CARDS.next_state(START, 3, 3), 1, -1)
    again = searcher.search(after, Limits(depth=1), deepen=False)
    assert again.statistics.nodes < 5  # it had the visits already
    for position in tree_positions(searcher, after):
        if before[position.state].visits == position.visits:
            assert before[position.state].strategies == position.strategies
    assert again.strategies == before[after].strategies
    memory.clear()
    assert searcher.search(after, Limits(depth=1), deepen=False).statistics.nodes > 100


@pytest.mark.compiles_soon
def test_a_position_reached_in_several_ways_is_one_node_also_after_a_move():
    searcher = Searcher(CARDS, RM)
    searcher.search(START, Limits(depth=9), deepen=False)
    after = CARDS.next_state(CARDS.next_state(START, 3, 3), 1, -1)
    for state in (START, after):
        searcher.search(state, Limits(depth=1), deepen=False)
        states = [p.state for p in tree_positions(searcher, state)]
        assert len(states) == len(set(states)) > 10


def test_random_choices_do_not_move_the_equilibrium_of_regret_matching():
    much = RegretMatchingTree(batch=1000, megabytes=1.0, exploration=0.5)
    assert distance(much, 7) < 0.02  # with exploration in the regrets it stays at 0.2


@pytest.mark.compiles_soon
def test_chance_is_sampled_by_its_probabilities():
    searcher = Searcher(CARDS, RM)
    state = CARDS.initial_state()
    assert CARDS.current_player(state) == CHANCE
    assert searcher.search(state, Limits(depth=9), deepen=False, seed=2).strategies == ({}, {})
    seen = {p.state.prize: p.visits for p in tree_positions(searcher, state) if p.state.deck.bit_count() == 3}
    total = sum(seen.values())
    assert set(seen) == {0, 1, 2, 3}
    for visits in seen.values():
        assert visits / total == pytest.approx(0.25, abs=4 * (0.1875 / total) ** 0.5)


# -- selections of one's own -----------------------------------------------------------------------------------------

EXAMPLE = Path(__file__).resolve().parents[3] / "examples" / "own_selection.py"


@pytest.mark.compiles_soon
def test_a_selection_in_a_file_of_ones_own_is_compiled_and_searches():
    algorithm = make_algorithm(parse_spec(f"smmcts(selection={EXAMPLE}:Greedy(epsilon=0.3), megabytes=1)"))
    result = search(RPS, RPS.initial_state(), algorithm, Limits(nodes=5_000))
    assert set(result.strategy(0)) == {0, 1, 2}
    assert min(result.strategy(0).values()) > 0.05  # a third of 0.3, less what chance takes


def test_selections_by_name_and_what_is_none():
    assert make_algorithm(parse_spec("smmcts(selection=rm(exploration=0.2))")) == SimultaneousMonteCarlo(
        selection=RegretMatching(0.2)
    )
    with pytest.raises(SpecError, match="no selection is called 'rn'"):
        make_algorithm(parse_spec("smmcts(selection=rn)"))
    with pytest.raises(SpecError, match="selection takes one such as"):
        make_algorithm(parse_spec("smmcts(selection=3)"))


def test_the_example_in_the_docs_is_the_file():
    assert (
        EXAMPLE.read_text().partition('"""\n\n')[2]
        in (EXAMPLE.parents[1] / "docs" / "algorithms" / "trees.md").read_text()
    )


@pytest.mark.plain
def test_a_selection_can_be_asked_from_python():
    own, out = np.zeros(3, ACTION), np.zeros(3)
    own["regret"] = 3.0, -1.0, 1.0
    RegretMatching().mixture(own.view(np.recarray) if PLAIN_PYTHON else own, 3, 5, out)
    assert out.tolist() == [0.75, 0.0, 0.25]


@pytest.mark.plain
@pytest.mark.parametrize(
    "kind", [RegretMatchingTree, DecoupledUCTTree, DecoupledPUCTTree, Exp3Tree, OutcomeSamplingTree]
)
def test_sampled_trees_as_plain_python(kind):
    evaluator = Hands() if kind is DecoupledPUCTTree else None
    result = search(CARDS, START, kind(evaluator, megabytes=0.1), Limits(nodes=1500), seed=1)
    assert result.strategy(0)[3] > 0.25  # the high card for the high prize, more than by chance
    assert -1 <= result.value <= 1


def test_a_tree_policy_is_refused_for_a_search_without_a_tree():
    from saddlepoint.algorithms import BackwardInduction

    with pytest.raises(UnsupportedGameError, match="grows no tree"):
        tree_policy(RPS, BackwardInduction(), Limits())
