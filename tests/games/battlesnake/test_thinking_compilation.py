"""Compiling in a process of its own."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from helpers.slow_players import make
from saddlepoint.games.battlesnake import Battlesnake
from saddlepoint.games.battlesnake.thinking import Compilation, EndedError, Rules
from saddlepoint.play.preparation import Need
from saddlepoint.players.base import MakePlayer


@pytest.fixture(autouse=True)
def uncompiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Need, "is_missing", True)


def test_a_board_is_compiled_in_another_process_whatever_is_played_on_it(tmp_path: Path) -> None:
    Compilation(lambda: make, is_apart=True).compile(
        Rules(7, 7, "royale", "royale", 0, 0, 1, 1), str(tmp_path / "note")
    )
    assert (tmp_path / "note").read_text() == repr(Battlesnake(7, 7, hazard_stack=1))


def test_what_cannot_be_compiled_is_the_affair_of_who_needs_it() -> None:
    Compilation(lambda: make, is_apart=True).compile(Rules(7, 7), "wrong")


def test_what_is_compiled_already_needs_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    def load() -> MakePlayer:
        pytest.fail("a player was made")

    monkeypatch.setattr(Need, "is_missing", False)
    Compilation(load, is_apart=True).compile(Rules(7, 7), "best")


def test_what_is_on_disk_does_not_wait_for_another_board_that_is_compiled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Need, "is_missing", property(lambda need: need.game.width != 7))
    with under_way() as compilation:
        loads = threading.Thread(target=compilation.compile, args=(Rules(7, 7), "best"), daemon=True)
        loads.start()
        loads.join(60)
        assert not loads.is_alive()


@pytest.mark.slow
def test_a_board_that_a_game_waits_for_is_compiled_beside_another_that_none_waits_for(tmp_path: Path) -> None:
    note = tmp_path / "note"
    with under_way() as compilation:
        compilation.compile(Rules(7, 7), str(note), is_awaited=True)
        assert note.read_text() == repr(Battlesnake(7, 7))


@contextmanager
def under_way() -> Iterator[Compilation]:
    """A compilation that is at a board of 11 x 11 for ten minutes."""
    compilation = Compilation(lambda: make, is_apart=True)

    def compile_() -> None:
        with suppress(EndedError):
            compilation.compile(Rules(11, 11), "slow")

    thread = threading.Thread(target=compile_, daemon=True)
    thread.start()
    deadline = time.monotonic() + 60
    while not compilation.is_under_way:
        assert time.monotonic() < deadline
        time.sleep(0.01)
    try:
        yield compilation
    finally:
        compilation.close()
        thread.join(60)
    assert not thread.is_alive()


def test_it_ends_with_the_server() -> None:
    with under_way() as compilation:
        compilation.close()
        with pytest.raises(EndedError):
            compilation.compile(Rules(7, 7), "best")
