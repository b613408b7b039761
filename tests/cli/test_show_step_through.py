"""Stepping through a game at a plain prompt."""

from collections.abc import Iterator

import pytest

from saddlepoint.cli import show as step_through
from saddlepoint.games.goofspiel import Goofspiel
from saddlepoint.play.position_text import positions_of_text
from saddlepoint.play.replay import FinishedGame

pytestmark = pytest.mark.plain


def test_a_number_is_that_of_a_turn_and_what_chance_does_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    game = Goofspiel(3)
    states = positions_of_text(game, "moves: prize_1 1/1 prize_3 2/3 prize_2 3/2")
    words: Iterator[str] = iter(["2", "1", "99", "q"])
    shown: list[str] = []
    monkeypatch.setattr(step_through, "both_are_terminals", lambda: True)
    monkeypatch.setattr(step_through, "ask", lambda _: next(words))
    monkeypatch.setattr(step_through, "print_page", shown.append)
    notes = [step_through.Note(f"{step} steps") for step in range(len(states))]
    step_through.step_through(FinishedGame(game, ("a", "b"), states, (), None), notes, plain=True)
    # After two rounds, and chance has drawn the last prize: five steps. After one: three. The end.
    assert [text.split(" ")[0] for text in shown] == ["0", "5", "3", "6"]
