"""What compiled code reads when it runs, so that all values share one compilation; and what it takes for granted."""

import functools
import gc
import pickle
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any, ClassVar

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from saddlepoint.compiled import (
    PLAIN_PYTHON,
    Component,
    KernelError,
    constant,
    is_run_time,
    jit,
    kernel,
    parameter,
    run,
    weight,
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


def test_fields_made_by_weight_are_read_at_run_time():
    told = {
        name: is_run_time(cls, name)
        for cls, name in ((Weighted, "slope"), (Weighted, "offsets"), (Weighted, "power"), (Shell, "inner"))
    }
    assert told == {"slope": True, "offsets": True, "power": False, "inner": False}


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


@pytest.mark.skipif(PLAIN_PYTHON, reason="nothing is compiled")
def test_another_weight_is_no_other_compilation():
    run(value_of, Weighted(3, 1.0), 2.0)
    before = len(value_of.signatures)
    for k in range(5):
        run(value_of, Weighted(3, float(k), (k / 2, 0.0)), 2.0)
    assert len(value_of.signatures) == before
    for one, other, is_same in (
        (Weighted(3, 1.0), Weighted(3, 5.0), True),
        (Weighted(3, 1.0), Weighted(4, 1.0), False),
        (Weighted(3, 1.0, (1.0,)), Weighted(3, 1.0, (1.0, 2.0)), False),
        (Shell(Weighted(3, 1.0)), Shell(Weighted(3, 5.0)), True),
    ):
        assert (one._numba_type_ == other._numba_type_) == is_same


def test_what_follows_from_a_weight_is_read_and_what_does_not_is_a_constant_still():
    assert [Weighted(slope=slope).steep() for slope in (-3.0, 4.0)] == [3.0, 4.0]
    assert Weighted(4).constant() == 8
    assert Weighted(slope=2).at(1.5) == 2.0, "a whole number is taken as a float"


def test_components_with_weights_compare_and_travel():
    assert Weighted(slope=1.0) != Weighted(slope=2.0)
    around = Around(first=Weighted(slope=7.0))
    assert around.at(1.0) == 7.0 - 1.0 - (2.0 - 1.0) + 3
    again = pickle.loads(pickle.dumps(around))
    assert again == around
    assert again.at(1.0) == around.at(1.0)


class Colour(IntEnum):
    RED = 1


@dataclass(frozen=True)
class Rules(Component):
    """A component of a game's kind: its numbers are read at run time."""

    numbers_at_run_time: ClassVar[bool] = True

    size: int = 5
    words: int = constant(1)
    rate: float = 0.5
    strict: bool = False
    mode: str = parameter("low")
    counts: tuple[int, ...] = parameter((1, 2))
    colour: Colour = field(default=Colour.RED)

    def __post_init__(self) -> None:
        object.__setattr__(self, "remembered", 10 * self.size)

    @property
    def table(self) -> Any:
        return np.arange(6 * self.size, dtype=np.int32).reshape(self.size, 6)[:, ::2]

    @functools.cached_property
    def narrow(self) -> Any:
        return np.uint8(self.size), np.float32(self.rate), (self.strict, -self.size)

    @property
    def full(self) -> int:
        return (1 << 60 << self.size) - 1

    @property
    def is_low(self) -> bool:
        return self.mode == "low"

    @property
    def inner(self) -> Weighted:
        return Weighted(self.words, float(self.size))

    @property
    def troubled(self) -> int:
        raise ValueError("no such value")

    @kernel
    def everything(self, row):
        low = 1 if self.is_low else 0
        narrow = self.narrow
        total = (
            self.size
            + self.rate
            + self.counts[0] * self.counts[1]
            + self.remembered
            + 7 * int(self.strict)
            + low
        )
        return total + self.table[row, 2] + narrow[0] + narrow[1] + narrow[2][1] + self.inner.at(2.0)

    @kernel
    def items(self):
        return self.table.shape[0] * 1000 + self.table.size * 10 + self.words

    @kernel
    def mask(self):
        return self.full

    @kernel
    def read_mode(self):
        return len(self.mode)

    @kernel
    def read_trouble(self):
        return self.troubled


OTHERS = Rules(3, 1, -2.25, True, "high", (7, -8))


@pytest.mark.parametrize("rules", [Rules(), OTHERS, Rules(2), Rules(1, counts=(0, 0))], ids=repr)
def test_kernels_read_fields_and_all_that_follows_from_them(rules: Rules):
    for row in range(rules.size):
        assert rules.everything(row) == rules.plain.everything(row)
    assert rules.items() == rules.size * 1000 + rules.size * 30 + 1
    assert rules.plain.items() == rules.items()


@pytest.mark.skipif(PLAIN_PYTHON, reason="nothing is compiled")
def test_another_parameter_is_no_other_compilation_unless_it_is_a_constant_or_of_another_shape():
    base = Rules(2)._numba_type_
    assert OTHERS._numba_type_ == base
    for other in (
        Rules(2, words=2),
        Rules(2, counts=(1, 2, 3)),
        Rules(2, rate=1),
    ):  # no float, but a whole number
        assert other._numba_type_ != base
    run(Rules.kernels["items"], Rules(2))
    before = len(Rules.kernels["items"].signatures)
    for size, rate in ((1, 0.25), (3, 2.0), (2, -1.0)):
        assert run(Rules.kernels["items"], Rules(size, rate=rate, mode=f"mode {size}")) == size * 1030 + 1
    assert len(Rules.kernels["items"].signatures) == before


@pytest.mark.skipif(PLAIN_PYTHON, reason="plain Python has no types")
def test_a_mask_of_64_bits_has_a_type_of_its_own():
    assert Rules(4).mask() == (1 << 64) - 1
    assert Rules(2).mask() == (1 << 62) - 1
    assert Rules(4)._numba_type_ != Rules(2)._numba_type_


@pytest.mark.skipif(PLAIN_PYTHON, reason="plain Python can read anything")
def test_a_kernel_cannot_read_a_text_that_is_known_at_run_time_only():
    with pytest.raises(KernelError, match=r"cannot read 'mode', a str .*constant"):
        Rules().read_mode()


def test_a_property_that_has_no_value_is_an_error_only_where_it_is_read():
    with pytest.raises((KernelError, ValueError)):
        Rules().read_trouble()


def test_values_stay_in_memory_as_long_as_their_component():
    rules = [Rules(size) for size in range(1, 60)]
    for one in rules:
        one.everything(0)
    gc.collect()
    _trash = [np.full(6 * size, 99, np.int32) for size in range(1, 60)]
    assert [one.everything(0) for one in rules] == [one.plain.everything(0) for one in rules]


def test_a_component_inside_that_is_made_anew_for_every_question_keeps_its_values():
    assert Rules(6).inner.at(10.0) == 59.0
    assert Rules(6).everything(0) == Rules(6).plain.everything(0)
