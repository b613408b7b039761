"""When a screen is opened, and when text is printed; stepping through a game at a plain prompt."""

import io
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from saddlepoint.cli import show
from saddlepoint.games.goofspiel import Goofspiel
from saddlepoint.play.position_text import positions_of_text
from saddlepoint.play.replay import FinishedGame
from saddlepoint.system.terminal import how_to_install


class _Stream(io.StringIO):
    def __init__(self, terminal: bool, encoding: str = "utf-8") -> None:
        super().__init__()
        self._terminal, self._encoding = terminal, encoding

    encoding: Any = property(lambda self: self._encoding)

    def isatty(self) -> bool:
        return self._terminal


@pytest.fixture
def streams(monkeypatch: pytest.MonkeyPatch) -> Any:
    def put(**terminals: bool) -> None:
        for name in ("stdin", "stdout", "stderr"):
            monkeypatch.setattr(sys, name, _Stream(terminals.get(name, True)))

    monkeypatch.setenv("TERM", "xterm")
    show._say_what_is_missing.cache_clear()
    return put


def test_a_screen_needs_a_terminal_on_every_side(streams: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    streams()
    assert show.has_screen(False)
    assert not show.has_screen(True)
    monkeypatch.setenv("TERM", "dumb")
    assert not show.has_screen(False)
    monkeypatch.setenv("TERM", "xterm")
    for name in ("stdin", "stdout", "stderr"):
        streams(**{name: False})
        assert not show.has_screen(False)
    monkeypatch.setattr(sys, "stdin", None)
    assert not show.has_screen(False)


def test_without_textual_one_line_says_so_once(streams: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "textual", None)
    streams()
    assert not show.has_screen(False)
    assert not show.has_screen(False)
    assert sys.stderr.getvalue().count(how_to_install("terminal")) == 1  # type: ignore[attr-defined]
    show._say_what_is_missing.cache_clear()
    streams(stdout=False)
    assert not show.has_screen(False)
    assert sys.stderr.getvalue() == ""  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("encoding", "ascii_only"), [("utf-8", False), ("UTF8", False), ("iso8859-1", True), ("ascii", True)]
)
def test_ascii_is_drawn_where_the_encoding_has_no_more(
    monkeypatch: pytest.MonkeyPatch, encoding: str, ascii_only: bool
) -> None:
    monkeypatch.setattr(sys, "stdout", _Stream(True, encoding))
    assert show.only_ascii(False) is ascii_only
    assert show.only_ascii(True)


@pytest.mark.plain
def test_a_number_is_that_of_a_turn_and_what_chance_does_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    game = Goofspiel(3)
    states = positions_of_text(game, "moves: prize_1 1/1 prize_3 2/3 prize_2 3/2")
    words: Iterator[str] = iter(["2", "1", "99", "q"])
    shown: list[str] = []
    monkeypatch.setattr(show, "both_are_terminals", lambda: True)
    monkeypatch.setattr(show, "ask", lambda _: next(words))
    monkeypatch.setattr(show, "print_page", shown.append)
    show.step_through(
        FinishedGame(game, ("a", "b"), states, (), None),
        [show.Note(f"{step} steps") for step in range(len(states))],
        plain=True,
    )
    # After two rounds, and chance has drawn the last prize: five steps. After one: three. The end.
    assert [text.split(" ")[0] for text in shown] == ["0", "5", "3", "6"]
