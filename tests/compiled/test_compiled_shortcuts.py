"""What Numba's compiler is not made to do again: what it finds must be the same."""

from typing import Any

import pytest
from numba.extending import overload

from saddlepoint.compiled import PLAIN_PYTHON, jit, run

pytestmark = pytest.mark.skipif(PLAIN_PYTHON, reason="nothing is compiled")


def test_what_is_declared_between_two_compilations_is_known_to_the_second():
    def doubled(x: Any) -> Any:
        return 2 * x

    @jit
    def first(x: int) -> int:
        return x + 1

    assert run(first, 1) == 2

    @overload(doubled)
    def _doubled(x: Any) -> Any:
        return doubled

    @jit
    def second(x: int) -> int:
        return doubled(x)

    assert run(second, 4) == 8


@jit
def nth(numbers, which):
    return numbers[which]


@jit
def picks(x):
    mixed = (x, 1.5)
    return nth(mixed, 0) + nth(mixed, 1)


def test_a_number_written_in_a_call_needs_no_compilation_of_its_own(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(
        "saddlepoint.compiled.cache._kept", lambda function, use="": None
    )  # else an earlier run compiled it

    def raised(x: int, times: int) -> int:
        for _ in range(times):
            x = x + 1
        return x

    def calls(x: int, times: int) -> int:
        return one_more(x, 2) + one_more(x, times) + one_more(x, 7)

    one_more: Any = jit(raised)
    assert run(jit(calls), 1, 3) == 3 + 4 + 8
    assert [tuple(map(str, kinds)) for kinds in one_more.overloads] == [("int64", "int64")]


def test_a_part_that_needs_the_number_itself_gets_it():
    """An item of a tuple of several types has a type only if it is known which one."""
    assert run(picks, 1) == 2.5
