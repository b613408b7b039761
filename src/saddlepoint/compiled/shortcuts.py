"""Detours of Numba's compiler that are not taken here, for the same code.

It asks each instruction for its variables ten times, by looking into all that the instruction holds. Before every overload that is
written in Python it imports forty modules again and looks whether they have declared something new. Each function that is being
compiled listens to every call of LLVM by the functions that it waits for. And all that it makes for a function is still in use when
Python's collector looks for garbage.
"""

import gc
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from numba.core import event, ir
from numba.core.cpu import CPUContext
from numba.core.typing.context import Context

_Instruction: Any = ir.Inst
_Context: Any = CPUContext
_TypingContext: Any = Context


def _variables(instruction: Any, held: Any) -> list[Any]:
    """The variables in what an instruction holds."""
    found: list[Any] = []
    _gather((held,), found)
    return found


def _gather(held: Iterable[Any], found: list[Any]) -> None:
    for item in held:
        kind = type(item)
        if kind is ir.Var:
            found.append(item)
        elif kind in _EMPTY:
            continue
        elif isinstance(item, (list, tuple)):
            _gather(item, found)
        elif isinstance(item, dict):
            _gather(item.values(), found)
        elif isinstance(item, ir.Inst):
            found += item.list_vars()


_EMPTY = {str, int, float, bool, type(None), ir.Loc, ir.Const, ir.Global, ir.FreeVar, ir.Arg}
"""What holds no variable."""

_Instruction._rec_list_vars = _variables


def _refreshing(refresh_anew: Any) -> Any:
    """A context's `refresh` that looks for new declarations where there are some."""

    def refresh(context: Any) -> None:
        declared = _declarations(context)
        if context.__dict__.get("_known_declarations") != declared:
            refresh_anew(context)
            context._known_declarations = _declarations(context)

    return refresh


def _declarations(context: Any) -> list[int]:
    """How many there are of each kind in each registry that a context knows: they are never taken back."""
    return [len(declared) for registry in context._registries for declared in vars(registry).values() if isinstance(declared, list)]


_Context.refresh = _refreshing(_Context.refresh)
_TypingContext.refresh = _refreshing(_TypingContext.refresh)


_time_anew = event.install_timer


def _time_once(kind: str, callback: Callable[[float], None]) -> AbstractContextManager[Any]:
    """What Numba measures of a function's compilation, but not of those that this one waits for, too."""
    timed = any(type(listener) is event.TimingListener for listener in event._registered[kind])
    return nullcontext() if timed else _time_anew(kind, callback)


event.install_timer = _time_once


class _Collector(event.Listener):
    """Garbage is looked for more rarely while something is compiled."""

    def __init__(self) -> None:
        self._depth = 0
        self._thresholds = gc.get_threshold()

    def on_start(self, event: Any) -> None:
        if self._depth == 0:
            self._thresholds = gc.get_threshold()
            gc.set_threshold(_ALLOCATIONS, *self._thresholds[1:])
        self._depth += 1

    def on_end(self, event: Any) -> None:
        self._depth -= 1
        if self._depth == 0:
            gc.set_threshold(*self._thresholds)


_ALLOCATIONS = 100_000
event.register("numba:compile", _Collector())
