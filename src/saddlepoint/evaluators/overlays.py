"""Overlays that explain a position: territories, chambers, the longest path, winning cells."""

from collections.abc import Callable, Collection
from typing import Any

from ..boards.blocks import articulation_points, blocks
from ..boards.grid import Grid, int_of, neighbour, words_of
from ..boards.longest_path import solve_fill
from ..game.base import Game
from ..game.picture import Cell, Overlay

_SECONDS = 0.2
"""For each player's longest path."""


def overlay_names(game: Game) -> tuple[str, ...]:
    """The overlays that there are for a game's positions."""
    return tuple(name for name, (applies, _) in _OVERLAYS.items() if applies(game))


def overlay(game: Game, state: Any, name: str, *, stop: Any = None) -> Overlay:
    """The overlay of that name, in half a second at most; `stop` is a token that ends its search earlier.

    Raises ValueError for one that the game does not have.
    """
    if name not in overlay_names(game):
        raise ValueError(
            f"{name!r} is no overlay of this game; it has: {', '.join(overlay_names(game)) or 'none'}"
        )
    return _OVERLAYS[name][1](game, state, stop)


def _territory(game: Any, state: Any, stop: Any) -> Overlay:
    """The cells that each player reaches first; nobody's are those that both reach at the same time."""
    field = _Field(game, state)
    return Overlay(
        "territory",
        tuple(
            (owner, field.cells(found))
            for owner, found in zip((0, 1, None), field.territories(), strict=True)
            if found
        ),
    )


def _chambers(game: Any, state: Any, stop: Any) -> Overlay:
    """Each player's territory in parts that no single cell cuts in two, and the cells between these parts."""
    field = _Field(game, state)
    areas: list[tuple[int | None, tuple[Cell, ...]]] = []
    points: set[int] = set()
    for player, own in enumerate(field.territories()[:2]):
        head = field.heads[player]
        if head is None:
            continue
        beside = {
            cell: [there for there in field.beside(cell) if there in own or there == head]
            for cell in (*own, head)
        }
        cuts = articulation_points(beside) - {head}
        points |= cuts
        parts = sorted((part - cuts - {head} for part in blocks(beside)), key=len, reverse=True)
        areas += [(player, field.cells(part)) for part in parts if part]
    return Overlay("chambers", tuple(areas), field.cells(points))


def _longest_path(game: Any, state: Any, stop: Any) -> Overlay:
    """For each player the longest path that was found: over all it can reach once they are separated, else over its territory."""
    field = _Field(game, state)
    owned = field.territories()
    separated = field.are_separated()
    paths: list[tuple[int | None, tuple[Cell, ...]]] = []
    for player, head in enumerate(field.heads):
        if head is None:
            continue
        room, grid = field.free if separated else owned[player], field.grid
        walls = words_of(~sum(1 << cell for cell in room) & ((1 << 64 * grid.words) - 1), grid.words)
        found = solve_fill(grid, walls, head, seconds=_SECONDS, stop=stop)
        paths.append((player, tuple(grid.position(cell) for cell in (head, *found.path))))
    return Overlay("longest path", paths=tuple(paths))


def _threats(game: Any, state: Any, stop: Any) -> Overlay:
    """The free cells where each player completes a line; points are those on which a piece lands now."""
    columns = game.columns
    white, round_, filled = (int_of(words) for words in (state.white, state.round, state.filled))
    empty, left = columns.inside & ~filled, game.supplies(state)
    lines = ((white, round_, left[0], left[1]), (filled ^ white, filled ^ round_, left[3], left[2]))

    def cells(bits: int) -> tuple[Cell, ...]:
        places = [columns.position(cell) for cell in range(bits.bit_length()) if bits >> cell & 1]
        return tuple((column, columns.rows - 1 - row) for row, column in places)

    areas: list[tuple[int | None, tuple[Cell, ...]]] = []
    every = 0
    for player, (colour, shape, of_shape, of_other) in enumerate(lines):
        wins = columns.completing(colour, empty) if of_shape or of_other else 0
        wins |= columns.completing(shape, empty) if of_shape else 0
        every |= wins
        if wins:
            areas.append((player, cells(wins)))
    return Overlay("threats", tuple(areas), cells(every & columns.landings(filled)))


class _Field:
    """The grid of a game with two heads, as sets of cell indices."""

    def __init__(self, game: Any, state: Any) -> None:
        self.grid: Grid = game.grid
        heads = [int(game.head(state, player)) for player in (0, 1)]
        self.heads = [head if head >= 0 else None for head in heads]
        blocked = int_of(game.walls(state)) | int_of(self.grid.outside)
        self.free = {cell for cell in range(64 * self.grid.words) if not blocked >> cell & 1}
        self._turn = int(game.current_player(state) == 1) if game.turn_based else None
        self._extra = (
            [int(game.speed(state, player)) for player in (0, 1)] if "speed" in game.kernels else [0, 0]
        )

    def beside(self, cell: int) -> list[int]:
        """The cells next to a cell, blocked ones too."""
        return [
            there for there in (neighbour(self.grid, cell, direction) for direction in range(4)) if there >= 0
        ]

    def cells(self, indices: Collection[int]) -> tuple[Cell, ...]:
        """As (column, row)."""
        return tuple(self.grid.position(cell) for cell in sorted(indices))

    def territories(self) -> tuple[set[int], set[int], set[int]]:
        """The cells that player 0 reaches first, those of player 1, and those that both reach at the same time."""
        reached, contested = (set[int](), set[int]()), set[int]()
        fronts, left, extra, turn = self._fronts(), set(self.free), list(self._extra), self._turn
        while fronts[0] or fronts[1]:
            movers = (0, 1) if turn is None else (turn,)
            for player in movers:
                fronts[player] = self._next(fronts[player], left)
                reached[player].update(fronts[player])
            if turn is None:
                contested |= fronts[0] & fronts[1]
            elif extra[turn] > 0:
                extra[turn] -= 1
            else:
                turn = 1 - turn
            left.difference_update(*(fronts[player] for player in movers))
        return reached[0] - contested, reached[1] - contested, contested

    def are_separated(self) -> bool:
        """Whether no cell can be reached by both."""
        one, other = map(self._room, self._fronts())
        return one.isdisjoint(other)

    def _room(self, front: set[int]) -> set[int]:
        room, left = set[int](), set(self.free)
        while front:
            front = self._next(front, left)
            room |= front
            left -= front
        return room

    def _fronts(self) -> list[set[int]]:
        return [set() if head is None else {head} for head in self.heads]

    def _next(self, front: set[int], left: set[int]) -> set[int]:
        return {there for cell in front for there in self.beside(cell) if there in left}


def _has_heads(game: Game) -> bool:
    return {"walls", "head"} <= game.kernels.keys() and isinstance(getattr(game, "grid", None), Grid)


_OVERLAYS: dict[str, tuple[Callable[[Game], bool], Callable[[Any, Any, Any], Overlay]]] = {
    "territory": (_has_heads, _territory),
    "chambers": (_has_heads, _chambers),
    "longest path": (_has_heads, _longest_path),
    "threats": (lambda game: hasattr(game, "columns") and hasattr(game, "supplies"), _threats),
}
"""By name: for which games, and how it is found."""
