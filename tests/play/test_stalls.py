"""Time that the machine took excuses the answer it was taken from, and no other."""

import subprocess
import sys
from pathlib import Path

import pytest

from saddlepoint.play import stalls
from saddlepoint.play.stalls import StallWatch

STOPPED = 0.5
"""Seconds for which a process is stopped."""

_STOPPED_ONCE = f"""
import os, signal, subprocess, sys
from saddlepoint.play.stalls import StallWatch

with StallWatch() as watch:
    before = watch.mark()
    wake = "import os, signal, sys, time; time.sleep({STOPPED}); os.kill(int(sys.argv[1]), signal.SIGCONT)"
    subprocess.Popen([sys.executable, "-c", wake, str(os.getpid())])
    os.kill(os.getpid(), signal.SIGSTOP)
    watch.lost_since(before)  # waits until what has just ended was noticed
    after = watch.mark()
    later = watch.lost_since(after)
    print(watch.lost_since(before) - later)
"""


def test_a_stop_counts_for_what_was_asked_before_it_and_not_for_what_was_asked_after_it():
    said = subprocess.run([sys.executable, "-c", _STOPPED_ONCE], capture_output=True, text=True, timeout=120, check=True).stdout
    # What the machine takes while this test runs counts on both sides.
    assert float(said) > STOPPED / 2


def test_without_a_watch_nothing_ever_stalled():
    with StallWatch(active=False) as watch:
        assert watch.lost_since((0.0, -1000.0)) == 0.0


def test_what_was_lost_is_known_at_the_next_wakings_and_not_waited_for_any_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stalls, "_SETTLING", 600.0)
    with StallWatch() as watch:
        assert watch.lost_since(watch.mark()) >= 0.0


def test_the_page_of_faults_says_from_what_length_on_a_stall_excuses() -> None:
    page = (Path(__file__).parents[2] / "docs/faults.md").read_text(encoding="utf-8")
    assert f"it woke more than {1000 * stalls._LEAST:.0f} ms late" in page
