"""A kernel that fails when it runs: the message names the kernel, the line and the position."""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pytest

from saddlepoint import (
    BackwardInduction,
    GameError,
    KernelError,
    SerialisedAlphaBeta,
    kernel,
    search,
    with_item,
)
from saddlepoint.compiled import PLAIN_PYTHON, jit
from saddlepoint.game.base import SIMULTANEOUS, TERMINAL, Game

pytestmark = pytest.mark.plain


class Board(NamedTuple):
    round: int
    cells: tuple[int, ...]


@dataclass(frozen=True)
class Walk(Game):
    """Both write into cells for some rounds."""

    rounds: int = 3

    max_actions = 2
    max_depth = 3

    def initial_state(self) -> Board:
        return Board(0, (0, 1, 2))

    @kernel
    def current_player(self, state):
        return TERMINAL if state.round == self.rounds else SIMULTANEOUS

    @kernel
    def legal_actions(self, state, player, out):
        out[0] = 0
        out[1] = 1
        return 2

    @kernel
    def next_state(self, state, action0, action1):
        return Board(state.round + 1, with_item(state.cells, self.place(state, action0), action1))

    @kernel
    def place(self, state, action):
        return action

    @kernel
    def returns(self, state):
        return 0.0


class BeyondTheTuple(Walk):
    @kernel
    def place(self, state, action):
        return state.cells[state.round + 2 * action]


class DividesByZero(Walk):
    @kernel
    def place(self, state, action):
        return 1 // (2 - state.round - action)


class Raises(Walk):
    @kernel
    def place(self, state, action):
        if state.round == 1 and action == 1:
            raise ValueError("that is not foreseen")
        return action


FAILURES = {
    BeyondTheTuple: ("IndexError", "return state.cells["),
    DividesByZero: ("ZeroDivisionError", "return 1 // ("),
    Raises: ("ValueError: that is not foreseen", 'raise ValueError("that is not foreseen")'),
}


@pytest.mark.parametrize("kind", FAILURES, ids=lambda kind: kind.__name__)
def test_seen_from_python_kernel_line_and_position_are_named(kind):
    error, line = FAILURES[kind]
    game, state = kind(), Board(1, (0, 1, 2))
    with pytest.raises(KernelError) as caught:
        game.next_state(state, 1, 1)
    message = str(caught.value)
    assert message.startswith(f"{kind.__name__}.place failed: {error}")
    assert "test_errors_running.py, line " in message
    assert line in message
    assert message.endswith("in the position (1, (0, 1, 2))")
    assert caught.value.__suppress_context__ or PLAIN_PYTHON


LONG = pytest.mark.compiles_long


@pytest.mark.parametrize(
    ("kind", "algorithm"),
    [
        pytest.param(kind, algorithm, id=f"{kind.__name__}-{algorithm.name}", marks=[] if quick else LONG)
        for kind in FAILURES
        for quick, algorithm in (
            (kind is Raises, BackwardInduction(table=False)),
            (False, SerialisedAlphaBeta()),
        )
    ],
)
def test_so_they_are_in_a_search(kind, algorithm):
    error, line = FAILURES[kind]
    game = kind()
    with pytest.raises(KernelError) as caught:
        search(game, game.initial_state(), algorithm)
    message = str(caught.value)
    assert message.startswith(f"{kind.__name__}.place failed: {error}")
    assert line in message
    assert "in the position (" in message


class EndlessSometimes(Walk):
    """Ends after three rounds, unless both did the same in the last one."""

    @kernel
    def current_player(self, state):
        return TERMINAL if state.round >= 3 and state.cells[0] != 1 else SIMULTANEOUS

    @kernel
    def next_state(self, state, action0, action1):
        return Board(state.round + 1, with_item(state.cells, 0, action0 & action1))


class ManyActions(Walk):
    @kernel
    def legal_actions(self, state, player, out):
        count = 3 if state.cells[0] == 1 and state.round == 2 else 2
        for action in range(count):
            out[action] = action
        return count


class NoActions(Walk):
    @kernel
    def legal_actions(self, state, player, out):
        out[0] = 0
        return int(state.round < 2)


LIMITS = {
    EndlessSometimes: "must end within max_depth = 3 steps; set max_depth to the most there are",
    ManyActions: "legal_actions must give at most max_actions = 2 actions, not 3; set max_actions to the most there are",
    NoActions: "legal_actions must write at least one action",
}


@pytest.mark.parametrize(
    "kind",
    [kind if kind is ManyActions else pytest.param(kind, marks=LONG) for kind in LIMITS],
    ids=lambda kind: kind.__name__,
)
def test_a_search_tells_wrong_limits_and_the_position(kind):
    game = kind()
    with pytest.raises(GameError, match=LIMITS[kind]) as caught:
        search(game, game.initial_state(), BackwardInduction(table=False))
    assert "in the position (" in str(caught.value)


@jit
def replaced(values: Any, index: int, value: Any) -> Any:
    return with_item(values, index, value)


@pytest.mark.parametrize("set_item", [with_item, replaced], ids=["python", "compiled"])
def test_with_item_sets_one_item(set_item):
    board = tuple(range(9))
    for index in range(-9, 9):
        expected = list(board)
        expected[index] = 77
        assert set_item(board, index, 77) == tuple(expected)
    assert set_item((0.5, 1.5), 1, 3) == (0.5, 3.0)
    words = set_item((np.uint64(1), np.uint64(2)), 0, np.uint64(2**63))
    assert tuple(map(int, words)) == (2**63, 2)
    for index in (9, -10):
        with pytest.raises(IndexError, match="beyond the tuple"):
            set_item(board, index, 1)
    assert board == tuple(range(9))
