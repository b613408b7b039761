"""Ways over the free cells of a board, cell by cell."""

from collections.abc import Callable, Iterable

Cell = tuple[int, int]


def around(cell: Cell) -> list[Cell]:
    """The four cells next to one, on the board or not."""
    x, y = cell
    return [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]


def distances(starts: Iterable[Cell], is_free: Callable[[Cell], bool]) -> dict[Cell, int]:
    """Steps to every cell to which free cells lead from one of these, which are there with 0."""
    steps = dict.fromkeys(starts, 0)
    waiting = list(steps)
    for cell in waiting:
        for there in around(cell):
            if there not in steps and is_free(there):
                steps[there] = steps[cell] + 1
                waiting.append(there)
    return steps
