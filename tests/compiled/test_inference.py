"""What Numba's type inference is not asked twice, and what it is."""

import operator
from types import SimpleNamespace
from typing import Any

import numba
import pytest
from numba import types
from numba.core.registry import cpu_target
from numba.extending import overload

from saddlepoint.compiled import PLAIN_PYTHON, inference
from saddlepoint.compiled.imports import PACKAGE

pytestmark = pytest.mark.skipif(PLAIN_PYTHON, reason="nothing is compiled")


def half(x: Any) -> Any:
    return x / 2


@overload(half)
def _half(x: Any) -> Any:
    return half


def questions(monkeypatch: pytest.MonkeyPatch, name: str) -> list[Any]:
    asked: list[Any] = []
    real = getattr(inference, name)
    monkeypatch.setattr(inference, name, lambda *args: asked.append(args[-2:]) or real(*args))
    return asked


@pytest.mark.parametrize(("filename", "times"), [(f"{PACKAGE}/algorithms/turns/search.py", 1), ("/home/somebody/rules.py", 2)])
def test_the_result_of_a_recursion_of_this_library_is_inferred_once(filename: str, times: int, monkeypatch: pytest.MonkeyPatch):
    asked: list[object] = []
    monkeypatch.setattr(inference, "_infer_anew", lambda inferer: asked.append(inferer) or "float64")
    inferer = SimpleNamespace(func_ir=SimpleNamespace(loc=SimpleNamespace(filename=filename)))
    assert [inference._infer_once(inferer), inference._infer_once(inferer)] == ["float64", "float64"]
    assert len(asked) == times


def test_a_sum_of_the_same_types_is_resolved_once_and_one_of_others_for_itself(monkeypatch: pytest.MonkeyPatch):
    context = cpu_target.typing_context
    context.refresh()
    add = context.resolve_value_type(operator.add)
    monkeypatch.setattr(add, "_resolved", {}, raising=False)
    asked = questions(monkeypatch, "_resolve_anew")
    results = [add.get_call_type(context, args, {}).return_type for args in [(types.int64,) * 2, (types.float64,) * 2] * 3]
    assert results == [types.int64, types.float64] * 3
    assert [args for args, _ in asked] == [(types.int64,) * 2, (types.float64,) * 2]


def test_what_another_module_wrote_in_python_is_resolved_for_every_caller(monkeypatch: pytest.MonkeyPatch):
    """Numba compiles it anew for other flags (fast arithmetic, say)."""
    asked = questions(monkeypatch, "_resolve_anew")

    @numba.njit
    def exact(x: float) -> float:
        return half(x)

    @numba.njit(fastmath=True)
    def fast(x: float) -> float:
        return half(x)

    counts: list[int] = []
    for function in (exact, fast):
        assert function(3.0) == 1.5
        counts.append(sum(args == (types.float64,) for args, _ in asked))
    assert 0 < counts[0] < counts[1]


def test_a_wrong_sum_is_an_error_each_time():
    context = cpu_target.typing_context
    add = context.resolve_value_type(operator.add)
    for _ in range(2):
        with pytest.raises(numba.TypingError):
            add.get_call_type(context, (types.none, types.int64), {})
