"""What a search found, what it proved and what it cost."""

from dataclasses import asdict, dataclass, field, replace
from typing import Any

from .notebook import result_html


@dataclass(frozen=True)
class Statistics:
    """What a search did. Counts are totals over all iterations."""

    nodes: int = 0
    """Positions visited, leaves included."""
    leaves: int = 0
    """Positions whose value was not searched for: terminal and evaluated ones."""
    evaluations: int = 0
    """Calls of the evaluator."""
    cells: int = 0
    """Joint actions searched at stages, where both players choose."""
    table_hits: int = 0
    cutoffs: int = 0
    saddle_stages: int = 0
    """Stage matrices solved by a pure saddle point."""
    closed_form_stages: int = 0
    lp_stages: int = 0

    @property
    def stages(self) -> int:
        """Stage matrices solved; double oracle solves several at one position."""
        return self.saddle_stages + self.closed_form_stages + self.lp_stages


@dataclass(frozen=True)
class Iteration:
    """One finished depth of iterative deepening (or the only one)."""

    depth: int
    value: float
    nodes: int
    leaves: int
    seconds: float
    """Since the search began."""
    strategies: tuple[dict[int, float], dict[int, float]]
    plies: int | None = None
    """As in the result."""


@dataclass(frozen=True)
class Partial:
    """What an unfinished iteration had found when it was stopped."""

    depth: int
    cells: dict[tuple[int, int], tuple[float, float]]
    """Bounds at that depth of the values of finished joint root actions; equal where the value is known."""
    best: tuple[int, int] | None = None
    """Serialised and turn-based searches: the best root actions so far, once the first of them was finished."""


@dataclass(frozen=True)
class SearchResult:
    """Values are expected results for player 0, in the game's units; player 1's are their negatives."""

    value: float
    bounds: tuple[float, float]
    """Proven bounds of the game's value: equal to the value when exact, the game's range when nothing is proven.

    A serialised search of a game in which both players move at once proves one of them: the other is an end of the range.
    """
    strategies: tuple[dict[int, float], dict[int, float]]
    """Each player's mixed strategy: action -> probability. Empty for a player without a choice."""
    principal_variation: tuple[tuple[int, int], ...]
    """Joint actions (-1 for a player who does not move, chance outcomes in the first place) from the root."""
    depth: int
    """The deepest finished iteration."""
    exact: bool
    """Whether the value is proven: the two bounds meet."""
    complete: bool
    """False where a limit or a stop ended the search before the depth that was asked for."""
    seconds: float
    statistics: Statistics = Statistics()
    iterations: tuple[Iteration, ...] = ()
    partial: Partial | None = None
    """What a stopped search had of the next depth."""
    plies: int | None = None
    """Distance to the end in plies (chess: DTM), if the value is a forced result and the search discounts results; else None."""
    root: tuple[Any, Any] | None = field(default=None, repr=False, compare=False)
    """The game and the position that were searched, so that a notebook can show the result; no part of `to_json`."""

    def strategy(self, player: int) -> dict[int, float]:
        """The player's mixed strategy at the root."""
        return self.strategies[player]

    def best_action(self, player: int) -> int:
        """The player's most probable action (the first of equals)."""
        mixture = self.strategies[player]
        if not mixture:
            raise ValueError(f"player {player} has no choice in this position")
        return max(mixture, key=lambda action: mixture[action])

    def to_json(self) -> dict[str, Any]:
        """The result as plain data."""
        data = asdict(replace(self, root=None))
        del data["root"]
        if self.partial is not None:
            data["partial"]["cells"] = [[*joint, *bounds] for joint, bounds in self.partial.cells.items()]
        return data

    def _repr_html_(self) -> str | None:
        return None if self.root is None else result_html(self, *self.root)
