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


BEST = "best was shut in and ran into its own trail. best lost the game over rounds 2"
STARVED = "ours starved with 8 pieces of food on the board: it had not eaten since turn 10."
GAMES = {
    "Light Riders turned in rounds 23 to 26": (
        ("light_riders_1", 1, 300_000),
        (22, 26),
        Kind.SLIDE,
        1,
        [BEST],
    ),
    "Light Riders turned between rounds 22 and 24": (("light_riders_2", 1, 300_000), (22, 24), None, 1, []),
    "Light Riders, worse from round 6 on": (("light_riders_1", 2, 100_000), (0, 5), None, 0, []),
    "Light Riders, from that start's mirror image": (("light_riders_1", 3, 100_000), (0, 5), None, 1, []),
    "Battlesnake, health 50 at turn 60, starved at turn 110 having circled with the other snake": (
        ("battlesnake_starved", 1, 20_000),
        (0, 110),
        Kind.SLIDE,
        1,
        [STARVED, "to 110"],
    ),
    "Battlesnake, shut in and probably lost before turn 451": (
        ("battlesnake_shut_in", 1, 20_000),
        (401, 451),
        None,
        0,
        ["lost the game"],
    ),
    "Battlesnake, food at turn 620 beside the head of the other, which was about to be shut in": (
        ("battlesnake_food", 1, 5_000),
        (619, 621),
        Kind.CHANCE,
        1,
        ["(food 7,7) lost the game for ours", "No move is to blame"],
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_who_lost_a_game_and_where_is_what_is_known_of_it(reviewed, game):
    asked, (first, last), kind, loser, told = GAMES[game]
    played, found, said = reviewed(*asked)
    assert kind in (None, found.verdict.kind)
    assert found.verdict.loser == loser
    assert first <= played.turns.number(found.verdict.step) <= last
    assert [words for words in told if words not in said] == []


@pytest.mark.slow
def test_the_same_player_lost_games_from_mirror_images_at_the_same_step(reviewed):
    reviews = [reviewed("light_riders_1", number, 100_000) for number in (2, 3)]
    assert {played.players[found.verdict.loser] for played, found, _ in reviews} == {"best"}
    assert len({found.verdict.step for _, found, _ in reviews}) == 1


@pytest.mark.slow
def test_the_snake_that_starved_died_at_turn_110(reviewed):
    played, _, _ = reviewed("battlesnake_starved", nodes=20_000)
    assert played.turns.done(len(played.states) - 1) == 110
