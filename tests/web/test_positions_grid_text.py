"""Where in a position's text the cells of its picture stand."""

import random

import pytest

from helpers.recorded_games import random_game
from saddlepoint.compiled import PLAIN_PYTHON
from saddlepoint.games.catalogue.games import make_game
from saddlepoint.web.positions import grid_json

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
    assert grid is not None
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
