"""Recorded games that were lost, and what is known of each from deeper searches and the official program's files.

`light_riders_1` and `_2` are of a contest at short clocks, `battlesnake_*` of the official program. Budgets of nodes: the same on every
machine.
"""

import gzip
from pathlib import Path

import pytest

from saddlepoint.algorithms import Limits
from saddlepoint.algorithms.analysis import Kind
from saddlepoint.games.catalogue.games import read_replay
from saddlepoint.games.catalogue.make import review_search_of
from saddlepoint.play.replay import finished
from saddlepoint.play.review import review_finished
from saddlepoint.play.review_words import verdict_words

LOST_GAMES = Path(__file__).parents[2] / "data" / "lost_games"


@pytest.fixture
def reviewed(tmp_path):
    """A function: the review of a game, and its verdict in words."""

    def look(name, number=1, nodes=30_000):
        (packed,) = LOST_GAMES.glob(f"{name}.jsonl.gz")
        path = tmp_path / f"{name}.jsonl"
        path.write_bytes(gzip.decompress(packed.read_bytes()))
        played = finished(read_replay(path, number))
        found = review_finished(played, review_search_of(played.game).algorithm, Limits(nodes=nodes))
        assert found is not None
        return played, found, " ".join(verdict_words(played, found))

    return look


@pytest.mark.slow
def test_light_riders_a_game_that_turned_in_rounds_23_to_26(reviewed):
    played, found, said = reviewed("light_riders_1", 1, 300_000)
    assert 22 <= played.turns.number(found.verdict.step) <= 26
    assert (found.verdict.kind, found.verdict.loser) == (Kind.SLIDE, 1)
    assert "best was shut in and ran into its own trail. best lost the game over rounds 2" in said


@pytest.mark.slow
def test_light_riders_two_games_whose_losers_were_worse_from_round_6_on_and_whose_starts_are_mirror_images(
    reviewed,
):
    steps = []
    for number, loser in ((2, 0), (3, 1)):
        played, found, _ = reviewed("light_riders_1", number, 100_000)
        assert played.players[found.verdict.loser] == "best"
        assert found.verdict.loser == loser
        assert played.turns.number(found.verdict.step) < 6
        steps.append(found.verdict.step)
    assert steps[0] == steps[1]


@pytest.mark.slow
def test_light_riders_a_game_that_turned_between_rounds_22_and_24(reviewed):
    played, found, _ = reviewed("light_riders_2", 1, 300_000)
    assert 22 <= played.turns.number(found.verdict.step) <= 24
    assert found.verdict.loser == 1


@pytest.mark.slow
def test_battlesnake_a_snake_that_starved_among_food_slid_into_it(reviewed):
    """Health 50 at turn 60; it circled with the other snake and starved at turn 110."""
    played, found, said = reviewed("battlesnake_starved", nodes=20_000)
    assert (found.verdict.kind, found.verdict.loser) == (Kind.SLIDE, 1)
    assert played.turns.done(len(played.states) - 1) == 110
    assert "ours starved with 8 pieces of food on the board: it had not eaten since turn 10." in said
    assert "to 110" in said


@pytest.mark.slow
def test_battlesnake_a_snake_that_was_shut_in_was_probably_lost_before_turn_451(reviewed):
    played, found, said = reviewed("battlesnake_shut_in", nodes=20_000)
    assert found.verdict.loser == 0
    assert 400 < played.turns.number(found.verdict.step) <= 451
    assert "lost the game" in said


@pytest.mark.slow
def test_battlesnake_a_piece_of_food_that_saved_the_other_snake_was_no_move(reviewed):
    """The other was about to be shut in when a piece appeared beside its head, at turn 620 of the file."""
    played, found, said = reviewed("battlesnake_food", nodes=5_000)
    assert (found.verdict.kind, found.verdict.loser) == (Kind.CHANCE, 1)
    assert 619 <= played.turns.number(found.verdict.step) <= 621
    assert "(food 7,7) lost the game for ours" in said
    assert "No move is to blame" in said
