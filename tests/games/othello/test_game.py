"""Othello: the known values of 4 x 4, a win for the second player, 3 discs against 11; texts."""

import pytest

from saddlepoint import Othello
from saddlepoint.solvers.general import Solution, certificate_of
from saddlepoint.solvers.general.solve import solve_positions

DISTINCT_4X4 = 56_621
"""Positions at which somebody moves, with who it is, by another program."""


@pytest.mark.compiles_long
def test_4x4_is_lost_by_8_discs_as_known() -> None:
    work = solve_positions(Othello(4, "discs"))
    assert work.value == -8.0
    assert solve_positions(Othello(4)).value == -1.0
    assert work.counts().positions == DISTINCT_4X4
    assert certificate_of(Solution.of(work)).worst_gap == 0.0


@pytest.mark.plain
def test_text_has_the_rows_and_who_moves_and_actions_are_named_by_column_and_row() -> None:
    game = Othello(4)
    state = game.initial_state()
    assert game.to_text(state) == "..../.ox./.xo./..../x"
    assert game.string_to_action(state, 0, "B1") == 1
