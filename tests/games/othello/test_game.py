"""Othello: the published sizes of its tree (perft), the known values of 4 x 4, games by a second program.

Games of so many plies on 8 x 8 cells, passes counted as moves: 4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005288.
4 x 4 is a win for the second player, 3 discs against 11.
"""

import numpy as np
import pytest

from helpers.sizes import COMPILED_ONLY
from saddlepoint import check_game
from saddlepoint.algorithms import BackwardInduction, Limits, search
from saddlepoint.game.base import TERMINAL
from saddlepoint.games.othello import PASS, Othello
from saddlepoint.solvers.general import Solution, certificate_of
from saddlepoint.solvers.general.solve import solve_positions

PERFT = (4, 12, 56, 244, 1396, 8200, 55092, 390216)
Board = dict[tuple[int, int], int]
DISTINCT_4X4 = 56_621
"""Positions at which somebody moves, with who it is, by another program."""


def enclosed(board: Board, size: int, player: int, cell: tuple[int, int]) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    for dx, dy in ((1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)):
        line, (x, y) = list[tuple[int, int]](), (cell[0] + dx, cell[1] + dy)
        while board.get((x, y)) == 1 - player:
            line.append((x, y))
            x, y = x + dx, y + dy
        if board.get((x, y)) == player:
            found += line
    return found


def moves(board: Board, size: int, player: int) -> dict[tuple[int, int], list[tuple[int, int]]]:
    cells = [(x, y) for y in range(size) for x in range(size) if (x, y) not in board]
    return {cell: turned for cell in cells if (turned := enclosed(board, size, player, cell))}


def start(size: int) -> Board:
    low, high = size // 2 - 1, size // 2
    return {(high, low): 0, (low, high): 0, (low, low): 1, (high, high): 1}


@pytest.mark.compiles_soon
def test_the_tree_has_its_published_size() -> None:
    game = Othello()
    sizes = [1]
    for depth in range(1, len(PERFT) + 1):
        sizes.append(
            search(
                game, game.initial_state(), BackwardInduction(table=False), Limits(depth=depth)
            ).statistics.nodes
        )
    assert tuple(np.diff(sizes).tolist()) == PERFT


@pytest.mark.compiles_long
def test_4x4_is_lost_by_8_discs_as_known() -> None:
    work = solve_positions(Othello(4, "discs"))
    assert work.value == -8.0
    assert solve_positions(Othello(4)).value == -1.0
    assert work.counts().positions == DISTINCT_4X4
    assert certificate_of(Solution.of(work)).worst_gap == 0.0


@pytest.mark.plain
@pytest.mark.parametrize("size", [4, 6, pytest.param(8, marks=COMPILED_ONLY)])
def test_random_games_go_as_another_program_says(size: int) -> None:
    draw = np.random.default_rng(size)
    for _ in range(3):
        game, board = Othello(size), start(size)
        state = game.initial_state()
        while (player := game.current_player(state)) != TERMINAL:
            assert len(board) == sum(one.count("x") + one.count("o") for one in game.rows(state))
            assert all("xo".index(game.rows(state)[y][x]) == owner for (x, y), owner in board.items())
            found = moves(board, size, player)
            assert game.legal_actions(state, player) == (sorted(8 * y + x for x, y in found) or [PASS])
            action = int(draw.choice(game.legal_actions(state, player)))
            if action != PASS:
                cell = action % 8, action // 8
                board.update(dict.fromkeys([cell, *found[cell]], int(player)))
            state = game.next_state(state, action)
        assert not moves(board, size, 0) and not moves(board, size, 1)
        lead = list(board.values()).count(0) - list(board.values()).count(1)
        assert game.returns(state) == np.sign(lead) and Othello(size, "discs").returns(state) == lead


@pytest.mark.slow
def test_it_passes_the_conformance_test() -> None:
    check_game(Othello(4), playouts=4)
    check_game(Othello(6, "discs"), playouts=2)


@pytest.mark.plain
def test_text_has_the_rows_and_who_moves_and_actions_are_named_by_column_and_row() -> None:
    game = Othello(4)
    state = game.initial_state()
    assert game.to_text(state) == "..../.ox./.xo./..../x"
    assert game.string_to_action(state, 0, "B1") == 1
