"""Rubik's Flip by its rules: locks, rows, flips, ends, counts of turns and positions, text."""

import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, strategies as st

from helpers.flip_reference import played
from helpers.sizes import COMPILED_ONLY, scaled
from saddlepoint import check_game
from saddlepoint.compiled import PLAIN_PYTHON, jit, run
from saddlepoint.game.base import TERMINAL, GameError, IllegalActionError
from saddlepoint.games.catalogue.games import make_game
from saddlepoint.games.rubiks_flip import RubiksFlip, State

pytestmark = pytest.mark.compiles_long

GAME = RubiksFlip()
RULES = ("draw", "opponent", "mover")
ORACLE = Path(__file__).parents[2] / "data" / "rubiks_flip_oracle.txt"
compiled_only = pytest.mark.skipif(PLAIN_PYTHON, reason="millions of positions")


@jit
def perft(game, state, depth):
    """Sequences of that many turns; ended games go no further."""
    player = game.current_player(state)
    if player < 0:
        return 0
    actions = np.empty(game.max_actions, np.int64)
    count = game.legal_actions(state, player, actions)
    if depth == 1:
        return count
    total = 0
    for k in range(count):
        total += perft(game, game.next_state(state, actions[k]), depth - 1)
    return total


@jit
def packed_followers(game, positions, out):
    """Pack the positions one turn after each of the packed ones; returns their number."""
    actions = np.empty(game.max_actions, np.int64)
    total = 0
    for packed in positions:
        state = State(packed & 0xFFFF, packed >> 16 & 0xFFFF, packed >> 32)
        player = game.current_player(state)
        if player >= 0:
            for k in range(game.legal_actions(state, player, actions)):
                after = game.next_state(state, actions[k])
                out[total] = after.tiles0 | after.tiles1 << 16 | after.turned << 32
                total += 1
    return total


@jit
def random_games(game, state, games, random):
    """[won by player 0, won by player 1, double locks, full boards without a row, turns] of uniformly random games."""
    counts = np.zeros(5, np.int64)
    actions = np.empty(game.max_actions, np.int64)
    for _ in range(games):
        now = state
        player = game.current_player(now)
        while player >= 0:
            count = game.legal_actions(now, player, actions)
            now = game.next_state(now, actions[int(count * random.random())])
            player = game.current_player(now)
            counts[4] += 1
        rows = game.rows(now)
        counts[rows - 1 if rows != 0 else 3] += 1
    return counts


def after(text: str, turn: str, game: RubiksFlip = GAME) -> State:
    state = game.from_text(text)
    return game.next_state(state, game.string_to_action(state, game.current_player(state), turn))


@pytest.mark.plain
@pytest.mark.parametrize("rule", ["draw", *(pytest.param(rule, marks=COMPILED_ONLY) for rule in RULES[1:])])
def test_it_keeps_what_a_game_promises(rule):
    # As plain Python near the end, where turns are fewer; compiled from the start.
    game = RubiksFlip(rule)
    check_game(game, playouts=1, states=[played(game, 13, random.Random(7))] if PLAIN_PYTHON else None)


@pytest.mark.plain
def test_the_first_turn_places_one_tile_on_any_square_with_either_face_up():
    turns = [
        GAME.action_to_string(GAME.initial_state(), 0, a) for a in GAME.legal_actions(GAME.initial_state(), 0)
    ]
    assert sorted(turns) == sorted(
        f"{column}{row}{face}" for column in "abcd" for row in "1234" for face in "RB"
    )


@pytest.mark.compiles_soon
@pytest.mark.plain
def test_a_flip_moves_an_opponents_tile_one_step_and_turns_it_over():
    assert GAME.to_text(after("R.../..../..../....", "a1>b1 d4W")) == ".B../..../..../...W"
    assert GAME.to_text(after(".B../..../..../...W", "d4>d3 d4R")) == ".B../..../...Y/...R"


@pytest.mark.plain
def test_the_square_just_left_may_be_placed_on_and_the_one_just_taken_may_not():
    assert GAME.to_text(after("R.../..../..../....", "a1>b1 a1Y")) == "YB../..../..../...."
    with pytest.raises(IllegalActionError, match="'a1>b1 b1Y' is not a legal action of player 1 here"):
        after("R.../..../..../....", "a1>b1 b1Y")


@pytest.mark.plain
@pytest.mark.parametrize(
    ("text", "turn"),
    [
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
def test_without_a_tile_to_flip_the_turn_is_a_placement_alone():
    state = GAME.from_text("WWR./WR../R.../....")
    turns = [GAME.action_to_string(state, 0, action) for action in GAME.legal_actions(state, 0)]
    assert len(turns) == 20
    assert all(len(turn) == 3 for turn in turns)


@pytest.mark.plain
def test_three_locked_tiles_of_a_face_win_at_ply_7_at_the_earliest():
    state = GAME.from_text("RRRB/YYY./..../....")
    assert (GAME.current_player(state), GAME.returns(state)) == (TERMINAL, 1.0)
    # without b2 the row is not locked
    assert GAME.current_player(GAME.from_text("RRRB/Y.Y./Y.../....")) != TERMINAL


@pytest.mark.plain
def test_a_row_on_the_opponents_turn_wins_too():
    state = after("WW../BWR./BBW./.R..", "b4>a4 b4W")
    assert GAME.to_text(state) == "WW../BWR./BBW./BW.."
    assert (GAME.current_player(state), GAME.returns(state)) == (TERMINAL, 1.0)


@pytest.mark.plain
@pytest.mark.parametrize(("rule", "result"), [("draw", 0.0), ("opponent", 1.0), ("mover", -1.0)])
def test_two_rows_at_once_are_worth_what_the_double_lock_says(rule, result):
    game = RubiksFlip(rule)
    state = after("BRR./YB../.YBB/.YYY", "c1>c2 a4W", game)
    assert game.to_text(state) == "BR../YBB./.YBB/WYYY"
    assert game.rows(state) == 3
    assert (game.current_player(state), game.returns(state)) == (TERMINAL, result)


@pytest.mark.plain
@pytest.mark.parametrize("rule", RULES)
def test_a_full_board_without_a_row_is_a_draw(rule):
    game = RubiksFlip(rule)
    state = after("BBYW/RWWB/RY.B/WRBY", "d3>c3 d3Y", game)
    assert game.to_text(state) == "BBYW/RWWB/RYRY/WRBY"
    assert (game.rows(state), game.current_player(state), game.returns(state)) == (0, TERMINAL, 0.0)


def slow_winner(state: State) -> set[int]:
    """The players with a winning row, square by square as the rules say it."""
    board = "".join(GAME.board(state))

    def locked(column: int, row: int) -> bool:
        near = [(column + 1, row), (column - 1, row), (column, row + 1), (column, row - 1)]
        return all(board[4 * y + x] != "." for x, y in near if 0 <= x < 4 and 0 <= y < 4)

    found: set[int] = set()
    for column in range(4):
        for row in range(4):
            for right, down in ((1, 0), (0, 1), (1, 1), (1, -1)):
                line = [(column + k * right, row + k * down) for k in range(3)]
                if all(0 <= x < 4 and 0 <= y < 4 for x, y in line):
                    faces = {board[4 * y + x] for x, y in line}
                    if len(faces) == 1 and faces != {"."} and all(locked(x, y) for x, y in line):
                        found.add(0 if faces <= {"R", "B"} else 1)
    return found


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
    winners = slow_winner(state)
    assert {player for player in (0, 1) if GAME.rows(state) >> player & 1} == winners
    over = bool(winners) or "." not in GAME.to_text(state)
    assert (GAME.current_player(state) == TERMINAL) == over
    if not over:
        assert GAME.current_player(state) == (16 - GAME.to_text(state).count(".")) % 2


@pytest.mark.plain
@given(positions())
def test_legal_turns_are_two_faces_times_free_squares_times_flips(state):
    player = GAME.current_player(state)
    if player == TERMINAL:
        return
    board = GAME.board(state)
    theirs = "WY" if player == 0 else "RB"
    flips = 0
    for row in range(4):
        for column in range(4):
            near = [(row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)]
            if board[row][column] in theirs:
                flips += sum(board[y][x] == "." for y, x in near if 0 <= x < 4 and 0 <= y < 4)
    empty = GAME.to_text(state).count(".")
    assert len(GAME.legal_actions(state, player)) == 2 * empty * max(1, flips)


@pytest.mark.plain
@given(positions())
def test_texts_of_positions_and_turns_are_read_back(state):
    text = GAME.to_text(state)
    assert len(text) == 19 and set(text) <= set(".RBWY/")
    assert GAME.from_text(text) == state
    player = GAME.current_player(state)
    for action in GAME.legal_actions(state, player)[::7]:
        assert GAME.string_to_action(state, player, GAME.action_to_string(state, player, action)) == action


@pytest.mark.plain
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected four rows of four squares"),
        ("RB../.W../....", "expected four rows of four squares"),
        ("RB../.W../..../...X", "expected four rows of four squares"),
        ("WW../..../..../....", "red/blue begins"),
        ("RR../..../..../....", "red/blue begins"),
    ],
)
def test_a_text_that_is_no_position_is_refused(text, message):
    with pytest.raises(GameError, match=message):
        GAME.from_text(text)


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
def test_sequences_of_turns():
    assert [run(perft, GAME, GAME.initial_state(), depth) for depth in (1, 2, 3, 4)] == [
        32,
        2880,
        224_000,
        30_963_712,
    ]


@compiled_only
def test_different_positions_after_each_ply():
    layer, counts = np.zeros(1, np.int64), [1]
    out = np.empty(252 * 20_000, np.int64)
    for _ in range(4):
        found = np.empty(0, np.int64)
        for first in range(0, len(layer), 20_000):
            total = run(packed_followers, GAME, layer[first : first + 20_000], out)
            found = np.union1d(found, out[:total])
        layer = found
        counts.append(len(layer))
    assert counts == [1, 32, 960, 13_440, 174_720]


@pytest.mark.compiles_soon
@pytest.mark.full
@compiled_only
def test_random_games_end_as_often_in_each_way_as_known():
    games = scaled(200_000, 50_000)
    counts = run(random_games, GAME, GAME.initial_state(), games, np.random.default_rng(1))
    # known from 20,000 games: three standard deviations of the known figures are about 1 %
    assert counts[:4] / games == pytest.approx([0.353, 0.308, 0.044, 0.295], abs=0.011)
    assert counts[4] / games == pytest.approx(15.2, abs=0.06)


@pytest.mark.plain
def test_solved_positions_that_are_over_have_the_results_of_the_oracle():
    seen = 0
    for line in ORACLE.read_text().splitlines()[1:]:
        rule, text, value = line.split()
        game = RubiksFlip(rule)
        state = game.from_text(text)
        over = (
            value in ("W0", "L0") or "." not in text
        )  # a draw ends only on a full board, or by a double lock
        if value != "D":
            assert (game.current_player(state) == TERMINAL) == over
        if game.current_player(state) == TERMINAL:
            to_move = 16 - text.count(".")
            result = game.returns(state) * (1 if to_move % 2 == 0 else -1)
            assert {1.0: "W0", -1.0: "L0", 0.0: "D"}[result] == value
            seen += 1
    assert seen > 100
