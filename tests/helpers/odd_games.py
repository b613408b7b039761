"""Games of one's own that say odd things, or too much, or fail where the page asks them: each is played, or says what is wrong."""

from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from saddlepoint import SIMULTANEOUS, TERMINAL, Game, kernel


class Cell(NamedTuple):
    open: bool
    weight: float


class State(NamedTuple):
    round: int
    black_stones: int
    """A set of cells."""
    grid: tuple[int, int, int, int, int, int, int, int, int]
    pairs: tuple[tuple[int, int], tuple[int, int]]
    corner: Cell


@dataclass(frozen=True)
class Plain(Game):
    """Name a number, both at once.

    The higher one wins. <b>No picture</b> is needed.
    """

    name: ClassVar[str] = "plain"
    max_actions: ClassVar[int] = 3
    max_depth: ClassVar[int] = 1

    def initial_state(self) -> State:
        return State(0, 0x8000_0000_0001, (0, 1, 0, 0, 2, 0, 0, 0, 1), ((1, 2), (3, 4)), Cell(True, 0.5))

    @kernel
    def current_player(self, state):
        return TERMINAL if state.round else SIMULTANEOUS

    @kernel
    def legal_actions(self, state, player, out):
        for action in range(3):
            out[action] = action
        return 3

    @kernel
    def next_state(self, state, action0, action1):
        return State(1 + action0 - action1 + 4, state.black_stones, state.grid, state.pairs, state.corner)

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
