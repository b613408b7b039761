"""Tron-41: its rules in the words of the rules page, against a slow reference, and what it makes of bad input."""

from dataclasses import replace

import pytest
from hypothesis import given, settings, strategies as st

from helpers import reference_tron41 as reference
from helpers.sizes import scaled
from saddlepoint import check_game
from saddlepoint.compiled import PLAIN_PYTHON, jit, run
from saddlepoint.game.base import CHANCE, TERMINAL, GameError, IllegalActionError
from saddlepoint.games.catalogue.games import make_game
from saddlepoint.games.tron41 import ACTIONS, MAPS, Tron41, read_layout

pytestmark = pytest.mark.compiles_long


def padded(*rows):
    """The rows with walls added to the right and below: in the size of some of the maps, so that rules are compiled once."""
    return [*(row.ljust(13, "#") for row in rows), *["#" * 13] * (13 - len(rows))]


def board(*rows):
    """A game on the map of these rows, and the position."""
    game = Tron41("\n".join(padded(*rows)))
    return game, game.initial_state()


def play(game, state, letters):
    for letter in letters:
        assert game.current_player(state) in (0, 1)
        state = game.next_state(state, ACTIONS.index(letter))
    return state


# -- conformance ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    ["small_room", *(pytest.param(name, marks=pytest.mark.slow) for name in ("joust", "diagonal_blocks"))],
)
def test_maps_keep_the_promises_of_a_game(name):
    game = Tron41(name, start="random")
    check_game(game, playouts=2, states=game.starts()[:2])


def test_a_small_map_with_all_powerups_keeps_the_promises_of_a_game():
    rows = (
        "######",
        "#1*^ #",
        "#@x! #",
        "#^ *2#",
        "######",
    )  # as plain Python there are too many traps to try on a larger one
    if not PLAIN_PYTHON:
        rows = ("########", "#1 * ^ #", "# @ x  #", "#  x ! #", "# ^ * 2#", "########")
    game, state = board(*rows)
    check_game(game, playouts=1, states=[state], seed=4)


def position_of(game, state):
    trap = ()
    if game.current_player(state) == CHANCE:
        trap = tuple(game.trap_candidates(state))
    return reference.Position(
        tuple(game.field(state)), state.turn, (state.armor0, state.armor1), (state.speed0, state.speed1), trap
    )


@settings(max_examples=scaled(80))
@given(st.data())
def test_random_games_go_as_in_the_reference(data):
    """Every field after every move and trap, on random boards full of power-ups and barriers."""
    width, height = data.draw(st.sampled_from([(11, 11), (5, 5)]))
    marks = data.draw(
        st.lists(st.sampled_from("     xx*^!@#"), min_size=width * height, max_size=width * height)
    )
    one, two = data.draw(st.lists(st.integers(0, width * height - 1), min_size=2, max_size=2, unique=True))
    marks[one], marks[two] = "1", "2"
    inner = ["#" + "".join(marks[r * width : (r + 1) * width]) + "#" for r in range(height)]
    game = Tron41("\n".join(["#" * (width + 2), *inner, "#" * (width + 2)]))
    slow = reference.Position(tuple(game.layout.rows), data.draw(st.integers(0, 1)))
    state = game.from_field(slow.rows, slow.turn)
    while not slow.over:
        assert position_of(game, state) == slow
        if slow.trap:
            cells = data.draw(st.sampled_from(list(reference.combinations(slow.trap, 3))))
            state, slow = (
                game.next_state(state, game.trap_outcome(state, cells)),
                reference.sprung(slow, cells),
            )
            continue
        # Moves that do not crash are likelier: a game should get somewhere.
        letters = [ACTIONS[a] for a in game.search_actions(state, slow.turn)] * 5 + list("URDL")
        letter = data.draw(st.sampled_from(letters))
        state, slow = game.next_state(state, ACTIONS.index(letter)), reference.after(slow, letter)
    assert game.current_player(state) == TERMINAL
    assert game.returns(state) == (1.0 if slow.place(1) is None else -1.0)
    assert game.field(state) == list(slow.rows)


@jit
def perft(game, state, depth):
    """As the reference counts, with all four actions of a player."""
    player = game.current_player(state)
    if depth == 0 or player == TERMINAL:
        return 1
    number = game.trap_choices(state) if player == CHANCE else 4
    total = 0
    for k in range(number):
        total += perft(game, game.next_state(state, k), depth - 1)
    return total


@pytest.mark.parametrize(
    ("depth", "rows"),
    [
        (6, ("#######", "#1    #", "#     #", "#     #", "#     #", "#    2#", "#######")),
        pytest.param(
            5,
            ("########", "#1^@   #", "#*x!   #", "#   !x*#", "#   @^2#", "########"),
            marks=pytest.mark.compiles_soon,
        ),
        (4, ("########", "#*1*@  #", "#*x!xx #", "#  x!x*#", "#  *^2*#", "########")),
    ],
)
def test_positions_are_counted_as_in_the_reference(depth, rows):
    game, state = board(*rows)
    slow = reference.Position(tuple(game.field(state)), 0)
    for steps in range(1, depth + 1):
        assert run(perft, game, state, steps) == reference.perft(slow, steps)


# -- one move --------------------------------------------------------------------------------------------------------


@pytest.mark.plain
def test_the_cell_left_becomes_a_barrier_and_the_opponent_moves():
    game, state = board("#####", "#1  #", "#  2#", "#####")
    state = play(game, state, "R")
    assert game.field(state) == padded("#####", "#x1 #", "#  2#", "#####")
    assert game.current_player(state) == 1


@pytest.mark.plain
@pytest.mark.parametrize("letter", "URDL")
def test_wall_barrier_and_opponent_are_crashes_and_the_other_wins(letter):
    game, state = board("#####", "#x# #", "##12#", "# x #", "#####")
    end = play(game, state, letter)
    assert game.current_player(end) == TERMINAL
    assert game.returns(end) == -1.0
    assert game.field(end) == padded("#####", "#x# #", "##x2#", "# x #", "#####")
    assert game.position(end, 0) is None
    assert game.position(end, 1) == (2, 3)


def test_armor_does_not_help_against_wall_and_opponent():
    game, state = board("#####", "# # #", "##12#", "# # #", "#####")
    for letter in "URDL":
        assert game.returns(play(game, state._replace(armor0=1), letter)) == -1.0


@pytest.mark.plain
def test_armor_is_used_up_by_the_next_barrier():
    game, state = board("########", "#1@xx 2#", "########")
    state = play(game, state, "R")
    assert (state.armor0, state.armor1) == (1, 0)
    state = play(game, play(game, state, "L"), "R")
    assert game.field(state) == padded("########", "#xx1x2x#", "########")
    assert state.armor0 == 0
    assert game.safe_actions(state, 1) == []
    assert game.returns(play(game, state._replace(turn=0), "R")) == -1.0


def test_a_second_armor_changes_nothing():
    game, state = board("#######", "#1@@  #", "# x  2#", "#######")
    state = play(game, state, "RLR")
    assert state.armor0 == 1
    assert play(game, state._replace(turn=0), "R").armor0 == 1


@pytest.mark.plain
def test_speed_lets_the_opponent_reply_once_and_then_gives_five_moves_in_a_row():
    game, state = board("##########", "#1^      #", "#       2#", "##########")
    state = play(game, state, "R")
    assert (state.turn, state.speed0) == (1, 4)
    state = play(game, state, "L")
    turns = []
    for _ in range(6):
        turns.append((game.current_player(state), state.speed0))
        state = play(game, state, "R" if state.turn == 0 else "L")
    assert turns == [(0, 4), (0, 3), (0, 2), (0, 1), (0, 0), (1, 0)]


def test_speed_picked_up_on_the_run_sets_the_counter_to_three_and_keeps_the_turn():
    game, state = board("###########", "#1^^      #", "#        2#", "###########")
    state = play(game, state, "RLR")
    assert (state.turn, state.speed0) == (0, 3)


def test_if_both_pick_up_speed_the_first_ones_five_moves_come_first():
    game, state = board("############", "#1^        #", "#        ^2#", "############")
    state = play(game, state, "RL")
    assert (state.turn, state.speed0, state.speed1) == (0, 4, 4)
    order = ""
    for _ in range(9):
        order += "12"[state.turn]
        state = play(game, state, "R" if state.turn == 0 else "L")
    assert order == "111112222"


@pytest.mark.plain
def test_a_bomb_clears_barriers_of_its_square_and_nothing_else():
    empty = "#" + " " * 11 + "#"
    game, state = board(
        "#############",
        "#x  xxxx#   #",
        empty,
        "#   @       #",
        empty,
        "#x  1!x  x x#",
        empty,
        empty,
        empty,
        "#2    x     #",
        "#     x     #",
        "#############",
    )
    state = play(game, state, "R")
    # The bomb lies at (5, 5): rows 1 to 9 and columns 1 to 9 are its square.
    assert game.field(state) == padded(
        "#############",
        "#       #   #",
        empty,
        "#   @       #",
        empty,
        "#    1     x#",
        empty,
        empty,
        empty,
        "#2          #",
        "#     x     #",
    )
    state = play(game, state, "R")
    assert game.position(state, 0) == (5, 5)


@pytest.mark.plain
def test_a_trap_blocks_three_of_the_empty_cells_two_away_from_the_opponent():
    rows = ["#######", "#1*   #", "# x  @#", "#  2  #", "#     #", "#  x  #", "#######"]
    game, state = board(*rows)
    state = play(game, state, "R")
    assert game.current_player(state) == CHANCE
    assert state.trapped == 1
    # Of the sixteen cells (1, 2) holds player 1, (1, 1) the barrier just left, and there are a barrier and an armor.
    outcomes = game.chance_outcomes(state)
    assert len(outcomes) == 12 * 11 * 10 // 6
    assert all(p == pytest.approx(1 / len(outcomes)) for _, p in outcomes)
    cells = {cell for outcome, _ in outcomes for cell in game.trap_cells(state, outcome)}
    assert cells == {
        (1, 3),
        (1, 4),
        (1, 5),
        (2, 1),
        (3, 1),
        (3, 5),
        (4, 1),
        (4, 5),
        (5, 1),
        (5, 2),
        (5, 4),
        (5, 5),
    }
    assert sorted(cells) == game.trap_candidates(state)
    assert [game.trap_outcome(state, game.trap_cells(state, outcome)) for outcome, _ in outcomes] == [
        o for o, _ in outcomes
    ]
    after = game.next_state(state, game.string_to_action(state, CHANCE, "1,3 3,5 4,1"))
    assert game.field(after) == padded("#######", "#x1x  #", "# x  @#", "#  2 x#", "#x    #", "#  x  #")
    assert game.current_player(after) == 1


def test_three_candidates_or_fewer_leave_nothing_to_chance():
    game, state = board("########", "#1*#  x#", "####   #", "###2 ###", "########")
    state = play(game, state, "R")
    assert game.current_player(state) == 1
    assert game.field(state) == padded("########", "#x1#xxx#", "#### x #", "###2 ###", "########")


def test_a_trap_picked_up_in_a_run_leaves_the_turn_with_who_picked_it_up():
    game, state = board("#########", "#1^*    #", "#       #", "#     2 #", "#       #", "#########")
    state = play(game, state, "RLR")
    assert game.current_player(state) == CHANCE
    assert (state.turn, state.trapped, state.speed0) == (0, 1, 3)
    assert game.current_player(game.next_state(state, 0)) == 0


@pytest.mark.plain
def test_searched_are_the_moves_that_do_not_crash_or_up_alone():
    game, state = board("######", "#1x *#", "#x x2#", "######")
    assert game.search_actions(state, 0) == [ACTIONS.index("U")]
    assert game.search_actions(state._replace(armor0=1), 0) == [ACTIONS.index("R"), ACTIONS.index("D")]
    assert game.safe_actions(state, 0) == []
    assert game.safe_actions(state, 0, armor=True) == [ACTIONS.index("R"), ACTIONS.index("D")]
    assert game.legal_actions(state, 0) == [0, 1, 2, 3]


@pytest.mark.plain
def test_a_turn_given_to_a_player_leaves_the_board_and_the_counters_as_they_are():
    """For one who plans without the other's moves: a trap that is pending falls on nobody."""
    game, state = board("#######", "#1*  ^#", "# x! @#", "#  2  #", "#     #", "#  x  #", "#######")
    state = play(game, state, "R")._replace(armor0=1, speed1=3)
    assert game.current_player(state) == CHANCE
    for player in (0, 1):
        planned = game.with_turn(state, player)
        assert game.current_player(planned) == player
        assert planned == state._replace(turn=player, trapped=-1)
        assert game.field(planned) == game.field(state)


# -- maps, starts ------------------------------------------------------------------------------------------------------


SIZES = dict.fromkeys(MAPS[:4], 17) | dict.fromkeys(MAPS[4:], 13) | {"small_room": 7}
STARTS = {
    "empty_room": ((1, 1), (15, 15)),
    "divider": ((4, 8), (12, 8)),
    "joust": ((5, 8), (11, 8)),
    "hunger_games": ((1, 1), (15, 15)),
    "empty_room_13": ((1, 1), (11, 11)),
    "small_room": ((1, 1), (5, 5)),
    "center_block": ((3, 4), (9, 8)),
    "diagonal_blocks": ((4, 5), (8, 7)),
}
POWERUPS = {"divider": 16, "joust": 11, "hunger_games": 8}


@pytest.mark.parametrize("name", MAPS)
def test_the_maps_are_those_of_the_rules_page(name):
    layout, game = read_layout(name), Tron41(name)
    assert [len(row) for row in layout.rows] == [SIZES[name]] * SIZES[name]
    state = game.initial_state()
    assert (game.position(state, 0), game.position(state, 1)) == STARTS[name]
    assert layout.count("?") == layout.powerups == POWERUPS.get(name, 0)
    turned = [row[::-1].translate(str.maketrans("12", "21")) for row in layout.rows[::-1]]
    assert tuple(turned) == layout.rows


def test_drawn_powerups_are_uniform_over_the_four_kinds_and_follow_the_seed():
    game = Tron41("divider")
    drawn = "".join("".join(game.field(game.initial_state(seed))) for seed in range(100))
    counts = [drawn.count(mark) for mark in "*^!@"]
    assert sum(counts) == 1600
    assert all(abs(count - 400) < 5 * (1600 * 3 / 16) ** 0.5 for count in counts)
    assert game.initial_state(7) == game.initial_state(7) != game.initial_state(8)
    assert game.initial_state() == game.initial_state()


def test_random_starts_are_opposite_each_other_on_any_empty_cell_but_the_centre():
    game = Tron41("center_block", start="random")
    seen = set()
    for seed in range(3000):
        state = game.initial_state(seed)
        (r, c), other = game.position(state, 0), game.position(state, 1)
        assert other == (12 - r, 12 - c)
        seen.add((r, c))
    # 121 cells inside the border, without the ring of 16 walls and the centre.
    assert len(seen) == 121 - 16 - 1
    assert (6, 6) not in seen
    assert sum(row.count("1") + row.count("2") for row in game.field(state)) == 2


def test_either_player_may_move_first():
    game = Tron41("small_room")
    assert game.current_player(game.initial_state(first=1)) == 1
    with pytest.raises(GameError, match="who moves first is 0 or 1"):
        game.initial_state(first=2)


def test_starts_are_one_or_a_sample():
    assert len(Tron41("empty_room").starts()) == 1
    assert len(set(Tron41("joust").starts())) == 256
    assert len(set(Tron41("empty_room", start="random").starts())) > 100


def test_maps_of_one_size_share_their_compiled_code():
    assert Tron41("joust")._numba_type_ == Tron41("divider", start="random")._numba_type_
    assert Tron41("joust")._numba_type_ != Tron41("empty_room_13")._numba_type_
    assert Tron41("joust") != Tron41("divider")


def test_a_map_file_may_have_other_line_ends_and_stray_blanks(tmp_path):
    path = tmp_path / "own.txt"
    path.write_bytes(b"######\r\n#1 ? #  \r\n# ? 2#\r\n######   \r\n\r\n")
    game = Tron41(str(path))
    assert game.layout.rows == ("######", "#1 ? #", "# ? 2#", "######")
    assert (game.grid.width, game.grid.height) == (4, 2)
    assert game.field(game.initial_state())[2][4] == "2"


BAD_MAPS = [
    ("", "is empty"),
    ("\n\n", "is empty"),
    ("####\n#12#\n###", "row 2 has 3 cells, the first row 4"),
    ("####\n#12#\n\n####", "row 2 has 0 cells"),
    ("####\n#1q#\n####", "'q' at \\(1, 2\\) is no cell"),
    ("####\n#12 \n####", "row 1 has 3 cells"),
    ("####\n#12x\n####", "the border must be walls"),
    ("####\n#1 #\n####", "player 2 must be there once, not 0 times"),
    ("#####\n#121#\n#####", "player 1 must be there once, not 2 times"),
    ("##\n##", "sides must be 3 to 34"),
    ("#" * 35 + "\n#12" + " " * 31 + "#\n" + "#" * 35, "sides must be 3 to 34"),
    ("#" * 20000, "longer than 10,000"),
    ("####\n#1\u00e92#\n####", "row 1 has 5"),
]


@pytest.mark.parametrize(("text", "message"), BAD_MAPS)
def test_a_bad_map_file_is_refused_in_one_sentence(tmp_path, text, message):
    path = tmp_path / "own.txt"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(GameError, match=message) as error:
        Tron41(str(path))
    assert "\n" not in str(error.value)


def test_what_is_no_map_file_is_refused(tmp_path):
    (tmp_path / "bytes").write_bytes(b"\xff\xfe\x00")
    for source, message in [
        ("nowhere", "no map is called 'nowhere' and no file either"),
        (str(tmp_path), "no file either"),
        (str(tmp_path / "bytes"), "is no text: expected UTF-8"),
        ("/dev/zero", "no file either"),
        ("", "no map is called ''"),
    ]:
        with pytest.raises(GameError, match=message):
            Tron41(source)


def test_options_are_checked():
    with pytest.raises(GameError, match="start must be map or random"):
        Tron41(start="anywhere")
    with pytest.raises(GameError, match="no two empty cells opposite each other"):
        Tron41("#####\n#1x2#\n##x##\n#####", start="random")
    assert make_game("tron41", map="divider") == Tron41("divider")


# -- text --------------------------------------------------------------------------------------------------------------


@pytest.mark.plain
def test_a_position_as_text():
    game, state = board("######", "#1^ *#", "# !@2#", "######")
    state = play(game, state, "RL")
    text = "\n".join(
        ["tron41 turn 1 armor 0 1 speed 4 0 trap none", *padded("######", "#x1 *#", "# !2x#", "######")]
    )
    assert game.to_text(state) == text
    assert game.from_text(text) == state
    assert game.from_text(text.replace("\n", "  \r\n")) == state
    assert game.render(state) == text


def test_a_bare_board_is_a_position_with_player_1_to_move():
    game, state = board("######", "#1   #", "#   2#", "######")
    assert game.from_text("\n".join(padded("######", "#1   #", "#   2#", "######")) + "\n") == state


def test_texts_that_are_no_position_are_refused():
    game, state = board("#######", "#1^ * #", "#  # 2#", "#######")
    text = game.to_text(state)
    for bad, message in [
        ("", "the position is empty"),
        ("hello", "expected a first line such as"),
        (text.replace("turn 1", "turn 3"), "expected a first line"),
        (text.replace("speed 0 0", "speed 0 9"), "speed counters are 0 to 4"),
        (text.replace("trap none", "trap 2"), "no trap can be pending around player 2"),
        (text.replace("#  # 2#", "#    2#"), "the walls of the position are not the map's at \\(2, 3\\)"),
        (text.replace("#  # 2#", "#  # 1#"), "player 1 is on two cells"),
        (text.replace("#  # 2#", "#^^# 2#"), "the map has only 2 power-ups"),
        (text.replace("#  # 2#", "#  #  #").replace("1^", " ^"), "the position needs a player"),
        (text + "\n" + "#" * 13, "the position has 14 rows of 13 cells, the map 13 rows of 13"),
        (text.replace("#1^ * #", "#1^ ? #"), "'\\?' at \\(1, 4\\) is no cell"),
    ]:
        with pytest.raises(GameError, match=message) as error:
            game.from_text(bad)
        assert "\n" not in str(error.value)
    for options in [{"turn": 2}, {"armor": (2, 0)}, {"speed": (0, 5)}, {"trapped": 2}, {"armor": (1,)}]:
        with pytest.raises(GameError):
            game.from_field(game.field(state), **options)


def test_illegal_actions_are_refused():
    game, state = board("########", "#1*    #", "#      #", "#   2  #", "########")
    for text in ("", "X", "UP", "UD"):
        with pytest.raises(IllegalActionError):
            game.string_to_action(state, 0, text)
    assert game.string_to_action(state, 0, " u ") == ACTIONS.index("U")
    state = play(game, state, "R")
    for text in ("U", "1,1 1,2 1,3", "1,3"):
        with pytest.raises(IllegalActionError):
            game.string_to_action(state, CHANCE, text)
    with pytest.raises(IllegalActionError):
        game.next_state(state, len(game.chance_outcomes(state)))


def test_the_hash_tells_apart_what_is_not_on_the_board():
    game, state = board("########", "#1* *  #", "#^    2#", "#      #", "########")
    trapped = play(game, state, "R")
    others = [
        state,
        state._replace(turn=1),
        state._replace(armor0=1),
        state._replace(armor1=1),
        trapped,
        trapped._replace(turn=0),
        *(state._replace(speed0=n) for n in (1, 2, 3, 4)),
        *(state._replace(speed1=n) for n in (1, 2, 3, 4)),
    ]
    assert len({int(game.hash(other)) for other in others}) == len(others)


def test_symmetries_of_a_position():
    """The small room has the eight of a square, each with the players exchanged too; a map only those of its walls."""
    game = Tron41("small_room")
    assert len(game.symmetries(game.initial_state())) == 15
    game = Tron41("diagonal_blocks")
    assert len(game.symmetries(game.initial_state())) == 7
    assert replace(game, map="small_room") == Tron41("small_room")
