"""Where games begin."""

from pathlib import Path

import pytest

from saddlepoint import CHANCE, GameError, Goofspiel, LightRiders, Simplexity
from saddlepoint.arena.openings import make_openings, random_openings

RIDERS, SMALL = LightRiders(), LightRiders(8, 6)


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


def test_positions_from_a_file(tmp_path: Path) -> None:
    texts = random_openings(SMALL, 3, 5, seed=1)
    file = tmp_path / "positions.txt"
    file.write_text("\n\n".join(texts) + "\n\n\n")
    assert sorted(make_openings(SMALL, str(file), 5, 1)) == sorted(texts)


@pytest.mark.parametrize(
    ("asked", "content", "said"),
    [
        ("random:900", "", "no position 900 random moves from its start"),
        ("random:x", "", "random:PLIES"),
        ("nowhere.txt", "", "there is no 'nowhere.txt'"),
        ("own.txt", "nonsense\n", "position 1"),
        ("own.txt", SMALL.to_text(SMALL.initial_state()) + "\n\nnonsense\n", "position 2"),
        ("own.txt", "\n\n", "has no position"),
    ],
)
@pytest.mark.usefixtures("here")
def test_what_is_no_opening_is_told(asked: str, content: str, said: str) -> None:
    Path("own.txt").write_text(content)
    with pytest.raises(GameError, match=said):
        make_openings(SMALL, asked, 5, 1)
