"""What is constant has one identity, from its bytes; and a constant that is changed is never computed with as it was."""

import enum
import pickle
import sys
from dataclasses import InitVar, dataclass, field
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numpy as np
import pytest

from saddlepoint import (
    SIMULTANEOUS,
    TERMINAL,
    BackwardInduction,
    Game,
    KernelError,
    Limits,
    PrincipalVariation,
    TicTacToe,
    check_game,
    kernel,
    parameter,
    search,
    solve,
)
from saddlepoint.compiled import PLAIN_PYTHON, Component, NoIdentity, identity, jit_inline
from saddlepoint.game.base import GameError
from saddlepoint.game.own_games import described
from saddlepoint.game.spec import spec_of
from saddlepoint.solvers.general import load_solution, save_solution

pytestmark = pytest.mark.plain
MODULE: Any = sys.modules[__name__]
BONUS = 1
TABLE = np.array([1.0, 2.0])
HELPED = 1


class State(NamedTuple):
    over: int
    choice: int


class Rules(Game):
    """One round; each has two actions."""

    max_actions, max_depth, min_utility, max_utility = 2, 1, -100.0, 100.0

    def initial_state(self):
        return State(0, 0)

    @kernel
    def current_player(self, state):
        return TERMINAL if state.over == 1 else SIMULTANEOUS

    @kernel
    def legal_actions(self, state, player, out):
        out[0] = 0
        out[1] = 1
        return 2

    @kernel
    def next_state(self, state, action0, action1):
        return State(1, action0)


END = State(1, 0)


@dataclass(frozen=True, eq=False)
class Paid(Rules):
    """Player 0 gets pay[1000 + its action]."""

    name: ClassVar[str] = "paid"
    pay: np.ndarray = field(default_factory=lambda: np.zeros(2002))

    @kernel
    def returns(self, state):
        return self.pay[1000 + state.choice]


@dataclass(frozen=True, eq=False)
class Read(Rules):
    """The same, read when it runs."""

    pay: np.ndarray = parameter(None)

    @kernel
    def returns(self, state):
        return self.pay[1000 + state.choice]


@dataclass(frozen=True, eq=False)
class Table(Component):
    """An evaluator with a table."""

    weights: np.ndarray = field(default_factory=lambda: np.zeros(2000))

    @kernel
    def evaluate(self, game, state):
        return self.weights[1000]


def numbers(worth: float, size: int = 2002) -> np.ndarray:
    made = np.zeros(size)
    made[1000:1002] = worth
    return made


class Kind(enum.Enum):
    ONE = 1
    TWO = 2


class Silent:
    """An object that prints as any other of its kind."""

    def __repr__(self):
        return "Silent()"


@dataclass(frozen=True)
class Hidden:
    shown: int
    hidden: int = field(default=0, repr=False)


@dataclass(frozen=True)
class Made:
    much: InitVar[float] = 1.0

    def __post_init__(self, much):
        object.__setattr__(self, "pay", much)


class Text(str):
    """A kind of text of one's own, which prints as nothing."""

    def __repr__(self):
        return ""


DIFFERENT = [
    1,
    1.0,
    True,
    0,
    0.0,
    -0.0,
    False,
    None,
    "1",
    b"1",
    1j,
    float("nan"),
    float("inf"),
    np.float32(1),
    np.float64(1),
    np.int8(1),
    0.1 + 0.2,
    0.3,
    (),
    (1,),
    (1.0,),
    ((1,),),
    (1, (2, 3)),
    (1, 2, 3),
    ("a,b",),
    ("a", "b"),
    [1],
    {1: 2},
    {1, 2},
    frozenset({1, 2}),
    Kind.ONE,
    Kind.TWO,
    Hidden(1),
    Hidden(1, 2),
    Made(1.0),
    Made(7.0),
    State(1, 2),
    (1, 2),
    Path("a"),
    "a",
    Text("a"),
    Text("b"),
    np.zeros(2),
    np.zeros(3),
    np.zeros((2, 1)),
    np.zeros(2, np.float32),
    np.zeros(2, np.int64),
    np.array([0.0, -0.0]),
    np.array([0.123456789]),
    np.array([0.123456788]),
    numbers(0.0),
    numbers(5.0),
    numbers(5.0).reshape(2, -1),
    np.asfortranarray(numbers(5.0).reshape(2, -1)),
    (numbers(0.0),),
    (numbers(5.0),),
]


def test_what_differs_in_a_bit_has_another_identity():
    names = [identity(value) for value in DIFFERENT]
    assert len(set(names)) == len(names)


def test_what_is_the_same_has_the_same_identity_in_every_process():
    assert [identity(value) for value in pickle.loads(pickle.dumps(DIFFERENT))] == [
        identity(value) for value in DIFFERENT
    ]
    assert identity(frozenset("abcdef")) == identity(frozenset("fedcba"))


@pytest.mark.parametrize("value", [Silent(), object(), np.array([Silent()], object), (1, Silent()), open])
def test_what_has_no_identity_gets_none(value):
    with pytest.raises(NoIdentity, match="has no identity"):
        identity(value)


@dataclass(frozen=True, eq=False)
class Holds(Rules):
    thing: Any = None

    @kernel
    def returns(self, state):
        return 1.0


@pytest.mark.parametrize(
    ("value", "why"),
    [(Silent(), r"Holds.thing is a Silent, .* use numbers"), ([1], r"Holds.thing is a list, .* use a tuple")],
)
def test_a_field_that_cannot_be_told_apart_is_refused_in_one_sentence(value, why):
    with pytest.raises(KernelError, match=why):
        _ = Holds(value).type_name


def test_games_that_differ_in_an_array_are_two_games():
    for cls in (Paid, Read):
        assert [cls(numbers(worth)).returns(END) for worth in (0.0, 5.0)] == [0, 5]


def test_evaluators_that_differ_in_an_array_are_two_evaluators():
    game, both = TicTacToe(), [Table(numbers(worth, 2000)) for worth in (0.0, 0.25)]
    assert [table.evaluate(game, game.initial_state()) for table in both] == [0, 0.25]


@pytest.mark.compiles_long
def test_a_search_tells_games_and_evaluators_that_differ_in_an_array_apart():
    games = [Paid(numbers(worth)) for worth in (0.0, 5.0)]
    assert [search(game, game.initial_state(), BackwardInduction()).value for game in games] == [0, 5]
    game = TicTacToe()
    values = [
        search(
            game,
            game.initial_state(),
            PrincipalVariation(evaluator=Table(numbers(worth, 2000))),
            Limits(depth=1),
        ).value
        for worth in (0.0, 0.25)
    ]
    assert values == pytest.approx([0, 0.25], abs=1e-6)


@pytest.mark.compiles_long
def test_a_solution_of_a_game_with_another_array_is_refused(tmp_path):
    save_solution(tmp_path / "paid.sol", solve(Paid(numbers(5.0))))
    assert load_solution(tmp_path / "paid.sol", Paid(numbers(5.0)))[0].value == pytest.approx(5)
    with pytest.raises(GameError, match="is a solution of"):
        load_solution(tmp_path / "paid.sol", Paid(numbers(4.0)))


def test_specs_and_ledgers_tell_games_with_other_arrays_apart():
    games = [Paid(), Paid(numbers(1.0)), Paid(numbers(5.0))]
    assert len({str(spec_of(game)) for game in games}) == 3
    assert len({str(described(game)) for game in games}) == 3
    assert str(spec_of(games[0])) == "paid"
    assert str(spec_of(Holds(-0.0))) != str(spec_of(Holds(0.0)))


def test_an_array_that_is_changed_afterwards_changes_no_game():
    pay = numbers(5.0)
    game = Paid(pay)
    assert game.returns(END) == 5
    pay[1000] = 7.0
    assert (game.returns(END), game.plain.returns(END), Paid(pay).returns(END)) == (5, 5, 7)
    with pytest.raises(ValueError, match="read-only"):
        game.pay[1000] = 8.0


@jit_inline
def helped(number):
    return number + HELPED


@dataclass(frozen=True)
class Constant(Rules):
    """Pays by constants of its module and class, and by a helper's."""

    EXTRA: ClassVar[int] = 0

    @property
    def listed(self):
        return TABLE[1]

    @kernel
    def returns(self, state):
        return float(BONUS + self.EXTRA + helped(0)) + 100 * self.listed


@dataclass(frozen=True)
class Init(Rules):
    """Pays what it was made with, which is no field."""

    much: InitVar[float] = 1.0

    def __post_init__(self, much):
        object.__setattr__(self, "pay", float(much))

    @kernel
    def returns(self, state):
        return self.pay


def both(game: Game) -> float:
    """The result of the end, compiled, which must be that of plain Python."""
    assert game.returns(END) == game.plain.returns(END)
    return game.returns(END)


CHANGES = [
    ("BONUS", MODULE, 3, 204),
    ("HELPED", MODULE, 5, 206),
    ("TABLE", MODULE, np.array([1.0, 7.0]), 702),
    ("EXTRA", Constant, 10, 212),
]


@pytest.mark.parametrize(("name", "where", "value", "wanted"), CHANGES, ids=[change[0] for change in CHANGES])
def test_a_constant_that_is_changed_in_a_session_counts(name, where, value, wanted, monkeypatch):
    former = Constant()
    assert both(former) == 202
    monkeypatch.setattr(where, name, value)
    assert both(Constant()) == wanted
    with pytest.raises(KernelError, match=rf"{name} of .* was .* and is .* now: make the Constant anew"):
        former.returns(END)
    monkeypatch.undo()
    assert both(former) == both(Constant()) == 202


def test_an_array_that_rules_name_is_protected_from_changes():
    assert both(Constant()) == 202
    with pytest.raises(ValueError, match="read-only"):
        TABLE[1] = 9.0


def test_what_a_game_was_made_with_counts_though_it_is_no_field():
    assert [both(Init(much)) for much in (1.0, 7.0)] == [1, 7]


@dataclass(frozen=True)
class Odd(Component):
    """As plain Python a whole number has no end."""

    size: int = parameter(1 << 32)

    @kernel
    def evaluate(self, game, state):
        return float(self.size * self.size + 1)


def test_check_game_compares_an_evaluators_values():
    check_game(TicTacToe(), playouts=2, evaluators=[Odd(1)])


@pytest.mark.skipif(PLAIN_PYTHON, reason="both are plain")
def test_check_game_finds_an_evaluator_that_is_another_one_compiled():
    with pytest.raises(
        AssertionError, match=r"Odd.evaluate must be the same compiled and plain: 1.0 and 1.8446"
    ):
        check_game(TicTacToe(), playouts=2, evaluators=[Odd()])


@pytest.mark.slow
@pytest.mark.parametrize("how", ["fork", "spawn", "forkserver"])
def test_states_of_a_script_reach_a_process_however_it_is_started(how, tmp_path):
    from helpers.programs import output_of

    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    assert output_of(script, how, cache=tmp_path / "cache").splitlines()[-1] == "[1.0, -1.0]"


SCRIPT = """
import multiprocessing, sys
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from typing import NamedTuple
from saddlepoint import SIMULTANEOUS, TERMINAL, Game, kernel

class State(NamedTuple):
    over: int
    worth: int

@dataclass(frozen=True)
class Pennies(Game):
    max_actions, max_depth = 2, 1
    def initial_state(self): return State(0, 0)
    @kernel
    def current_player(self, state): return TERMINAL if state.over == 1 else SIMULTANEOUS
    @kernel
    def legal_actions(self, state, player, out):
        out[0] = 0
        out[1] = 1
        return 2
    @kernel
    def next_state(self, state, action0, action1): return State(1, 1 if action0 == action1 else -1)
    @kernel
    def returns(self, state): return float(state.worth)

def job(state):
    return Pennies().returns(state)

if __name__ == "__main__":
    game = Pennies()
    states = [game.next_state(game.initial_state(), 0, k) for k in (0, 1)]
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context(sys.argv[1])) as pool:
        print(list(pool.map(job, states)))
"""
