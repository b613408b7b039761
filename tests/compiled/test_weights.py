"""Weights: numbers that compiled code reads when it runs, so that their values share one compilation."""

import pickle
from dataclasses import dataclass

import pytest
from hypothesis import given, settings, strategies as st

from saddlepoint.compiled import (
    PLAIN_PYTHON,
    Component,
    KernelError,
    is_weight,
    jit,
    kernel,
    run,
    weight,
    weights_of,
)

pytestmark = pytest.mark.plain
NUMBERS = st.floats(-1e6, 1e6)


@dataclass(frozen=True)
class Weighted(Component):
    power: int = 1
    slope: float = weight(2.0)
    offsets: tuple[float, ...] = weight((0.0, 1.0))

    @property
    def steepness(self) -> float:
        return abs(self.slope)

    @property
    def doubled(self) -> int:
        return 2 * self.power

    @kernel
    def at(self, x):
        return self.slope * x**self.power + self.offsets[0] - self.offsets[1]

    @kernel
    def steep(self):
        return self.steepness

    @kernel
    def constant(self):
        return self.doubled


@dataclass(frozen=True)
class Around(Component):
    name: str = "around"
    first: Component = Weighted()
    unweighted: int = 3
    second: Component = Weighted(2)
    factor: float = weight(1.0)

    @kernel
    def at(self, x):
        return self.factor * (self.first.at(x) - self.second.at(x)) + self.unweighted


@dataclass(frozen=True)
class Shell(Component):
    """Has no weight of its own."""

    inner: Component = Weighted()

    @kernel
    def at(self, x):
        return self.inner.at(x)


@jit
def value_of(component, x):
    return component.at(x)


def test_fields_made_by_weight_are_weights():
    assert weights_of(Weighted) == {"slope", "offsets"}
    assert is_weight(Weighted, "slope")
    assert not is_weight(Weighted, "power")
    assert weights_of(Shell) == frozenset()


@settings(max_examples=30, deadline=None)
@given(NUMBERS, NUMBERS, NUMBERS, NUMBERS)
def test_kernels_compute_with_the_weights_of_their_own_component(slope, offset, other, factor):
    first, second = Weighted(1, slope, (offset, 1.0)), Weighted(2, other)
    assert run(value_of, first, 3.0) == slope * 3.0 + offset - 1.0
    around = Around(first=first, second=second, factor=factor)
    expected = factor * ((slope * 3.0 + offset - 1.0) - (other * 9.0 + 0.0 - 1.0)) + 3
    assert run(value_of, around, 3.0) == expected
    assert around.plain.at(3.0) == expected
    assert run(value_of, Shell(first), 3.0) == first.at(3.0)


def test_components_alive_at_the_same_time_keep_their_own_weights():
    several = [Weighted(slope=float(k)) for k in range(50)]
    assert [one.at(10.0) for one in several] == [10.0 * k - 1.0 for k in range(50)]


@pytest.mark.skipif(PLAIN_PYTHON, reason="nothing is compiled")
def test_another_weight_is_no_other_compilation():
    run(value_of, Weighted(3, 1.0), 2.0)
    before = len(value_of.signatures)
    for k in range(5):
        run(value_of, Weighted(3, float(k), (k / 2, 0.0)), 2.0)
    assert len(value_of.signatures) == before
    assert Weighted(3, 1.0)._numba_type_ == Weighted(3, 5.0)._numba_type_
    assert Weighted(3, 1.0)._numba_type_ != Weighted(4, 1.0)._numba_type_
    assert Weighted(3, 1.0, (1.0,))._numba_type_ != Weighted(3, 1.0, (1.0, 2.0))._numba_type_
    assert Shell(Weighted(3, 1.0))._numba_type_ == Shell(Weighted(3, 5.0))._numba_type_


def test_whole_numbers_are_taken_as_floats():
    assert Weighted(slope=2).at(1.5) == 2.0


def test_components_with_weights_compare_and_travel():
    assert Weighted(slope=1.0) != Weighted(slope=2.0)
    around = Around(first=Weighted(slope=7.0))
    assert around.at(1.0) == 7.0 - 1.0 - (2.0 - 1.0) + 3
    again = pickle.loads(pickle.dumps(around))
    assert again == around
    assert again.at(1.0) == around.at(1.0)


def test_what_does_not_follow_from_weights_is_a_constant_still():
    assert Weighted(4).constant() == 8


@pytest.mark.skipif(PLAIN_PYTHON, reason="plain Python can compute anything")
def test_a_kernel_may_not_read_what_follows_from_a_weight():
    with pytest.raises(KernelError, match="weight"):
        Weighted().steep()
    assert Weighted(slope=-3.0).steepness == 3.0
