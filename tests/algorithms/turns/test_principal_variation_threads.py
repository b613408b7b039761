"""Two threads on one table find what one thread finds; half-written entries are never read."""

import threading
import time
from dataclasses import replace

import numpy as np
import pytest

from helpers.random_trees import random_positions
from saddlepoint.algorithms import Limits, PrincipalVariation, Searcher, StopToken
from saddlepoint.algorithms.turns.chance_nodes import BUCKET, ENTRY, facts_of, keep, look_up, proven_in
from saddlepoint.compiled import jit, mix, run
from saddlepoint.compiled.bits import empty_table
from saddlepoint.games import ConnectFour

pytestmark = pytest.mark.compiles_long

GAME = ConnectFour(4, 4, 3)
ONE = PrincipalVariation(megabytes=0.1, first_of_equals=True)


def test_two_threads_play_the_same_move_as_one_where_the_position_is_solved():
    alone, together = Searcher(GAME, ONE), Searcher(GAME, replace(ONE, threads=2))
    for state in random_positions(GAME, 150, 8):
        player = GAME.current_player(state)
        one, two = (
            searcher.search(state, Limits(), deepen=True, variation=False) for searcher in (alone, together)
        )
        assert one.exact
        assert two.exact
        assert two.value == pytest.approx(one.value, abs=1e-12)
        assert two.best_action(player) == one.best_action(player)


def test_the_second_thread_searches_too():
    game, plain = ConnectFour(), PrincipalVariation(table=False)
    alone, together = (
        Searcher(game, algorithm)
        .search(game.initial_state(), Limits(depth=12), variation=False)
        .statistics.nodes
        for algorithm in (plain, replace(plain, threads=2))
    )
    assert together > alone + 1000  # without a table the first thread visits the same positions as alone


def test_three_threads_end_with_the_deadline_and_the_token():
    game = ConnectFour()
    searcher = Searcher(game, PrincipalVariation(threads=3))
    searcher.search(game.initial_state(), Limits(depth=4))
    threads = threading.active_count()
    begun = time.perf_counter()
    result = searcher.search(game.initial_state(), Limits(seconds=0.3), variation=False)
    assert 0.2 < time.perf_counter() - begun < 5
    assert result.depth >= 4
    token = StopToken()
    threading.Timer(0.2, token.stop).start()
    searcher.search(game.initial_state(), Limits(seconds=60), stop=token, variation=False)
    assert time.perf_counter() - begun < 30
    assert threading.active_count() <= threads + 1  # the timer's thread may still be ending


@jit
def hammer(table, seed, rounds):
    """Write entries whose every word follows from the key, read back what others wrote; returns how much was wrong."""
    wrong, found_some = 0, 0
    for k in range(rounds):
        number = np.int64(mix(np.uint64(k) ^ seed) % np.uint64(64))
        key, lower = mix(np.uint64(number + 1)), (number + 1) / 3.0
        found, low, high, facts = look_up(table, key)
        if found:
            found_some += 1
            if (
                low != lower
                or high != 2.0 * lower
                or proven_in(facts) != 1
                or facts != facts_of(number, 5, 1, 1)
            ):
                wrong += 1
        keep(table, key, lower, 2.0 * lower, number, 5, 1, 1)
    return wrong, found_some


def test_threads_that_write_the_same_entries_never_read_a_mixture():
    table = empty_table(ENTRY, BUCKET, 0.0005)  # few buckets: everybody writes everywhere
    run(hammer, table, np.uint64(1), 10)
    answers = []
    threads = [
        threading.Thread(target=lambda n=n: answers.append(run(hammer, table, np.uint64(n), 1_000_000)))
        for n in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [wrong for wrong, _ in answers] == [0, 0, 0, 0]
    assert min(found for _, found in answers) > 10_000


@jit
def read(table, key):
    return look_up(table, key)


@jit
def write(table, key, lower, upper, action, depth, age, proven):
    keep(table, key, lower, upper, action, depth, age, proven)


@pytest.mark.plain
def test_a_bucket_keeps_the_deeper_entry_of_this_search_and_what_is_proven():
    table = empty_table(ENTRY, BUCKET, 0.00001)  # one bucket
    assert len(table) == 2
    a, b, c = np.uint64(3), np.uint64(5), np.uint64(7)
    run(write, table, a, -0.5, 0.5, 1, 9, 1, 0)
    run(write, table, b, -0.5, 0.5, 2, 3, 1, 0)
    run(write, table, c, -0.5, 0.5, 3, 2, 1, 0)
    assert run(read, table, a)[0]
    assert not run(read, table, b)[0]  # the other place is anybody's
    assert run(read, table, c)[0]
    run(write, table, b, -0.5, 0.5, 2, 1, 2, 0)  # a new search: old entries give way however deep
    assert not run(read, table, a)[0]
    run(write, table, c, 0.0, 0.0, 3, 2, 2, 1)
    run(write, table, c, -1.0, 1.0, 4, 8, 2, 0)  # not proven: only its action counts
    assert run(read, table, c)[:3] == (True, 0.0, 0.0)
    run(write, table, b, -0.25, np.inf, 2, 1, 2, 0)  # bounds of the same depth are joined
    assert run(read, table, b)[:3] == (True, -0.25, 0.5)
