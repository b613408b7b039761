"""Compiling in a process of its own."""

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from saddlepoint.games.battlesnake.protocol.compilation import Compilation, EndedError
from saddlepoint.games.battlesnake.protocol.crowd import Rules
from saddlepoint.players.needs import Need


@pytest.fixture(autouse=True)
def uncompiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Need, "seconds", 20.0)


def test_a_board_is_compiled_by_the_command_whatever_is_played_on_it(tmp_path: Path) -> None:
    note = tmp_path / "note"

    def command(game: str, player: str) -> list[str]:
        return [sys.executable, "-c", f"open({str(note)!r}, 'w').write({game + ' ' + player!r})"]

    Compilation(command).compile(Rules(7, 7, "royale", "royale", 0, 0, 1, 1), "best")
    assert note.read_text() == "battlesnake(width=7, height=7, hazard_stack=1) best"


def test_what_is_compiled_already_needs_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Need, "seconds", 0.0)
    Compilation(lambda game, player: pytest.fail("a process was started")).compile(Rules(7, 7), "best")


def test_what_is_on_disk_does_not_wait_for_another_board_that_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Need, "seconds", property(lambda need: 0.0 if need.game.width == 7 else 20.0))
    with under_way(Rules(11, 11)) as compilation:
        loads = threading.Thread(target=compilation.compile, args=(Rules(7, 7), "best"), daemon=True)
        loads.start()
        loads.join(60)
        assert not loads.is_alive()


def test_a_board_that_a_game_waits_for_is_compiled_beside_another_that_none_waits_for(tmp_path: Path) -> None:
    note = tmp_path / "note"
    with under_way(Rules(11, 11), note) as compilation:
        is_awaited = threading.Event()
        waits = threading.Thread(target=compilation.compile, args=(Rules(7, 7), "best", is_awaited.is_set), daemon=True)
        waits.start()
        waits.join(0.5)
        assert waits.is_alive() and not note.exists()
        is_awaited.set()  # the game begins only now
        waits.join(60)
        assert not waits.is_alive() and "width=7" in note.read_text()


@contextmanager
def under_way(rules: Rules, note: Path | None = None) -> Iterator[Compilation]:
    """A compilation that is at these rules for ten minutes, and at any other board notes it and is done."""
    started = threading.Event()

    def command(game: str, player: str) -> list[str]:
        if f"width={rules.width}" in game:
            started.set()
            return [sys.executable, "-c", "import time; time.sleep(600)"]
        return [sys.executable, "-c", f"open({str(note)!r}, 'w').write({game!r})"]

    compilation = Compilation(command)

    def compile_() -> None:
        with suppress(EndedError):
            compilation.compile(rules, "best")

    thread = threading.Thread(target=compile_, daemon=True)
    thread.start()
    assert started.wait(60)
    try:
        yield compilation
    finally:
        compilation.close()
        thread.join(60)


def test_it_ends_with_the_server() -> None:
    started, ended = threading.Event(), threading.Event()

    def command(game: str, player: str) -> list[str]:
        started.set()
        return [sys.executable, "-c", "import time; time.sleep(600)"]

    compilation = Compilation(command)

    def compile_() -> None:
        with pytest.raises(EndedError):
            compilation.compile(Rules(7, 7), "best")
        ended.set()

    threading.Thread(target=compile_, daemon=True).start()
    assert started.wait(60)
    compilation.close()
    assert ended.wait(60)
