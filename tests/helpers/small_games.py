"""Small games for tests: tiny ones, ones that are odd in one way each, and ones of one's own that say odd things.

Tests also name this file as users name theirs: `small_games.py:Plain`, and `:TextConnectFour`.
"""

from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from saddlepoint import CHANCE, SIMULTANEOUS, TERMINAL, ConnectFour, Game, Symmetry, with_item
from saddlepoint.compiled import kernel, mix

# Tiny games: a race of guesses that lasts two rounds, and one-player-at-a-time and chance variants.


class State(NamedTuple):
    round: int
    lead: int


@dataclass(frozen=True)
class Guess(Game):
    """Each round the player who names the higher of `size` numbers leads by one more."""

    size: int = 3
    rounds: int = 2

    name: ClassVar[str] = "guess"

    @property
    def max_actions(self) -> int:
        return self.size

    @property
    def max_depth(self) -> int:
        return self.rounds

    def initial_state(self) -> State:
        return State(0, 0)

    @kernel
    def current_player(self, state):
        return TERMINAL if state.round == self.rounds else SIMULTANEOUS

    @kernel
    def legal_actions(self, state, player, out):
        for action in range(self.size):
            out[action] = action
        return self.size

    @kernel
    def next_state(self, state, action0, action1):
        return State(state.round + 1, state.lead + self.gain(action0, action1))

    @kernel
    def gain(self, action0, action1):
        return (action0 > action1) - (action0 < action1)

    @kernel
    def returns(self, state):
        return float(int(state.lead > 0) - int(state.lead < 0))

    @kernel
    def hash(self, state):
        return mix(np.uint64(state.round * 1000 + state.lead + 100))

    def symmetries(self, state: Any) -> list[Symmetry]:
        same = tuple(range(self.size))
        return [Symmetry(State(state.round, -state.lead), same, same, True)]


def rows_of_three() -> tuple[tuple[int, int, int], ...]:
    """The rows on a square of 16 cells."""
    starts = [
        (x, y, dx, dy) for x in range(4) for y in range(4) for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1))
    ]
    return tuple(
        (4 * y + x, 4 * (y + dy) + x + dx, 4 * (y + 2 * dy) + x + 2 * dx)
        for x, y, dx, dy in starts
        if 0 <= x + 2 * dx < 4 and 0 <= y + 2 * dy < 4
    )


ROWS_OF_THREE = rows_of_three()


class RowState(NamedTuple):
    cells: tuple[int, ...]
    """By rows from the bottom: 0, or who has it plus 1."""
    heights: tuple[int, ...]
    placed: int
    is_won: bool


@dataclass(frozen=True)
class Rows(Game):
    """Three in a row on a square of 16 cells: placed anywhere, `dropped` into columns, or `turned`, the square by a quarter after each."""

    way: str = "placed"

    name: ClassVar[str] = "rows"
    max_actions, max_depth = 16, 16

    def initial_state(self) -> RowState:
        return RowState((0,) * 16, (0,) * 4, 0, False)

    @kernel
    def current_player(self, state):
        return TERMINAL if state.is_won or state.placed == 16 else state.placed % 2

    @kernel
    def legal_actions(self, state, player, out):
        count = 0
        for action in range(4 if self.way == "dropped" else 16):
            if state.heights[action] < 4 if self.way == "dropped" else state.cells[action] == 0:
                out[count] = action
                count += 1
        return count

    @kernel
    def has_row(self, cells, value):
        found = False
        for a, b, c in ROWS_OF_THREE:
            found |= cells[a] == value and cells[b] == value and cells[c] == value
        return found

    @kernel
    def next_state(self, state, action):
        cell, heights, value = action, state.heights, state.placed % 2 + 1
        if self.way == "dropped":
            cell = 4 * heights[action] + action
            heights = with_item(heights, action, heights[action] + 1)
        cells = with_item(state.cells, cell, value)
        if self.way == "turned":
            before = cells
            for x in range(4):
                for y in range(4):
                    cells = with_item(cells, 4 * x + 3 - y, before[4 * y + x])
        return RowState(cells, heights, state.placed + 1, self.has_row(cells, value))

    @kernel
    def returns(self, state):
        return (1.0 if state.placed % 2 else -1.0) if state.is_won else 0.0


@dataclass(frozen=True)
class AllActions(Game):
    """Whoever chooses has as many actions as anybody."""

    max_actions: ClassVar[int] = 2

    @kernel
    def legal_actions(self, state, player, out):
        for action in range(self.max_actions):
            out[action] = action
        return self.max_actions


@dataclass(frozen=True)
class Turns(AllActions):
    """Chance deals a number; then players add 1 or 2 in turn until the sum is 6 or more; an even end is player 0's."""

    name: ClassVar[str] = "turns"
    max_depth: ClassVar[int] = 7

    def initial_state(self) -> State:
        return State(-1, 0)

    @kernel
    def current_player(self, state):
        if state.round < 0:
            return CHANCE
        return TERMINAL if state.lead >= 6 else state.round % 2

    @kernel
    def chance_outcomes(self, state, out, probabilities):
        for k in range(2):
            out[k] = k
            probabilities[k] = 0.25 + 0.5 * k
        return 2

    @kernel
    def next_state(self, state, action):
        return State(state.round + 1, state.lead + action + (0 if state.round < 0 else 1))

    @kernel
    def returns(self, state):
        return 1.0 if state.lead % 2 == 0 else -1.0


class Unshowable(Guess):
    """A game whose positions cannot be shown."""

    def render(self, state: Any) -> str:
        raise RuntimeError("a secret path /home/x")


# Odd in one way each, and allowed: more outcomes than actions.


class Rolled(NamedTuple):
    step: int
    number: int


@dataclass(frozen=True)
class Die(AllActions):
    """A die is rolled, then player 0 doubles the number or not."""

    faces: int = 6

    name: ClassVar[str] = "die"
    max_depth: ClassVar[int] = 2
    min_utility: ClassVar[float] = 0.0

    @property
    def max_outcomes(self) -> int:
        return self.faces

    @property
    def max_utility(self) -> float:
        return 2.0 * self.faces

    def initial_state(self) -> Rolled:
        return Rolled(0, 0)

    @kernel
    def current_player(self, state):
        return CHANCE if state.step == 0 else 0 if state.step == 1 else TERMINAL

    @kernel
    def chance_outcomes(self, state, out, probabilities):
        for face in range(self.faces):
            out[face], probabilities[face] = face, 1.0 / self.faces
        return self.faces

    @kernel
    def next_state(self, state, action):
        return Rolled(state.step + 1, action if state.step == 0 else state.number * (1 + action))

    @kernel
    def returns(self, state):
        return float(state.number)


class Ahead(NamedTuple):
    round: int
    turned: bool
    lead: float


@dataclass(frozen=True)
class TurnedLead(AllActions):
    """Who is ahead after four rounds, in which the players change places; turning 0.0 gives -0.0."""

    name: ClassVar[str] = "turned_lead"
    max_depth: ClassVar[int] = 4
    min_utility: ClassVar[float] = -4.0
    max_utility: ClassVar[float] = 4.0

    def initial_state(self) -> Ahead:
        return Ahead(0, False, 0.0)

    @kernel
    def current_player(self, state):
        return TERMINAL if state.round == 4 else SIMULTANEOUS

    @kernel
    def next_state(self, state, action0, action1):
        return Ahead(state.round + 1, not state.turned, state.lead + float(action0 - action1))

    @kernel
    def returns(self, state):
        return state.lead

    def symmetries(self, state: Ahead) -> list[Symmetry]:
        return [Symmetry(Ahead(state.round, not state.turned, -state.lead), (0, 1), (0, 1), True)]

    @kernel
    def canonical(self, state):
        if state.turned:
            return Ahead(state.round, False, -state.lead), True
        return state, False


# They say odd things, or too much, or fail where the page asks them: each is played, or says what is wrong.


class Cell(NamedTuple):
    open: bool
    weight: float


class OddState(NamedTuple):
    round: int
    black_stones: int
    """A set of cells."""
    grid: tuple[int, int, int, int, int, int, int, int, int]
    pairs: tuple[tuple[int, int], tuple[int, int]]
    corner: Cell


@dataclass(frozen=True)
class Plain(AllActions):
    """Name a number, both at once.

    The higher one wins. <b>No picture</b> is needed.
    """

    name: ClassVar[str] = "plain"
    max_actions: ClassVar[int] = 3
    max_depth: ClassVar[int] = 1

    def initial_state(self) -> OddState:
        return OddState(0, 0x8000_0000_0001, (0, 1, 0, 0, 2, 0, 0, 0, 1), ((1, 2), (3, 4)), Cell(True, 0.5))

    @kernel
    def current_player(self, state):
        return TERMINAL if state.round else SIMULTANEOUS

    @kernel
    def next_state(self, state, action0, action1):
        return OddState(1 + action0 - action1 + 4, state.black_stones, state.grid, state.pairs, state.corner)

    @kernel
    def returns(self, state):
        return float(min(1, max(-1, state.round - 5)))

    def action_to_string(self, state: Any, player: int, action: int) -> str:
        return f"<img src=x onerror=alert({action})>"


@dataclass(frozen=True)
class NoDocstring(Plain):
    name: ClassVar[str] = "no_docstring"


@dataclass(frozen=True)
class NumberForRules(Plain):
    """Rules that are no text."""

    name: ClassVar[str] = "number_for_rules"
    how_to_play: ClassVar[Any] = 42


@dataclass(frozen=True)
class RulesThatFail(Plain):
    """Rules that cannot be written."""

    name: ClassVar[str] = "rules_that_fail"

    @property
    def how_to_play(self) -> Any:  # type: ignore[override]
        raise ZeroDivisionError("no rules")


@dataclass(frozen=True)
class NamesThatFail(Plain):
    """Moves without a name."""

    name: ClassVar[str] = "names_that_fail"

    def action_to_string(self, state: Any, player: int, action: int) -> str:
        return ("rock", "paper")[action]


@dataclass(frozen=True)
class Wordy(Plain):
    """Says much too much."""

    name: ClassVar[str] = "wordy"
    summary: ClassVar[str] = "much " * 100_000
    how_to_play: ClassVar[Any] = ("more " * 100_000,) * 1000


class LargeState(NamedTuple):
    round: int
    cells: tuple[int, ...]


@dataclass(frozen=True)
class Large(Plain):
    """A state of ten thousand numbers."""

    name: ClassVar[str] = "large"

    def initial_state(self) -> Any:
        return LargeState(0, (0,) * 10_000)

    @kernel
    def next_state(self, state, action0, action1) -> Any:
        return LargeState(1 + action0 - action1 + 4, state.cells)


@dataclass(frozen=True)
class TextConnectFour(ConnectFour):
    """Connect Four as its rows of characters."""

    name: ClassVar[str] = "text_connect_four"
    picture = Game.picture
    action_to_string = Game.action_to_string
    string_to_action = Game.string_to_action
