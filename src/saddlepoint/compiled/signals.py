"""Signals while compiled code runs: a search looks for them now and then, above all for Ctrl-C.

Python calls the handlers of signals in the main thread alone, between two steps of Python. So compiled code
that runs long takes such a step (`is_interrupted`). Whatever a handler raises there is raised by `run`, as
soon as the compiled code has ended.
"""

import signal
import sys
import threading
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from typing import Any

import llvmlite.binding as llvm
from llvmlite import ir
from numba import types
from numba.core import cgutils

from .numba_private import load_within
from .rules import PLAIN_PYTHON, compiled_as

LISTEN_EVERY = 100_000_000
"""Nanoseconds between two such steps: each waits for Python's lock, which another thread of Python may hold for 5 ms."""

raised: dict[int, BaseException] = {}
"""By thread: what a step raised while the compiled code was still running."""

_NAME = "saddlepoint_is_interrupted"
_CODE = f"""
@saddlepoint_step = external global i8
@saddlepoint_raised = external global i8

declare i32 @PyGILState_Ensure()
declare void @PyGILState_Release(i32)
declare ptr @PyObject_CallNoArgs(ptr)
declare void @PyErr_Fetch(ptr, ptr, ptr)
declare void @PyErr_NormalizeException(ptr, ptr, ptr)
declare void @PyErr_Clear()
declare i32 @PyException_SetTraceback(ptr, ptr)
declare i64 @PyThread_get_thread_ident()
declare ptr @PyLong_FromUnsignedLongLong(i64)
declare i32 @PyDict_SetItem(ptr, ptr, ptr)
declare void @Py_DecRef(ptr)

define i32 @{_NAME}() {{
  %lock = call i32 @PyGILState_Ensure()
  %answer = call ptr @PyObject_CallNoArgs(ptr @saddlepoint_step)
  %failed = icmp eq ptr %answer, null
  br i1 %failed, label %keep, label %end
keep:
  %kind = alloca ptr
  %error = alloca ptr
  %trace = alloca ptr
  call void @PyErr_Fetch(ptr %kind, ptr %error, ptr %trace)
  call void @PyErr_NormalizeException(ptr %kind, ptr %error, ptr %trace)
  %what = load ptr, ptr %error
  %where = load ptr, ptr %trace
  %traced = icmp ne ptr %where, null
  br i1 %traced, label %with, label %note
with:
  %set = call i32 @PyException_SetTraceback(ptr %what, ptr %where)
  br label %note
note:
  %ident = call i64 @PyThread_get_thread_ident()
  %key = call ptr @PyLong_FromUnsignedLongLong(i64 %ident)
  %kept = call i32 @PyDict_SetItem(ptr @saddlepoint_raised, ptr %key, ptr %what)
  %sort = load ptr, ptr %kind
  call void @Py_DecRef(ptr %key)
  call void @Py_DecRef(ptr %sort)
  call void @Py_DecRef(ptr %what)
  call void @Py_DecRef(ptr %where)
  call void @PyErr_Clear()
  br label %end
end:
  call void @Py_DecRef(ptr %answer)
  call void @PyGILState_Release(i32 %lock)
  %stop = zext i1 %failed to i32
  ret i32 %stop
}}
"""
"""Written in LLVM's own language: what is raised at the first step of a callback written in Python would be lost."""


def step() -> None:
    """One step of Python, before which the handlers of signals are called; in other threads a look at the main one."""
    main = threading.main_thread()
    if threading.get_ident() != main.ident and _is_leaving(main):
        raise KeyboardInterrupt


def _is_leaving(main: threading.Thread) -> bool:
    """Whether the main thread is on its way out by Ctrl-C: it then waits for the others, and they must end too."""
    if not main.is_alive():
        return isinstance(getattr(sys, "last_value", None), KeyboardInterrupt)
    found: Any = sys._current_exceptions().get(main.ident or 0)
    error = found[1] if isinstance(found, tuple) else found  # Python 3.11
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__context__
    return error is not None


def _is_interrupted_code(typingctx: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        function = cgutils.get_or_insert_function(builder.module, ir.FunctionType(ir.IntType(32), []), _NAME)
        return builder.trunc(builder.call(function, []), ir.IntType(1))

    return types.boolean(), codegen


@compiled_as(_is_interrupted_code)
def is_interrupted() -> bool:
    """Take a step of Python; True where it raised something, so that the compiled code has to end."""
    step()
    return False


def raise_again() -> None:
    """Raise what a step raised in this thread while compiled code ran; nothing where it was another thread's."""
    error = raised.pop(threading.get_ident(), None)
    if error is not None:
        raise error


def _provide() -> Any:
    """Machine code that compiled code, also what was kept on disk, finds by its name; it lives as long as its owner."""
    llvm.add_symbol("saddlepoint_step", id(step))
    llvm.add_symbol("saddlepoint_raised", id(raised))
    machine = llvm.Target.from_default_triple().create_target_machine(opt=0, codemodel="jitdefault")
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(_CODE), machine)
    engine.finalize_object()
    llvm.add_symbol(_NAME, engine.get_function_address(_NAME))
    return engine


_provided = None if PLAIN_PYTHON else _provide()

# While machine code is made or loaded, Ctrl-C waits until Numba comes to a place where nothing is lost.
#
# LLVM asks Python for the code that was kept on disk, through a callback of ctypes. A signal's handler that raises there is lost, and the
# code with it: Numba goes on with address 0, and the process ends with a segmentation fault (Numba 0.68). And what is raised in a callback
# of a weak reference, of which Numba has many, is lost too: Ctrl-C was not heard then. So the handlers are called between two passes of the
# compiler: milliseconds later as a rule, seconds where a large function is compiled.

_SIGNALS = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP", "SIGINT") if hasattr(signal, name)]
"""Ctrl-C last: its handler is the last one to be put back, so that another Ctrl-C leaves none of them behind."""


class PutOff:
    """Signals that end the program are met and not handled yet."""

    def __init__(self) -> None:
        self._handlers: dict[int, Any] = {}
        self._met: list[int] = []

    def begin(self) -> None:
        """Put signals off from now on.

        Python handles signals in the main thread alone: in another thread nothing changes.
        """
        if threading.current_thread() is not threading.main_thread():
            return
        for number in _SIGNALS:
            handler = signal.getsignal(number)
            if callable(handler):  # what is ignored, or ends the process without Python, stays so
                self._handlers[number] = handler
                signal.signal(number, lambda number, frame: self._met.append(number))

    def end(self) -> None:
        """The handlers are as before, and called where something was met."""
        handlers, self._handlers = self._handlers, {}  # a handler that raises leaves nothing behind
        for number, handler in handlers.items():
            signal.signal(number, handler)
        self.heed(handlers)

    def heed(self, handlers: dict[int, Any] | None = None) -> None:
        """Call the handler of each signal that was met, once, whatever another one raises."""
        handlers = self._handlers if handlers is None else handlers
        met, self._met = dict.fromkeys(self._met), []
        with ExitStack() as stack:  # which calls the last one first
            for number in reversed(met):
                stack.callback(handlers[number], number, None)


@contextmanager
def interrupts_put_off() -> Generator[None]:
    """Signals that end the program are handled at the end of it."""
    put_off = PutOff()
    try:
        put_off.begin()
        yield
    finally:
        put_off.end()


load_within(interrupts_put_off())
