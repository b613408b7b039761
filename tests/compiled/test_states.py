"""States: annotations decide the machine type; values wrap, widen and come back as what they were."""

import threading
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


def test_a_state_is_a_named_tuple():
    assert is_state(example())
    assert not is_state((1, 2))


def test_annotations_decide():
    assert (
        str(state_type(example())) == "Outer(Inner(UniTuple(uint64 x 2), int8), Tuple(int64, float64), bool)"
    )
    words = as_machine_words(example())
    assert [type(v) for v in words.inner.words] == [np.uint64, np.uint64]
    assert type(words.inner.small) is np.int8
    assert type(words.pair[1]) is float


def test_states_go_through_compiled_code_and_back():
    state = example()
    for _ in range(3):
        state = run(same, state)
        assert state == example()
        assert type(state) is Outer
        assert type(state.inner) is Inner
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
    inside, finished, order = threading.Event(), threading.Event(), []
    hints = states._hints

    def slow_hints(cls: type) -> dict:
        inside.set()
        finished.wait(0.2)
        return hints(cls)

    def meet(name: str) -> None:
        register_state(Late)
        order.append(name)

    monkeypatch.setattr(states, "_hints", slow_hints)
    first = threading.Thread(target=meet, args=("first",))
    first.start()
    inside.wait()
    second = threading.Thread(target=meet, args=("second",))
    second.start()
    second.join(0.05)
    assert not order
    finished.set()
    first.join()
    second.join()
    assert sorted(order) == ["first", "second"]
