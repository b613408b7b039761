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
        parts = [part - cuts - {head} for part in blocks(beside)]
        areas += [(player, field.cells(part)) for part in sorted(parts, key=lambda part: -len(part)) if part]
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
        room = field.free if separated else owned[player]
        walls = words_of(
            ~sum(1 << cell for cell in room) & ((1 << 64 * field.grid.words) - 1), field.grid.words
        )
        found = solve_fill(field.grid, walls, head, seconds=_SECONDS, stop=stop)
        paths.append((player, tuple(field.grid.position(cell) for cell in (head, *found.path))))
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
        self._turn = int(game.current_player(state)) if game.turn_based else None
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
        if self._turn is not None:
            return self._territories_in_turn(1 if self._turn == 1 else 0)
        reached, contested = self._fronts(), set[int]()
        fronts, left = self._fronts(), set(self.free)
        while fronts[0] or fronts[1]:
            fronts = [self._next(front, left) for front in fronts]
            both = fronts[0] & fronts[1]
            contested |= both
            for player in (0, 1):
                reached[player] |= fronts[player]
            left -= fronts[0] | fronts[1]
        own = [reached[player] & self.free - contested for player in (0, 1)]
        return own[0], own[1], contested

    def _territories_in_turn(self, player: int) -> tuple[set[int], set[int], set[int]]:
        """(territory 0, territory 1, no contested cells) where the players move in turn, extra moves
        included.
        """
        fronts, left, extra = self._fronts(), set(self.free), list(self._extra)
        reached: list[set[int]] = [set(), set()]
        while fronts[0] or fronts[1]:
            fronts[player] = self._next(fronts[player], left)
            reached[player] |= fronts[player]
            left -= fronts[player]
            if extra[player] > 0:
                extra[player] -= 1
            else:
                player = 1 - player
        return reached[0], reached[1], set()

    def are_separated(self) -> bool:
        """Whether no cell can be reached by both."""
        rooms = [self._room(front) for front in self._fronts()]
        return not rooms[0] & rooms[1]

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


def _has_falling_pieces(game: Game) -> bool:
    return hasattr(game, "columns") and hasattr(game, "supplies")


_OVERLAYS: dict[str, tuple[Callable[[Game], bool], Callable[[Any, Any, Any], Overlay]]] = {
    "territory": (_has_heads, _territory),
    "chambers": (_has_heads, _chambers),
    "longest path": (_has_heads, _longest_path),
    "threats": (_has_falling_pieces, _threats),
}
"""By name: for which games, and how it is found."""
