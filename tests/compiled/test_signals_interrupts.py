"""Ctrl-C while machine code is loaded: it is heard a moment later, and nothing crashes."""

import signal
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import NamedTuple

import pytest

from helpers.programs import output_of
from saddlepoint.compiled import PLAIN_PYTHON, Component, jit, kernel, run
from saddlepoint.compiled.signals import interrupts_put_off
from saddlepoint.games.light_riders import LightRiders

INTERRUPTED_WHILE_LOADED = """
import os, signal, sys
from numba.core.codegen import JITCodeLibrary

asked = JITCodeLibrary._object_getbuffer_hook.__func__
def interrupting(cls, module):
    if "interrupt" in sys.argv:
        sys.argv.remove("interrupt")
        os.kill(os.getpid(), signal.SIGINT)
    return asked(cls, module)
JITCodeLibrary._object_getbuffer_hook = classmethod(interrupting)

from saddlepoint.compiled import run
import doubling
while True:
    try:
        print(run(doubling.doubled, 21))
        break
    except KeyboardInterrupt:
        print("interrupted")
"""


@pytest.mark.skipif(PLAIN_PYTHON, reason="nothing is compiled")
def test_ctrl_c_while_kept_code_is_loaded_is_heard_after_it_and_the_code_works(tmp_path):
    (tmp_path / "doubling.py").write_text(
        "from saddlepoint.compiled import jit\n\n\n@jit\ndef doubled(x):\n    return 2 * x\n"
    )
    (tmp_path / "program.py").write_text(INTERRUPTED_WHILE_LOADED)
    arguments = [str(tmp_path / "program.py")]
    assert output_of(*arguments, cache=tmp_path / "cache").split() == ["42"]
    assert output_of(*arguments, "interrupt", cache=tmp_path / "cache").split() == ["interrupted", "42"]


def test_a_signal_is_handled_once_at_the_end_and_the_handlers_are_as_before():
    before = signal.getsignal(signal.SIGINT)
    reached = False
    with pytest.raises(KeyboardInterrupt), interrupts_put_off():
        signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)
        reached = True
    assert reached
    assert signal.getsignal(signal.SIGINT) is before


def test_each_signal_is_handled_whatever_the_handler_of_another_one_raises():
    heard = []
    before = signal.signal(signal.SIGTERM, lambda number, frame: heard.append(number))
    try:
        with pytest.raises(KeyboardInterrupt), interrupts_put_off():
            signal.raise_signal(signal.SIGINT)
            signal.raise_signal(signal.SIGTERM)
        assert heard == [signal.SIGTERM]
        assert signal.getsignal(signal.SIGTERM) is not before
    finally:
        signal.signal(signal.SIGTERM, before)


def test_an_ignored_signal_stays_ignored():
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with interrupts_put_off():
            signal.raise_signal(signal.SIGINT)
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)


def test_in_another_thread_nothing_changes():
    def seen() -> object:
        with interrupts_put_off():
            return signal.getsignal(signal.SIGINT)

    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(seen).result() is signal.getsignal(signal.SIGINT)


class Inner(NamedTuple):
    number: int


class Outer(NamedTuple):
    inner: Inner
    other: int


@jit
def nested(x):
    return Outer(Inner(x), 2)


@jit
def beside(x):
    return Inner(x), True


@dataclass(frozen=True)
class Adder(Component):
    step: int = 1

    @kernel
    def added(self, x):
        return x + self.step


def interrupted(*values):
    raise KeyboardInterrupt


ADDED, ADDER = Adder.kernels["added"], Adder(3)
RIDERS = LightRiders(8, 6)


@pytest.mark.skipif(PLAIN_PYTHON, reason="nothing is compiled")
@pytest.mark.parametrize(
    ("call", "cls", "name", "instead"),
    [
        (lambda: run(nested, 1), Inner, "__new__", interrupted),
        (lambda: run(beside, 1), Inner, "__new__", interrupted),
        (lambda: run(ADDED, ADDER, 1), Adder, "_parameters", interrupted),
        (
            lambda: RIDERS.choices(RIDERS.initial_state(2, 2), 0),
            Component,
            "_block_address",
            property(interrupted),
        ),
    ],
    ids=[
        "a result is put together, a named tuple in another",
        "a result is put together, a named tuple in a tuple",
        "the type of a component is found",
        "a component is handed over",
    ],
)
def test_ctrl_c_is_heard_while(call, cls, name, instead, monkeypatch):
    with monkeypatch.context() as patch:
        found = call() if cls is not Adder else 4
        patch.setattr(cls, name, instead)
        with pytest.raises(KeyboardInterrupt):
            call()
    assert call() == found
