"""Rubik's Flip by its rules: locks, rows, flips, ends, counts of turns and positions, text."""

import random

import pytest
from hypothesis import given, strategies as st

from helpers.flip_positions import oracle, outcome_of_end, played
from helpers.reference_rubiks_flip import Flip
from helpers.sizes import COMPILED_ONLY
from saddlepoint import check_game
from saddlepoint.compiled import PLAIN_PYTHON
from saddlepoint.game.base import TERMINAL, GameError, IllegalActionError
from saddlepoint.games.catalogue.games import make_game
from saddlepoint.games.rubiks_flip import RubiksFlip, State

pytestmark = pytest.mark.compiles_long

GAME = RubiksFlip()
RULES = ("draw", "opponent", "mover")
compiled_only = pytest.mark.skipif(PLAIN_PYTHON, reason="millions of positions")


def after(text: str, turn: str, game: RubiksFlip = GAME) -> State:
    state = game.from_text(text)
    return game.next_state(state, game.string_to_action(state, game.current_player(state), turn))


@pytest.mark.plain
@pytest.mark.parametrize("rule", ["draw", *(pytest.param(rule, marks=COMPILED_ONLY) for rule in RULES[1:])])
def test_it_keeps_what_a_game_promises(rule):
    # As plain Python near the end, where turns are fewer; compiled from the start.
    game = RubiksFlip(rule)
    check_game(game, playouts=1, states=[played(game, 13, random.Random(7))] if PLAIN_PYTHON else None)


@pytest.mark.compiles_soon
@pytest.mark.plain
@pytest.mark.parametrize(
    ("text", "turn", "expected"),
    [
        # A flip moves an opponent's tile one step and turns it over.
        ("R.../..../..../....", "a1>b1 d4W", ".B../..../..../...W"),
        (".B../..../..../...W", "d4>d3 d4R", ".B../..../...Y/...R"),
        # The square just left may be placed on.
        ("R.../..../..../....", "a1>b1 a1Y", "YB../..../..../...."),
    ],
)
def test_a_turn_is_a_flip_and_a_placement(text, turn, expected):
    assert GAME.to_text(after(text, turn)) == expected


@pytest.mark.plain
@pytest.mark.parametrize(
    ("text", "turn"),
    [
        ("R.../..../..../....", "a1>b1 b1Y"),  # never onto the square just taken
        ("R.../..../..../....", "b1W"),  # the flip is mandatory
        ("R.../..../..../....", "a1>b2 c1W"),  # never diagonal
        ("R.../..../..../....", "a1>a1 c1W"),  # never in place
        ("R.../..../..../....", "a1>c1 b1W"),  # one step
        ("RW../..../..../....", "a1>a2 c1R"),  # never an own tile
        ("RW../..../..../....", "b1>a1 c1R"),  # never onto a tile
        ("R.../..../..../....", "a1>b1 c1R"),  # the opponent's colour
        ("R.../..../..../....", "a1>b1"),  # without placing
        ("R.../..../..../....", "nonsense"),
    ],
)
def test_what_the_rules_forbid_is_refused_with_the_position(text, turn):
    with pytest.raises(IllegalActionError, match="is not a legal action") as refused:
        after(text, turn)
    assert GAME.render(GAME.from_text(text)) in str(refused.value)


@pytest.mark.plain
@pytest.mark.parametrize(
    ("rule", "text", "turn", "expected", "rows", "result"),
    [
        # A row on the opponent's turn wins too.
        ("draw", "WW../BWR./BBW./.R..", "b4>a4 b4W", "WW../BWR./BBW./BW..", 1, 1.0),
        *(
            (rule, "BRR./YB../.YBB/.YYY", "c1>c2 a4W", "BR../YBB./.YBB/WYYY", 3, result)
            for rule, result in (("draw", 0.0), ("opponent", 1.0), ("mover", -1.0))
        ),
        *(
            (rule, "BBYW/RWWB/RY.B/WRBY", "d3>c3 d3Y", "BBYW/RWWB/RYRY/WRBY", 0, 0.0)  # a full board
            for rule in RULES
        ),
    ],
)
def test_locked_rows_win_two_at_once_as_the_double_lock_says_and_a_full_board_is_a_draw(
    rule, text, turn, expected, rows, result
):
    game = RubiksFlip(rule)
    state = after(text, turn, game)
    assert game.to_text(state) == expected
    assert (game.rows(state), game.current_player(state), game.returns(state)) == (rows, TERMINAL, result)


@st.composite
def positions(draw: st.DrawFn) -> State:
    """Any arrangement of tiles; crowded ones come up often enough."""
    number = draw(st.integers(0, 16))
    squares = draw(st.permutations(range(16)))[:number]
    tiles0, tiles1 = (sum(1 << square for square in squares[first::2]) for first in (0, 1))
    return State(tiles0, tiles1, draw(st.integers(0, 0xFFFF)) & (tiles0 | tiles1))


@pytest.mark.plain
@given(positions())
def test_rows_locks_and_ends_are_those_of_the_rules(state):
    second = Flip.read(GAME, GAME.to_text(state))
    assert {player for player in (0, 1) if GAME.rows(state) >> player & 1} == second.winners()
    assert GAME.current_player(state) == second.mover()


@pytest.mark.plain
def test_parameters():
    assert make_game("rubiks_flip", double_lock="opponent") == RubiksFlip("opponent")
    with pytest.raises(GameError, match="double_lock must be draw, opponent or mover, not 'loss'"):
        RubiksFlip("loss")


@pytest.mark.plain
def test_there_are_32_symmetries():
    start = GAME.from_text("RW../..B./...Y/....")
    images = {symmetry.state for symmetry in GAME.symmetries(start)} | {start}
    assert len(images) == 32


# Numbers of the rules page.


@compiled_only
def test_different_positions_after_each_ply():
    layer, counts = {GAME.initial_state()}, []
    for player in (0, 1, 0):
        layer = {GAME.next_state(one, turn) for one in layer for turn in GAME.legal_actions(one, player)}
        counts.append(len(layer))
    assert counts == [32, 960, 13_440]


@pytest.mark.plain
def test_solved_positions_that_are_over_have_the_results_of_the_oracle():
    seen = 0
    for rule, text, value in oracle():
        game = RubiksFlip(rule)
        state = game.from_text(text)
        over = game.current_player(state) == TERMINAL
        # A draw ends only on a full board, or by a double lock.
        assert value == "D" or over == (value in ("W0", "L0") or "." not in text)
        if over:
            assert str(outcome_of_end(game, state)) == value
            seen += 1
    assert seen > 100
