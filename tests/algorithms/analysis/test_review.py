"""A game looked at again: what each step was worth and gave away; and recorded games that were lost, with what is known of each.

`light_riders_1` and `_2` are of a contest at short clocks, `battlesnake_*` of the official program. Budgets of nodes: the same on every
machine.
"""

import gzip
import itertools
import random
from dataclasses import replace
from pathlib import Path

import pytest

from helpers.sizes import COMPILED_ONLY
from helpers.small_games import Guess, Turns
from saddlepoint import (
    TERMINAL,
    BackwardInduction,
    Goofspiel,
    LightRiders,
    Limits,
    PrincipalVariation,
    SerialisedAlphaBeta,
    StopToken,
    search,
)
from saddlepoint.algorithms.analysis import Kind, review
from saddlepoint.algorithms.analysis.fair import fair_searcher
from saddlepoint.evaluators import Voronoi
from saddlepoint.games.catalogue.games import read_replay
from saddlepoint.games.catalogue.make import review_search_of
from saddlepoint.play.replay import finished
from saddlepoint.play.review import review_finished
from saddlepoint.play.review_words import verdict_words


def played(game, *joints):
    states = [game.initial_state()]
    for joint in joints:
        states.append(game.advance(states[-1], *joint))
    return states, list(joints)


@pytest.mark.compiles_long
@pytest.mark.plain
def test_the_step_that_lost_the_game_is_the_one_that_gave_it_away():
    game = Guess(size=3, rounds=2)
    states, joints = played(game, (2, 2), (0, 2))
    turns = {turn.step: turn for turn in review(game, states, joints, BackwardInduction(), Limits())}
    assert turns[0].loss == (0.0, 0.0)
    lost = turns[1]
    assert (lost.value, lost.loss, lost.best, lost.played) == (0.0, (1.0, 0.0), (2, 2), (0, 2))
    assert lost.mixtures == ({2: 1.0}, {2: 1.0})
    assert all(turn.exact for turn in turns.values())


@pytest.mark.compiles_long
@pytest.mark.plain
@COMPILED_ONLY
def test_every_value_is_the_exact_games_and_no_loss_is_below_zero():
    """Over whole games of Goofspiel, whose prizes chance draws."""
    game = Goofspiel(cards=3)
    for cards in itertools.permutations(range(3)):
        states, joints = [game.initial_state()], []
        while game.current_player(states[-1]) != TERMINAL:
            own = [game.legal_actions(states[-1], player) for player in (0, 1)]
            joint = tuple(actions[card % len(actions)] for actions, card in zip(own, cards) if actions)
            joints.append(joint or (game.chance_outcomes(states[-1])[0][0], -1))
            states.append(game.advance(states[-1], *joints[-1]))
        turns = list(review(game, states, joints, BackwardInduction(), Limits()))
        assert sorted(turn.step for turn in turns) == list(range(len(joints)))
        for turn in turns:
            assert turn.value == pytest.approx(
                search(game, states[turn.step], BackwardInduction()).value, abs=1e-9
            )
            assert min(turn.loss) >= 0.0
            assert turn.played == joints[turn.step]


@pytest.mark.compiles_long
@pytest.mark.plain
def test_at_a_turn_only_who_moves_can_give_something_away():
    game = Turns()
    states, joints = played(game, (1, -1), (0, -1), (-1, 0), (0, -1), (-1, 1))
    for turn in review(game, states, joints, PrincipalVariation(), Limits()):
        for player in (0, 1):
            moves = game.current_player(states[turn.step]) == player
            assert (turn.best[player] >= 0) == moves
            assert moves or turn.loss[player] == 0.0


@pytest.mark.compiles_long
@pytest.mark.plain
def test_steps_can_be_chosen_and_a_stop_ends_it():
    game = Guess(rounds=3)
    states, joints = played(game, (0, 1), (1, 1), (2, 0))
    assert [
        turn.step for turn in review(game, states, joints, BackwardInduction(), Limits(), steps=[1, 0])
    ] == [1, 0]
    stop = StopToken()
    turns = review(game, states, joints, BackwardInduction(), Limits(), stop=stop)
    assert next(turns).step == 2
    stop.stop()
    assert list(turns) == []


@pytest.mark.compiles_long
@pytest.mark.plain
def test_both_values_of_a_mean_are_of_searches_to_one_depth():
    """Within a number of nodes one may look deeper: its value beside the other's would be no bound."""
    game, algorithm, steps = LightRiders(10, 10), SerialisedAlphaBeta(Voronoi()), random.Random(7)
    state = game.initial_state()
    for _ in range(4):
        state = game.advance(
            state, *(steps.choice(list(game.search_actions(state, player))) for player in (0, 1))
        )
    first, second = (replace(algorithm, first=player) for player in (0, 1))
    assert [search(game, state, one, Limits(nodes=300)).depth for one in (first, second)] == [3, 4]
    assert search(game, state, second, Limits(4)).value != search(game, state, second, Limits(3)).value
    found = fair_searcher(game, algorithm).search(state, Limits(nodes=600))
    assert found.depth == 3
    assert found.bounds == tuple(search(game, state, one, Limits(3)).value for one in (first, second))
    assert found.bounds[0] <= found.value <= found.bounds[1]


# -- recorded games that were lost ---------------------------------------------------------------------------------------

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
