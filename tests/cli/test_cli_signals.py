"""Ctrl-C is heard wherever it meets the program."""

import time
import weakref

import pytest

import saddlepoint.cli as signals
from saddlepoint.cli import end_signals


class Thing:
    pass


@pytest.mark.parametrize(
    "soon", [signals._SOON, 0.0]
)  # without a pause the main thread may still be where it would be dropped again
def test_ctrl_c_that_python_drops_in_the_callback_of_a_weak_reference_is_raised_a_moment_later(
    soon: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(signals, "_SOON", soon)
    called = []

    def interrupted(_: object) -> None:
        called.append(True)
        raise KeyboardInterrupt

    thing = Thing()
    reference = weakref.ref(thing, interrupted)
    begun = time.monotonic()
    with pytest.raises(KeyboardInterrupt), end_signals():
        del thing
        time.sleep(20)
    assert called
    assert reference() is None
    assert time.monotonic() - begun < 10
