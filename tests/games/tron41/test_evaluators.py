"""The evaluations of the bots that came with Tron-41, against their description."""

import math
from collections import deque

import pytest

from helpers.sizes import COMPILED_ONLY
from helpers.tron_positions import MAPS, Cells, random_positions
from saddlepoint.boards.bitboard import free_cells
from saddlepoint.boards.longest_path import fillable_bound
from saddlepoint.compiled import jit, run
from saddlepoint.game.base import TERMINAL
from saddlepoint.games.tron41 import TronControl, TronFreespace, TronOwnFill, TronTwoFills

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


def claimed(game, state, cells):
    """The cells that each player reaches first, moving in turn and as often in a row as its speed says."""
    fronts, owned, extras = [{cells.heads[0]}, {cells.heads[1]}], [set(), set()], [state.speed0, state.speed1]
    turn = state.turn
    for _ in range(4 * len(cells.rows) ** 2):
        left = (
            {there for cell in fronts[turn] for there in cells.around(cell) if cells.is_free(there)}
            - owned[0]
            - owned[1]
        )
        fronts[turn] = left
        owned[turn] |= left
        if extras[turn] > 0:
            extras[turn] -= 1
        else:
            turn = 1 - turn
    return owned


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
        steps = float(run(fillable, game, state, player) - (state.speed0, state.speed1)[player])
        edge = {there for cell in own | {cells.heads[player]} for there in cells.around(cell)}
        if cells.armor[player]:
            gates = {cell for cell in edge if cells.mark(cell) == "x"}
            behind = {there for cell in gates for there in cells.around(cell) if cells.is_free(there)} - own
            waiting = list(behind)
            while waiting:
                new = {there for there in cells.around(waiting.pop()) if cells.is_free(there)} - own - behind
                behind |= new
                waiting += new
            steps += 1 + 0.5 * len(behind)
        for r, c in own:
            if cells.mark((r, c)) == "!":
                near = {(i, j) for i in range(r - 4, r + 5) for j in range(c - 4, c + 5)}
                inside = {
                    (i, j) for i, j in near if 0 < i < len(cells.rows) - 1 and 0 < j < len(cells.rows[0]) - 1
                }
                steps += ev.bomb_separated * sum(cell in own or cells.mark(cell) == "x" for cell in inside)
        steps += ev.edge_separated * sum(cells.is_free(there) for cell in own for there in cells.around(cell))
        marks = [cells.mark(cell) for cell in own]
        goods = (("^", ev.speed_separated), ("*", ev.trap_separated), ("@", ev.armor_separated))
        return steps + sum(weight * marks.count(mark) for mark, weight in goods)

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
        owned = claimed(game, state, cells)
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
