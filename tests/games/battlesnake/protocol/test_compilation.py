"""Compiling in a process of its own."""

import sys
import threading
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
