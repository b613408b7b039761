"""`best` at a price: its options, its habits from a file of games and from the games of a match."""

from pathlib import Path
from typing import Any

import pytest

from saddlepoint.arena.conditions import Job, PlayedGame
from saddlepoint.game.spec import SpecError
from saddlepoint.games.catalogue.games import make_game
from saddlepoint.games.catalogue.make import make_player
from saddlepoint.play.replay import game_json, to_line
from saddlepoint.players.base import PlayerError
from saddlepoint.players.clock import Clock
from saddlepoint.players.solving import TakeGifts, leave_unsolved

pytestmark = [pytest.mark.plain, pytest.mark.compiles_long]
HASTY = Clock(1.0, 0.0)


def answered(
    spec: str, name: str = "biased_rps", games: int = 60, other: int = 0, **options: Any
) -> list[int]:
    """What a player does as player 0, in game after game of one turn against somebody who always does the same."""
    game = make_game(name, **options)
    player, found = make_player(spec, game), []
    for seed in range(games):
        player.begin(game, 0, seed)
        state = game.initial_state()
        player.follow(state, HASTY, (0.0, 0.0))
        found.append(player.choose(state, HASTY).action)  # pyright: ignore[reportAttributeAccessIssue]
        player.follow(game.next_state(state, found[-1], other), HASTY, (0.0, 0.0))
        player.end(0.0)
    player.close()
    return found


def test_with_a_price_it_turns_to_the_answer_to_what_it_meets_and_without_one_it_does_not() -> None:
    paper = 1
    assert answered("best(risk=100)")[5:] == [paper] * 55
    assert set(answered("best(risk=0)")) == {0, 1, 2}
    assert set(answered("best")) == {0, 1, 2}
    assert answered("best(risk=100)", other=paper)[5:] != [paper] * 55


def test_the_habits_of_a_name_come_from_a_file_of_games(here: Path) -> None:
    game = make_game("biased_rps")
    opening = game.to_text(game.initial_state())
    lines = [
        to_line(
            game_json(
                game,
                PlayedGame(Job(n, n, names, opening, 0), 0.0, 0.5, "", actions=(joint,)),
                names,
                opening,
                0,
            )
        )
        for n in range(40)
        for names, joint in (((("anna", "bob"), (0, 1)), (("bob", "anna"), (1, 0)))[n % 2],)
    ]
    Path("games.jsonl").write_text("\n".join(lines) + "\n")
    rock, paper, scissors = 0, 1, 2
    assert answered('best(risk=100,habits="games.jsonl",of=anna)', games=1) == [paper]
    assert answered('best(risk=100,habits="games.jsonl",of=bob)', games=1) == [scissors]
    assert rock not in answered('best(risk=100,habits="games.jsonl",of=bob)', games=1)
    for nobody in ('best(habits="games.jsonl",of=carl)', 'best(habits="games.jsonl",of="./anna.py")'):
        with pytest.raises(SpecError, match="has no game of"):
            make_player(nobody, game)


@pytest.mark.parametrize(
    ("spec", "name", "sentence"),
    [
        ("best(risk=-1)", "biased_rps", "0 or more"),
        ('best(habits="nowhere.jsonl")', "biased_rps", "habits takes a ledger, or a file of games"),
        ("best(risk=lots)", "biased_rps", "risk"),
        ("best(of=anna)", "biased_rps", "habits="),
        ("best(risk=0)", "rubiks_flip", "database"),
        ("best(of=anna)", "rubiks_flip", "database"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(spec: str, name: str, sentence: str) -> None:
    with pytest.raises(SpecError, match=sentence):
        make_player(spec, make_game(name))


def test_a_price_is_a_number() -> None:
    with pytest.raises(ValueError, match="0 or more"):
        TakeGifts(float("nan"))


def test_no_price_is_promised_in_a_game_that_is_not_solved() -> None:
    game = make_game("light_riders")
    leave_unsolved(game)
    player = make_player("best(risk=0)", game)
    player.begin(game, 0, 1)
    with pytest.raises(PlayerError, match="solved games only"):
        player.follow(game.initial_state(), HASTY, (0.0, 0.0))
