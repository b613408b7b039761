"""Sampled trees in several threads: each grows a tree of its own, and the roots are added up."""

import threading
import time

import pytest

from saddlepoint.algorithms import DecoupledUCTTree, Limits, RegretMatchingTree, Searcher, StopToken, search
from saddlepoint.algorithms.sampling.together import run_together
from saddlepoint.algorithms.workspace import COUNTERS
from saddlepoint.games import BiasedRPS, Goofspiel

CARDS = Goofspiel(4)
START = CARDS.next_state(CARDS.initial_state(), 3, -1)  # the prize is 4
TWO = RegretMatchingTree(megabytes=4.0, batch=100, threads=2)


def test_each_makes_as_many_simulations_as_one_alone_would():
    alone, both = (search(CARDS, START, RegretMatchingTree(megabytes=4.0, batch=100, threads=n), Limits(depth=2), seed=1) for n in (1, 2))
    assert both.statistics.leaves == 2 * alone.statistics.leaves == 400
    assert both.strategies != alone.strategies


def test_the_answer_is_the_sum_of_both_trees():
    """Shares of visits: of twice as many visits each is a multiple of a half of what one tree's are."""
    found = search(BiasedRPS(), BiasedRPS().initial_state(), DecoupledUCTTree(megabytes=1.0, batch=50, threads=2), Limits(depth=1), seed=3)
    for player in (0, 1):
        visits = [share * 100 for share in found.strategy(player).values()]
        assert sum(visits) == pytest.approx(100)
        assert visits == pytest.approx([round(visit) for visit in visits])
    assert any(round(share * 100) % 2 for player in (0, 1) for share in found.strategy(player).values())


def test_the_same_seed_and_nodes_give_the_same_answer_within_the_limit():
    first, again = (Searcher(CARDS, TWO).search(START, Limits(nodes=5000), seed=7) for _ in range(2))
    assert first.strategies == again.strategies and first.value == again.value
    assert 4000 < first.statistics.nodes <= 5000 + 2 * len(first.iterations) + 2
    other = Searcher(CARDS, TWO).search(START, Limits(nodes=5000), seed=8)
    assert other.strategies != first.strategies


def test_both_trees_are_kept_from_one_move_to_the_next():
    searcher = Searcher(CARDS, TWO)
    searcher.search(START, Limits(nodes=20_000), seed=1)
    after = CARDS.next_state(CARDS.next_state(START, 3, 3), 2, -1)
    kept = searcher.search(after, Limits(depth=1), seed=1)
    assert kept.statistics.leaves == 0  # both have more than a hundred visits there already


def test_a_stop_ends_all_threads():
    stop = StopToken()
    threading.Timer(0.3, stop.stop).start()
    before, began = threading.active_count(), time.monotonic()
    found = search(CARDS, START, TWO, Limits(seconds=600), stop=stop, seed=1)
    assert time.monotonic() - began < 60
    assert not found.complete
    assert threading.active_count() <= before


@pytest.mark.parametrize("thread", [0, 1])
def test_an_error_in_any_thread_is_raised_when_no_thread_is_left(thread):
    workspaces = [dict.fromkeys((*COUNTERS, "stop", "node_limit"), 0) for _ in range(2)]

    def grow(own):
        if own == thread:
            raise LookupError("a rule fails")
        deadline = time.monotonic() + 60
        while own and not workspaces[own]["stop"] and time.monotonic() < deadline:
            time.sleep(0.001)

    with pytest.raises(LookupError, match="a rule fails"):
        run_together(grow, workspaces, lambda ws: False)
    assert workspaces[0]["node_limit"] == 0


def test_no_thread_at_all_is_refused():
    with pytest.raises(ValueError, match="threads must be 1 or more, not 0"):
        RegretMatchingTree(threads=0)
