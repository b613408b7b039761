"""Sampled trees in several threads: each grows a tree of its own, and the roots are added up."""

import threading
import time
from types import SimpleNamespace

import pytest

from saddlepoint import (
    BiasedRPS,
    DecoupledUCTTree,
    Goofspiel,
    Limits,
    RegretMatchingTree,
    Searcher,
    StopToken,
    UnsupportedGameError,
    search,
)
from saddlepoint.algorithms.sampling.root_threads import run_together
from saddlepoint.algorithms.table import COUNTERS
from saddlepoint.policies import tree_policy

CARDS = Goofspiel(4)
START = CARDS.next_state(CARDS.initial_state(), 3, -1)  # the prize is 4
TWO = RegretMatchingTree(megabytes=4.0, batch=100, threads=2)


def test_each_makes_as_many_simulations_as_one_alone_would():
    alone, both = (
        search(CARDS, START, RegretMatchingTree(megabytes=4.0, batch=100, threads=n), Limits(depth=2), seed=1)
        for n in (1, 2)
    )
    assert both.statistics.leaves == 2 * alone.statistics.leaves == 400
    assert both.strategies != alone.strategies


@pytest.mark.compiles_long
def test_the_answer_is_the_sum_of_both_trees():
    """Shares of visits: of twice as many visits each is a multiple of a half of what one tree's are."""
    game, algorithm = BiasedRPS(), DecoupledUCTTree(megabytes=1.0, batch=50, threads=2)
    found = search(game, game.initial_state(), algorithm, Limits(depth=1), seed=3)
    visits = [[share * 100 for share in mixture.values()] for mixture in found.strategies]
    whole = [[round(visit) for visit in own] for own in visits]
    assert visits == [pytest.approx(own) for own in whole]
    assert [sum(own) for own in whole] == [100, 100]
    assert any(visit % 2 for own in whole for visit in own)


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


@pytest.mark.parametrize("nodes", [20, 900, 5000])
def test_few_nodes_are_not_shared_among_many_threads(nodes):
    found = search(
        CARDS, START, RegretMatchingTree(megabytes=4.0, batch=8, threads=8), Limits(nodes=nodes), seed=1
    )
    assert found.depth > 0
    assert found.statistics.nodes <= nodes + 2 * (1 + nodes // 1000) * (1 + len(found.iterations))


@pytest.mark.parametrize("seed", range(8))
def test_the_line_begins_with_the_likeliest_actions_of_all_trees_together(seed):
    """Of four small trees of many cards one alone often says something else."""
    game = Goofspiel(6)
    start = game.next_state(game.initial_state(), 3, -1)
    found = search(game, start, RegretMatchingTree(megabytes=4.0, threads=4), Limits(nodes=4000), seed=seed)
    likeliest = tuple(max(mixture, key=mixture.__getitem__) for mixture in found.strategies)
    assert found.principal_variation[0] == likeliest


def test_the_positions_of_several_trees_are_not_taken_for_one():
    with pytest.raises(UnsupportedGameError, match="threads=2 grows a tree in each thread: say threads=1"):
        tree_policy(CARDS, TWO, Limits(depth=1))


def test_a_stop_ends_all_threads():
    stop = StopToken()
    before, began = set(threading.enumerate()), time.monotonic()
    timer = threading.Timer(0.3, stop.stop)
    timer.start()
    found = search(CARDS, START, TWO, Limits(seconds=600), stop=stop, seed=1)
    assert time.monotonic() - began < 60
    assert not found.complete
    assert set(threading.enumerate()) - {timer} <= before


# -- without a search: what is asked of the threads ----------------------------------------------------------------------


class Threads:
    """Workspaces, and what grows no tree: a helper waits for its `stop`, and says whether it came."""

    def __init__(self, count=2):
        self.workspaces = [
            dict.fromkeys((*COUNTERS, "stop"), 0) | {"node_limit": 1_000_000, "own_deadline": 0}
            for _ in range(count)
        ]
        self.told = []

    def wait_for_stop(self, own, seconds=60.0):
        deadline = time.monotonic() + seconds
        while not self.workspaces[own]["stop"] and time.monotonic() < deadline:
            time.sleep(0.001)
        self.told.append(bool(self.workspaces[own]["stop"]))

    def run(self, first=lambda ws: None, others=None, at_its_limit=False):
        """What `run_together` says, where the first thread does the one and the rest the other, or wait."""
        others = others or self.wait_for_stop
        return run_together(
            lambda own: others(own) if own else first(self.workspaces[0]),
            self.workspaces,
            lambda ws: at_its_limit,
        )


@pytest.mark.parametrize(("who", "waited"), [("first", [True]), ("others", [])])
def test_an_error_in_any_thread_is_raised_when_no_thread_is_left(who, waited):
    threads = Threads()
    with pytest.raises(LookupError, match="a rule fails"):
        threads.run(**{who: lambda _: {}["a rule fails"]})
    assert threads.told == waited
    assert threads.workspaces[0]["node_limit"] == 1_000_000


@pytest.mark.parametrize("at_its_limit", [False, True])
def test_whoever_stops_the_first_stops_all_also_while_it_waits_for_them(at_its_limit):
    threads = Threads()

    def first(own):
        own["stop"] = int(at_its_limit)
        threading.Timer(0.2, own.__setitem__, ("stop", 1)).start()

    threads.run(first, at_its_limit=at_its_limit)
    assert threads.told == [True]
    assert threads.workspaces[0]["stop"]


def test_ctrl_c_while_the_first_waits_stops_all(monkeypatch):
    threads = Threads()

    def interrupted(seconds):
        raise KeyboardInterrupt

    monkeypatch.setattr(
        "saddlepoint.algorithms.sampling.root_threads.time", SimpleNamespace(sleep=interrupted)
    )
    with pytest.raises(KeyboardInterrupt):
        threads.run()
    assert threads.told == [True]


def test_a_thread_at_its_limit_leaves_the_others_to_theirs():
    threads = Threads(3)
    assert threads.run(lambda ws: ws.update(stop=1), lambda own: threads.wait_for_stop(own, 0.2), True)
    assert threads.told == [False, False]
    assert threads.workspaces[0]["stop"]
