"""Words that several threads write: nothing is lost, and each place is taken once."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from saddlepoint.compiled import add_together, jit, read_again, run, set_if_zero

pytestmark = pytest.mark.plain
THREADS, STEPS = 4, 3000


@jit
def count_up(numbers, steps):
    for _ in range(steps):
        add_together(numbers, 1, 2)
    return read_again(numbers, 1)


@jit
def take_places(words, own):
    taken = 0
    for place in range(len(words)):
        if set_if_zero(words, place, np.uint64(own)) == np.uint64(0):
            taken += 1
    return taken


def test_sums_of_threads_lose_nothing():
    numbers = np.zeros(2, np.int64)
    run(count_up, numbers, 0)
    with ThreadPoolExecutor(THREADS) as pool:
        seen = list(pool.map(lambda _: run(count_up, numbers, STEPS), range(THREADS)))
    assert numbers.tolist() == [0, 2 * THREADS * STEPS] == [0, max(seen)]


def test_each_place_is_taken_by_one_thread():
    words = np.zeros(STEPS, np.uint64)
    run(take_places, words[:0], 1)
    with ThreadPoolExecutor(THREADS) as pool:
        taken = list(pool.map(lambda own: run(take_places, words, own + 1), range(THREADS)))
    assert sum(taken) == STEPS
    assert [int((words == own + 1).sum()) for own in range(THREADS)] == taken


def test_what_was_there_stays():
    words = np.array([7, 0], np.uint64)
    assert run(take_places, words, 9) == 1
    assert words.tolist() == [7, 9]
