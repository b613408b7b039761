"""A person's choice among the legal moves with the arrow keys."""

from collections.abc import Sequence

from ...picture import Cell, Move

_WAYS = {"up": (0, -1), "right": (1, 0), "down": (0, 1), "left": (-1, 0)}


class Choosing:
    """Goes from move to move: over the cells of the board, and between the moves of a cell and those that have none."""

    def __init__(self, moves: Sequence[Move]) -> None:
        self.moves = sorted(moves, key=lambda move: (move.to is None, (move.to or (0, 0))[::-1]))
        """Those of a cell are side by side, row by row; those without one come last."""
        self.arrows = {move.arrow: move for move in self.moves} if all(move.arrow for move in self.moves) else {}
        self._at = self._middle()

    def _middle(self) -> int:
        """The move nearest to the middle of the cells: no key is far from it."""
        cells = [move.to for move in self.moves if move.to is not None]
        if not cells:
            return 0
        x, y = (sum(cell[k] for cell in cells) / len(cells) for k in (0, 1))
        return min(range(len(cells)), key=lambda k: (cells[k][0] - x) ** 2 + (cells[k][1] - y) ** 2)

    @property
    def move(self) -> Move | None:
        """The move that would be played."""
        return self.moves[self._at] if self.moves else None

    @property
    def cell(self) -> Cell | None:
        """Its cell."""
        return self.move.to if self.move is not None else None

    @property
    def at(self) -> int:
        """Its place among `moves`."""
        return self._at

    def next(self, by: int = 1) -> None:
        """Go to the next move, or one that is so many further."""
        if self.moves:
            self._at = (self._at + by) % len(self.moves)

    def go(self, way: str) -> None:
        """Go to the nearest cell that way; where moves have no cells, up and down the list."""
        here, (dx, dy) = self.cell, _WAYS[way]
        if here is None:
            self.next(dy or dx)
            return
        best: tuple[float, int] | None = None
        for k, move in enumerate(self.moves):
            if move.to is None or move.to == here:
                continue
            x, y = move.to[0] - here[0], move.to[1] - here[1]
            along, aside = x * dx + y * dy, abs(x * dy) + abs(y * dx)
            # What lies straight ahead comes before what lies nearer and aside.
            if along > 0 and (best is None or (along + 3 * aside, k) < best):
                best = (along + 3 * aside, k)
        if best is not None:
            self._at = best[1]
        elif dy > 0 and self.moves[-1].to is None:  # below the board is the list
            self._at = next(k for k, move in enumerate(self.moves) if move.to is None)
