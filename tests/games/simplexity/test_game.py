"""Simplexity against its original engine's recorded games, and against rules over lists of cells."""

import gzip
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from helpers import reference_simplexity as reference
from helpers.sizes import scaled
from saddlepoint import check_game
from saddlepoint.compiled import jit, run
from saddlepoint.compiled.rules import uncompiled
from saddlepoint.game.base import TERMINAL
from saddlepoint.games.simplexity import Simplexity, State

pytestmark = pytest.mark.compiles_long
GAME = Simplexity()

DATA = Path(__file__).parents[2] / "data"
RESULTS = {"White": 1.0, "Red": -1.0, "Draw": 0.0}


def recorded():
    with gzip.open(DATA / "simplexity_traces.jsonl.gz", "rt") as lines:
        return [json.loads(line) for line in lines]


def recorded_sizes():
    return sorted({tuple(game["config"].values()) for game in recorded()})


# --- the original engine ------------------------------------------------------------------------------------------


@jit
def replay(game, state, actions, boards, results, legal):
    """Play the actions by the compiled rules, and keep every position, its player, result and number of legal actions."""
    out = np.zeros(game.max_actions, np.int64)
    for ply in range(len(actions) + 1):
        for k in range(len(state.filled)):
            boards[ply, 0, k], boards[ply, 1, k], boards[ply, 2, k] = (
                state.white[k],
                state.round[k],
                state.filled[k],
            )
        player = game.current_player(state)
        results[ply, 0], results[ply, 1] = player, state.result
        if player < 0:
            return game.returns(state)
        for k in range(game.legal_actions(state, player, out)):
            legal[ply, out[k]] = True
        state = game.next_state(state, actions[ply])
    return 9.0


def compiled_sizes():
    """The contest's board, and one board of each number of words: the others replay by the same rules uncompiled."""
    chosen = {Simplexity(*size).columns.words: size for size in recorded_sizes()}
    return {(6, 7, 4, 10, 11), *chosen.values()}


@pytest.mark.parametrize("size", recorded_sizes(), ids=str)
def test_every_recorded_game_comes_out_as_recorded(size):
    game = Simplexity(*size)
    for record in recorded():
        if tuple(record["config"].values()) != size:
            continue
        actions = np.array([2 * column + "rs".index(shape) for column, shape, _ in record["moves"]])
        boards = np.zeros((len(actions) + 1, 3, game.columns.words), np.uint64)
        results, legal = (
            np.zeros((len(actions) + 1, 2), np.int64),
            np.zeros((len(actions) + 1, game.max_actions), bool),
        )
        if size in compiled_sizes():
            returned = run(replay, game, game.initial_state(), actions, boards, results, legal)
        else:
            returned = uncompiled(replay)(game.plain, game.initial_state(), actions, boards, results, legal)
        assert returned == RESULTS[record["result"]]
        for ply, after in enumerate(record["after"]):
            state = State(*(tuple(words.tolist()) for words in boards[ply]), ply, int(results[ply, 1]))
            check_position(game, state, after, results[ply, 0])
            check_legal(game, after, legal[ply])
            for probe in record["probes"]:
                if probe["ply"] == ply:
                    check_probe(game, state, probe, legal[ply])
            if ply < len(actions):
                column, shape, row = record["moves"][ply]
                cells = [record["after"][k]["b"].split("/")[row][column] for k in (ply, ply + 1)]
                assert cells == [".", ("wr", "WR")[shape == "s"][ply % 2]]


def check_position(game, state, after, player):
    assert game.to_text(state) == after["b"]
    assert game.from_text(after["b"]) == state
    assert list(game.supplies(state)) == after["n"]
    assert game.full_columns(state) == after["full"]
    assert "WR"[state.moves % 2] == after["t"]
    assert player == (state.moves % 2 if after["win"] == "None" else TERMINAL)
    assert game.winning_line(state) == [tuple(cell) for cell in after.get("sol", ())]


def check_legal(game, after, legal):
    if after["win"] == "None":
        left = after["n"][:2] if after["t"] == "W" else after["n"][2:]
        open_ = [column not in after["full"] for column in range(game.cols)]
        assert legal.tolist() == [free and left[shape] > 0 for free in open_ for shape in (0, 1)]


def check_probe(game, state, probe, legal):
    column, shape = probe["try"][0], "rs".index(probe["try"][1])
    if probe["result"].isdigit():
        assert game.why_illegal(state, column, shape) == ""
        assert legal[2 * column + shape]
        heights = [row for row, cells in enumerate(game.to_text(state).split("/")) if cells[column] == "."]
        assert heights[0] == int(probe["result"])
    else:
        assert game.why_illegal(state, column, shape) == probe["result"]
        assert probe["result"] == "invalid column" or not legal[2 * column + shape]


# --- the rules ----------------------------------------------------------------------------------------------------


def winning(game, state, player):
    out = np.zeros(game.max_actions, np.int64)
    return out[: game.winning_actions(state, player, out)].tolist()


@pytest.mark.parametrize(
    "size",
    [(), (7, 1, 4, 2, 2), (4, 4, 2, 4, 4), (7, 8, 5, 3, 4, "own")],
    ids=str,
)
def test_the_game_keeps_the_promises_of_games(size):
    check_game(Simplexity(*size), playouts=3, seed=1)


@pytest.mark.parametrize(
    ("size", "plies"),
    [((8, 13, 4, 26, 26), 80), pytest.param((33, 42, 20, 400, 500), 1385, marks=pytest.mark.compiles_long)],
)
def test_large_boards_keep_them_too(size, plies):
    # from positions near the end, because every position of a game is looked at closely
    game = Simplexity(*size)
    check_game(game, playouts=1, seed=2, states=[peaceful(game, plies)])


def peaceful(game, plies):
    """A position after so many random moves that ended no game."""
    rng = np.random.default_rng(3)
    state = game.initial_state()
    while state.moves < plies:
        for action in rng.permutation(game.legal_actions(state, state.moves & 1)):
            follower = game.next_state(state, int(action))
            if game.current_player(follower) != TERMINAL:
                break
        else:
            return state
        state = follower
    return state


@st.composite
def games(draw):
    """Simplexity on a board of any small shape, with any supplies."""
    rows, cols = draw(st.integers(1, 7)), draw(st.integers(1, 8))
    win = draw(st.integers(1, max(rows, cols)))
    return Simplexity(
        rows,
        cols,
        win,
        draw(st.integers(0, 12)),
        draw(st.integers(1, 12)),
        draw(st.sampled_from(["same", "own"])),
    )


# --- choices and words --------------------------------------------------------------------------------------------


def moves(game, state, actions):
    return [game.action_to_string(state, 0, action) for action in actions]


@pytest.mark.plain
def test_middle_columns_come_first_and_the_own_shape():
    state = GAME.initial_state()
    assert moves(GAME, state, GAME.search_actions(state, 0))[:6] == ["3r", "3s", "2r", "2s", "4r", "4s"]
    state = GAME.after("3r,3s,3r,3s,3r,3s,1r")  # column 3 is full
    assert moves(GAME, state, GAME.search_actions(state, 1))[:5] == ["2s", "2r", "4s", "4r", "1s"]
    out = np.zeros(GAME.max_actions, np.int64)
    assert moves(GAME, state, out[: GAME.round_first_actions(state, 1, out)])[:5] == [
        "2r",
        "2s",
        "4r",
        "4s",
        "1r",
    ]
    assert list(Simplexity(cols=8).middle_out) == [4, 3, 5, 2, 6, 1, 7, 0]


@pytest.mark.plain
def test_supplies():
    assert Simplexity().supplies(Simplexity().initial_state()) == (10, 11, 10, 11)
    own = Simplexity(supply="own")
    assert own.supplies(own.initial_state()) == (11, 10, 10, 11)
    assert [one.value for one in own.picture(own.initial_state()).numbers] == [11, 10, 10, 11]
    assert own.supplies(own.from_text("wRW..../......./......./......./......./.......")) == (10, 9, 10, 10)
    nothing = Simplexity(round=0, square=0)
    assert nothing.returns(nothing.initial_state()) == 0.0
    assert nothing.current_player(nothing.initial_state()) == TERMINAL


@pytest.mark.plain
def test_positions_as_text():
    state = GAME.from_text("3r,3s,0r")
    assert GAME.to_text(state) == "w..w.../...R.../......./......./......./......."
    assert GAME.from_text("-") == GAME.initial_state()
    assert GAME.moves_to_text([6, 7, 0]) == "3r,3s,0r"
    assert GAME.moves_to_text([]) == "-"
    assert GAME.render(state).splitlines()[-4:] == [
        ". . . R . . .",
        "w . . w . . .",
        "0 1 2 3 4 5 6",
        "Red to move; left: White 8 round (w), 11 square (W), Red 10 round (r), 10 square (R)",
    ]


def loses_soon(board, move, player):
    """Whether the opponent has won after the move, or wins by its own next one."""
    after, others = board.play(*move), ("Red", "White")[player]
    if after.outcome() is not None:
        return after.outcome() == others
    return any(after.play(*reply).outcome() == others for reply in after.legal())


@settings(max_examples=scaled(120))
@given(game=games(), seed=st.integers(0, 10**6), plies=st.integers(2, 20))
def test_what_a_search_leaves_out_loses_by_the_next_move_where_something_else_does_not(game, seed, plies):
    state, board = reference.quiet_game(game, np.random.default_rng(seed), plies)
    rules, out = game.plain, np.zeros(game.max_actions, np.int64)
    player, legal = state.moves & 1, board.legal()
    searched = {(int(a) >> 1, "rs"[int(a) & 1]) for a in out[: rules.search_actions(state, player, out)]}
    winner = ("White", "Red")[player]
    wins = {move for move in legal if board.play(*move).outcome() == winner}
    assert wins == {(action >> 1, "rs"[action & 1]) for action in winning(rules, state, player)}
    kept = {move for move in legal if not loses_soon(board, move, player)}
    assert searched
    assert searched <= set(legal)
    assert wins | kept <= searched
    own, its_own = "rs"[player], "rs"[1 - player]
    if kept and board.supplies["wr"[1 - player], its_own]:
        # The other shape may complete a threat that was not there before; that is left to the search.
        assert {move for move in searched if move[1] == own} <= wins | kept


@pytest.mark.plain
def test_a_search_looks_only_at_replies_to_a_threat():
    # Three round pieces in the bottom row, first with two open ends, then with one.
    state = GAME.after("2r,0s,3r,0r,4r")
    assert len(GAME.search_actions(state, 1)) == 14  # lost anyway
    state = GAME.after("2r,1s,3r,0r,4r")
    assert moves(GAME, state, GAME.search_actions(state, 1)) == ["5s"]  # round would complete the row
    # Round pieces in columns 2 to 4 of the second row: who drops into 1 or 5 lets White complete the row.
    state = GAME.after("3r,2s,2r,4r,4r,3r,6s")
    assert moves(GAME, state, GAME.search_actions(state, 1)) == [
        "3s",
        "3r",
        "2s",
        "2r",
        "4s",
        "4r",
        "0s",
        "0r",
        "6s",
        "6r",
    ]
