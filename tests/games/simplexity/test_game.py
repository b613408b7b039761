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
from saddlepoint.game.base import TERMINAL, GameError, IllegalActionError
from saddlepoint.games.catalogue.games import make_game
from saddlepoint.games.simplexity import Simplexity, State

pytestmark = pytest.mark.compiles_long

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


def test_recorded_games_through_the_checked_methods():
    game = Simplexity()
    for record in recorded():
        if Simplexity(**record["config"]) != game:
            continue
        state, played = game.initial_state(), []
        for ply, after in enumerate(record["after"]):
            assert game.to_text(state) == after["b"]
            for probe in record["probes"]:
                if probe["ply"] == ply and not probe["result"].isdigit():
                    check_refusal(game, state, *probe["try"], probe["result"])
            if ply < len(record["moves"]):
                column, shape, _ = record["moves"][ply]
                played.append(game.string_to_action(state, ply % 2, f"{column}{shape}"))
                state = game.next_state(state, played[-1])
        assert game.returns(state) == RESULTS[record["result"]]
        assert game.after(game.moves_to_text(played)) == state


def check_refusal(game, state, column, shape, reason):
    with pytest.raises(IllegalActionError):
        game.next_state(state, 2 * column + "rs".index(shape))
    if column >= 0:
        with pytest.raises(IllegalActionError, match=reason):
            game.string_to_action(state, state.moves % 2, f"{column}{shape}")


def test_the_positions_from_strong_games_can_be_reached():
    game = Simplexity()
    with open(DATA / "simplexity_forced_6x7.jsonl") as lines:
        for record in map(json.loads, lines):
            state = game.after(record["moves"])
            assert game.current_player(state) == (record["moves"].count(",") + 1) % 2
            # A forced win in one is what `winning_actions` finds.
            assert bool(winning(game, state, state.moves & 1)) == (
                record["value"] == 1 and record["plies"] == 1
            )


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


@settings(max_examples=scaled(25, 10))
@given(game=games(), data=st.data())
def test_random_games_follow_the_rules_word_for_word(game, data):
    rules = game.plain  # the same source, not compiled for each size
    state, board = rules.initial_state(), reference.board_of(game)
    out = np.zeros(game.max_actions, np.int64)
    while True:
        outcome = board.outcome()
        assert game.to_text(state) == board.text()
        assert game.from_text(board.text()) == state
        assert (rules.current_player(state) == TERMINAL) == (outcome is not None)
        assert list(game.supplies(state)) == [
            board.supplies[kind] for kind in (("w", "r"), ("w", "s"), ("r", "r"), ("r", "s"))
        ]
        if outcome is not None:
            assert rules.returns(state) == RESULTS[outcome]
            assert len(game.winning_line(state)) == (0 if outcome == "Draw" else game.win)
            return
        player, legal = state.moves & 1, board.legal()
        assert sorted(out[: rules.legal_actions(state, player, out)]) == [
            2 * col + "rs".index(shape) for col, shape in legal
        ]
        wins = [move for move in legal if board.play(*move).outcome() == ("White", "Red")[player]]
        assert sorted(out[: rules.winning_actions(state, player, out)]) == [
            2 * col + "rs".index(shape) for col, shape in wins
        ]
        quiet = [move for move in legal if board.play(*move).outcome() is None]
        col, shape = data.draw(st.sampled_from(quiet or legal))
        state, board = (
            rules.successor(state, 2 * col + "rs".index(shape), 2 * col + "rs".index(shape)),
            board.play(col, shape),
        )


@jit
def count_leaves(game, state, depth, actions):
    if depth == 0 or game.current_player(state) < 0:
        return 1
    number = game.legal_actions(state, game.current_player(state), actions[depth])
    total = 0
    for k in range(number):
        total += count_leaves(game, game.next_state(state, actions[depth, k]), depth - 1, actions)
    return total


def leaves(game, depth):
    actions = np.zeros((depth + 1, game.max_actions), np.int64)
    return run(count_leaves, game, game.initial_state(), depth, actions)


@pytest.mark.parametrize(
    ("size", "depth"), [((3, 3, 3, 2, 3), 6), ((4, 4, 2, 4, 4), 4), ((6, 7, 4, 10, 11), 3)], ids=str
)
def test_move_sequences_are_as_many_as_by_the_rules(size, depth):
    game = Simplexity(*size)
    assert leaves(game, depth) == reference.perft(reference.board_of(game), depth)


@pytest.mark.compiles_soon
def test_move_sequences_of_the_base_board():
    # Nobody wins with fewer than four pieces, and no column is full before six. After four plies there is a line of
    # one shape where all went into one column, or, in any order, into four neighbouring ones: those games end there.
    ended = 2 * (7 + 4 * 24)
    assert [leaves(Simplexity(), depth) for depth in (1, 2, 3, 4, 5)] == [
        14,
        14**2,
        14**3,
        14**4,
        14**5 - 13 * ended,
    ]


@jit
def solve(game, state, low, high, actions, keys, values, mask):
    """White's result within the window, with a table of exact values and bounds (0 exact, 1 at least, 2 at most)."""
    player = game.current_player(state)
    if player < 0:
        return int(game.returns(state))
    key = game.hash(state)
    place = int(key & np.uint64(mask))
    if keys[place] == key:
        kind, known = values[place, 0], values[place, 1]
        if kind == 0 or (kind == 1 and known >= high) or (kind == 2 and known <= low):
            return known
    first_low, first_high = low, high
    best = -2 if player == 0 else 2
    depth = state.moves
    for k in range(game.search_actions(state, player, actions[depth])):
        value = solve(game, game.next_state(state, actions[depth, k]), low, high, actions, keys, values, mask)
        if player == 0:
            best = max(best, value)
            low = max(low, best)
        else:
            best = min(best, value)
            high = min(high, best)
        if low >= high:
            break
    keys[place] = key
    values[place, 0] = 2 if best <= first_low else 1 if best >= first_high else 0
    values[place, 1] = best
    return best


def exact(game):
    bits = 20
    actions = np.zeros((game.max_depth + 1, game.max_actions), np.int64)
    keys, values = np.zeros(1 << bits, np.uint64), np.zeros((1 << bits, 2), np.int64)
    return run(solve, game, game.initial_state(), -1, 1, actions, keys, values, (1 << bits) - 1)


# rows, cols, win, round, square and White's value: the exact values that two programs agree on
SOLVED = [
    ((3, 3, 3, 2, 3), -1),
    ((3, 3, 3, 9, 9), 0),
    ((3, 4, 3, 3, 3), 1),
    ((4, 4, 3, 2, 6), -1),
]


@pytest.mark.parametrize(("size", "value"), SOLVED, ids=str)
def test_small_boards_have_their_known_values(size, value):
    assert exact(Simplexity(*size)) == value


# --- choices and words --------------------------------------------------------------------------------------------


def moves(game, state, actions):
    return [game.action_to_string(state, 0, action) for action in actions]


@pytest.mark.plain
def test_middle_columns_come_first_and_the_own_shape():
    game = Simplexity()
    state = game.initial_state()
    assert moves(game, state, game.search_actions(state, 0))[:6] == ["3r", "3s", "2r", "2s", "4r", "4s"]
    state = game.after("3r,3s,3r,3s,3r,3s,1r")  # column 3 is full
    assert moves(game, state, game.search_actions(state, 1))[:5] == ["2s", "2r", "4s", "4r", "1s"]
    out = np.zeros(game.max_actions, np.int64)
    assert moves(game, state, out[: game.round_first_actions(state, 1, out)])[:5] == [
        "2r",
        "2s",
        "4r",
        "4s",
        "1r",
    ]
    assert list(Simplexity(cols=8).middle_out) == [4, 3, 5, 2, 6, 1, 7, 0]


@pytest.mark.compiles_soon
@pytest.mark.plain
def test_winning_actions():
    game = Simplexity()
    # Three round pieces in the bottom row, one of them red: only another round one makes a line.
    state = game.after("1r,2r,3r,6s")
    assert moves(game, state, winning(game, state, 0)) == ["4r", "0r"]
    assert winning(game, state, 1) == []
    # Three white ones of both shapes: either shape completes the white line. Red has three squares in column 1.
    state = game.after("1r,1s,2s,1s,3r,1s")
    assert moves(game, state, winning(game, state, 0)) == ["4r", "4s", "0r", "0s"]
    assert moves(game, state, winning(game, state, 1)) == ["1s", "1r"]
    # Without a piece of the shape there is no such move.
    few = Simplexity(round=3, square=3)
    assert moves(few, few.after("1r,1s,2s,1s,3r,1s"), winning(few, few.after("1r,1s,2s,1s,3r,1s"), 1)) == [
        "1r"
    ]


@pytest.mark.parametrize("size", [(6, 7, 4, 10, 11), (9, 37, 5, 83, 84)], ids=str)
def test_the_mirror_image(size):
    game = Simplexity(*size)
    state = peaceful(game, 25)
    (image,) = game.symmetries(state)
    assert game.mirror_hash(state) == game.hash(image.state) != game.hash(state)
    assert game.mirror_hash(image.state) == game.hash(state)
    assert [game.plain.image_action(action) for action in range(game.max_actions)] == list(image.actions0)
    assert game.mirror_hash(game.initial_state()) == game.hash(game.initial_state())


@pytest.mark.plain
def test_shape_beats_colour_and_one_can_lose_by_the_own_move():
    game = Simplexity()
    state = game.from_text("WWW.rrr/......./......./......./......./.......")
    assert moves(game, state, winning(game, state, 0)) == ["3r"]
    # White's square makes a white line, but a square one too, and that is asked first.
    after = game.next_state(state, game.string_to_action(state, 0, "3s"))
    assert game.returns(after) == -1.0
    assert game.winning_line(after) == [(0, 0), (0, 1), (0, 2), (0, 3)]


@pytest.mark.plain
def test_a_win_with_the_last_piece_is_no_draw():
    game = Simplexity(round=3, square=3)
    state = game.after("1s,0r,3s,0s,1r,0r,3r,2s,5s,6r,5r")
    assert game.supplies(state) == (0, 0, 0, 1)
    assert game.returns(game.next_state(state, game.string_to_action(state, 1, "0s"))) == -1.0
    assert game.returns(game.next_state(state, game.string_to_action(state, 1, "6s"))) == 0.0


@pytest.mark.plain
def test_supplies():
    assert Simplexity().supplies(Simplexity().initial_state()) == (10, 11, 10, 11)
    own = Simplexity(supply="own")
    assert own.supplies(own.initial_state()) == (11, 10, 10, 11)
    assert own.supplies(own.from_text("wRW..../......./......./......./......./.......")) == (10, 9, 10, 10)
    nothing = Simplexity(round=0, square=0)
    assert nothing.returns(nothing.initial_state()) == 0.0
    assert nothing.current_player(nothing.initial_state()) == TERMINAL


@pytest.mark.plain
def test_positions_as_text():
    game = Simplexity()
    state = game.from_text("3r,3s,0r")
    assert game.to_text(state) == "w..w.../...R.../......./......./......./......."
    assert game.from_text("-") == game.initial_state()
    assert game.moves_to_text([6, 7, 0]) == "3r,3s,0r"
    assert game.moves_to_text([]) == "-"
    assert game.render(state).splitlines()[-4:] == [
        ". . . R . . .",
        "w . . w . . .",
        "0 1 2 3 4 5 6",
        "Red to move; left: White 8 round (w), 11 square (W), Red 10 round (r), 10 square (R)",
    ]


@pytest.mark.plain
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected 6 rows of 7 cells, bottom row first"),
        ("w......", "expected 6 rows of 7 cells"),
        ("x....../......./......./......./......./.......", "'x' in row 0, column 0 is no cell"),
        ("......./w....../......./......./......./.......", "the piece in row 1, column 0 hangs in the air"),
        (
            "r....../......./......./......./......./.......",
            "as many pieces on the board as Red or one more, not -1 more",
        ),
        ("ww...../......./......./......./......./.......", "one more, not 2 more"),
        ("3r,3x", "expected moves like 3r,3s,0r"),
        ("7r", "invalid column: '7r' is not a legal action of player 0 here"),
        ("0r,0s,0r,0s,0r,0s,0r", "column full: '0r' is not a legal action"),
    ],
)
def test_text_that_is_no_position(text, message):
    with pytest.raises(GameError, match=message):
        Simplexity().from_text(text)


@pytest.mark.plain
def test_more_pieces_than_there_are():
    with pytest.raises(GameError, match="there are 1 more red square pieces on the board than there are"):
        Simplexity(round=2, square=1).from_text("wWrRwR./......./......./......./......./.......")


@pytest.mark.plain
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"rows": 3, "cols": 3}, "no line of 4 fits on a board of 3x3"),
        ({"rows": 0}, "1 to 48 rows and columns, not 0x7"),
        ({"win": 0}, "win must be 1 or more"),
        ({"round": -1}, "piece counts must be 0 or more"),
        ({"supply": "mine"}, "supply must be same or own, not 'mine'"),
    ],
)
def test_options_that_make_no_game(options, message):
    with pytest.raises(GameError, match=message):
        make_game("simplexity", **options)


def test_a_board_of_up_to_64_bits_is_one_word():
    sizes = (6, 7), (7, 8), (8, 7), (8, 13), (33, 42, 20)
    assert [len(Simplexity(*size).initial_state().filled) for size in sizes] == [1, 1, 1, 2, 23]


@pytest.mark.parametrize("size", [(6, 7, 4, 10, 11), (4, 6, 3, 4, 4)], ids=str)
def test_with_few_pieces_a_position_and_its_mirror_image_share_a_canonical_hash(size):
    game, shared = Simplexity(*size), set()
    for plies in (0, 1, 2, 5, 8):
        state = peaceful(game, plies)
        (image,) = game.symmetries(state)
        key, is_image = game.canonical_hash(state)
        assert game.canonical_hash(image.state) == (key, not is_image) or image.state == state
        shared.add(key)
    assert len(shared) == 5
    state = peaceful(game, 9)
    assert game.canonical_hash(state) == (game.hash(state), False)


def loses_soon(board, move, player):
    """Whether the opponent has won after the move, or wins by its own next one."""
    after, others = board.play(*move), ("Red", "White")[player]
    if after.outcome() is not None:
        return after.outcome() == others
    return any(after.play(*reply).outcome() == others for reply in after.legal())


@settings(max_examples=scaled(120))
@given(game=games(), seed=st.integers(0, 10**6), plies=st.integers(2, 20))
def test_what_a_search_leaves_out_loses_by_the_next_move_where_something_else_does_not(game, seed, plies):
    rules, board, draw = game.plain, reference.board_of(game), np.random.default_rng(seed)
    state, out = rules.initial_state(), np.zeros(game.max_actions, np.int64)
    for _ in range(plies):
        move = board.legal()[draw.integers(len(board.legal()))]
        action = 2 * move[0] + "rs".index(move[1])
        if board.play(*move).outcome() is None:
            state, board = rules.successor(state, action, action), board.play(*move)
    player, legal = state.moves & 1, board.legal()
    searched = {(int(a) >> 1, "rs"[int(a) & 1]) for a in out[: rules.search_actions(state, player, out)]}
    winner = ("White", "Red")[player]
    wins = {move for move in legal if board.play(*move).outcome() == winner}
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
    game = Simplexity()
    # Three round pieces in the bottom row, first with two open ends, then with one.
    state = game.after("2r,0s,3r,0r,4r")
    assert len(game.search_actions(state, 1)) == 14  # lost anyway
    state = game.after("2r,1s,3r,0r,4r")
    assert moves(game, state, game.search_actions(state, 1)) == ["5s"]  # round would complete the row
    # Round pieces in columns 2 to 4 of the second row: who drops into 1 or 5 lets White complete the row.
    state = game.after("3r,2s,2r,4r,4r,3r,6s")
    assert moves(game, state, game.search_actions(state, 1)) == [
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
