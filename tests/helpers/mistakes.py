"""Games with one typical mistake each in a kernel; nothing here is meant to work."""

# ruff: noqa
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from saddlepoint.game.base import SIMULTANEOUS, TERMINAL, Game, kernel, with_item


class State(NamedTuple):
    round: int
    lead: int


def helper(x):
    return x + 1


@dataclass(frozen=True)
class Good(Game):
    max_actions = 3
    max_depth = 2

    def initial_state(self):
        return State(0, 0)

    @kernel
    def current_player(self, state):
        return TERMINAL if state.round == 2 else SIMULTANEOUS

    @kernel
    def legal_actions(self, state, player, out):
        for a in range(3):
            out[a] = a
        return 3

    @kernel
    def next_state(self, state, action0, action1):
        return State(state.round + 1, state.lead + action0 - action1)

    @kernel
    def returns(self, state):
        return float(np.sign(state.lead))


class Undefined(Good):
    @kernel
    def next_state(self, state, action0, action1):
        return State(state.round + 1, action0 - acton1)


class WrongField(Good):
    @kernel
    def next_state(self, state, action0, action1):
        return State(state.rounds + 1, state.lead)


class WrongConstant(Good):
    @kernel
    def next_state(self, state, action0, action1):
        return State(state.round + self.step, state.lead)


class WrongCount(Good):
    @kernel
    def next_state(self, state, action0, action1):
        return State(state.round + self.gain(action0), state.lead)

    @kernel
    def gain(self, a, b):
        return a - b


class StateFields(Good):
    @kernel
    def next_state(self, state, action0, action1):
        return State(state.round + 1)


class MixIntStr(Good):
    @kernel
    def next_state(self, state, action0, action1):
        return State("round " + state.round, state.lead)


class TryExcept(Good):
    @kernel
    def next_state(self, state, action0, action1):
        try:
            gain = action0 // action1
        except ZeroDivisionError:
            gain = 0
        return State(state.round + 1, gain)


class PlainHelper(Good):
    @kernel
    def next_state(self, state, action0, action1):
        return State(helper(state.round), state.lead)


class TwoTypes(Good):
    @kernel
    def next_state(self, state, action0, action1):
        if action0 == action1:
            return State(state.round + 1, state.lead)
        return (state.round + 1, "won")


class Missing(Good):
    @kernel
    def next_state(self, state, action0, action1):
        return self.nothing(state)


class FString(Good):
    @kernel
    def next_state(self, state, action0, action1):
        print(f"{state.round:>3}")
        return State(state.round + 1, state.lead)


class WithStatement(Good):
    @kernel
    def next_state(self, state, action0, action1):
        with open("x") as f:
            return state


class Generator(Good):
    @kernel
    def next_state(self, state, action0, action1):
        return State(state.round + 1, sum(x for x in range(3)) - 3 + action0 - action1)


class NpUnknown(Good):
    @kernel
    def next_state(self, state, action0, action1):
        return State(np.nothing(state.round), 0)


class PyDict(Good):
    table = {1: 2}

    @kernel
    def next_state(self, state, action0, action1):
        return State(state.round + self.table[1] - 1, action0 - action1)


GLOBAL = {1: 2}


class GlobalDict(Good):
    @kernel
    def next_state(self, state, action0, action1):
        return State(state.round + GLOBAL[1] - 1, action0 - action1)


class BadLocal(Good):
    @kernel
    def next_state(self, state, action0, action1):
        if action0 == 1:
            x = 1
        else:
            x = "one"
        return State(x, 0)


class Index(Good):
    @kernel
    def next_state(self, state, action0, action1):
        return State(state.round[0], 0)


class InDeeper(Good):
    @kernel
    def next_state(self, state, action0, action1):
        return State(self.deep(state), 0)

    @kernel
    def deep(self, state):
        return self.deeper(state) + 1

    @kernel
    def deeper(self, state):
        return state.nofield


class Assign(Good):
    @kernel
    def next_state(self, state, action0, action1):
        state.round = 3
        return state


class SetOnSelf(Good):
    @kernel
    def next_state(self, state, action0, action1):
        self.cache = 3
        return State(state.round + 1, action0 - action1)


class Unassigned(Good):
    @kernel
    def next_state(self, state, action0, action1):
        gain = gain + 1
        return State(gain, 0)


class FloatIndex(Good):
    @kernel
    def legal_actions(self, state, player, out):
        out[3 / 2] = 1
        return 1


class Raises(Good):
    @kernel
    def next_state(self, state, action0, action1):
        raise ValueError(f"no {state}")


class ImportInside(Good):
    @kernel
    def next_state(self, state, action0, action1):
        import math

        return State(state.round + math.floor(1.5), action0 - action1)


class Append(Good):
    @kernel
    def next_state(self, state, action0, action1):
        xs = []
        return State(state.round + 1 + len(xs), action0 - action1)


class Board(NamedTuple):
    round: int
    cells: tuple[int, ...]


class OnBoard(Good):
    def initial_state(self):
        return Board(0, (0, 0))


class ForgottenKernel(Good):
    def earned(self, a):
        return a

    @kernel
    def next_state(self, state, action0, action1):
        return State(state.round + 1, self.earned(action0) - action1)


class SetsItem(OnBoard):
    @kernel
    def next_state(self, state, action0, action1):
        board = state.cells
        board[0] = 1
        return Board(state.round + 1, board)


class Recursion(Good):
    @kernel
    def next_state(self, state, action0, action1):
        return State(self.count(state.round) + 1, action0 - action1)

    @kernel
    def count(self, n):
        return 0 if n == 0 else 1 + self.count(n - 1)


class GivesList(OnBoard):
    @kernel
    def next_state(self, state, action0, action1):
        cells = list(state.cells)
        return Board(state.round + 1, cells)


class Fraction(Good):
    @kernel
    def next_state(self, state, action0, action1):
        return State(state.round + 1, state.lead + action0 / 2)


class FractionAsItem(OnBoard):
    @kernel
    def next_state(self, state, action0, action1):
        return Board(state.round + 1, with_item(state.cells, 0, 0.5))
