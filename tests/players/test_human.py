"""A person at the terminal: asked until the answer is a move."""

import io
from collections.abc import Callable

import pytest

from saddlepoint.games.light_riders import LightRiders
from saddlepoint.play.game import play_game
from saddlepoint.players.base import PlayerError, RandomPlayer
from saddlepoint.players.clock import Clock
from saddlepoint.players.human import HumanPlayer


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Sets what is typed."""
    return lambda text: monkeypatch.setattr("sys.stdin", io.StringIO(text))


def test_asks_until_the_answer_is_a_move(
    typed: Callable[[str], None], capsys: pytest.CaptureFixture[str]
) -> None:
    typed("\nsideways\nl\n")
    game, player = LightRiders(), HumanPlayer()
    player.begin(game, 1)
    assert player.choose(game.initial_state(), Clock()) == 3
    shown = capsys.readouterr().out
    assert shown.count("your move") == 3
    assert "'sideways' is not a legal action" in shown


def test_the_end_of_the_input_is_an_error_not_a_loop(typed: Callable[[str], None]) -> None:
    typed("")
    player = HumanPlayer()
    player.begin(LightRiders(), 0)
    with pytest.raises(PlayerError, match="the input ended"):
        player.choose(LightRiders().initial_state(), Clock())


def test_a_move_taken_back_was_never_made(typed: Callable[[str], None]) -> None:
    typed("up\nup\nundo\ndown\n")
    game, human = LightRiders(6, 6), HumanPlayer()
    undone: list[tuple[object, int]] = []
    record = play_game(
        game, [human, RandomPlayer()], seed=1, on_undo=lambda state, steps: undone.append((state, steps))
    )
    first = game.next_state(record.start, *record.actions[0])
    assert undone == [(first, 1)]
    assert [joint[0] for joint in record.actions] == [0, 2]  # up, and down instead of up
    assert "the input ended" in str(record.faults[0])


def test_at_the_start_there_is_nothing_to_take_back(typed: Callable[[str], None]) -> None:
    typed("undo\nup\n")
    game = LightRiders(6, 6)
    human = HumanPlayer()
    record = play_game(game, [human, RandomPlayer()], seed=1, on_undo=lambda state, steps: None)
    assert len(record.actions) == 1


def test_where_moves_cannot_be_taken_back_the_wish_is_a_fault(typed: Callable[[str], None]) -> None:
    typed("undo\n")
    human = HumanPlayer()
    assert "taken back" in str(play_game(LightRiders(6, 6), [human, RandomPlayer()], seed=1).faults[0])


def test_a_hint_is_a_legal_move_of_the_adviser(
    typed: Callable[[str], None], capsys: pytest.CaptureFixture[str]
) -> None:
    game, human, alone = LightRiders(6, 6), HumanPlayer(adviser=RandomPlayer), HumanPlayer()
    typed("hint\nup\n")
    human.begin(game, 0, 3)
    assert human.choose(game.initial_state(), Clock()) == 0
    shown = capsys.readouterr().out
    assert any(f"try {name}" in shown for name in ("up", "right", "down"))
    human.close()
    typed("hint\nup\n")
    alone.begin(game, 0, 3)
    alone.choose(game.initial_state(), Clock())
    assert "there is nobody to ask" in capsys.readouterr().out
