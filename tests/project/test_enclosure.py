"""The example game Enclosure by its rules, beside a second program over sets of pairs of coordinates."""

import random

import numpy as np
import pytest
from enclosure import DIRECTIONS, Enclosure, State

from helpers.sizes import COMPILED_ONLY, scaled
from saddlepoint import check_game
from saddlepoint.game.base import TERMINAL, GameError

pytestmark = pytest.mark.plain

GAME = Enclosure(5)
UP, RIGHT, DOWN, LEFT = range(4)

Cell = tuple[int, int]


def position(drawing: str) -> State:
    """The position that `render` draws so."""
    rows = drawing.strip("\n").splitlines()
    marks = {8 * y + x: row[2 * x : 2 * x + 2] for y, row in enumerate(rows) for x in range(len(row) // 2)}
    owned = [np.uint64(sum(1 << cell for cell, mark in marks.items() if mark[1] == owner)) for owner in "ab"]
    places = [next(cell for cell, mark in marks.items() if mark[0] in (player, "*")) for player in "AB"]
    return State(owned[0], owned[1], places[0], places[1], 0)


def test_the_start_is_the_same_for_both() -> None:
    state = GAME.initial_state()
    assert GAME.render(state).splitlines() == [
        " . . . . .",
        " .Aa . . .",
        " . . . . .",
        " . . .Bb .",
        " . . . . .",
        "round 0 of 60",
    ]
    images = GAME.symmetries(state)
    assert len(images) == 15
    assert any(image.state == state and image.swap for image in images)
    corner = position("Aa . . . .\n . . . . .\n . . . . .\n . . . . .\n . . . .Bb")
    assert [DIRECTIONS[action] for action in GAME.legal_actions(corner, 0)] == ["right", "down"]
    assert [DIRECTIONS[action] for action in GAME.legal_actions(corner, 1)] == ["up", "left"]


OPEN_RING = """
 . . . . .
 . a a a .
 . a .Aa .
 . a a . .
 . . .Bb ."""


def test_the_picture_has_one_piece_a_cell_and_the_players_above_all() -> None:
    picture = GAME.picture(position(OPEN_RING))
    assert {(one.x, one.y) for one in picture.pieces if one.shape == "square"} == {
        (1, 1),
        (2, 1),
        (3, 1),
        (1, 2),
        (1, 3),
        (2, 3),
    }
    assert [(one.x, one.y, one.owner, one.label) for one in picture.pieces if one.shape == "disc"] == [
        (3, 2, 0, "A"),
        (3, 4, 1, "B"),
    ]
    assert [number.value for number in picture.numbers] == [7, 1]
    assert {move.arrow for move in picture.moves} == set(DIRECTIONS)


# -- another program -------------------------------------------------------------------------------------------------


def enclosed(size: int, owner: dict[Cell, int]) -> dict[Cell, int]:
    """Who gets which free cells: those of an area, held together diagonally too, that has no cell at the edge and one neighbour."""
    left = {(x, y) for x in range(size) for y in range(size)} - set(owner)
    found: dict[Cell, int] = {}
    while left:
        area, waiting, at_edge, beside = set[Cell](), [left.pop()], False, set[int]()
        while waiting:
            x, y = waiting.pop()
            area.add((x, y))
            at_edge |= x in (0, size - 1) or y in (0, size - 1)
            for near in ((x + right, y + below) for right in (-1, 0, 1) for below in (-1, 0, 1)):
                if near in left:
                    left.remove(near)
                    waiting.append(near)
                elif near in owner:
                    beside.add(owner[near])
        if not at_edge and len(beside) == 1:
            found |= dict.fromkeys(area, *beside)
    return found


def some_position(size: int, choose: random.Random) -> tuple[list[Cell], dict[Cell, int]]:
    """Where both stand, and cells strewn about: player 0's mostly on the left, player 1's on the right."""
    cells = [(x, y) for x in range(size) for y in range(size)]
    owner = {
        (x, y): int(choose.random() < (0.04 if 2 * x < size else 0.96))
        for x, y in cells
        if choose.random() < 0.65
    }
    return [choose.choice(cells), choose.choice(cells)], owner | enclosed(size, owner)


@pytest.mark.parametrize("size", [pytest.param(7, marks=pytest.mark.compiles_long), 8])
def test_random_games_are_those_of_another_program(size: int) -> None:
    game, choose = Enclosure(size, 25), random.Random(size)
    gained = [0, 0]
    for _ in range(scaled(400, 150)):
        places, owner = some_position(size, choose)
        owned = [
            np.uint64(sum(1 << 8 * y + x for (x, y), player in owner.items() if player == one))
            for one in (0, 1)
        ]
        state = State(*owned, *(game.grid.cell(*place) for place in places), 0)
        while game.current_player(state) != TERMINAL:
            steps: list[int] = []
            for player, (x, y) in enumerate(places):
                targets = {UP: (x, y - 1), RIGHT: (x + 1, y), DOWN: (x, y + 1), LEFT: (x - 1, y)}
                legal = [step for step, cell in targets.items() if min(cell) >= 0 and max(cell) < size]
                assert game.legal_actions(state, player) == legal
                steps.append(choose.choice(legal))
                places[player] = targets[steps[-1]]
            state = game.next_state(state, *steps)
            if places[0] != places[1]:
                owner |= {place: player for player, place in enumerate(places) if place not in owner}
            for cell, player in enclosed(size, owner).items():
                owner[cell] = player
                gained[player] += 1
            assert places == [game.grid.position(int(place)) for place in (state.place0, state.place1)]
            assert game.rows(state) == [
                "".join(".ab"[owner.get((x, y), -1) + 1] for x in range(size)) for y in range(size)
            ]
        counts = [list(owner.values()).count(player) for player in (0, 1)]
        assert 2 * max(counts) > size * size or sum(counts) == size * size or state.round == 25
        assert game.returns(state) == np.sign(counts[0] - counts[1])
    assert sum(gained) > 10


# -- promises --------------------------------------------------------------------------------------------------------


@COMPILED_ONLY
@pytest.mark.compiles_long
@pytest.mark.parametrize("game", [Enclosure(4, 8), Enclosure(7, 30), Enclosure(8, 12)])
def test_it_passes_the_conformance_test(game) -> None:
    check_game(game, playouts=4)


@pytest.mark.parametrize(
    ("parameters", "said"),
    [
        ((3,), "size must be 4 to 8, not 3"),
        ((9,), "size must be"),
        ((7, 0), "rounds must be 1 to 100, not 0"),
    ],
)
def test_what_is_no_game_is_refused(parameters, said: str) -> None:
    with pytest.raises(GameError, match=said):
        Enclosure(*parameters)
