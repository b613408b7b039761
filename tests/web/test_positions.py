"""The positions of games that clients tell whole, and where in a text the cells of its picture stand."""

import random

import pytest

from helpers.recorded_games import random_game
from helpers.web_client import GOOFSPIEL, RIDERS
from saddlepoint.compiled import PLAIN_PYTHON
from saddlepoint.games.catalogue.games import make_game
from saddlepoint.games.goofspiel import Goofspiel
from saddlepoint.web import limits
from saddlepoint.web.catalogue import KnownGames
from saddlepoint.web.positions import Reference, ReferencedPositions, grid_json


def reference(moves=(), game=RIDERS, start=None):
    return {"game": game, "start": start, "moves": [list(joint) for joint in moves]}


def test_a_new_game(asked):
    told = asked.told("/api/new", {"game": "light_riders( width=6,height=6)", "start": "1,2"})
    assert told["game"] == RIDERS
    position = told["position"]
    assert (
        position
        | {
            "node": "simultaneous",
            "to_act": [0, 1],
            "result": None,
            "names": None,
            "text": told["start"],
        }
        == position
    )
    assert ". 0 . . 1 ." in position["render"]
    assert {(move["player"], move["name"]) for move in position["picture"]["moves"]} >= {
        (0, "up"),
        (1, "left"),
    }
    for path, name in (("/api/from-text", "text"), ("/api/new", "start")):
        assert asked.told(path, {"game": RIDERS, name: told["start"]})["start"] == told["start"]


@pytest.mark.plain
@pytest.mark.compiles_long
def test_a_start_drawn_from_a_seed(asked):
    assert (
        len(
            {
                asked.told("/api/new", {"game": "light_riders(width=8, height=8)", "seed": seed})["start"]
                for seed in range(12)
            }
        )
        > 1
    )
    assert asked.told("/api/new", {"game": GOOFSPIEL, "seed": 5})  # its start leaves nothing to draw


@pytest.mark.parametrize("game", ["tic_tac_toe", "goofspiel(cards=5)", RIDERS])
def test_a_position_in_the_middle_of_a_game_is_the_same_one_every_time(asked, game):
    first, again = (asked.told("/api/middle", {"game": game})["position"] for _ in (1, 2))
    assert first == again
    assert first["node"] not in ("over", "chance")
    assert first["turn"] >= 2


@pytest.mark.parametrize("game", ["tic_tac_toe", "goofspiel(cards=5)", "biased_rps", "battlesnake", RIDERS])
def test_what_was_chosen_in_the_middle_of_a_game_leads_on_from_it(asked, game):
    middle = asked.told("/api/middle", {"game": game})
    moves = [*middle["moves"], middle["next"]]
    told = asked.told("/api/positions", reference(moves, middle["game"]) | {"from": len(moves) - 1})[
        "positions"
    ]
    assert told[0] == middle["position"]
    assert [name is not None for name in told[1]["names"]] == [
        player in told[0]["to_act"] for player in (0, 1)
    ]


def test_why_it_is_over_is_said_with_the_names_that_were_given(asked):
    over = reference([[0, 2]] * 3)
    assert "says" not in asked.told("/api/positions", over)["ending"]
    for names, said in ((["You", "Club"], "You left the field."), (["Ann", "You"], "Ann left the field.")):
        assert asked.told("/api/positions", over | {"players": names})["ending"]["says"] == [said]
        assert asked.told("/api/positions", reference([[0, 2]]) | {"players": names})["ending"] is None


NESTED = "expected a position of OshiZumo"
NO_STARTS = [
    *((RIDERS, start, "") for start in ("99,99", "x,y", "1", 5, "x" * 30_000)),
    (RIDERS, "light_riders 6x6 round 99999999999999999999999 facing right left alive 01", ""),
    *((GOOFSPIEL, start, "") for start in ("1,1", "(1, 2)", "(" * 5000, "9" * 9000)),
    (GOOFSPIEL, "__import__('os').system('ls')", ""),
    *(("oshi_zumo", start, NESTED) for start in (f"({'-' * 15_000}1, 1, 0)", f"({'1+' * 9_000}1, 1, 0)")),
]
NO_MOVES = [
    [[0]],
    [[0, 0, 0]],
    [0],
    ["up"],
    [["up", "up"]],
    [[0.0, 1]],
    [[True, False]],
    [[None, None]],
    [[9, 9]],
    [[-1, 0]],
    [[-1, -1]],
    [[-2, 0]],
    [[2**40, 0]],
    [[0, 0]] * 30,
    [{}],
    {"a": 1},
    "moves",
    [[0, 0]] * (limits.MOVES + 1),
]
WITH_MOVES = ("/api/positions", "/api/chance", "/api/line", "/api/export")
ANSWER = {"player": 0, "by": "random"}
NO_BRANCHES = [
    ([[1, 0, 0]], "variation move 1 comes after a position that there is not"),
    ([[0, 0, 0], [2, 0, 0]], "variation move 2 comes after a position that there is not"),
    ([[0, 0, -1]], "variation move 1 must have an action of each player"),
    ([[0, 9, 9]], "variation move 1: "),
    *((one, "branches[0]") for one in ([[-1, 0, 0]], [[0, 0]], [[0, 0, True]], [[0, 0, 2**40]], ["a"])),
    ([[0, 0, 0]] * (limits.BRANCHES + 1), "branches"),
    ("x", "branches"),
    (None, "branches"),
]
REFUSED = [
    *(("/api/new", {"game": game}, "'game'") for game in (3, None, [])),
    ("/api/new", {}, "'game'"),
    *(("/api/new", {"game": RIDERS, "seed": seed}, "'seed'") for seed in (-1, "x", 2**70)),
    *(("/api/new", {"game": game, "start": start}, said) for game, start, said in NO_STARTS),
    *(("/api/from-text", {"game": game, "text": text}, said) for game, text, said in NO_STARTS),
    *((path, reference() | {"moves": moves}, "") for path in WITH_MOVES for moves in NO_MOVES),
    *(("/api/answer", reference() | ANSWER | {"moves": moves}, "") for moves in NO_MOVES),
    *(
        ("/api/positions", reference([(0, 0)]) | {"from": first}, "from")
        for first in (2, -1, 10**20, "0", 0.5, [0])
    ),
    *(("/api/branches", reference() | {"branches": branches}, said) for branches, said in NO_BRANCHES),
]


@pytest.mark.parametrize(("path", "body", "said"), REFUSED)
def test_what_leads_to_no_position_is_refused_in_a_sentence(asked, path, body, said):
    assert said in asked.refused(path, body)


def test_a_game_to_its_end(asked):
    start = asked.told("/api/new", {"game": RIDERS, "start": "1,2"})["start"]
    told = asked.told("/api/positions", reference([(0, 0), (0, 1), (0, 1)], start=start))
    assert told["turn_based"] is False and told["range"] == [-1, 1]
    _, first, _, last = positions = told["positions"]
    assert [position["node"] for position in positions] == ["simultaneous"] * 3 + ["over"]
    assert first["names"] == ["up", "up"]
    assert (last["result"], last["to_act"]) == (0, [])
    # It goes on from the picture before.
    assert first["picture"]["trails"][0]["cells"] == [[1, 2], [1, 1]]
    assert (
        asked.told("/api/positions", reference([(0, 0), (0, 1), (0, 1)], start=start) | {"from": 2})[
            "positions"
        ]
        == told["positions"][2:]
    )


def test_chance_is_drawn_by_the_server(asked):
    assert asked.told("/api/new", {"game": GOOFSPIEL})["position"]["node"] == "chance"
    drawn = asked.told("/api/chance", reference(game=GOOFSPIEL))
    assert drawn["outcome"] in (0, 1, 2)
    assert (
        asked.told("/api/positions", reference([(drawn["outcome"], -1)], GOOFSPIEL))["positions"][1]["node"]
        == "simultaneous"
    )
    assert (
        asked.refused("/api/chance", reference([(drawn["outcome"], -1)], GOOFSPIEL))
        == "it is not chance's turn here"
    )


def test_what_was_played_before_is_not_played_again():
    game, draw = Goofspiel(13), random.Random(1)
    positions = ReferencedPositions(KnownGames({"it": game}))
    state, moves = game.initial_state(), []
    for number in range(26):
        if number % 2 == 0:
            joint = (draw.choice(game.chance_outcomes(state))[0], -1)
        else:
            joint = tuple(draw.choice(game.legal_actions(state, player)) for player in (0, 1))
        state = game.advance(state, *joint)
        moves.append(joint)
        assert positions.state(Reference("it", None, tuple(moves)))[1] == state
    assert positions._steps.cache_info().misses == len(moves) == 26


def test_memory_is_bounded(monkeypatch):
    monkeypatch.setattr("saddlepoint.web.positions._KEPT", 20)
    monkeypatch.setattr("saddlepoint.web.positions._PICTURES", 4)
    positions, draw = ReferencedPositions(KnownGames()), random.Random(2)
    for _ in range(50):
        known, places = positions.line(
            Reference(
                "light_riders(width=12, height=12)",
                None,
                tuple((draw.randrange(3), draw.randrange(3)) for _ in range(2)),
            )
        )
        pictures = positions.pictures(known.game, places, 0)
        assert len(pictures) == 3 and pictures == positions.pictures(known.game, places, 0)
    assert positions._steps.cache_info().currsize <= 20 and len(positions._pictures) <= 4


def test_moves_that_were_tried_have_names_and_turns(asked):
    told = asked.told(
        "/api/branches",
        reference([(0, -1), (0, 0)], GOOFSPIEL) | {"branches": [[0, 1, -1], [3, 2, 1], [1, 1, 1]]},
    )
    assert told["branches"] == [
        {"names": ["prize 2", None], "chance": True, "turn": 0},
        {"names": ["3", "2"], "chance": False, "turn": 1},
        {"names": ["2", "2"], "chance": False, "turn": 1},
    ]


# -- the grid ------------------------------------------------------------------------------------------------------------

GRIDS = [
    ("tic_tac_toe", {}),
    ("connect_four", {}),
    ("simplexity", {"rows": 5, "cols": 4, "win": 3}),
    ("othello", {}),
    ("rubiks_flip", {}),
    ("tron", {}),
    ("tron41", {}),
]


@pytest.mark.parametrize(("name", "parameters"), GRIDS)
def test_what_stands_at_the_place_of_a_cell_is_what_lies_on_it(name, parameters):
    game = make_game(name, **parameters)
    state = random_game(game, random.Random(3), 4)[0][-1]
    text, picture = game.to_text(state), game.picture(state)
    grid = grid_json(game, text)
    cells, symbols = grid["cells"], grid["symbols"]
    assert (len(cells), len(cells[0])) == (picture.height, picture.width) and len(symbols) >= 2
    # Two cells with the same owner and shape have the same character; with others, another one.
    kinds = {}
    for piece in picture.pieces:
        kinds.setdefault(text[cells[piece.y][piece.x]], set()).add((piece.owner, piece.shape, piece.label))
    assert all(len(one) == 1 for one in kinds.values()), kinds


@pytest.mark.parametrize(
    ("name", "symbols"),
    [("light_riders", ".01x"), ("tron", ".01x"), ("othello", ".xo"), ("connect_four", ".xo")],
)
def test_the_first_position_has_its_grid_and_the_symbols_of_later_ones(name, symbols):
    game = make_game(name)
    assert set(grid_json(game, game.to_text(game.initial_state()))["symbols"]) == set(symbols)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("light_riders", {".": "free", "x": "wall", "0": "", "1": ""}),
        ("othello", {".": "free", "x": "", "o": ""}),
        ("tron41", {" ": "free", "#": "wall", "x": "barrier", "!": "bomb", "1": ""}),
        ("simplexity", {".": "free", "w": "White's round piece", "R": "Red's square piece"}),
    ],
)
def test_what_its_owner_does_not_tell_of_a_symbol_is_said_in_a_word(name, words):
    game = make_game(name)
    grid = grid_json(game, game.to_text(game.initial_state()))
    told = dict(zip(grid["symbols"], grid["words"], strict=True))
    assert {symbol: told[symbol] for symbol in words} == words


def test_the_first_position_of_light_riders_can_be_changed_by_its_grid(asked):
    first = asked.told("/api/new", {"game": "light_riders(width=6, height=6)"})
    text = first["start"]
    at = asked.told("/api/from-text", {"game": first["game"], "text": text, "grid": True})["grid"]["cells"][
        0
    ][2]
    assert asked.told("/api/from-text", {"game": first["game"], "text": text[:at] + "x" + text[at + 1 :]})[
        "position"
    ]["picture"]["walls"] == [[2, 0]]


@pytest.mark.parametrize("name", ["goofspiel", "oshi_zumo", "biased_rps", "battlesnake"])
def test_a_text_that_is_no_grid_has_none(name):
    if name == "battlesnake" and PLAIN_PYTHON:
        pytest.skip("slow as plain Python")
    game = make_game(name)
    assert grid_json(game, game.to_text(game.initial_state())) is None


def test_the_server_tells_the_grid_where_it_is_asked_for(asked):
    told = asked.told("/api/from-text", {"game": "tic_tac_toe", "text": "x../.o./...", "grid": True})
    assert told["grid"]["cells"] == [[0, 1, 2], [4, 5, 6], [8, 9, 10]]
    assert set(told["grid"]["symbols"]) == set(".xo")
    assert "grid" not in asked.told("/api/from-text", {"game": "tic_tac_toe", "text": "x../.o./..."})
    asked.refused("/api/from-text", {"game": "tic_tac_toe", "text": "xx./.../...", "grid": True})
    asked.refused("/api/from-text", {"game": "tic_tac_toe", "text": "x../.o./...", "grid": 3})
    assert (
        asked.told("/api/from-text", {"game": "tic_tac_toe", "text": "moves: 4", "grid": True})["grid"]
        is None
    )
