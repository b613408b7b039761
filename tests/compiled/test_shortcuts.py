"""What Numba's compiler is not made to do again: what it finds must be the same."""

import gc
from typing import Any

import numba
import pytest
from numba.core import event, ir
from numba.core.registry import cpu_target
from numba.extending import overload

from saddlepoint.compiled import PLAIN_PYTHON, jit, run, shortcuts

pytestmark = pytest.mark.skipif(PLAIN_PYTHON, reason="nothing is compiled")

HERE = ir.Loc("rules.py", 1)


def variable(name: str) -> ir.Var:
    return ir.Var(ir.Scope(None, HERE), name, HERE)


def test_the_variables_of_an_instruction_are_all_found_in_their_order():
    a, b, c, d = map(variable, "abcd")
    call = ir.Expr.call(a, [b], {"named": c}, HERE, vararg=d)
    assert [found.name for found in call.list_vars()] == ["a", "b", "c", "d"]
    assert [found.name for found in ir.Assign(call, d, HERE).list_vars()] == ["a", "b", "c", "d", "d"]
    assert ir.Assign(ir.Const(1, HERE), a, HERE).list_vars() == [a]
    assert ir.Jump(3, HERE).list_vars() == []


def test_what_is_declared_between_two_compilations_is_known_to_the_second():
    def doubled(x: Any) -> Any:
        return 2 * x

    @numba.njit
    def first(x: int) -> int:
        return x + 1

    assert first(1) == 2

    @overload(doubled)
    def _doubled(x: Any) -> Any:
        return doubled

    @numba.njit
    def second(x: int) -> int:
        return doubled(x)

    assert second(4) == 8


def test_nothing_is_read_again_where_nothing_was_declared(monkeypatch: pytest.MonkeyPatch):
    context: Any = cpu_target.target_context
    context.refresh()
    asked: list[object] = []
    monkeypatch.setattr(context, "load_additional_registries", lambda: asked.append(1), raising=False)
    context.refresh()
    assert asked == []
    monkeypatch.delattr(context, "_known_declarations")
    context.refresh()
    assert asked == [1]


def test_the_collector_is_as_it_was_when_all_is_compiled():
    before = gc.get_threshold()
    during: list[int] = []

    class Looking(event.Listener):
        def on_start(self, event: event.Event) -> None:
            during.append(gc.get_threshold()[0])

        def on_end(self, event: event.Event) -> None:
            pass

    with event.install_listener("numba:compile", Looking()):
        assert numba.njit(lambda x: x + 1)(1) == 2
        with pytest.raises(numba.TypingError):
            numba.njit(lambda x: x.nothing)(1)
    assert during[0] == shortcuts._ALLOCATIONS > before[0]
    assert gc.get_threshold() == before


@jit
def raised(x, times):
    for _ in range(times):
        x = x + 1
    return x


@jit
def nth(numbers, which):
    return numbers[which]


@jit
def calls(x, times):
    return raised(x, 2) + raised(x, times) + raised(x, 7)


@jit
def picks(x):
    mixed = (x, 1.5)
    return nth(mixed, 0) + nth(mixed, 1)


def test_a_number_written_in_a_call_needs_no_compilation_of_its_own():
    assert run(calls, 1, 3) == 3 + 4 + 8
    assert [tuple(map(str, kinds)) for kinds in vars(raised)["overloads"]] == [("int64", "int64")]


def test_a_part_that_needs_the_number_itself_gets_it():
    """An item of a tuple of several types has a type only if it is known which one."""
    assert run(picks, 1) == 2.5
