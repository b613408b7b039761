"""Forced wins and losses of Simplexity, against plain minimax, known boards and positions of strong games."""

import json
import signal
import threading
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from helpers import reference_simplexity as reference
from helpers.sizes import COMPILED_ONLY
from saddlepoint import GameError, Limits, PrincipalVariation, StopToken, search
from saddlepoint.games.simplexity import DRAW, UNDECIDED, Simplexity
from saddlepoint.games.simplexity.facts import answer, keep_fact, key_of, new_facts, slot_of, tried_first
from saddlepoint.games.simplexity.forced import ForcedSearch

pytestmark = pytest.mark.compiles_long
GAME = Simplexity()

POSITIONS = Path(__file__).parents[2] / "data" / "simplexity_forced_6x7.jsonl"

# rows, cols, win, round, square: the value for White
BOARDS = {
    (3, 3, 3, 2, 3): -1,
    (3, 3, 3, 9, 9): 0,
    (3, 4, 3, 3, 3): 1,
    (4, 3, 3, 3, 3): 1,
    (3, 5, 3, 4, 4): 1,
    (5, 3, 3, 4, 4): -1,
    (4, 4, 3, 4, 4): 1,
    (4, 4, 3, 2, 6): -1,
    (4, 4, 3, 8, 0): 1,
    (3, 5, 3, 1, 7): -1,
    (3, 5, 4, 4, 4): 0,
    (5, 3, 4, 4, 4): 0,
    (4, 4, 4, 4, 4): 0,
    (4, 5, 4, 2, 8): -1,
    (4, 5, 4, 5, 5): 0,
    (5, 4, 4, 5, 5): 0,
}

SIZES = [
    (3, 3, 3, 2, 3),
    (3, 3, 3, 9, 9),
    (3, 3, 3, 1, 4, "own"),
    (3, 5, 4, 4, 4),
    (4, 3, 3, 1, 1),
    (4, 4, 3, 2, 6),
    (4, 4, 4, 4, 4),
    (3, 3, 1, 1, 1),
]
"""Boards of all kinds: pieces that run out or do not fill it, one short side, lines of one piece."""


@pytest.fixture(scope="module")
def searches():
    return {size: ForcedSearch(Simplexity(*size), 1) for size in SIZES}


@pytest.mark.slow
@settings(max_examples=50)
@given(st.data())
def test_value_and_distance_are_those_of_plain_minimax(searches, data):
    size = data.draw(st.sampled_from(SIZES))
    game = searches[size].game
    draw = np.random.default_rng(data.draw(st.integers(0, 2**16)))
    state, board = reference.quiet_game(game, draw, data.draw(st.integers(0, game.last_move)))
    left = game.last_move - board.moves
    plies = left if left <= 6 else data.draw(st.integers(0, 4))
    found = searches[size].search(state, plies)
    assert (found.value, found.plies) == reference.forced(board, plies)


@pytest.mark.plain
def test_a_small_board_by_the_uncompiled_rules():
    search_ = ForcedSearch(Simplexity(3, 3, 3, 2, 3), 1)
    board = reference.after(search_.game, [(1, "r"), (1, "s"), (0, "r")])
    found = search_.search(search_.game.from_text(board.text()))
    assert (found.value, found.plies) == reference.forced(board, 8)
    assert found.exact


@pytest.mark.parametrize(("size", "value"), BOARDS.items(), ids=str)
def test_the_known_boards_have_their_values(size, value):
    game = Simplexity(*size)
    found = ForcedSearch(game, 16).search(game.initial_state())
    assert (found.value, found.exact) == (value, True)
    assert found.searched == (game.last_move if value == 0 else found.plies - 1)


def positions():
    with open(POSITIONS) as lines:
        return [json.loads(line) for line in lines]


CORRECTED = {
    "3r,0s,3r,0s,3r,3s,0r,2s,2r,2s,5r,1s,1r,6s,1r,0s,1r,1s,1s,6s,6r,0r,3s,2r,2s,3r,6s,0r,5s,5r,5s,2r,5s,5r,6s": (
        1,
        4,
    ),
    "3r,0s,3r,0s,0r,2s,3r,3s,6r,3s,4r,5s,6r,2s,2r,5s,5r,2s,6r,6s,0s,2s,0s,0r,4s,2r": (-1, 9),
    "3r,3s,3r,3s,0r,2s,2r,2s,0r,2s,2r,2r,1s,0s,0r,0r,6r,0r,3s,4s,5s,3r": (-1, 10),
    "3r,4s,3r,3s,4r,1s,1r,4s,4r,3s,6r,3s,3r,6s,6r,6r,1r,0s,0s,0s,0r,0r,0s,4r,5s": (1, 12),
    "3r,2s,0r,3s,0r,5s,0r,0s,2r,2s,4r": (1, 13),
    "3r,4s,1r,3s,0r,2s,1r,1s,3r,3s,4r": (1, 13),
}
"""Positions where the file says otherwise than the rules, by this search, the general one and, where short, minimax."""


@pytest.fixture(scope="module")
def base():
    return ForcedSearch(Simplexity(), 32)


def test_the_positions_of_strong_games_have_their_values_and_distances(base):
    for record in positions():
        found = base.search(base.game.after(record["moves"]), 13)
        expected = CORRECTED.get(record["moves"], (record["value"], record["plies"]))
        assert (found.value, found.plies) == expected, record
        assert found.exact == (found.value != 0)


@pytest.mark.parametrize("moves", [moves for moves, (_, plies) in CORRECTED.items() if plies < 13])
def test_where_the_file_is_corrected_the_general_search_says_the_same(base, moves):
    value, plies = CORRECTED[moves]
    state = base.game.after(moves)
    mover = 1 - 2 * (state.moves & 1)
    algorithm = PrincipalVariation(megabytes=64)
    deep = search(base.game, state, algorithm, Limits(depth=plies))
    assert deep.exact
    assert (deep.value * mover, deep.plies) == (value, plies)
    assert search(base.game, state, algorithm, Limits(depth=plies - 1)).value == pytest.approx(0, abs=1e-9)


@pytest.mark.compiles_soon
def test_winning_and_holding_can_be_asked_for_alone(base):
    for record in positions()[:60]:
        state = base.game.after(record["moves"])
        found = base.search(state, 13)
        assert base.ask(state, True, 13).reached == (found.value > 0)
        assert base.ask(state, False, 13).reached == (found.value >= 0)
        if found.value:
            assert base.ask(state, True, found.plies - 1).reached is False
            assert base.ask(state, False, found.plies - 1).reached is True


def test_a_line_is_best_play_to_the_end(base):
    game = base.game
    for record in positions()[:120]:
        state = game.after(record["moves"])
        found = base.search(state, 13)
        line = base.line(state, found)
        assert len(line) == found.plies
        winner = found.value * (1 - 2 * (state.moves & 1))
        for action in line:
            state = game.next_state(state, action)
        assert game.returns(state) == winner
        assert (state.result == UNDECIDED) == (found.value == 0)


def test_without_time_or_plies_it_says_how_far_it_came():
    search_ = ForcedSearch(GAME, 16)
    steps = []
    found = search_.search(GAME.initial_state(), seconds=0.3, on_step=lambda *step: steps.append(step))
    assert (found.value, found.plies, found.exact) == (0, 0, False)
    assert found.searched == steps[-1][0] == len(steps) >= 8
    assert found.seconds < 0.6
    assert search_.search(GAME.initial_state(), 5).searched == 5
    assert search_.ask(GAME.initial_state(), False, seconds=0.1).reached is None


def test_one_question_is_answered_four_plies_further_at_a_time():
    """On 5x5 Red wins with the last piece but one (see the table of solved boards)."""
    game = Simplexity(5, 5, 4, 6, 7)
    search_ = ForcedSearch(game, 256)
    steps = []
    answer = search_.ask(game.initial_state(), False, on_step=lambda *step: steps.append(step))
    assert (answer.reached, answer.plies, answer.exact) == (False, 24, True)
    assert [step[0] for step in steps] == [12, 16, 20]
    assert answer.nodes > steps[-1][1] > 0
    kept = search_.ask(game.initial_state(), False, 20)
    assert (kept.reached, kept.plies, kept.exact) == (True, 20, False)
    unanswered = ForcedSearch(Simplexity(), 16).ask(Simplexity().initial_state(), True, seconds=0.3)
    assert (unanswered.reached, unanswered.exact) == (None, False)
    assert 12 <= unanswered.plies < 42


def test_positions_with_the_same_key_are_told_apart_by_the_rest_of_it():
    """The largest numbers that there can be: nothing of them runs into what is beside it."""
    table, key, largest = new_facts(0.001), np.uint64(12345 * 2 + 1), (1 << 18) - 1
    for check, horizon, drop in ((7, 9, 60), (largest, 62, 125), (0, 11, 255)):
        keep_fact(table, key, np.uint64(check), horizon, True, True, drop, 255)
    slots = [slot_of(table, key, np.uint64(check)) for check in (7, largest, 0, 9)]
    assert len(set(slots)) == 4
    assert slots[3] == -1
    kept = [table[slot, 1] for slot in slots[:3]]
    assert [[answer(facts, horizon, True) for horizon in (8, 9, 11, 61, 62)] for facts in kept] == [
        [-1, 1, 1, 1, 1],
        [-1, -1, -1, -1, 1],
        [-1, -1, 1, 1, 1],
    ]
    assert [answer(facts, 62, False) for facts in kept] == [1, 1, 1]
    assert [tried_first(facts) for facts in kept] == [60, 125, 255]


def test_alike_positions_have_different_keys():
    """Sets that change places, and other pieces left to drop, make other positions."""
    sets = [np.uint64(word) for word in (3, 5, 9, 17)]
    with np.errstate(over="ignore"):
        keys = {
            tuple(map(int, key_of(*order, np.uint64(supply))))
            for order in permutations(sets)
            for supply in (0, 1)
        }
    assert len({key for key, _ in keys}) == 48
    assert len({check for _, check in keys}) > 40
    assert all(key % 2 == 1 and check < 1 << 18 for key, check in keys)


def test_a_game_that_is_over_needs_no_search(base):
    over = base.game.after("0r,1s,0r,1s,0r,1s,0r")
    found = base.search(over)
    assert (found.value, found.plies, found.exact, base.line(over, found)) == (-1, 0, True, ())
    assert [base.ask(over, attacking)[:3] for attacking in (True, False)] == [
        (False, 0, True),
        (False, 0, True),
    ]
    nobody = Simplexity(4, 4, 4, 0, 0)
    assert nobody.initial_state().result == DRAW
    found = ForcedSearch(nobody, 1).search(nobody.initial_state())
    assert (found.value, found.exact) == (0, True)


@pytest.mark.compiles_soon
def test_larger_boards_are_refused():
    with pytest.raises(GameError, match=r"at most 64 bits, \(rows \+ 1\) x cols, not 8x13"):
        ForcedSearch(Simplexity(8, 13, 4, 26, 26))


def test_limits_of_positions_and_a_stop_end_a_search() -> None:
    """The answer is open, and what is asked afterwards has its own limits."""
    search, start, stop = ForcedSearch(Simplexity(), 1), Simplexity().initial_state(), StopToken()
    limited = search.ask(start, True, nodes=2_000)
    assert (limited.reached, limited.exact, limited.nodes) == (None, False, 2_001)
    assert search.ask(start, True, 5).reached is False
    stop.stop()
    stopped = search.search(start, stop=stop)
    assert (stopped.value, stopped.searched, stopped.nodes) == (0, 0, 1)
    assert search.search(start, 5).searched == 5


@COMPILED_ONLY
def test_an_interruption_goes_through_while_it_searches() -> None:
    search, start = ForcedSearch(Simplexity(), 1), Simplexity().initial_state()
    timer = threading.Timer(0.3, signal.raise_signal, (signal.SIGINT,))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        search.ask(start, True)
    timer.join()
    assert search.ask(start, True, 5).reached is False
