"""Games that a test writes down position by position: all of them share their compiled code."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from saddlepoint import CHANCE, SIMULTANEOUS, TERMINAL, parameter
from saddlepoint.interop.table_game import JointTable, Tables, TurnTable

_KINDS = {"0": 0, "1": 1, "chance": CHANCE, "end": TERMINAL}


def tables_of(rules: str, longest: int) -> Tables:
    """The tables of positions between semicolons, the first of which is the start.

    "end 1" has a result; "0 3 4" is player 0's, whose actions lead to 3 and to 4; "chance 0.25 1 0.75 2" has shares before what they
    lead to; of "2x3 ..." both players have actions, two and three.
    """
    node, sizes, after, probabilities, result = (
        list[int](),
        list[list[int]](),
        list[int](),
        list[float](),
        list[float](),
    )
    for kind, *words in (row.split() for row in rules.split(";")):
        leads, shares = (words[1::2], words[::2]) if kind == "chance" else (words, ["0"] * len(words))
        if kind == "end":
            leads = []
        rows, columns = map(int, kind.split("x")) if "x" in kind else (len(leads), 0)
        node.append(_KINDS.get(kind, SIMULTANEOUS))
        sizes.append([rows, columns, len(leads)])
        after += map(int, leads)
        probabilities += map(float, shares[:rows])
        result.append(float(words[0]) if kind == "end" else 0.0)
    first0, first1, first_after = np.vstack([[0, 0, 0], np.cumsum(sizes, axis=0)]).T.copy()
    actions0, actions1 = (np.concatenate([np.arange(size[side]) for size in sizes]) for side in (0, 1))
    unknown = np.full((len(node), 2), -1)
    return Tables(
        np.array(node, np.int64),
        first0,
        first1,
        first_after,
        actions0,
        actions1,
        np.array(probabilities, np.float64),
        np.array(after, np.int64),
        np.array(result, np.float64),
        unknown[:, 0].copy(),
        unknown,
        longest,
    )


@dataclass(frozen=True)
class Written(JointTable):
    """A game of such rules in which both may move at once."""

    rules: str = parameter("end 0")
    longest: int = 9

    name: ClassVar[str] = "written"

    def __post_init__(self) -> None:
        self._take(tables_of(self.rules, self.longest))


@dataclass(frozen=True)
class WrittenTurns(TurnTable):
    """A game of such rules in turn."""

    rules: str = parameter("end 0")
    longest: int = 9

    name: ClassVar[str] = "written_turns"

    def __post_init__(self) -> None:
        self._take(tables_of(self.rules, self.longest))
