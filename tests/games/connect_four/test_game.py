"""Connect Four: the published numbers of its positions, values of small boards, pictures.

Positions after so many plies: OEIS A212693. The positions of 4 x 4 cells, ended ones among them, 161,029, and who wins on small
boards are John Tromp's tables.
"""

from collections.abc import Iterator

import numpy as np
import pytest

from helpers.random_trees import random_positions
from helpers.sizes import scaled
from saddlepoint import TERMINAL, ConnectFour, GameError
from saddlepoint.solvers.general import Solution, certificate_of
from saddlepoint.solvers.general.solve import solve_positions

GAME = ConnectFour()
NOT_ENDED_4X4 = 134_289
"""Distinct positions at which somebody moves, by another program."""


def positions_after(plies: int) -> Iterator[int]:
    """How many positions there are after 0, 1, ... plies."""
    layer = {GAME.initial_state()}
    for _ in range(plies + 1):
        yield len(layer)
        layer = {
            GAME.next_state(state, action)
            for state in layer
            for action in GAME.legal_actions(state, GAME.current_player(state))
        }


def test_positions_after_some_plies_are_as_many_as_published() -> None:
    assert list(positions_after(4)) == [1, 7, 49, 238, 1120]


@pytest.mark.full
def test_the_actions_told_to_win_are_those_that_do() -> None:
    game, told, number = ConnectFour(), 0, scaled(300, 100)
    for state in random_positions(game, number, 3, least=6):
        player, out = game.current_player(state), np.zeros(7, np.int64)
        count = game.winning_actions(state, player, out)
        winning = [
            a for a in game.legal_actions(state, player) if game.returns(game.next_state(state, a)) != 0
        ]
        assert sorted(out[:count].tolist()) == winning
        told += count
    assert told > number // 10


@pytest.mark.compiles_long
@pytest.mark.parametrize(
    ("columns", "rows", "line", "value"),
    [(4, 4, 4, 0.0), (4, 4, 3, 1.0), (5, 3, 4, 0.0)],
)
def test_small_boards_have_their_known_values(columns: int, rows: int, line: int, value: float) -> None:
    work = solve_positions(ConnectFour(columns, rows, line))
    assert work.value == value
    if (columns, rows, line) == (4, 4, 4):
        assert work.counts().positions == NOT_ENDED_4X4
        assert certificate_of(Solution.of(work)).worst_gap == 0.0


@pytest.mark.plain
def test_a_picture_shows_the_line_that_won() -> None:
    picture = GAME.picture(GAME.initial_state("1212121"))
    assert {(mark.x, mark.y) for mark in picture.marks} == {(0, 5), (0, 4), (0, 3), (0, 2)}
    assert len(picture.pieces) == 7 and picture.moves == ()
    before = GAME.picture(GAME.initial_state("12"))
    assert [move.to for move in before.moves] == [(0, 4), (1, 4), *((c, 5) for c in range(2, 7))]


@pytest.mark.plain
def test_columns_are_numbered_from_1() -> None:
    state = GAME.initial_state("4")
    assert GAME.action_to_string(state, 1, 3) == "4" and GAME.string_to_action(state, 1, "4") == 3
    assert GAME.current_player(GAME.initial_state("1212121")) == TERMINAL


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (
            "......./......./......./...x.../......./.......",
            "the x in row 4 from the top, column 4 hangs in the air",
        ),
        ("......./......./x.....o/x.....o/x.....o/x.....o", "here both x and o have one"),
        ("......./......./......./......./ooo..../xxxx..o", "here o went on after that of x"),
        ("......./......./xo...../xo...../xo...../xxxxooo", "no last disc of x makes all of its lines"),
    ],
)
def test_what_no_game_comes_to_is_refused_with_the_reason_and_the_cell(text: str, reason: str) -> None:
    with pytest.raises(GameError, match=reason):
        ConnectFour().from_text(text.replace("/", "\n"))


def test_lines_that_one_disc_made_together_are_a_position() -> None:
    text = "\n".join([*["......."] * 4, "ooo.ooo", "xxxxxxx"])
    assert ConnectFour().to_text(ConnectFour().from_text(text)) == text
