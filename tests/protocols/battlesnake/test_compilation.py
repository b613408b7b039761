"""Compiling in a process of its own."""

import threading
import time
from pathlib import Path

import pytest

from saddlepoint.games.battlesnake import Battlesnake
from saddlepoint.players.base import MakePlayer
from saddlepoint.players.needs import Need
from saddlepoint.protocols.battlesnake.compilation import Compilation, EndedError
from saddlepoint.protocols.battlesnake.crowd import Rules
from slow_players import make


@pytest.fixture(autouse=True)
def uncompiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Need, "seconds", 20.0)


def test_a_board_is_compiled_in_another_process_whatever_is_played_on_it(tmp_path: Path) -> None:
    Compilation(lambda: make, is_apart=True).compile(Rules(7, 7, "royale", "royale", 0, 0, 1, 1), str(tmp_path / "note"))
    assert (tmp_path / "note").read_text() == repr(Battlesnake(7, 7, hazard_stack=1))


def test_what_cannot_be_compiled_is_the_affair_of_who_needs_it() -> None:
    Compilation(lambda: make, is_apart=True).compile(Rules(7, 7), "wrong")


def test_what_is_compiled_already_needs_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    def load() -> MakePlayer:
        pytest.fail("a player was made")

    monkeypatch.setattr(Need, "seconds", 0.0)
    Compilation(load, is_apart=True).compile(Rules(7, 7), "best")


def test_it_ends_with_the_server() -> None:
    ended = threading.Event()
    compilation = Compilation(lambda: make, is_apart=True)

    def compile_() -> None:
        with pytest.raises(EndedError):
            compilation.compile(Rules(7, 7), "slow")
        ended.set()

    threading.Thread(target=compile_, daemon=True).start()
    deadline = time.monotonic() + 60
    while not compilation.is_under_way:
        assert time.monotonic() < deadline
        time.sleep(0.01)
    compilation.close()
    assert ended.wait(60)
