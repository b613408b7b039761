"""What compilations took is known the next time, also after the sources have changed."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from saddlepoint.compiled import forecast


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that holds the folders of compiled code; nothing is known there."""
    (tmp_path / "0123456789abcdef").mkdir()
    monkeypatch.setattr(forecast, "cache_directory", lambda: tmp_path / "0123456789abcdef")
    monkeypatch.setattr(forecast, "_SHIPPED", tmp_path / "shipped.txt")
    _forget()
    yield tmp_path
    _forget()


def _forget() -> None:
    """As a process does that begins."""
    forecast._known.cache_clear()


def test_what_a_compilation_took_is_what_the_next_process_expects(home: Path):
    assert forecast.expected("search for Game") is None
    forecast.note("search for Game", 12.0)
    _forget()
    assert forecast.expected("search for Game") == 12.0


def test_a_quick_one_is_not_worth_a_word(home: Path):
    forecast.note("search for Game", 0.1)
    assert forecast.expected("search for Game") is None


def test_what_was_never_compiled_here_took_as_long_elsewhere(home: Path):
    (home / "shipped.txt").write_text("search for Game\t8.0\nanother\t3.0\n")
    assert forecast.expected("search for Game") == 8.0
    forecast.note("search for Game", 20.0)
    _forget()
    assert (forecast.expected("search for Game"), forecast.expected("another")) == (20.0, 3.0)


def test_a_compilation_of_a_part_does_not_pass_for_the_whole(home: Path):
    forecast.note("game player", 12.0)
    forecast.note("game player", 1.0)  # the rest was on disk
    assert forecast.expected("game player") == 6.0


def test_lines_that_say_nothing_are_passed_over_and_a_long_file_is_written_anew(home: Path):
    file = home / "compile_seconds.txt"
    file.write_text("nonsense\nhalf a line\t\n" + "game player\t5.0\n" * 20_000 + "game player\t7.0\n")
    assert forecast.expected("game player") == 7.0
    assert file.read_text() == "game player\t7.0\n"


def test_a_task_is_compiled_for_these_sources_alone(home: Path, monkeypatch: pytest.MonkeyPatch):
    forecast.note_compiled("game player")
    assert forecast.is_compiled("game player")
    (home / "fedcba9876543210").mkdir()
    monkeypatch.setattr(forecast, "cache_directory", lambda: home / "fedcba9876543210")
    assert not forecast.is_compiled("game player")


def test_what_came_with_a_wheel_is_compiled(home: Path, monkeypatch: pytest.MonkeyPatch):
    assert not forecast.is_compiled("game player")
    (home / "bundled").mkdir()
    (home / "bundled" / forecast.TASKS).write_text("another player\ngame player\n")
    monkeypatch.setattr(forecast, "bundled_code", lambda: SimpleNamespace(folder=home / "bundled"))
    assert forecast.is_compiled("game player")
    assert not forecast.is_compiled("game")


def test_the_package_knows_what_its_named_players_take():
    assert forecast._SHIPPED.exists()
    known = dict(forecast._lines(forecast._SHIPPED.read_text()))
    assert {"light_riders best", "simplexity best", "tron41 best"} <= known.keys()
    assert all(seconds > 0 for seconds in known.values())
