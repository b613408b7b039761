"""Ctrl-C is heard wherever it meets the program."""

import time
import weakref

import pytest

from saddlepoint.cli.signals import heeded


class Thing:
    pass


def test_ctrl_c_that_python_drops_in_the_callback_of_a_weak_reference_is_raised_a_moment_later() -> None:
    called = []

    def interrupted(_: object) -> None:
        called.append(True)
        raise KeyboardInterrupt

    thing = Thing()
    reference = weakref.ref(thing, interrupted)
    begun = time.monotonic()
    with pytest.raises(KeyboardInterrupt), heeded():
        del thing
        time.sleep(20)
    assert called
    assert reference() is None
    assert time.monotonic() - begun < 10
