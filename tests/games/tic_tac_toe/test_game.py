"""Tic-tac-toe: the tree's known size, and play that never loses.

549,946 nodes, 255,168 games, 5,478 positions, of which 958 are ended; a draw.
"""

from functools import cache

import pytest

from helpers.sizes import COMPILED_ONLY, scaled
from saddlepoint import check_game
from saddlepoint.algorithms import SerialisedAlphaBeta, search
from saddlepoint.game.base import TERMINAL
from saddlepoint.games.tic_tac_toe import State, TicTacToe
from saddlepoint.solvers.general import Solution, certificate_of, exact_value
from saddlepoint.solvers.general.solve import solve_positions

pytestmark = pytest.mark.plain
GAME = TicTacToe()


@pytest.mark.full
@COMPILED_ONLY
def test_it_passes_the_conformance_test() -> None:
    check_game(GAME, playouts=scaled(10, 3))


@COMPILED_ONLY
@pytest.mark.compiles_soon
def test_the_tree_has_its_known_size() -> None:
    ended: set[State] = set()

    @cache
    def size(state: State) -> tuple[int, int]:
        """(nodes, games) from a position on."""
        player = GAME.current_player(state)
        if player == TERMINAL:
            ended.add(state)
            return 1, 1
        moves = [(cell, -1) if player == 0 else (-1, cell) for cell in GAME.choices(state, player)]
        after = [size(GAME.advance(state, *move)) for move in moves]
        return 1 + sum(nodes for nodes, _ in after), sum(games for _, games in after)

    assert size(GAME.initial_state()) == (549_946, 255_168)
    assert (size.cache_info().currsize, len(ended)) == (5_478, 958)
    solved = solve_positions(GAME)
    assert solved.counts().positions == 5_478 - 958
    assert solved.value == 0.0


def test_crosses_and_noughts_are_set_in_turn() -> None:
    state = GAME.initial_state()
    for move, text in (
        ((4, -1), ".../.x./..."),
        ((-1, 0), "o../.x./..."),
        ((8, -1), "o../.x./..x"),
        ((-1, 2), "o.o/.x./..x"),
    ):
        state = GAME.advance(state, *move)
        assert GAME.to_text(state) == text


@pytest.mark.compiles_long
def test_a_won_position_is_won_by_search_and_in_fractions_too() -> None:
    state = GAME.from_text("xo./.x./..o")
    solution = Solution.of(solve_positions(GAME, state))
    assert solution.value == search(GAME, state, SerialisedAlphaBeta()).value == 1.0
    assert exact_value(solution).value == 1
    assert certificate_of(solution).worst_gap == 0.0
