"""States: annotations decide the machine type; values wrap, widen and come back as what they were."""

import threading
from concurrent.futures import ThreadPoolExecutor, wait
from typing import NamedTuple

import numpy as np
import pytest

from saddlepoint.compiled import is_state, jit, run, states
from saddlepoint.compiled.states import (
    as_machine_words,
    plain_values,
    register_state,
    state_from_values,
    state_type,
)

pytestmark = pytest.mark.plain


class Inner(NamedTuple):
    words: tuple[np.uint64, ...]
    small: np.int8


class Outer(NamedTuple):
    inner: Inner
    pair: tuple[int, float]
    flag: bool


def example() -> Outer:
    return Outer(Inner((1, 2**64 - 1), 7), (3, 4), True)  # plain ints: the annotations say what they are


@jit
def same(state):
    return state


@jit
def flipped(state):
    return Outer(
        Inner((state.inner.words[1], state.inner.words[0]), state.inner.small), state.pair, not state.flag
    )


def test_a_state_is_a_named_tuple_whose_annotations_decide():
    assert is_state(example())
    assert not is_state((1, 2))
    told = "Outer(Inner(UniTuple(uint64 x 2), int8), Tuple(int64, float64), bool)"
    assert str(state_type(example())) == told
    words = as_machine_words(example())
    made = [*words.inner.words, words.inner.small, words.pair[1]]
    assert [type(one) for one in made] == [np.uint64, np.uint64, np.int8, float]


def test_states_go_through_compiled_code_and_back():
    state = example()
    for _ in range(3):
        state = run(same, state)
        assert (state, type(state), type(state.inner)) == (example(), Outer, Inner)
    assert run(flipped, state).inner.words == (2**64 - 1, 1)


def test_states_as_plain_values():
    state = as_machine_words(example())
    values = plain_values(state)
    assert values == (((1, 2**64 - 1), 7), (3, 4.0), True)
    assert {type(v) for v in values[0][0]} == {int}
    assert state_from_values(Outer, values) == state


@pytest.mark.parametrize(
    "values",
    [
        5,
        (),
        (((1,), 7), (3, 4.0)),
        (((1,), 7), (3.5, 4.0), True),
        (((1,), 7), (3, 4.0), 1),
        ((1, 7), (3, 4.0), True),
    ],
)
def test_values_that_do_not_fit_are_refused(values):
    with pytest.raises((TypeError, ValueError)):
        state_from_values(Outer, values)


def test_a_state_cannot_hold_anything():
    class Wrong(NamedTuple):
        names: list

    with pytest.raises(TypeError, match=r"a state cannot hold a list: use a tuple"):
        state_type(Wrong([]))


class Late(NamedTuple):
    number: int


def test_a_class_is_among_the_registered_only_when_numba_knows_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two threads may meet the same class for the first time at once: the second one must wait for the first."""
    inside, finished, hints = threading.Event(), threading.Event(), states._hints

    def slow_hints(cls: type) -> dict:
        inside.set()
        finished.wait(20)
        return hints(cls)

    monkeypatch.setattr(states, "_hints", slow_hints)
    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(register_state, Late)
        inside.wait()
        both = [first, pool.submit(register_state, Late)]
        assert wait(both, 0.05).not_done == set(both)
        finished.set()
