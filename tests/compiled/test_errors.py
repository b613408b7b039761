"""A mistake in a kernel is reported in two lines; one that fails when it runs names the kernel, the line and the position."""

import re
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from helpers import mistakes
from helpers.programs import run_python
from helpers.small_games import AllActions, Turns
from saddlepoint import (
    BackwardInduction,
    GameError,
    KernelError,
    SerialisedAlphaBeta,
    kernel,
    search,
    with_item,
)
from saddlepoint.compiled import PLAIN_PYTHON, cache, jit
from saddlepoint.compiled.cache import PackageCache
from saddlepoint.game.base import SIMULTANEOUS, TERMINAL

EXPECTED = {
    "Undefined": ("next_state", "the name 'acton1' is not defined", "acton1"),
    "WrongField": (
        "next_state",
        "State has no attribute 'rounds'",
        "return State(state.rounds + 1, state.lead)",
    ),
    "WrongConstant": (
        "next_state",
        "WrongConstant has no attribute 'step' that compiled code can use",
        "self.step",
    ),
    "WrongCount": (
        "next_state",
        "WrongCount.gain(self, a, b): missing a required argument: 'b'",
        "self.gain(action0)",
    ),
    "StateFields": (
        "next_state",
        "State(...): missing a required argument: 'lead'",
        "return State(state.round + 1)",
    ),
    "MixIntStr": ("next_state", "`+` does not work between str and int", '"round " + state.round'),
    "TryExcept": ("next_state", "`except` can only catch Exception as a whole", "except ZeroDivisionError:"),
    "PlainHelper": (
        "next_state",
        "'helper' is an ordinary Python function; decorate it with",
        "helper(state.round)",
    ),
    "TwoTypes": (
        "next_state",
        "it returns different types: State or Tuple(int, str)",
        "return ",
    ),  # either of the two lines
    "Missing": (
        "next_state",
        "Missing has no attribute 'nothing' that compiled code can use",
        "self.nothing(state)",
    ),
    "FString": ("next_state", "format spec in f-strings not supported yet", "print(f"),
    "WithStatement": ("next_state", "`with` is not supported in compiled code", "with open"),
    "Generator": (
        "next_state",
        "generator expressions are not supported in compiled code",
        "sum(x for x in range(3))",
    ),
    "NpUnknown": ("next_state", "module 'numpy' has no attribute 'nothing'", "np.nothing"),
    "PyDict": ("next_state", "'table' is a dict; inside compiled code a constant is", "self.table[1]"),
    "GlobalDict": ("next_state", "'GLOBAL' is a dict; inside compiled code a constant is", "GLOBAL[1]"),
    "BadLocal": ("next_state", "'x' is int in one place and str in another", "x"),
    "Index": ("next_state", "int cannot be indexed by int", "state.round[0]"),
    "InDeeper": ("deeper", "State has no attribute 'nofield'", "return state.nofield"),
    "Assign": ("next_state", "'round' cannot be set: State never changes; make a new one", "state.round = 3"),
    "SetOnSelf": ("next_state", "'cache' cannot be set: SetOnSelf never changes", "self.cache = 3"),
    "Unassigned": ("next_state", "the variable 'gain' has no value when it is used", "gain = gain + 1"),
    "FloatIndex": ("legal_actions", "cannot be indexed by float", "out[3 / 2] = 1"),
    "Raises": ("next_state", "it gives none, not State", "def next_state"),
    "ImportInside": ("next_state", "imports belong to the top of the file", "import math"),
    "ForgottenKernel": ("next_state", "'earned' is a method without @kernel", "self.earned(action0)"),
    "SetsItem": ("next_state", "make a new one: board = with_item(board, index, value)", "board[0] = 1"),
    "Recursion": (
        "count",
        "it calls itself, whose result has no type before it is compiled; write a loop",
        "def count",
    ),
    "GivesList": ("next_state", "it gives a list where the state has a tuple", "def next_state"),
    "Fraction": ("next_state", "it gives a float for the field 'lead'", "return State("),
    "FractionAsItem": ("next_state", "a float cannot be an item of a tuple of whole numbers", "with_item("),
    "Append": ("next_state", "the type of the elements of 'xs' is unknown", "xs = []"),
}


def provoke(name: str) -> str:
    game = getattr(mistakes, name)()
    state = game.initial_state()
    with pytest.raises(KernelError) as caught:
        _ = game.legal_actions(state, 0), game.next_state(state, 1, 0)
    assert caught.value.__suppress_context__, "Numba's trace must not be printed below"
    return str(caught.value)


@pytest.mark.skipif(PLAIN_PYTHON, reason="nothing is compiled")
@pytest.mark.parametrize(
    "name",
    [
        name if number % 3 == 0 else pytest.param(name, marks=pytest.mark.slow)
        for number, name in enumerate(EXPECTED)
    ],
)
def test_the_message_names_method_reason_and_line(name):
    method, reason, source = EXPECTED[name]
    first, second = provoke(name).splitlines()
    assert first.startswith(f"{name}.{method} cannot be compiled: ")
    assert reason in first
    where = re.fullmatch(r"  mistakes\.py, line (\d+): (.*)", second)
    assert where
    assert source in where[2]
    lines = Path(str(mistakes.__file__)).read_text().splitlines()
    assert lines[int(where[1]) - 1].strip() == where[2]
    assert len(first) < 200


@pytest.mark.skipif(PLAIN_PYTHON, reason="nothing is compiled")
@pytest.mark.skipif(PLAIN_PYTHON, reason="Python's own error is raised")
@pytest.mark.parametrize(("state", "what"), [((0, 1), "a plain tuple"), ("State(0, 1)", "a text")])
def test_what_is_no_position_is_told(state, what):
    with pytest.raises(KernelError, match=f"{what} has no attribute .*; a position is the NamedTuple of its"):
        Turns().current_player(state)


def test_a_method_that_calls_itself_waits_for_no_process(monkeypatch):
    """It needs what this process is compiling, and so has locked."""
    waited = []
    monkeypatch.setattr(
        PackageCache, "tell", staticmethod(lambda function, signature: nullcontext(waited.append(function)))
    )
    monkeypatch.setattr(cache, "ONE_COMPILATION", 0.1)
    provoke("Recursion")
    assert not waited


@pytest.mark.skipif(PLAIN_PYTHON, reason="nothing is compiled")
def test_every_mistake_is_expected():
    games = {
        name
        for name, value in vars(mistakes).items()
        if isinstance(value, type) and issubclass(value, mistakes.Good)
    }
    assert games - {"Good", "OnBoard"} == set(EXPECTED)


@pytest.mark.skipif(PLAIN_PYTHON, reason="nothing is compiled")
def test_the_same_mistake_again_gives_the_same_message():
    assert provoke("InDeeper") == provoke("InDeeper")


@pytest.mark.skipif(PLAIN_PYTHON, reason="nothing is compiled")
@pytest.mark.slow
def test_a_script_shows_two_lines_and_the_trace_on_demand(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "from helpers.mistakes import Undefined\nUndefined().next_state(Undefined().initial_state(), 0, 0)\n"
    )
    path = str(Path(str(mistakes.__file__)).parent.parent)
    quiet = run_python(script, cache=tmp_path, PYTHONPATH=path, SADDLEPOINT_QUIET="1")
    sentence, line = quiet.stderr.splitlines()[-2:]
    assert quiet.returncode == 1
    assert sentence.endswith(
        "KernelError: Undefined.next_state cannot be compiled: the name 'acton1' is not defined"
    )
    assert line.startswith("  mistakes.py, line")
    assert "nopython" not in quiet.stderr
    traced = run_python(script, cache=tmp_path, PYTHONPATH=path, SADDLEPOINT_TRACE="1", SADDLEPOINT_QUIET="1")
    assert "nopython" in traced.stderr


class PairReturns(mistakes.Good):
    @kernel
    def returns(self, state):
        return 1.0, -1.0


@pytest.mark.skipif(PLAIN_PYTHON, reason="nothing is compiled")
@pytest.mark.slow
def test_a_pair_from_returns_is_told_in_a_search():
    game = PairReturns()
    told = r"PairReturns.returns must give one number, player 0's result, not \(1.0, -1.0\)\n *test_errors.py, line"
    with pytest.raises(GameError, match=told):
        search(game, game.initial_state(), BackwardInduction(table=False))


class ListBoard(NamedTuple):
    cells: list[int]


class WithList(mistakes.Good):
    def initial_state(self):
        return ListBoard([0, 0])


class ListForTuple(mistakes.Good):
    def initial_state(self):
        return mistakes.Board(0, [0, 0])


@pytest.mark.skipif(PLAIN_PYTHON, reason="nothing is compiled")
@pytest.mark.parametrize(
    ("game", "sentence"),
    [
        (
            WithList(),
            r"a state cannot hold a list: use a tuple, annotated tuple\[int, ...\], and with_item to set one of its items",
        ),
        (ListForTuple(), r"a state's field annotated tuple\[int, ...\] holds a list: make it a tuple"),
    ],
)
def test_a_list_in_a_state_is_told(game, sentence):
    with pytest.raises(KernelError, match=sentence):
        game.legal_actions(game.initial_state(), 0)


@pytest.mark.skipif(PLAIN_PYTHON, reason="nothing is compiled")
@pytest.mark.parametrize("name", ["hash", "returns", "current_player"])
def test_a_rule_without_its_mark_is_told_when_the_class_is_made(name):
    def rule(self, state):
        return 1

    with pytest.raises(KernelError, match=rf"Unmarked.{name} is a rule without @kernel"):
        type("Unmarked", (mistakes.Good,), {name: rule})


# -- when it runs --------------------------------------------------------------------------------------------------------


class Board(NamedTuple):
    round: int
    cells: tuple[int, ...]


@dataclass(frozen=True)
class Walk(AllActions):
    """Both write into cells for some rounds."""

    rounds: int = 3

    max_depth = 3

    def initial_state(self) -> Board:
        return Board(0, (0, 1, 2))

    @kernel
    def current_player(self, state):
        return TERMINAL if state.round == self.rounds else SIMULTANEOUS

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


@pytest.mark.plain
@pytest.mark.parametrize("kind", FAILURES, ids=lambda kind: kind.__name__)
def test_seen_from_python_kernel_line_and_position_are_named(kind):
    error, line = FAILURES[kind]
    game, state = kind(), Board(1, (0, 1, 2))
    with pytest.raises(KernelError) as caught:
        game.next_state(state, 1, 1)
    message = str(caught.value)
    assert message.startswith(f"{kind.__name__}.place failed: {error}")
    assert "test_errors.py, line " in message
    assert line in message
    assert message.endswith("in the position (1, (0, 1, 2))")
    assert caught.value.__suppress_context__ or PLAIN_PYTHON


LONG = pytest.mark.compiles_long


@pytest.mark.plain
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


@pytest.mark.plain
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


@pytest.mark.plain
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
