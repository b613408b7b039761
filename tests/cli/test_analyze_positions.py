"""`analyze FILE --game NAME`: any position of any game, as the game writes it, is read as what it is."""

import random
from pathlib import Path

import pytest

from saddlepoint import CHANCE, TERMINAL
from saddlepoint.cli.analyze import read_asked_position
from saddlepoint.games.catalogue.games import make_game, usable_games

pytestmark = pytest.mark.plain


@pytest.mark.parametrize("name", [entry.name for entry in usable_games()])
def test_what_a_game_writes_is_read_with_the_games_name_alone(name: str, tmp_path: Path) -> None:
    game, draw = make_game(name), random.Random(name)
    for _ in range(3):
        state, passed = game.initial_state(), []
        while (node := game.current_player(state)) != TERMINAL:
            if node != CHANCE:
                passed.append(state)
            acting = game.players_to_act(state)
            actions = [
                draw.choice(game.choices(state, player)) if player in acting else -1 for player in (0, 1)
            ]
            if node == CHANCE:
                actions[0] = draw.choice(game.chance_outcomes(state))[0]
            state = game.advance(state, *actions)
        text = game.to_text(draw.choice(passed))
        file = tmp_path / "position.txt"
        file.write_text(text, encoding="utf-8")
        rules, read, _ = read_asked_position(str(file), name, None)
        assert rules == game
        assert rules.to_text(read) == text


@pytest.mark.parametrize(
    ("game", "rows"),
    [
        ("tron", "0...\n.x..\n...1"),
        ("light_riders", "0...\n.x..\n...1"),
        ("light_riders", "0,.,.,.\n.,x,.,.\n.,.,.,1"),
    ],
)
def test_the_rows_of_a_field_say_how_large_it_is(game: str, rows: str, tmp_path: Path) -> None:
    file = tmp_path / "position.txt"
    file.write_text(rows, encoding="utf-8")
    rules, state, _ = read_asked_position(str(file), game, None)
    assert (rules.width, rules.height) == (4, 3)  # type: ignore[attr-defined]
    assert rules.to_text(state).splitlines()[-3:] == ["0...", ".x..", "...1"]
    with pytest.raises(ValueError, match="4x3|5x5|rows"):
        read_asked_position(str(file), game, "5x5")
