"""Tron-41: its rules in the words of the rules page, and what it makes of bad input."""

from collections import Counter
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest

from helpers.tron_positions import board, padded
from saddlepoint import check_game
from saddlepoint.compiled import PLAIN_PYTHON
from saddlepoint.game.base import CHANCE, TERMINAL, GameError, IllegalActionError
from saddlepoint.games.tron41 import ACTIONS, MAPS, Tron41, read_layout

pytestmark = pytest.mark.compiles_long


def play(game, state, letters):
    for letter in letters:
        assert game.current_player(state) in (0, 1)
        state = game.next_state(state, ACTIONS.index(letter))
    return state


# -- conformance ---------------------------------------------------------------------------------------------------


ALL_POWERUPS = (
    # As plain Python there are too many traps to try on a larger one.
    ("######", "#1*^ #", "#@x! #", "#^ *2#", "######")
    if PLAIN_PYTHON
    else ("########", "#1 * ^ #", "# @ x  #", "#  x ! #", "# ^ * 2#", "########")
)


@pytest.mark.parametrize(
    ("name", "start"),
    [
        ("small_room", "random"),
        *(pytest.param(name, "random", marks=pytest.mark.slow) for name in ("joust", "diagonal_blocks")),
        ("\n".join(padded(*ALL_POWERUPS)), "map"),
    ],
)
def test_maps_keep_the_promises_of_a_game(name, start):
    game = Tron41(name, start=start)
    check_game(game, playouts=2, states=game.starts()[:2], seed=4)


# -- moves -------------------------------------------------------------------------------------------------------------

EMPTY = "#" + " " * 11 + "#"
FAST = ("############", "#1^        #", "#        ^2#", "############")
ARMORED = ("#########", "#1@xx  2#", "#########")
RULES = [  # the map, moves, what holds then, and the board where it shows the rule
    pytest.param(
        ("#####", "#1  #", "#  2#", "#####"),
        "R",
        {"next": 1},
        ("#####", "#x1 #", "#  2#", "#####"),
        id="the cell left becomes a barrier and the opponent moves",
    ),
    *(
        pytest.param(
            ("#####", "#x# #", "##12#", "# x #", "#####"),
            letter,
            {"next": TERMINAL, "result": -1.0, "places": (None, (2, 3))},
            ("#####", "#x# #", "##x2#", "# x #", "#####"),
            id=f"wall, barrier and opponent are crashes and the other wins: {letter}",
        )
        for letter in "URDL"
    ),
    pytest.param(ARMORED, "R", {"armor": (1, 0)}, None, id="an armor is taken"),
    pytest.param(
        ARMORED,
        "RLR",
        {"armor": (0, 0)},
        ("#########", "#xx1x 2x#", "#########"),
        id="it is used up by the next barrier",
    ),
    pytest.param(ARMORED, "RLRLR", {"result": -1.0}, None, id="it helps once"),
    pytest.param(
        ("#######", "#1@@  #", "# x  2#", "#######"),
        "RLRLR",
        {"armor": (1, 0)},
        None,
        id="a second armor changes nothing",
    ),
    pytest.param(FAST, "R", {"next": 1, "speed": (4, 0)}, None, id="speed lets the opponent reply once"),
    pytest.param(
        ("##########", "#1^      #", "#       2#", "##########"),
        "RLRRRRRL",
        {"next": 0, "order": "12111112", "speed": (0, 0)},
        None,
        id="then it gives five moves in a row",
    ),
    pytest.param(
        FAST,
        "RLRRRRRLLLL",
        {"next": 1, "order": "12111112222", "speed": (0, 0)},
        None,
        id="of two with speed the first one's five moves come first",
    ),
    pytest.param(
        ("###########", "#1^^      #", "#        2#", "###########"),
        "RLR",
        {"next": 0, "speed": (3, 0)},
        None,
        id="speed picked up on the run sets the counter to three and keeps the turn",
    ),
    pytest.param(
        (
            "#############",
            "#x  xxxx#   #",
            EMPTY,
            "#   @       #",
            EMPTY,
            "#x  1!x  x x#",
            EMPTY,
            EMPTY,
            EMPTY,
            "#2    x     #",
            "#     x     #",
            "#############",
        ),
        "R",
        {},
        (
            "#############",
            "#       #   #",
            EMPTY,
            "#   @       #",
            EMPTY,
            "#    1     x#",
            EMPTY,
            EMPTY,
            EMPTY,
            "#2          #",
            "#     x     #",
        ),
        id="a bomb clears the barriers of its square, here rows and columns 1 to 9, and nothing else",
    ),
    pytest.param(
        ("########", "#1*#  x#", "####   #", "###2 ###", "########"),
        "R",
        {"next": 1},
        ("########", "#x1#xxx#", "#### x #", "###2 ###", "########"),
        id="three cells around the opponent or fewer leave nothing to chance",
    ),
    pytest.param(
        ("#########", "#1^*    #", "#       #", "#     2 #", "#       #", "#########"),
        "RLR",
        {"next": CHANCE, "mover": 0, "speed": (3, 0)},
        None,
        id="a trap picked up in a run leaves the turn with who picked it up",
    ),
]


@pytest.mark.compiles_soon
@pytest.mark.plain
@pytest.mark.parametrize(("rows", "letters", "after", "shown"), RULES)
def test_moves_do_what_the_rules_page_says(rows, letters, after, shown):
    game, state = board(*rows)
    order = ""
    for letter in letters:
        order += "12"[game.current_player(state)]
        state = game.next_state(state, ACTIONS.index(letter))
    told = {
        "next": game.current_player(state),
        "mover": state.turn,
        "order": order,
        "armor": (state.armor0, state.armor1),
        "speed": (state.speed0, state.speed1),
        "places": (game.position(state, 0), game.position(state, 1)),
        "result": game.returns(state),
    }
    assert told == told | after
    assert shown is None or game.field(state) == padded(*shown)


def test_armor_does_not_help_against_wall_and_opponent():
    game, state = board("#####", "# # #", "##12#", "# # #", "#####")
    for letter in "URDL":
        assert game.returns(play(game, state._replace(armor0=1), letter)) == -1.0


@pytest.mark.plain
def test_a_trap_blocks_three_of_the_empty_cells_two_away_from_the_opponent():
    game, state = board("#######", "#1*   #", "# x  @#", "#  2  #", "#     #", "#  x  #", "#######")
    state = play(game, state, "R")
    assert state.trapped == 1
    # Of the sixteen cells (1, 2) holds player 1, (1, 1) the barrier just left, and there are a barrier and an armor.
    free = [(1, 3), (1, 4), (1, 5), (2, 1), (3, 1), (3, 5), (4, 1), (4, 5), (5, 1), (5, 2), (5, 4), (5, 5)]
    assert game.trap_candidates(state) == free
    outcomes = game.chance_outcomes(state)
    traps = {outcome: tuple(game.trap_cells(state, outcome)) for outcome, _ in outcomes}
    assert sorted(traps.values()) == sorted(combinations(free, 3))
    assert [share for _, share in outcomes] == pytest.approx([1 / len(outcomes)] * len(outcomes))
    assert all(game.trap_outcome(state, cells) == outcome for outcome, cells in traps.items())
    after = game.next_state(state, game.string_to_action(state, CHANCE, "1,3 3,5 4,1"))
    assert game.field(after) == padded("#######", "#x1x  #", "# x  @#", "#  2 x#", "#x    #", "#  x  #")
    assert game.current_player(after) == 1


@pytest.mark.plain
@pytest.mark.parametrize("player", [0, 1])
def test_a_turn_given_to_a_player_leaves_the_board_and_the_counters_as_they_are(player):
    """For one who plans without the other's moves: a trap that is pending falls on nobody."""
    game, state = board("#######", "#1*  ^#", "# x! @#", "#  2  #", "#     #", "#  x  #", "#######")
    state = play(game, state, "R")._replace(armor0=1, speed1=3)
    assert game.current_player(state) == CHANCE
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
    drawn = Counter("".join("".join(game.field(game.initial_state(seed))) for seed in range(100)))
    counts = [drawn[mark] for mark in "*^!@"]
    assert sum(counts) == 1600
    assert all(abs(count - 400) < 5 * (1600 * 3 / 16) ** 0.5 for count in counts)
    assert game.initial_state(7) == game.initial_state(7) != game.initial_state(8)
    assert game.initial_state() == game.initial_state()


def test_random_starts_are_opposite_each_other_on_any_empty_cell_but_the_centre():
    game = Tron41("center_block", start="random")
    states = [game.initial_state(seed) for seed in range(3000)]
    places = {(game.position(state, 0), game.position(state, 1)) for state in states}
    assert all(other == (12 - row, 12 - column) for (row, column), other in places)
    # 121 cells inside the border, without the ring of 16 walls and the centre.
    assert len(places) == 121 - 16 - 1
    assert ((6, 6), (6, 6)) not in places
    assert Counter("".join(game.field(states[0])))["1"] == 1


def test_either_player_may_move_first():
    game = Tron41("small_room")
    assert [game.current_player(game.initial_state(first=first)) for first in (0, 1)] == [0, 1]


def test_starts_are_one_or_a_sample():
    assert len(Tron41("empty_room").starts()) == 1
    assert len(set(Tron41("joust").starts())) == 256
    assert len(set(Tron41("empty_room", start="random").starts())) > 100


def written(folder, text):
    path = folder / "own.txt"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return str(path)


def test_a_map_file_may_have_other_line_ends_and_stray_blanks(tmp_path):
    game = Tron41(written(tmp_path, b"######\r\n#1 ? #  \r\n# ? 2#\r\n######   \r\n\r\n"))
    assert game.layout.rows == ("######", "#1 ? #", "# ? 2#", "######")
    assert game.field(game.initial_state())[2][4] == "2"


# -- text --------------------------------------------------------------------------------------------------------------


@pytest.mark.plain
def test_a_position_as_text():
    game, state = board("######", "#1^ *#", "# !@2#", "######")
    rows = padded("######", "#1^ *#", "# !@2#", "######")
    assert game.from_text("\n".join(rows) + "\n") == state  # a bare board: player 1 is to move
    state = play(game, state, "RL")
    text = "\n".join(
        ["tron41 turn 1 armor 0 1 speed 4 0 trap none", *padded("######", "#x1 *#", "# !2x#", "######")]
    )
    assert game.to_text(state) == game.render(state) == text
    assert game.from_text(text) == game.from_text(text.replace("\n", "  \r\n")) == state


WALLED, BEGUN = board("#######", "#1^ * #", "#  # 2#", "#######")
TEXT = WALLED.to_text(BEGUN)
MADE = {
    "map file": lambda what, folder: Tron41(written(folder, what)),
    "map": lambda what, folder: Tron41(what),
    "game": lambda what, folder: Tron41(**what),
    "start": lambda what, folder: WALLED.initial_state(first=what),
    "position": lambda what, folder: WALLED.from_text(what),
    "field": lambda what, folder: WALLED.from_field(WALLED.field(BEGUN), **what),
}
REFUSED = [
    ("map file", "", "is empty"),
    ("map file", "\n\n", "is empty"),
    ("map file", "####\n#12#\n###", "row 2 has 3 cells, the first row 4"),
    ("map file", "####\n#12#\n\n####", "row 2 has 0 cells"),
    ("map file", "####\n#1q#\n####", "'q' at \\(1, 2\\) is no cell"),
    ("map file", "####\n#12 \n####", "row 1 has 3 cells"),
    ("map file", "####\n#12x\n####", "the border must be walls"),
    ("map file", "####\n#1 #\n####", "player 2 must be there once, not 0 times"),
    ("map file", "#####\n#121#\n#####", "player 1 must be there once, not 2 times"),
    ("map file", "##\n##", "sides must be 3 to 34"),
    ("map file", "#" * 35 + "\n#12" + " " * 31 + "#\n" + "#" * 35, "sides must be 3 to 34"),
    ("map file", "#" * 20000, "longer than 10,000"),
    ("map file", "####\n#1\u00e92#\n####", "row 1 has 5"),
    ("map file", b"\xff\xfe\x00", "is no text: expected UTF-8"),
    ("map", "nowhere", "no map is called 'nowhere' and no file either"),
    ("map", str(Path(__file__).parent), "no file either"),
    ("map", "/dev/zero", "no file either"),
    ("map", "", "no map is called ''"),
    ("game", {"start": "anywhere"}, "start must be map or random"),
    (
        "game",
        {"map": "#####\n#1x2#\n##x##\n#####", "start": "random"},
        "no two empty cells opposite each other",
    ),
    ("start", 2, "who moves first is 0 or 1"),
    ("position", "", "the position is empty"),
    ("position", "hello", "expected a first line such as"),
    ("position", TEXT.replace("turn 1", "turn 3"), "expected a first line"),
    ("position", TEXT.replace("speed 0 0", "speed 0 9"), "speed counters are 0 to 4"),
    ("position", TEXT.replace("trap none", "trap 2"), "no trap can be pending around player 2"),
    (
        "position",
        TEXT.replace("#  # 2#", "#    2#"),
        "the walls of the position are not the map's at \\(2, 3\\)",
    ),
    ("position", TEXT.replace("#  # 2#", "#  # 1#"), "player 1 is on two cells"),
    ("position", TEXT.replace("#  # 2#", "#^^# 2#"), "the map has only 2 power-ups"),
    ("position", TEXT.replace("#  # 2#", "#  #  #").replace("1^", " ^"), "the position needs a player"),
    ("position", TEXT + "\n" + "#" * 13, "the position has 14 rows of 13 cells, the map 13 rows of 13"),
    ("position", TEXT.replace("#1^ * #", "#1^ ? #"), "'\\?' at \\(1, 4\\) is no cell"),
    ("field", {"turn": 2}, "the player to move is 0 or 1"),
    ("field", {"trapped": 2}, "a trap is set around -1"),
    ("field", {"armor": (2, 0)}, "armor is 0 or 1 for each player"),
    ("field", {"armor": (1,)}, "armor is 0 or 1 for each player"),
    ("field", {"speed": (0, 5)}, "speed counters are 0 to 4"),
]


@pytest.mark.parametrize(("kind", "what", "message"), REFUSED)
def test_what_is_no_map_game_or_position_is_refused_in_one_sentence(tmp_path, kind, what, message):
    with pytest.raises(GameError, match=message) as error:
        MADE[kind](what, tmp_path)
    assert "\n" not in str(error.value)


def test_illegal_actions_are_refused():
    game, state = board("########", "#1*    #", "#      #", "#   2  #", "########")
    assert game.string_to_action(state, 0, " u ") == ACTIONS.index("U")
    trapped = play(game, state, "R")
    illegal = [(state, 0, text) for text in ("", "X", "UP", "UD")]
    illegal += [(trapped, CHANCE, text) for text in ("U", "1,1 1,2 1,3", "1,3")]
    for before, player, text in illegal:
        with pytest.raises(IllegalActionError):
            game.string_to_action(before, player, text)
    with pytest.raises(IllegalActionError):
        game.next_state(trapped, len(game.chance_outcomes(trapped)))


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
