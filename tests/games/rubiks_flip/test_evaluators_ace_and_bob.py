"""Ace and Bob against their description, square by square, and the draw that pleases both."""

import itertools
import random
from typing import Any

import pytest

from helpers.flip_reference import played
from helpers.sizes import COMPILED_ONLY, scaled
from saddlepoint.games.rubiks_flip import Ace, Bob, RubiksFlip

pytestmark = [pytest.mark.plain, pytest.mark.compiles_long]
RULES = ("draw", "opponent", "mover")
OWNERS = {"R": 0, "B": 0, "W": 1, "Y": 1}
SQUARES = list(itertools.product(range(4), repeat=2))
LINES = [
    [(row + k * down, column + k * right) for k in range(3)]
    for row, column in SQUARES
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1))
    if 0 <= row + 2 * down <= 3 and 0 <= column + 2 * right <= 3
]
PAIRS = {frozenset(pair) for line in LINES for pair in (line[:2], line[1:])}


def described(game: RubiksFlip, state: Any, player: int, draw: float, pair: float) -> float:
    """The evaluation in the words of its description."""
    board = game.to_text(state).split("/")

    def locked(square: tuple[int, int]) -> bool:
        row, column = square
        near = [(row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)]
        return all(board[y][x] != "." for y, x in near if (y, x) in SQUARES)

    def holds(owner: int, group: Any) -> bool:
        marks = {board[row][column] for row, column in group}
        return len(marks) == 1 and OWNERS.get(marks.pop()) == owner and all(map(locked, group))

    rows = [any(holds(owner, line) for line in LINES) for owner in (0, 1)]
    if all(rows):
        mover = 1 - (16 - game.to_text(state).count(".")) % 2
        winner = {"draw": None, "opponent": 1 - mover, "mover": mover}[game.double_lock]
        return draw if winner is None else 10.0 if winner == player else -10.0
    if any(rows):
        return 10.0 if rows[player] else -10.0
    if "." not in game.to_text(state):
        return draw
    pairs = [any(holds(owner, group) for group in PAIRS) for owner in (0, 1)]
    return pair * (pairs[player] - pairs[1 - player])


def test_there_are_as_many_pairs_as_described():
    assert len(LINES) == 24
    kinds = [sorted((abs(a[0] - b[0]), abs(a[1] - b[1]))) for a, b in map(tuple, PAIRS)]
    assert (kinds.count([0, 1]), kinds.count([1, 1])) == (12 + 12, 14)


@pytest.mark.parametrize("rule", ["draw", *(pytest.param(rule, marks=COMPILED_ONLY) for rule in RULES[1:])])
def test_positions_are_worth_what_is_described(rule):
    game, rng, seen = RubiksFlip(rule), random.Random(6), {"ace": set(), "bob": set()}
    for number in range(scaled(60, 24)):
        state = played(game, 4 + number % 12, rng)
        while True:
            for player in (0, 1):
                assert Ace().evaluate_for(game, state, player) == described(game, state, player, 7.0, 0.0)
                assert Bob().evaluate_for(game, state, player) == described(game, state, player, 2.0, 3.0)
                seen["ace"].add(Ace().evaluate_for(game, state, player))
                seen["bob"].add(Bob().evaluate_for(game, state, player))
            mover = game.current_player(state)
            if mover < 0:
                break
            state = game.next_state(state, rng.choice(game.legal_actions(state, mover)))
    assert seen == {"ace": {10.0, -10.0, 7.0, 0.0}, "bob": {10.0, -10.0, 2.0, 3.0, -3.0, 0.0}}


@pytest.mark.compiles_soon
def test_a_draw_is_good_for_both_so_the_views_are_not_negatives():
    game = RubiksFlip()
    state = game.from_text("BBYW/RWWB/RYRY/WRBY")
    assert [Ace().evaluate_for(game, state, player) for player in (0, 1)] == [7.0, 7.0]
    assert [Bob().evaluate_for(game, state, player) for player in (0, 1)] == [2.0, 2.0]


def test_two_tiles_that_cut_a_corner_are_no_pair():
    game = RubiksFlip()
    cutting = game.from_text("YRW./RW../B.../....")  # b1 and a2
    assert (game.current_player(cutting), Bob().evaluate_for(game, cutting, 0)) == (0, 0.0)
    beside = game.from_text("RRY./WYB./..../....")  # a1 and b1
    assert [Bob().evaluate_for(game, beside, player) for player in (0, 1)] == [3.0, -3.0]


def test_bounds_are_the_largest_values():
    assert (Ace().bound, Bob().bound, Bob(win=1.0).bound) == (10.0, 10.0, 3.0)
