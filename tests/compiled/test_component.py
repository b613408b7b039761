"""Components: parameters as constants, inheritance, nesting, pickling, threads."""

import pickle
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

from saddlepoint.compiled import (
    PLAIN_PYTHON,
    Component,
    KernelError,
    is_inlined,
    jit,
    kernel,
    kernel_inline,
    run,
)

pytestmark = pytest.mark.plain


@dataclass(frozen=True)
class Line(Component):
    slope: int
    offset: int = 0

    name: ClassVar[str] = "line"
    step: ClassVar[float] = 0.5

    @property
    def table(self) -> tuple[int, ...]:
        return tuple(self.slope * k for k in range(4))

    @property
    def steep(self) -> bool:
        return self.slope > 10

    @kernel
    def at(self, x):
        return self.slope * x + self.offset

    @kernel
    def twice(self, x):
        return self.at(self.at(x))

    @kernel
    def looked_up(self, k):
        return self.table[k] + self.step * (1 if self.steep else 0)


@dataclass(frozen=True)
class Bent(Line):
    """Inherits `twice`, replaces what it calls."""

    @kernel
    def at(self, x):
        return abs(self.slope * x) + self.offset


@dataclass(frozen=True)
class Inlined(Line):
    """Its `at` is part of its callers."""

    @kernel_inline
    def at(self, x):
        return self.slope * x - self.offset


@dataclass(frozen=True)
class Pair(Component):
    first: Line
    second: Line
    weights: tuple[float, float] = (1.0, 2.0)

    @kernel
    def at(self, x):
        return self.weights[0] * self.first.at(x) + self.weights[1] * self.second.at(x)


@dataclass(frozen=True)
class WithArray(Component):
    size: int = 3

    @property
    def squares(self) -> np.ndarray:
        return np.arange(self.size, dtype=np.float64) ** 2

    @kernel
    def total(self):
        return self.squares.sum()


@jit
def value_at(component, x):
    return component.at(x)


NESTED = Pair(Line(1), Bent(-1, 5))


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (lambda: Line(3, 1).at(5), 16),
        (lambda: Line(3, 1).looked_up(2), 6),
        (lambda: Line(20).looked_up(1), 20.5),
        (lambda: WithArray(4).total(), 14.0),
        (lambda: [run(value_at, Line(slope), 10) for slope in (1, 2, 3)], [10, 20, 30]),
        (lambda: Line(-2, 1).twice(3), 11),
        (lambda: Bent(-2, 1).twice(3), 15),
        (lambda: run(value_at, Bent(-2, 1), 3), 7),
        (lambda: Inlined(2, 1).at(3), 5),
        (lambda: Inlined(2, 1).twice(3), 9),
        (lambda: run(value_at, Inlined(2, 1), 3), 5),
        (lambda: NESTED.at(2), 2 + 2 * 7),
        (lambda: NESTED.plain.at(2), 2 + 2 * 7),
        (lambda: run(value_at, NESTED, 3), 3 + 2 * 8),
        (lambda: Pair(Line(1), Line(-1, 5)).at(2), 2 + 2 * 3),
    ],
)
def test_fields_properties_and_class_attributes_are_constants_kernels_are_inherited_and_replaced_and_components_nest(
    found, expected
):
    assert found() == expected


def test_each_parameterisation_is_a_specialisation():
    assert Line(2)._numba_type_ == Line(2)._numba_type_ != Line(3)._numba_type_


def test_a_kernel_is_part_of_its_callers_if_it_is_told_to_be():
    assert is_inlined(Inlined.kernels["at"]) != PLAIN_PYTHON
    assert not is_inlined(Line.kernels["at"])


def test_pickling_leaves_the_machine_behind():
    assert NESTED.at(1) == NESTED.plain.at(1) == 13
    again = pickle.loads(pickle.dumps(NESTED))
    assert (again, hash(again), again.at(1)) == (NESTED, hash(NESTED), 13)


def test_the_plain_twin_runs_the_source():
    assert NESTED.plain == NESTED.plain
    assert isinstance(NESTED.plain, Pair)
    assert type(NESTED.plain.first).at is not Line.at


def test_threads_share_one_compilation():
    class Slow(Line):
        @kernel
        def at(self, x):
            return x + 41

    slow, gate = Slow(1), threading.Barrier(4)

    def call(x):
        gate.wait()
        return run(value_at, slow, x)

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(call, range(4))) == [41, 42, 43, 44]


@pytest.mark.skipif(PLAIN_PYTHON, reason="plain Python can return anything")
def test_a_component_cannot_come_back():
    @jit
    def give_back(component):
        return component

    with pytest.raises(KernelError, match="component cannot be returned"):
        run(give_back, Line(1))
