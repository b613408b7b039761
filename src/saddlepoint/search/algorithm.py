"""What every algorithm is: frozen settings, an evaluator for unfinished lines, and one iteration to a given depth."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

from ..compiled import Component, kernel
from ..game import Game
from .result import Partial
from .table import new_table


@dataclass(frozen=True)
class Unknown(Component):
    """The evaluator of those who have none: every unfinished position is worth 0."""

    @kernel
    def evaluate(self, game, state):
        return 0.0


class Memory:
    """What a search keeps from one iteration, and one move, to the next: its transposition table."""

    def __init__(self, entries: int = 1 << 19) -> None:
        self._entries = entries
        self._table: Any = None
        self._none = new_table(1)
        self.age = 0

    def table(self, game: Game, wanted: bool) -> Any:
        """The table, made at its first use; a table of one slot where it is not wanted."""
        if not wanted:
            return self._none
        if self._table is None:
            self._table = new_table(self._entries)
        return self._table

    def clear(self) -> None:
        """Forget everything: a new game."""
        if self._table is not None:
            self._table["key"] = 0


@dataclass(frozen=True)
class Algorithm(ABC):
    """Settings of a search. `evaluator` estimates the positions at the depth limit; without one they count as 0."""

    evaluator: Component | None = None

    name: ClassVar[str]
    solves_stages: ClassVar[bool] = True
    """Whether it solves stage matrices, and so needs the compiled solver."""
    bounds_mark: ClassVar[int] = -1
    """The value in the workspace's `known` that says that a cell has bounds only; -1: cells have values or nothing."""

    @property
    def leaf(self) -> Component:
        """The evaluator, or the one that knows nothing."""
        return self.evaluator if self.evaluator is not None else Unknown()

    def check(self, game: Game) -> None:
        """Raise UnsupportedGameError, in one sentence, for a game the algorithm is not made for."""

    @abstractmethod
    def iterate(self, game: Any, state: Any, depth: int, ws: Any, memory: Memory) -> float:
        """Search to the depth; leaves root actions, strategies and cells in ply 0 of the workspace.

        Returns player 0's value; meaningless where the workspace says it was stopped.
        """


    def partial(self, ws: Any, depth: int) -> Partial:
        """The root cells that an unfinished iteration had settled: ply 0 of the workspace."""
        cells: dict[tuple[int, int], tuple[float, float]] = {}
        for i in range(int(ws["sizes"][0, 0])):
            for j in range(int(ws["sizes"][0, 1])):
                if ws["known"][0, i, j]:
                    joint = (int(ws["actions"][0, 0, i]), int(ws["actions"][0, 1, j]))
                    low = float(ws["lower"][0, i, j])
                    high = float(ws["upper"][0, i, j]) if ws["known"][0, i, j] == self.bounds_mark else low
                    cells[joint] = (low, high)
        return Partial(depth, cells)


class UnsupportedGameError(ValueError):
    """The algorithm is not made for this game; the message says what it needs."""
