"""Connect Four's proofs of results, against positions that a second program solved and against plain search."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings, strategies as st

from saddlepoint import TERMINAL, BackwardInduction, ConnectFour, Limits, StopToken, search
from saddlepoint.compiled import PLAIN_PYTHON
from saddlepoint.games.catalogue.make import make_player
from saddlepoint.games.connect_four.proofs import ProofSearch
from saddlepoint.players.clock import ENDLESS

pytestmark = pytest.mark.plain
GAME = ConnectFour()
WORTH = {"+": 1, "=": 0, "-": -1, ".": -2}
POSITIONS = [
    line.split()
    for line in (Path(__file__).parents[2] / "data" / "connect_four_results.txt").read_text().splitlines()[1:]
]
SIZES = [(4, 4, 3), (4, 4, 4), (5, 3, 3), (3, 5, 3), (4, 3, 4), (5, 4, 4), (6, 2, 2)]


@pytest.mark.skipif(PLAIN_PYTHON, reason="60,000 positions a move")
@pytest.mark.compiles_long
def test_best_keeps_the_result_where_a_search_of_as_many_positions_may_not():
    player: Any = make_player("best", GAME, Limits(nodes=60_000))
    for moves, results in POSITIONS:
        state = GAME.initial_state(moves)
        player.begin(GAME, state.turn, 1)
        answer = player.choose(state, ENDLESS)
        worth = [WORTH[result] for result in results]
        assert worth[answer.action] == max(worth), moves
        assert answer.findings.exact
        assert answer.findings.value == max(worth) * (1 if state.turn == 0 else -1)
        assert answer.findings.best_action(state.turn) == answer.action
        assert answer.findings.statistics.nodes <= 60_001


@pytest.mark.compiles_long
@settings(deadline=None, max_examples=8 if PLAIN_PYTHON else 60)
@given(st.sampled_from(SIZES), st.lists(st.integers(0, 5), max_size=12))
def test_what_is_proven_is_the_value_of_the_position(size: tuple[int, int, int], moves: list[int]):
    game = ConnectFour(*size)
    state = game.initial_state()
    for move in moves:
        legal = game.legal_actions(state, state.turn)
        after = game.next_state(state, legal[move % len(legal)])
        if game.current_player(after) == TERMINAL:
            break
        state = after
    assume(len(moves) >= game.max_depth - 9)  # else it is long for the plain search
    value = search(game, state, BackwardInduction()).value * (1 if state.turn == 0 else -1)
    proven = ProofSearch(game).best(state, game.legal_actions(state, state.turn)[0])
    assert proven.value == value
    after = game.next_state(state, proven.action)
    kept = search(game, after, BackwardInduction()).value * (1 if state.turn == 0 else -1)
    assert kept == value


def test_without_a_proof_the_column_asked_for_stands():
    state = GAME.initial_state("44")
    proven = ProofSearch(GAME).best(state, 2, nodes=50)
    assert (proven.action, proven.value) == (2, None)
    assert proven.nodes <= 54


def test_a_column_that_is_seen_to_lose_gives_way_before_anything_is_proven():
    state = GAME.initial_state("17273")  # x completes the lowest row in column 4
    proven = ProofSearch(GAME).best(state, 6, nodes=400)
    assert (proven.action, proven.value) == (3, None)


def test_a_stopped_proof_is_none():
    stop = StopToken()
    stop.stop()
    proven = ProofSearch(GAME).best(GAME.initial_state("4444"), 3, stop=stop)
    assert (proven.action, proven.value) == (3, None)


@pytest.mark.compiles_long
def test_a_limit_of_depth_alone_is_kept():
    player: Any = make_player("best", GAME, Limits(depth=2))
    state = GAME.initial_state(POSITIONS[0][0])
    player.begin(GAME, state.turn, 1)
    assert player.choose(state, ENDLESS).findings.depth <= 2
