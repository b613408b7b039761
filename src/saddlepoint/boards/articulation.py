"""The articulation points of a region and its blocks, for those who explain a position rather than search it.

`blocks.py` has them for compiled evaluations, mixed with what a block is worth.
"""

from collections.abc import Iterator, Mapping, Sequence

Neighbours = Mapping[int, Sequence[int]]
"""For every cell of the region the cells of the region next to it."""


def articulation_points(beside: Neighbours) -> set[int]:
    """The cells without which the part of the region around them falls apart."""
    counts: dict[int, int] = {}
    for block in blocks(beside):
        for cell in block:
            counts[cell] = counts.get(cell, 0) + 1
    return {cell for cell, count in counts.items() if count > 1}


def blocks(beside: Neighbours) -> list[set[int]]:
    """The biconnected components (Hopcroft and Tarjan, 1973); a cell without neighbours is one of its own."""
    found: list[set[int]] = []
    order: dict[int, int] = {}
    low: dict[int, int] = {}
    for start in beside:
        if start in order:
            continue
        order[start] = low[start] = len(order)
        if not beside[start]:
            found.append({start})
        waiting = [start]
        path: list[tuple[int, int, Iterator[int]]] = [(start, -1, iter(beside[start]))]
        while path:
            cell, above, left = path[-1]
            there = next(left, None)
            if there is None:
                path.pop()
                if above < 0:
                    continue
                low[above] = min(low[above], low[cell])
                if low[cell] >= order[above]:  # nothing from this cell on leads round the one above
                    block = {above}
                    while cell not in block:
                        block.add(waiting.pop())
                    found.append(block)
            elif there not in order:
                order[there] = low[there] = len(order)
                waiting.append(there)
                path.append((there, cell, iter(beside[there])))
            elif there != above:
                low[cell] = min(low[cell], order[there])
    return found
