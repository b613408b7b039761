"""What was compiled whole is known the next time, until the sources change."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from saddlepoint.compiled import directory as finished


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that holds the folders of compiled code; nothing is known there."""
    (tmp_path / "0123456789abcdef").mkdir()
    monkeypatch.setattr(finished, "cache_directory", lambda: tmp_path / "0123456789abcdef")
    return tmp_path


def test_a_task_is_compiled_for_these_sources_alone(home: Path, monkeypatch: pytest.MonkeyPatch):
    finished.note_compiled("game player")
    assert finished.is_compiled("game player")
    (home / "fedcba9876543210").mkdir()
    monkeypatch.setattr(finished, "cache_directory", lambda: home / "fedcba9876543210")
    assert not finished.is_compiled("game player")


def test_what_came_with_a_wheel_is_compiled(home: Path, monkeypatch: pytest.MonkeyPatch):
    assert not finished.is_compiled("game player")
    (home / "bundled").mkdir()
    (home / "bundled" / finished.TASKS).write_text("another player\ngame player\n")
    monkeypatch.setattr(finished, "bundled_code", lambda: SimpleNamespace(folder=home / "bundled"))
    assert finished.is_compiled("game player")
    assert not finished.is_compiled("game")
