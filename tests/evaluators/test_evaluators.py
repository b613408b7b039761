"""Every evaluator against its definition over lists of cells, at positions of several board sizes."""

import functools
import math
import sys
from dataclasses import dataclass

import numpy as np
import pytest

from helpers import reference_boards as reference
from helpers.board_positions import Position, front_of, raws
from helpers.sizes import COMPILED_ONLY, PLAIN_ONLY, scaled
from saddlepoint.compiled import Component, kernel
from saddlepoint.evaluators import (
    Chambers,
    ChamberTree,
    Constant,
    Endgame,
    Prospects,
    QueueTerritory,
    ReachableChambers,
    ReachableSpace,
    Separated,
    Voronoi,
    VoronoiEdges,
)
from saddlepoint.games.light_riders import LightRiders, State

pytestmark = [pytest.mark.plain, pytest.mark.compiles_long]

SIZES = [
    (7, 7, 5500),
    pytest.param((16, 16, 3000), marks=pytest.mark.slow),
    pytest.param((17, 15, 1500), marks=PLAIN_ONLY),
]


@dataclass(frozen=True)
class InTurn(LightRiders):
    """Light Riders' board, as if the players moved one after the other: for the evaluators' ties only."""

    @kernel
    def current_player(self, state):
        return state.round & 1


@pytest.fixture(scope="module", params=SIZES, ids=["7x7", "16x16", "17x15"])
def board(request):
    width, height, number = request.param
    game, number = LightRiders(width, height), scaled(number)
    walls, heads = reference.random_positions(game.grid, number, seed=width + 2)
    sys.setrecursionlimit(10_000)
    return game, walls, heads, [Position(game.grid, walls[k], heads[k]) for k in range(number)]


def worth_of_edges(position, player):
    own = position.division()[player]
    return 0.055 * len(own) + 0.194 * reference.edges(own, position.free)


def worth_of_chambers(position, player, connected=False):
    own, other = position.division(ties=0)[player], position.division(ties=0)[1 - player]
    return reference.chamber_worth(
        position.heads[player],
        own,
        reference.choke_points(own, position.free),
        front_of(own, other, position.heads[1 - player]),
        position.reached[player],
        lambda cells: 256 * len(cells) + reference.edges(cells, own) if connected else len(cells),
        256 if connected else 1,
    )


def worth_of_blocks(position, player):
    own, other = position.division()[player], position.division()[1 - player] | position.equal
    return reference.block_worth(
        position.heads[player],
        own,
        front_of(own, other, position.heads[1 - player]),
        position.reached[player],
        lambda cells: 0.055 * len(cells) + 0.194 * reference.edges(cells, position.free),
        0.055 + 2 * 0.194,
    )


def worth_of_room(position, player, find=reference.choke_points):
    reached = position.reached[player]
    chokes = find(set(reached), position.free)
    return reference.chamber_worth(position.heads[player], set(reached), chokes, set(), reached, len, 1)


COUNTS = [
    (Voronoi(), lambda position, player: len(position.division()[player])),
    (
        QueueTerritory(),
        lambda position, player: len(reference.layered_control(*position.heads, position.free)[player]),
    ),
    (
        QueueTerritory(),
        lambda position, player: len(reference.queue_territory(*position.heads, position.free)[player]),
    ),
    (ReachableSpace(), lambda position, player: len(position.reached[player])),
]


@pytest.mark.parametrize(
    ("evaluator", "worth"),
    [
        *(pytest.param(*row, marks=(pytest.mark.compiles_soon, pytest.mark.full)) for row in COUNTS),
        (VoronoiEdges(), worth_of_edges),
        (Chambers(), worth_of_chambers),
        (Chambers(connected=True), functools.partial(worth_of_chambers, connected=True)),
        (ChamberTree(), worth_of_blocks),
        (ReachableChambers(), worth_of_room),
        (ReachableChambers(narrow=True), functools.partial(worth_of_room, find=reference.passages)),
    ],
    ids=lambda one: repr(one) if isinstance(one, Component) else "",
)
def test_a_position_is_worth_what_one_player_has_more_than_the_other(board, evaluator, worth):
    game, walls, heads, positions = board
    found = raws(game, evaluator, walls, heads)
    expected = [worth(position, 0) - worth(position, 1) for position in positions]
    assert found.tolist() == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("connected", [False, True])
def test_where_the_players_are_apart_who_has_more_chambers_gets_a_bonus(board, connected):
    game, walls, heads, positions = board
    plain, parted = (
        raws(game, Chambers(connected=connected, separated_bonus=bonus), walls, heads)
        for bonus in (False, True)
    )
    apart = np.array([position.apart for position in positions])
    assert np.array_equal(parted - plain, 512 * (256 if connected else 1) * apart * np.sign(plain))


def test_ties_in_a_game_of_turns_go_to_who_moves():
    game = InTurn(7, 7)
    number = scaled(500)
    walls, heads = reference.random_positions(game.grid, number, seed=12)
    for player in (0, 1):
        found = raws(game, Voronoi(), walls, heads, round_=player)
        for k in range(number):
            mine, yours = Position(game.grid, walls[k], heads[k]).division(ties=player)
            assert found[k] == len(mine) - len(yours)


def test_separated_positions_are_decided_by_fill():
    game = LightRiders(5, 5)
    number = scaled(600)
    walls, heads = reference.random_positions(game.grid, number, seed=13)
    endgame, middle = raws(game, Endgame(), walls, heads), raws(game, Separated(), walls, heads)
    voronoi = raws(game, Voronoi(), walls, heads)
    proven = 0
    for k in range(number):
        position = Position(game.grid, walls[k], heads[k])
        if not position.apart:
            assert endgame[k] == middle[k] == voronoi[k]
            continue
        lengths = [reference.longest_path(head, position.free) for head in position.heads]
        state = State(tuple(walls[k]), int(heads[k, 0]), int(heads[k, 1]), 0, 0, 3, 3)
        if Separated().is_decided(game, state):
            proven += 1
            truth = (lengths[0] > lengths[1]) - (lengths[0] < lengths[1])
            assert Separated().evaluate(game, state) == truth
    assert proven > number // 12


def test_who_is_stuck_first_loses_in_a_game_of_turns():
    # one cell each: in turns, whoever moves first is stuck first
    game = InTurn(5, 5)
    state = game.from_field([".0xxx", "xxxxx", "xxxxx", "xxxxx", "xxx1."], round_=0)
    for player in (0, 1):
        assert Separated().evaluate(game, state._replace(round=player)) == (-1.0, 1.0)[player]
    assert Separated().evaluate(LightRiders(5, 5), state) == 0.0


@pytest.mark.compiles_soon
def test_the_link():
    game = LightRiders(7, 7)
    state = game.from_field(
        [".......", ".......", ".0.....", ".......", ".......", ".....1.", "......."], round_=0
    )
    raw = Voronoi().raw(game, state)
    assert raw != 0
    assert Voronoi(scale=8.0).evaluate(game, state) == pytest.approx(math.tanh(raw / 8))
    assert Voronoi(scale=0.0).evaluate(game, state) == raw
    assert Voronoi().bound == 1.0
    assert Voronoi(scale=0.0).bound >= abs(raw)
    assert Constant(0.25).evaluate(game, state) == 0.25
    with pytest.raises(ValueError, match="scale"):
        Voronoi(scale=-1.0)


@pytest.mark.parametrize(
    "evaluator",
    [
        Voronoi(),
        ReachableSpace(),
        VoronoiEdges(),
        ChamberTree(),
        Endgame(),
        pytest.param(Separated(), marks=COMPILED_ONLY),
        Prospects(),
        ReachableChambers(),
    ],
    ids=lambda evaluator: type(evaluator).__name__,
)
def test_exchanging_the_players_changes_the_sign(evaluator):
    game = LightRiders(16, 16)
    walls, heads = reference.random_positions(game.grid, scaled(500, 4), seed=14)
    exchanged = raws(game, evaluator, walls, heads[:, ::-1].copy())
    # A network adds in single precision, where the order of the players is an order of sums.
    tolerance = 1e-5 if isinstance(evaluator, Prospects) else 1e-8
    assert np.allclose(raws(game, evaluator, walls, heads), -exchanged, atol=tolerance)
