"""What Numba's compiler is not made to do again: what it finds must be the same, and only for functions of this library."""

import operator
from collections.abc import Generator
from types import SimpleNamespace
from typing import Any

import numba
import pytest
from numba import types
from numba.core.registry import cpu_target
from numba.core.types.functions import Function
from numba.extending import overload

from saddlepoint.compiled import PLAIN_PYTHON, jit, run
from saddlepoint.compiled.numba_private import functions as shortcuts
from saddlepoint.compiled.numba_private.functions import own
from saddlepoint.compiled.sources import PACKAGE

pytestmark = pytest.mark.skipif(PLAIN_PYTHON, reason="nothing is compiled")


@pytest.fixture
def compiling() -> Generator[None]:
    """As it is while a function of this library is compiled."""
    with shortcuts.compiling(object()):
        yield


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


def half(x: Any) -> Any:
    return x / 2


@overload(half)
def _half(x: Any) -> Any:
    return half


@pytest.fixture
def questions(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The argument types for which Numba itself is asked which signature a built-in function has."""
    asked: list[Any] = []
    real = Function.get_call_type
    monkeypatch.setattr(Function, "get_call_type", lambda *args: asked.append(args[-2]) or real(*args))
    return asked


@pytest.mark.parametrize(
    ("filename", "times"), [(f"{PACKAGE}/algorithms/turns/search.py", 1), ("/home/somebody/rules.py", 2)]
)
def test_the_result_of_a_recursion_of_this_library_is_inferred_once(filename: str, times: int):
    asked: list[object] = []
    infer = shortcuts._infer_once(lambda inferer: asked.append(inferer) or "float64")
    inferer = SimpleNamespace(func_ir=SimpleNamespace(loc=SimpleNamespace(filename=filename)))
    assert [infer(inferer), infer(inferer)] == ["float64", "float64"]
    assert len(asked) == times


def test_a_sum_of_the_same_types_is_resolved_once_and_one_of_others_for_itself(
    questions: list[Any], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(shortcuts, "_resolved", {})
    context = cpu_target.typing_context
    context.refresh()
    add = context.resolve_value_type(operator.add)
    with shortcuts.compiling(object()):
        results = [
            add.get_call_type(context, args, {}).return_type
            for args in [(types.int64,) * 2, (types.float64,) * 2] * 3
        ]
    assert results == [types.int64, types.float64] * 3
    assert questions == [(types.int64,) * 2, (types.float64,) * 2]


def test_what_another_module_wrote_in_python_is_resolved_for_every_caller(questions: list[Any]):
    """Numba compiles it anew for other flags (fast arithmetic, say)."""

    def halved(x: float) -> float:
        return half(x)

    exact: Any = own(numba.njit(halved))
    fast: Any = own(numba.njit(fastmath=True)(halved))
    counts: list[int] = []
    for function in (exact, fast):
        assert function(3.0) == 1.5
        counts.append(sum(args == (types.float64,) for args in questions))
    assert 0 < counts[0] < counts[1]


def test_a_wrong_sum_is_an_error_each_time(compiling: None):
    context = cpu_target.typing_context
    add = context.resolve_value_type(operator.add)
    for _ in range(2):
        with pytest.raises(numba.TypingError):
            add.get_call_type(context, (types.none, types.int64), {})


def test_all_is_put_back_where_compiling_is_interrupted():
    places = [(owner, name, getattr(owner, name)) for _, owner, name, _ in shortcuts._REPLACED]
    with pytest.raises(KeyboardInterrupt), shortcuts.compiling(object()):
        assert all(getattr(owner, name) is not original for owner, name, original in places)
        raise KeyboardInterrupt
    assert all(getattr(owner, name) is original for owner, name, original in places)
    assert "get_call_type" not in vars(Function), "it is inherited again"


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
