"""The base class of all algorithms: frozen settings, an evaluator for the leaves, one iteration to a given
depth.
"""

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, fields, replace
from typing import Any, ClassVar, cast

import numpy as np

from ..compiled import Component, identity, kernel
from ..game.base import Game
from ..game.spec import name_of, spec_of
from .limits import Limits
from .result import Line, Partial, Strategies
from .table import deepest_of


@dataclass(frozen=True)
class Unknown(Component):
    """The evaluator of algorithms without one: every unfinished position has the value 0, or the possible result that is nearest to it."""

    @kernel
    def evaluate(self, game, state):
        return min(max(0.0, float(game.min_utility)), float(game.max_utility))


EXPECT, SAMPLE, QUIET = "expect", "sample", "quiet"
"""A search's treatment of chance."""

FACTS = ("joint", "others", "horizon")
"""Fields of a workspace that hold of every entry of a table, and so are kept as long as the table."""


_ENTRIES_A_NODE = 128
"""Entries of a table for each node of a limit: hardly two of the positions that a search visits then have the same place."""


class Memory:
    """The memory of a search, kept from one iteration and one move to the next: its transposition table or
    tree.

    Several games and algorithms may share one: the key of every entry carries the game, the algorithm and their parameters.

    It is taken from the system at once, so that no search waits for that while its clock runs. What is made `for_one_search` is taken as
    it is used, and no table is larger than the search's limit of nodes can use.

    >>> from saddlepoint import BackwardInduction, Goofspiel, Memory, search
    >>> game, memory = Goofspiel(cards=3), Memory()
    >>> first = search(game, game.initial_state(), BackwardInduction(table=True), memory=memory)
    >>> again = search(game, game.initial_state(), BackwardInduction(table=True), memory=memory)
    >>> again.statistics.nodes < first.statistics.nodes
    True
    """

    def __init__(self, entries: int = 1 << 19) -> None:
        self.entries = entries
        """The entries of tables whose size is no setting of the algorithm."""
        self.ahead = True
        """Whether memory is taken from the system before it is used."""
        self._most: int | None = None
        self._kept: dict[Any, Any] = {}
        self.age = 0

    @classmethod
    def for_one_search(cls, limits: Limits) -> "Memory":
        """Memory that is thrown away after one search."""
        made = cls()
        made.ahead = False
        if limits.nodes is not None:
            made._most = _ENTRIES_A_NODE * limits.nodes
            made.entries = min(made.entries, made._most)
        return made

    def megabytes_of(self, megabytes: float, entry: Any) -> float:
        """The size in megabytes of a table with entries of this NumPy type: the setting, or less under a node
        limit.
        """
        return (
            megabytes if self._most is None else min(megabytes, self._most * np.dtype(entry).itemsize / 2**20)
        )

    def keep(self, key: Any, make: Callable[[], Any]) -> Any:
        """The array, or list with arrays, that is kept under the key; made at its first use."""
        if key not in self._kept:
            self._kept[key] = make()
        return self._kept[key]

    def clear(self) -> None:
        """Forget everything: a new game."""
        for kept in self._kept.values():
            for part in kept if isinstance(kept, list) else (kept,):  # pyright: ignore[reportUnknownVariableType]
                if isinstance(part, np.ndarray):
                    part.view(np.uint8)[:] = 0


_RANGES: tuple[tuple[str, Callable[[float], bool], tuple[str, ...]], ...] = (
    ("0 or more", lambda one: one >= 0, (
        "late_reduction", "null_move", "quiescence_plies", "samples", "aspiration", "exploration", "tolerance", "temperature",
        "grave", "grave_bias", "prior", "cut", "widening",
    )),
    ("above 0", lambda one: one > 0, ("megabytes",)),
    ("1 or more", lambda one: one >= 1, ("late_moves", "threads", "batch")),
    ("0 to 1", lambda one: 0 <= one <= 1, ("contempt", "mast", "implicit")),
    ("0 or more and below 1", lambda one: 0 <= one < 1, ("tremble",)),
    ("0 or more and below 0.1", lambda one: 0 <= one < 0.1, ("discount",)),
)  # fmt: skip
"""The range of a setting by its name, which is the same technique in every search: in words, as a test."""


@dataclass(frozen=True)
class Algorithm(ABC):
    """Settings of a search. `evaluator` estimates the positions at the depth limit; without one they count as 0.

    `chance` says what becomes of chance nodes. "expect", or None: all outcomes are searched. "sample": `chance_samples` drawn ones,
    by the seed of the search, the same ones whenever a position is met again. "quiet": chance does nothing; the game names the
    outcome that stands for this.

    >>> from saddlepoint import ALGORITHMS, Algorithm
    >>> issubclass(ALGORITHMS["smab"], Algorithm)
    True
    """

    evaluator: Component | None = None
    chance: str | None = field(default=None, kw_only=True, repr=False)
    chance_samples: int = field(default=1, kw_only=True, repr=False)

    name: ClassVar[str]
    title: ClassVar[str] = ""
    """The name in words, for people."""

    def __post_init__(self) -> None:
        """Raise ValueError for a setting out of its range."""
        for words, holds, names in _RANGES:
            for name in names:
                if (value := getattr(self, name, None)) is not None and not holds(value):
                    raise ValueError(f"{name} must be {words}, not {value}")
        for name in ("implicit", "cut"):
            if self.evaluator is None and getattr(self, name, 0):
                raise ValueError(f"{name} is for a search with an evaluator")

    @property
    def leaf(self) -> Component:
        """The evaluator; without one `Unknown`."""
        return self.evaluator if self.evaluator is not None else Unknown()

    line_is_complete: ClassVar[bool] = False
    """Whether `line` is the whole principal variation, so that no search continues it."""
    goes_by_depth: ClassVar[bool] = True
    """Whether a depth is one of the game: every line of play is searched that many steps down, as far as nothing is pruned."""
    turns_only: ClassVar[bool] = False
    """Whether it refuses games in which both players move at the same time."""
    is_serialised: ClassVar[bool] = False
    """Whether one player, its setting `first`, commits first where both move at the same time."""

    def check(self, game: Game) -> None:
        """Raise UnsupportedGameError, in one sentence, for a game that the algorithm, or its evaluator, is not made for.

        An evaluator that does not hold for all games and parameters says so by `is_made_for(game)`.
        """
        if not getattr(self.evaluator, "is_made_for", lambda game: True)(game):
            raise UnsupportedGameError(
                f"the evaluator {type(self.evaluator).__name__} is not made for {spec_of(game)}"
            )
        if self.turns_only and not game.turn_based:
            raise UnsupportedGameError(
                f"{self.name} searches turn-based games, whose next_state takes one action; {type(game).__name__} lets "
                "both players move at once"
            )
        if self.chance not in (None, EXPECT, SAMPLE, QUIET):
            raise UnsupportedGameError(f"chance must be {EXPECT}, {SAMPLE} or {QUIET}, not {self.chance!r}")
        if self.chance_samples < 1:
            raise UnsupportedGameError(f"chance_samples must be 1 or more, not {self.chance_samples}")
        if self.chance == QUIET and game.has_chance and "quiet_outcome" not in type(game).kernels:
            raise UnsupportedGameError(
                f"chance=quiet needs a game that names its quiet outcome by the kernel quiet_outcome; {type(game).__name__} names none"
            )

    @property
    def uses_table(self) -> bool:
        """Whether what was found of positions is kept: yes, unless the setting `table` says otherwise."""
        return getattr(self, "table", None) is not False

    def identity(self, game: Game) -> int:
        """A 64-bit hash of this algorithm, its settings and the game; it distinguishes their table entries."""
        # A setting that is no part of its repr leaves what is in the table true.
        settings = [getattr(self, one.name) for one in fields(cast(Any, self)) if one.repr]
        text = identity((game, type(self), *settings))
        return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little")

    @abstractmethod
    def workspace(self, game: Game) -> Any:
        """The memory of its searches of this game."""

    @abstractmethod
    def reset(self, ws: Any) -> None:
        """Before a search: forget what orders moves."""

    def begin(self, ws: Any) -> None:
        """Before an iteration: nothing of it is known."""

    def deepest(self, game: Game) -> int:
        """The greatest depth that it can search to, and searches to without a limit."""
        return deepest_of(game)

    def depths(self, wanted: int, deepen: bool) -> Iterable[int]:
        """The iterations of a search to a depth."""
        return range(1, wanted + 1) if deepen and wanted > 0 else (wanted,)

    @abstractmethod
    def iterate(self, game: Any, state: Any, depth: int, ws: Any, memory: Memory) -> float:
        """Search to the depth; what is found of the root is left in the workspace.

        Returns player 0's value; meaningless where the workspace says it was stopped.
        """

    @abstractmethod
    def strategies(self, game: Game, state: Any, ws: Any) -> Strategies:
        """Both players' mixed strategies at the root, by action; empty for a player who does not move."""

    def game_value(self, value: float, ws: Any, solved: bool = False) -> tuple[float, int | None]:
        """(a value of the search in the game's units, without its discount; the plies to the end, if known).

        `solved`: it depends on terminal positions alone, and on no evaluator's estimate.
        """
        return value, None

    def bounds(self, game: Game, value: float, solved: bool, ws: Any) -> tuple[float, float]:
        """Bounds of the game's value that follow from the search's value.

        `solved` says that the search's value depends on terminal positions alone.
        """
        return (value, value) if solved else (game.min_utility, game.max_utility)

    def line(self, game: Game, state: Any, ws: Any) -> Line:
        """The beginning of the principal variation, as far as the search recorded it."""
        return Line()

    @abstractmethod
    def partial(self, ws: Any, depth: int) -> Partial:
        """The part of an unfinished iteration that is known of the root."""


def commits_first(game: Game, algorithm: Algorithm) -> int | None:
    """The player that commits first in a serialised search; None for other searches, and in games in turn."""
    return cast(Any, algorithm).first if algorithm.is_serialised and not game.turn_based else None


def both_ways(game: Game, algorithm: Algorithm) -> tuple[Algorithm, ...]:
    """The search once for each player that commits first, player 0 before.

    The search alone where nobody commits.
    """
    if commits_first(game, algorithm) is None:
        return (algorithm,)
    return tuple(replace(cast(Any, algorithm), first=player) for player in (0, 1))


class UnsupportedGameError(ValueError):
    """The algorithm is not made for this game; the message says what it needs.

    >>> from saddlepoint import Goofspiel, ProofNumber, UnsupportedGameError, search
    >>> game = Goofspiel(cards=3)
    >>> try:
    ...     search(game, game.initial_state(), ProofNumber())
    ... except UnsupportedGameError:
    ...     print("not made for this game")
    not made for this game
    """


LEAST_RANGE, MOST_RANGE = 1e-280, 1e300
"""The range of a game's results is 0 or between the two: searches and solvers divide by it, and are right to 1e-9 of it."""


def check_numbers(game: Game) -> None:
    """Raise an error, in one sentence, for what no search and no solver can work with.

    TypeError for the class of a game in place of a game, ValueError where it says no most of actions or of steps, and
    UnsupportedGameError where floats have not the digits, or not the room, to compute with its results.
    """
    if not isinstance(game, Game):  # pyright: ignore[reportUnnecessaryIsInstance]
        name = game.__name__ if isinstance(game, type) else type(game).__name__
        raise TypeError(f"{name} is no game: pass an instance of a class of saddlepoint.Game")
    if game.max_actions < 1 or game.max_depth < 1:
        raise ValueError(f"{type(game).__name__} must set max_actions and max_depth to be searched or solved")
    low, high = float(game.min_utility), float(game.max_utility)
    if not (low == high or LEAST_RANGE <= high - low <= MOST_RANGE):
        raise UnsupportedGameError(
            f"the results of {name_of(game)} are from {low!r} to {high!r}, and their range must be 0 or from "
            f"{LEAST_RANGE:g} to {MOST_RANGE:g}: give them in another unit"
        )
