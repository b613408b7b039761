"""The evaluations of the bots that came with Tron-41 and our own, against their description; whose a cell is where players move in turn."""

import math
from collections import deque

import numpy as np
import pytest

from helpers import reference_boards as reference
from helpers.board_positions import board_of_row, write_board
from helpers.reference_boards import around, cells_of, distances, free_of, steps, territories
from helpers.sizes import COMPILED_ONLY, PLAIN_ONLY, scaled
from helpers.tron_positions import MAPS, Cells, random_positions
from saddlepoint.boards.bitboard import free_cells
from saddlepoint.boards.grid import Grid
from saddlepoint.boards.longest_path import fillable_bound
from saddlepoint.compiled import jit, run
from saddlepoint.game.base import TERMINAL
from saddlepoint.games.tron41 import TronControl, TronFreespace, TronOwnFill, TronTwoFills
from saddlepoint.games.tron41.evaluators import turn_voronoi

pytestmark = pytest.mark.compiles_long


def freespace(cells):
    """Between 0 and 1, for player 0."""
    mine, yours = cells.distances(0), cells.distances(1)
    share = len(mine) / (len(mine) + len(yours)) if mine or yours else 0.5
    armor = {(1, 0): 1.0, (0, 1): 0.0}.get(tuple(cells.armor), 0.5)
    met = any(there in mine or there == cells.heads[0] for there in cells.around(cells.heads[1]))
    nearest = [
        min((n for cell, n in steps.items() if cells.mark(cell) != " "), default=None)
        for steps in (mine, yours)
    ]
    if not met or nearest == [None, None]:
        return 0.90 * share + 0.10 * armor
    if None in nearest:
        powerup = 0.0 if nearest[0] is None else 1.0
    else:
        powerup = 1 - nearest[0] / (nearest[0] + nearest[1])
    return 0.85 * share + 0.05 * powerup + 0.10 * armor


@pytest.mark.parametrize("name", [*MAPS[:-1], pytest.param(MAPS[-1], marks=pytest.mark.plain)])
def test_tron_freespace_is_share_nearness_and_armor(name):
    game, states = random_positions(name, 120, seed=len(name))
    for state in states:
        cells = Cells(game, state)
        assert (TronFreespace().evaluate(game, state) + 1) / 2 == pytest.approx(freespace(cells), abs=1e-12)
        space = len(cells.distances(0)) + len(cells.distances(1))
        assert TronFreespace().cutoff_depth(game, state) == (7 if space < 100 else 6 if space < 250 else 5)


def queue_fill(cells, player):
    """How many cells each head of one queue gets, the player's own first."""
    owner = {cells.heads[player]: player, cells.heads[1 - player]: 1 - player}
    waiting = deque(owner)
    while waiting:
        cell = waiting.popleft()
        for there in cells.around(cell):
            if cells.is_free(there) and there not in owner:
                owner[there] = owner[cell]
                waiting.append(there)
    return [sum(who == p for who in owner.values()) - 1 for p in (player, 1 - player)]


@pytest.mark.plain
@pytest.mark.parametrize("name", [*(pytest.param(name, marks=COMPILED_ONLY) for name in MAPS[:-1]), MAPS[-1]])
def test_the_leaves_of_the_two_three_ply_opponents(name):
    game, states = random_positions(name, 80, seed=len(name), finished=True)
    ended = 0
    for state in states:
        assert TronOwnFill().evaluate(game, state) == TronOwnFill().evaluate_for(game, state, 0)
        for player in (0, 1):
            views = [fill().evaluate_for(game, state, player) for fill in (TronOwnFill, TronTwoFills)]
            if game.current_player(state) == TERMINAL:
                ended += 1
                assert views == [game.returns(state) * (1 - 2 * player)] * 2
                continue
            cells = Cells(game, state)
            own = len(cells.distances(player))
            mine, yours = queue_fill(cells, player)
            expected = [own / 200, (50 + mine - yours) / 200]
            assert [(view + 1) / 2 for view in views] == pytest.approx(
                [1 / (1 + math.exp(-x)) for x in expected]
            )
    assert ended > 0


# -- our own ---------------------------------------------------------------------------------------------------------


@jit
def fillable(game, state, player):
    return fillable_bound(game.grid, game.head(state, player), free_cells(game.grid, game.walls(state)))


def control_in_touch(ev, state, cells, owned):
    def side(player):
        own = owned[player]
        beside = sum(cells.is_free(there) for cell in own for there in cells.around(cell))
        marks = [cells.mark(cell) for cell in own]
        goods = sum(
            marks.count(m) * w
            for m, w in (("@", ev.armors), ("^", ev.speeds), ("!", ev.bombs), ("*", ev.traps))
        )
        return len(own) + ev.edge * beside + goods + ev.armor * cells.armor[player]

    return side(0) - side(1)


def control_separated(ev, game, state, cells, owned):
    def side(player):
        own = owned[player]
        worth = float(run(fillable, game, state, player) - (state.speed0, state.speed1)[player])
        edge = {there for cell in own | {cells.heads[player]} for there in cells.around(cell)}
        if cells.armor[player]:
            gates = {cell for cell in edge if cells.mark(cell) == "x"}
            behind = steps(gates, (cells.free - own).__contains__)
            worth += 1 + 0.5 * (len(behind) - len(gates))
        for r, c in own:
            if cells.mark((r, c)) == "!":
                near = {(i, j) for i in range(r - 4, r + 5) for j in range(c - 4, c + 5)}
                inside = {
                    (i, j) for i, j in near if 0 < i < len(cells.rows) - 1 and 0 < j < len(cells.rows[0]) - 1
                }
                worth += ev.bomb_separated * sum(cell in own or cells.mark(cell) == "x" for cell in inside)
        worth += ev.edge_separated * sum(cells.is_free(there) for cell in own for there in cells.around(cell))
        marks = [cells.mark(cell) for cell in own]
        goods = (("^", ev.speed_separated), ("*", ev.trap_separated), ("@", ev.armor_separated))
        return worth + sum(weight * marks.count(mark) for mark, weight in goods)

    return side(0) - side(1) + (-0.5 if state.turn == 0 else 0.5)


@pytest.mark.parametrize("name", MAPS)
def test_tron_control_is_the_sum_it_says(name):
    game, states = random_positions(name, 150, seed=len(name) + 1)
    ev = TronControl(chambers=False)
    kinds = {True: 0, False: 0}
    for state in states:
        cells = Cells(game, state)
        touching = bool(set(cells.distances(0)) & set(cells.distances(1)))
        kinds[touching] += 1
        owned = claimed(cells.heads, cells.free, state.turn, (state.speed0, state.speed1))
        lead = (
            control_in_touch(ev, state, cells, owned)
            if touching
            else control_separated(ev, game, state, cells, owned)
        )
        assert ev.raw(game, state) == pytest.approx(lead)
        value, scale = ev.evaluate(game, state), ev.scale if touching else ev.scale_separated
        assert value == pytest.approx(0.98 * lead / (scale + abs(lead)))
        if not touching:
            assert ev.steps_of(value) == pytest.approx(lead)
    assert kinds[False] > 10
    assert kinds[True] > (10 if name != "divider" else -1)


@pytest.mark.plain
@pytest.mark.parametrize("chambers", [False, pytest.param(True, marks=COMPILED_ONLY)])
def test_tron_control_sees_both_players_alike(chambers):
    """Exchanging the players negates it, and so does any turn of the map together with an exchange."""
    game, states = random_positions("hunger_games", 60, seed=11)
    ev = TronControl(chambers=chambers)
    for state in states:
        value = ev.evaluate(game, state)
        for symmetry in game.symmetries(state)[:3]:
            assert ev.evaluate(game, symmetry.state) == pytest.approx(-value if symmetry.swap else value)


# -- floods in turn ------------------------------------------------------------------------------------------------------

SOON = [pytest.mark.compiles_soon, pytest.mark.full]


@jit
def floods_in_turn(grid, walls, heads, turns, boards, touching):
    for k in range(len(walls)):
        free = ~board_of_row(grid, walls[k])
        found = turn_voronoi(grid, heads[k, 0], heads[k, 1], free, turns[k, 0], turns[k, 1], turns[k, 2])
        write_board(grid, found.territory0, boards[k, 0])
        write_board(grid, found.territory1, boards[k, 1])
        touching[k] = not found.separated


def claimed(heads, free, turn, extras):
    """Each move of a player claims the free cells next to the ones claimed by its last move."""
    fronts, owned, extras = [{heads[0]}, {heads[1]}], [set(), set()], list(extras)
    left, idle, patience = set(free) - set(heads), 0, 2 * sum(extras) + 4
    while idle < patience:
        fronts[turn] = {there for cell in fronts[turn] for there in around(cell) if there in left}
        owned[turn] |= fronts[turn]
        left -= fronts[turn]
        idle = 0 if fronts[turn] else idle + 1
        if extras[turn] > 0:
            extras[turn] -= 1
        else:
            turn = 1 - turn
    return owned


@pytest.mark.plain
@pytest.mark.parametrize(
    ("width", "height", "number"),
    [pytest.param(5, 5, 1500, marks=SOON), pytest.param(11, 11, 1000, marks=PLAIN_ONLY), (15, 15, 1000)],
)
def test_a_cell_goes_to_who_arrives_first(width, height, number):
    grid, number = Grid(width, height), scaled(number)
    walls, heads = reference.random_positions(grid, number, seed=width)
    turns = np.random.default_rng(width).integers([0, 0, 0], [2, 5, 5], (number, 3))
    turns[::2, 1:] = 0
    boards, touching = np.zeros((number, 2, grid.words), np.uint64), np.zeros(number, np.uint8)
    run(floods_in_turn, grid, walls, heads, turns, boards, touching)
    apart = 0
    for k in range(number):
        free, places = free_of(grid, walls[k]), [grid.position(int(head)) for head in heads[k]]
        turn, *extras = turns[k].tolist()
        owned = claimed(places, free, turn, extras)
        assert [cells_of(grid, boards[k, p]) for p in (0, 1)] == owned
        reached = [set(distances(place, free)) for place in places]
        assert bool(touching[k]) == bool(reached[0] & reached[1])
        apart += not touching[k]
        if extras == [0, 0]:  # strictly in turn: equal distances go to who moves first
            mine, yours, equal = territories(*places, free)
            assert owned == [mine | (equal if turn == 0 else set()), yours | (equal if turn == 1 else set())]
    assert 0 < apart < number
