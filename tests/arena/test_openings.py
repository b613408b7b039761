"""Where games begin."""

from pathlib import Path

import pytest

from saddlepoint.arena.openings import make_openings, random_openings
from saddlepoint.game.base import CHANCE, GameError
from saddlepoint.games.goofspiel import Goofspiel
from saddlepoint.games.light_riders import LightRiders
from saddlepoint.games.simplexity import Simplexity

RIDERS = LightRiders()


def test_the_contest_draws_from_84_starts() -> None:
    starts = make_openings(RIDERS, "starts", 84, seed=1)
    assert len(set(starts)) == 84
    assert (
        starts == make_openings(RIDERS, "starts", 84, seed=1) != make_openings(RIDERS, "starts", 84, seed=2)
    )
    assert make_openings(RIDERS, "start", 1, 1) == [RIDERS.to_text(RIDERS.initial_state())]
    assert len(make_openings(Goofspiel(), "starts", 10, 1)) == 1


def test_random_openings_are_reached_by_so_many_legal_moves() -> None:
    game = Simplexity()
    found = make_openings(game, "random:4", 50, seed=3)
    assert len(set(found)) == len(found) == 50
    for text in found:
        state = game.from_text(text)
        assert game.to_text(state) == text
        assert game.current_player(state) == 0
        assert text.count("\n") == game.to_text(game.initial_state()).count("\n")
    assert found == make_openings(game, "random:4", 50, seed=3) != make_openings(game, "random:4", 50, seed=4)


def test_random_openings_leave_chance_behind() -> None:
    game = Goofspiel(cards=4, order="random")
    for text in random_openings(game, 1, 10, seed=1):
        assert game.current_player(game.from_text(text)) != CHANCE


def test_a_game_that_is_over_too_soon_says_so() -> None:
    with pytest.raises(GameError, match="no position 900 random moves from its start"):
        make_openings(LightRiders(4, 4), "random:900", 2, 1)


def test_positions_from_a_file(tmp_path: Path) -> None:
    game = LightRiders(8, 6)
    texts = random_openings(game, 3, 5, seed=1)
    file = tmp_path / "positions.txt"
    file.write_text("\n\n".join(texts) + "\n\n\n")
    assert sorted(make_openings(game, str(file), 5, 1)) == sorted(texts)
    file.write_text(texts[0] + "\n\nnonsense\n")
    with pytest.raises(GameError, match="position 2"):
        make_openings(game, str(file), 5, 1)
    file.write_text("\n\n")
    with pytest.raises(GameError, match="has no position"):
        make_openings(game, str(file), 5, 1)


def test_what_an_opening_may_be() -> None:
    for text, said in (("random:x", "random:PLIES"), ("nowhere.txt", "there is no 'nowhere.txt'")):
        with pytest.raises(GameError, match=said):
            make_openings(RIDERS, text, 5, 1)
