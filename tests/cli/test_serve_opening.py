"""When a screen is opened, and when text is printed."""

import io
import sys
from typing import Any

import pytest

from saddlepoint.cli import show as opening
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
    opening._say_what_is_missing.cache_clear()
    return put


def test_a_screen_needs_a_terminal_on_every_side(streams: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    streams()
    assert opening.has_screen(False)
    assert not opening.has_screen(True)
    monkeypatch.setenv("TERM", "dumb")
    assert not opening.has_screen(False)
    monkeypatch.setenv("TERM", "xterm")
    for name in ("stdin", "stdout", "stderr"):
        streams(**{name: False})
        assert not opening.has_screen(False)
    monkeypatch.setattr(sys, "stdin", None)
    assert not opening.has_screen(False)


def test_without_textual_one_line_says_so_once(streams: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "textual", None)
    streams()
    assert not opening.has_screen(False)
    assert not opening.has_screen(False)
    assert sys.stderr.getvalue().count(how_to_install("terminal")) == 1  # type: ignore[attr-defined]
    opening._say_what_is_missing.cache_clear()
    streams(stdout=False)
    assert not opening.has_screen(False)
    assert sys.stderr.getvalue() == ""  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("encoding", "ascii_only"), [("utf-8", False), ("UTF8", False), ("iso8859-1", True), ("ascii", True)]
)
def test_ascii_is_drawn_where_the_encoding_has_no_more(
    monkeypatch: pytest.MonkeyPatch, encoding: str, ascii_only: bool
) -> None:
    monkeypatch.setattr(sys, "stdout", _Stream(True, encoding))
    assert opening.only_ascii(False) is ascii_only
    assert opening.only_ascii(True)
