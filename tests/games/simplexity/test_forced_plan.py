"""Simplexity's best player takes the quickest forced win, puts off a forced loss, and steps into none."""

import json
from pathlib import Path
from typing import Any

import pytest

from helpers.sizes import COMPILED_ONLY, PLAIN_ONLY, scaled
from saddlepoint import Limits, Simplexity, StopToken
from saddlepoint.games.catalogue.make import make_player
from saddlepoint.games.simplexity.forced import ForcedSearch
from saddlepoint.players.clock import ENDLESS

pytestmark = [pytest.mark.compiles_long, pytest.mark.plain]
GAME = Simplexity()
POSITIONS = Path(__file__).parents[2] / "data" / "simplexity_forced_6x7.jsonl"


def state_after(moves: str) -> Any:
    state = GAME.initial_state()
    for move in moves.split(","):
        state = GAME.next_state(state, 2 * int(move[0]) + "rs".index(move[1]))
    return state


def answer(state: Any, nodes: int, game: Simplexity = GAME) -> Any:
    player: Any = make_player("best", game, Limits(nodes=nodes))
    player.begin(game, state.moves & 1, 1)
    return player.choose(state, ENDLESS)


@COMPILED_ONLY
def test_forced_results_are_played_at_their_distance():
    judge, judged = ForcedSearch(GAME, 16), 0
    for line in POSITIONS.read_text().splitlines():
        told = json.loads(line)
        if told["value"] == 0 or not 5 <= told["plies"] <= 11:
            continue
        state = state_after(told["moves"])
        known = judge.search(state, 12)
        found = answer(state, 400_000)
        after = judge.search(GAME.next_state(state, found.action), 12)
        assert (after.value, after.plies) == (-known.value, known.plies - 1), told["moves"]
        if found.findings is not None:  # of several actions
            assert found.findings.value == known.value * (1 - 2 * (state.moves & 1))
        judged += 1
        if judged == scaled(40, 5):
            break
    assert judged > 4


# After all other actions the other side wins within 13 plies.
WAYS_OUT = {
    "0r,0r,3r,3s,3r,3s,3r,0s,1r,2s,2r,3s,2r,2s,4s,2s,0s,5r": {"5r"},
    "4r,3s,3r,3s,3r,3s,1r,4s,4r,4s,5r,5s,5r,5s,5r,3s,2s,1r": {"0s", "1s", "5s", "6s"},
    "1r,3s,0r,3s,4s,6r,4r,2s,5r,4s,3r,3s,5s,5s,5r,3s": {"6r"},
}


@COMPILED_ONLY
@pytest.mark.parametrize("moves", WAYS_OUT)
def test_an_action_that_loses_by_force_is_not_played(moves):
    state = state_after(moves)
    judge = ForcedSearch(GAME, 16)
    played = answer(state, 250_000).action
    assert GAME.action_to_string(state, state.moves & 1, played) in WAYS_OUT[moves]
    assert not judge.ask(GAME.next_state(state, played), True, 13).reached


@PLAIN_ONLY
def test_a_board_of_more_bits_than_the_forced_search_takes_is_searched():
    game = Simplexity(10, 12)
    state = game.initial_state()
    assert answer(state, 300, game).action in game.legal_actions(state, 0)


def test_a_stopped_player_answers():
    player: Any = make_player("best", GAME)
    player.begin(GAME, 0, 1)
    player.stop = StopToken()
    player.stop.stop()
    assert player.choose(GAME.initial_state(), ENDLESS).action in GAME.legal_actions(GAME.initial_state(), 0)
