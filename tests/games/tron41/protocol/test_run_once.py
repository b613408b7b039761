"""Work done once by a process of its own, whoever asks for it and whoever of them ends."""

import subprocess
import sys
import time

import pytest

from saddlepoint.games.tron41.protocol import run_once as once

WORK = """
import pathlib, sys, time
log, go = map(pathlib.Path, sys.argv[1:3])
with log.open("a") as file: file.write("began\\n")
while not go.exists(): time.sleep(0.01)
with log.open("a") as file: file.write("ended\\n")
"""
ASK = """
import pathlib, sys
from saddlepoint.games.tron41.protocol import run_once as once
once.cache_directory = lambda: pathlib.Path(sys.argv[1])
once.run_once("work", sys.argv[2:])
"""


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.setattr(once, "cache_directory", lambda: tmp_path)
    return tmp_path


def work(place):
    return [sys.executable, "-c", WORK, str(place / "log"), str(place / "go")]


def until_begun(place):
    end, log = time.monotonic() + 60, place / "log"
    while not (log.exists() and log.read_text()) and time.monotonic() < end:
        time.sleep(0.01)
    assert log.read_text() == "began\n"


def test_work_goes_on_when_who_asked_is_killed_and_is_awaited_not_begun_again(place):
    first = subprocess.Popen([sys.executable, "-c", ASK, str(place), *work(place)], start_new_session=True)
    try:
        until_begun(place)
    finally:
        first.kill()
        first.wait()
    told = []

    def announce():
        told.append(None)
        (place / "go").touch()

    assert once.run_once("work", work(place), announce)
    assert told == [None]
    assert (place / "log").read_text() == "began\nended\n"


def test_what_was_done_is_not_done_again(place):
    (place / "go").touch()
    told = []
    assert once.run_once("work", work(place), lambda: told.append(None))
    assert once.run_once("work", work(place), lambda: told.append(None))
    assert told == [None]
    assert (place / "log").read_text() == "began\nended\n"
    assert once.run_once("other work", work(place))
    assert (place / "log").read_text() == "began\nended\n" * 2


def test_work_that_fails_is_told_and_tried_again(place):
    fails = [sys.executable, "-c", "raise SystemExit(3)"]
    assert not once.run_once("work", fails)
    assert once.run_once("work", [sys.executable, "-c", ""])


def test_nowhere_to_write_is_no_error(place, monkeypatch):
    (place / "file").touch()
    monkeypatch.setattr(once, "cache_directory", lambda: place / "file" / "directory")
    assert not once.run_once("work", [sys.executable, "-c", ""])
