"""In what order positions are solved: what is led to first, and together only what comes back (Tarjan 1972).

Two positions of a strongly connected component lead to each other, so their values have to be found together. Everything else that
follows from a component is solved before it. Within one a position comes after what it leads to, as depth-first search leaves them.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...boards.limits import LISTEN_AT, listened
from ...compiled import jit
from ...compiled.call import run
from .graph import Graph

_TOGETHER = 1_000
"""Components are taken together until they have this many positions: a pass over fewer is not worth a call."""


class Block(NamedTuple):
    """Components that are solved together: the positions `positions[first:last]` of the order."""

    first: int
    last: int
    comes_back: bool
    """Whether any of its positions can come back; else one pass solves all."""


@dataclass(frozen=True)
class Order:
    """All positions, what they lead to mostly before them."""

    positions: NDArray[np.int32]
    places: NDArray[np.int32]
    """Where each position is among them."""
    blocks: tuple[Block, ...]
    """In the order in which they can be solved."""


@jit
def find_components(rows, columns, starts, children, images, memory, finished, labels):
    """Tarjan's algorithm from the first position on, without recursion; returns how many components there are.

    `finished` gets the positions in the order in which the search leaves them, `labels` each one's component: what a component
    leads to has smaller numbers. `memory` is five arrays of zeros, one number a position; the last says which are led to by themselves.
    """
    entered, lowest, open_, path, loops = memory
    edges = labels  # of a position on the path, how many of its successors were looked at; its label comes after that
    count = len(rows)
    waiting, depth, numbers, done, components, start = 0, 0, 0, 0, 0, 0
    assigned, listen = np.zeros(count, np.uint8), np.int64(0)
    while done < count:
        if depth == 0:
            while entered[start] != 0:
                start += 1
            numbers += 1
            entered[start], lowest[start], path[0], open_[0] = numbers, numbers, start, start
            depth, waiting = 1, 1
        at = path[depth - 1]
        if edges[at] < rows[at] * columns[at]:
            child = children[starts[at] + edges[at]]
            edges[at] += 1
            if child >= count:
                if images == 0 or child < images:
                    continue
                child -= images
            if child == at:
                loops[at] = 1
            if entered[child] == 0:
                numbers += 1
                entered[child], lowest[child] = numbers, numbers
                path[depth], open_[waiting] = child, child
                depth += 1
                waiting += 1
            elif assigned[child] == 0:
                lowest[at] = min(lowest[at], entered[child])
            continue
        depth -= 1
        finished[done] = at
        if done & LISTEN_AT == 0:
            listen, is_over = listened(listen)
            if is_over:
                break
        done += 1
        if depth > 0:
            lowest[path[depth - 1]] = min(lowest[path[depth - 1]], lowest[at])
        if lowest[at] == entered[at]:
            while True:
                waiting -= 1
                member = open_[waiting]
                labels[member], assigned[member] = components, 1
                if member == at:
                    break
            components += 1
    return components


def ordered(graph: Graph) -> Order:
    """The order in which the positions of a graph are solved."""
    count = len(graph)
    memory = tuple(np.zeros(count, np.int32) for _ in range(5))
    finished, labels = np.zeros(count, np.int32), np.zeros(count, np.int32)
    components = run(
        find_components,
        graph.rows,
        graph.columns,
        graph.starts,
        graph.children,
        graph.images,
        memory,
        finished,
        labels,
    )
    sizes = np.bincount(labels, minlength=components)
    positions = finished if components == 1 else finished[np.argsort(labels[finished], kind="stable")]
    places = np.empty(count, np.int32)
    places[positions] = np.arange(count, dtype=np.int32)
    come_back = (sizes > 1) | (np.bincount(labels[memory[4] != 0], minlength=components) > 0)
    return Order(positions, places, _blocks(sizes, come_back))


def _blocks(sizes: Any, come_back: Any) -> tuple[Block, ...]:
    """Components one after the other: large ones alone, small ones together, long rows of those that never come back by themselves."""
    found = list[Block]()
    ends = np.cumsum(sizes)
    first = last = 0
    block_comes_back = False
    for one in np.split(np.arange(len(sizes)), np.flatnonzero(np.diff(come_back)) + 1):
        is_cyclic = bool(come_back[one[0]])
        for end in ends[one].tolist() if is_cyclic else [int(ends[one[-1]])]:
            is_other = last > first and block_comes_back != is_cyclic
            if last - first >= _TOGETHER or (is_other and end - last >= _TOGETHER):
                found.append(Block(first, last, block_comes_back))
                first, block_comes_back = last, False
            last, block_comes_back = end, block_comes_back or is_cyclic
    return (*found, Block(first, last, block_comes_back))
