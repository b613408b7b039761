"""Games given by tables: every position has a number; tables hold its legal actions and successors.

For games whose rules are another program's. Compiled code reads the tables, so such a game is searched and solved like any other.
"""

from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..compiled import kernel, parameter
from ..game.base import CHANCE, SIMULTANEOUS, TERMINAL, Game, GameError
from ..system.text import count_of


class Place(NamedTuple):
    """A position, by its number; 0 is the start."""

    number: int


class Tables(NamedTuple):
    """All positions of a game, `n` of them.

    Of a position `p` player 0's legal actions, or chance's outcomes, are `actions0[first0[p]:first0[p + 1]]`,
    in ascending order; player 1's the same of `actions1`. In a game in turn the actions of both are in
    `actions0`. `after[first_after[p] + i * count1 + j]` is the position after action `i` of player 0 (of the
    only player to move, or of chance) and action `j` of player 1, where `count1` is the number of player 1's
    actions, or 1 where one side moves alone.
    """

    node: NDArray[np.int64]
    """Shape (n,): 0, 1, SIMULTANEOUS, CHANCE or TERMINAL."""
    first0: NDArray[np.int64]
    """Shape (n + 1,)."""
    first1: NDArray[np.int64]
    """Shape (n + 1,)."""
    first_after: NDArray[np.int64]
    """Shape (n + 1,)."""
    actions0: NDArray[np.int64]
    actions1: NDArray[np.int64]
    probabilities: NDArray[np.float64]
    """Of chance's outcomes, beside `actions0`; 0 elsewhere."""
    after: NDArray[np.int64]
    result: NDArray[np.float64]
    """Shape (n,): player 0's result where the game is over; 0 elsewhere."""
    came_from: NDArray[np.int64]
    """Shape (n,): a position before it; -1 of the start."""
    came_by: NDArray[np.int64]
    """Shape (n, 2): the actions that led here from there, -1 for a player without a choice; an outcome in the first place."""
    longest: int
    """The most plies from the start to an end."""

    @property
    def has_chance(self) -> bool:
        """Whether chance moves anywhere."""
        return bool((self.node == CHANCE).any())

    @property
    def in_turn(self) -> bool:
        """Whether both players never choose at the same time."""
        return not (self.node == SIMULTANEOUS).any()

    def path_to(self, number: int) -> list[tuple[int, int]]:
        """The joint actions that lead from the start to a position, as `came_by` has them."""
        path: list[tuple[int, int]] = []
        while (before := int(self.came_from[number])) >= 0:
            path.append((int(self.came_by[number, 0]), int(self.came_by[number, 1])))
            number = before
        return path[::-1]


@dataclass(frozen=True)
class TableGame(Game):
    """A game by its tables; `TurnTable` where one side moves at a time, `JointTable` where both may move at once.

    A class of such games has fields from which its tables follow, and hands them to `_take` when it is made: games are compared, kept in
    ledgers and sent to other processes by their fields.
    """

    node: ClassVar[Any]
    first0: ClassVar[Any]
    first1: ClassVar[Any]
    first_after: ClassVar[Any]
    actions0: ClassVar[Any]
    actions1: ClassVar[Any]
    probabilities: ClassVar[Any]
    after: ClassVar[Any]
    result: ClassVar[Any]

    def _take(self, tables: Tables) -> None:
        over = tables.node == TERMINAL
        ends = tables.result[over] if over.any() else np.zeros(1)
        least, most = float(ends.min()), float(ends.max())
        is_chance = tables.node == CHANCE
        counts0, counts1 = np.diff(tables.first0), np.diff(tables.first1)
        sizes = {
            "max_depth": max(1, tables.longest),
            "max_utility": most,
            "min_utility": least if least < most else most - 1.0,
            "max_actions": int(max(1, counts0[~is_chance].max(initial=0), counts1.max(initial=0))),
            "max_outcomes": int(max(1, counts0[is_chance].max(initial=0))),
        }
        read = {
            name: getattr(tables, name)
            for name in Tables._fields
            if name not in ("came_from", "came_by", "longest")
        }
        # In a list, compiled code looks for no numbers.
        for name, value in (read | {"_held": [tables, sizes]}).items():
            object.__setattr__(self, name, value)

    def tables(self) -> Tables:
        """All of its positions."""
        return self.__dict__["_held"][0]

    # Properties, and none that the class itself could tell: compiled code reads such numbers when it runs.

    @property
    def max_depth(self) -> int:
        return self.__dict__["_held"][1]["max_depth"]

    @property
    def max_actions(self) -> int:
        return self.__dict__["_held"][1]["max_actions"]

    @property
    def max_outcomes(self) -> int:
        return self.__dict__["_held"][1]["max_outcomes"]

    @property
    def min_utility(self) -> float:
        return self.__dict__["_held"][1]["min_utility"]

    @property
    def max_utility(self) -> float:
        return self.__dict__["_held"][1]["max_utility"]

    @property
    def has_chance(self) -> bool:
        """Whether chance moves anywhere in it."""
        return self.tables().has_chance

    def initial_state(self) -> Place:
        return Place(0)

    @property
    def distinct_actions(self) -> int:
        tables = self.tables()
        of_players = np.repeat(tables.node != CHANCE, np.diff(tables.first0))
        return 1 + int(max(tables.actions0[of_players].max(initial=0), tables.actions1.max(initial=0)))

    @kernel
    def current_player(self, state):
        return self.node[state.number]

    @kernel
    def legal_actions(self, state, player, out):
        is_second = player == 1 and self.node[state.number] == SIMULTANEOUS
        firsts, actions = (self.first1, self.actions1) if is_second else (self.first0, self.actions0)
        first, count = firsts[state.number], firsts[state.number + 1] - firsts[state.number]
        for k in range(count):
            out[k] = actions[first + k]
        return count

    @kernel
    def chance_outcomes(self, state, out, probabilities):
        first, count = self.first0[state.number], self.first0[state.number + 1] - self.first0[state.number]
        for k in range(count):
            out[k] = self.actions0[first + k]
            probabilities[k] = self.probabilities[first + k]
        return count

    @kernel
    def returns(self, state):
        return self.result[state.number]

    @kernel
    def place_of(self, place, action, side):
        """The index of an action among player 0's, or those of the only player to move.

        With side 1 among player 1's.
        """
        first, actions = (self.first1, self.actions1) if side == 1 else (self.first0, self.actions0)
        low, high = first[place], first[place + 1] - 1
        while low < high:
            middle = (low + high) // 2
            if actions[middle] < action:
                low = middle + 1
            else:
                high = middle
        return low - first[place]

    def from_text(self, text: str) -> Any:
        state = super().from_text(text)
        if not 0 <= state.number < (count := len(self.tables().node)):
            raise GameError(
                f"the game has {count_of(count, 'position')}, and {text.strip()!r} is none of them"
            )
        return state


@dataclass(frozen=True)
class TurnTable(TableGame):
    """One side moves at a time."""

    @kernel
    def next_state(self, state, action):
        return Place(self.after[self.first_after[state.number] + self.place_of(state.number, action, 0)])


@dataclass(frozen=True)
class JointTable(TableGame):
    """Both may move at once."""

    @kernel
    def next_state(self, state, action0, action1):
        place = state.number
        if self.node[place] == SIMULTANEOUS:
            row, column = self.place_of(place, action0, 0), self.place_of(place, action1, 1)
            count = self.first1[place + 1] - self.first1[place]
            return Place(self.after[self.first_after[place] + row * count + column])
        alone = action1 if self.node[place] == 1 else action0
        return Place(self.after[self.first_after[place] + self.place_of(place, alone, 0)])


@dataclass(frozen=True)
class MatrixGame(JointTable):
    """The game of one stage: player 0 chooses the row and gets the entry, player 1 the column.

    `matrix` is a text, rows between semicolons: "1 -1; -1 1". Raises GameError for another one.
    """

    matrix: str = parameter("1 -1; -1 1")

    name: ClassVar[str] = "matrix"

    def __post_init__(self) -> None:
        try:
            worth = np.array(
                [[float(word) for word in row.split()] for row in self.matrix.split(";")], np.float64
            )
        except ValueError:
            worth = np.zeros(0)
        if worth.ndim != 2 or worth.size == 0 or not np.isfinite(worth).all():
            raise GameError(
                f"matrix takes rows of as many finite numbers, such as '1 -1; -1 1', not {self.matrix[:100]!r}"
            )
        m, n, ends = len(worth), worth.size // len(worth), worth.size
        none = np.zeros(ends, np.int64)
        pairs = [[i, j] for i in range(m) for j in range(n)]
        self._take(
            Tables(
                np.array([SIMULTANEOUS, *[TERMINAL] * ends]),
                np.array([0, m, *none + m]),
                np.array([0, n, *none + n]),
                np.array([0, ends, *none + ends]),
                np.arange(m),
                np.arange(n),
                np.zeros(m),
                1 + np.arange(ends),
                np.array([0.0, *worth.ravel()]),
                np.array([-1, *none]),
                np.array([[-1, -1], *pairs]),
                1,
            )
        )


def game_of_matrix(matrix: ArrayLike) -> MatrixGame:
    """The game of a matrix, to the last bit; shape (m, n), m and n at least 1, finite. Raises GameError for another one."""
    worth = np.asarray(matrix, np.float64)
    if worth.ndim != 2:
        raise GameError(f"a matrix game takes a matrix, not an array of {worth.ndim} dimensions")
    return MatrixGame("; ".join(" ".join(map(repr, row)) for row in worth.tolist()))
