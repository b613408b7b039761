"""A graph in which players are exchanged on the way, without that: each position and the same one with the players exchanged.

Iterations that keep one player's strategy and change the other's need it: in the folded graph both are the same player's, seen from
two sides.
"""

from typing import Any

import numpy as np

from ...compiled import jit
from ...compiled.call import run
from .graph import Graph


@jit
def list_children(rows, columns, starts, children, kinds, images, doubled):
    """Fill `doubled`: what follows each position, then what follows it with the players exchanged, who change rows and columns."""
    count, edges = len(rows), len(children)
    for at in range(edges):
        child = children[at]
        if child >= count:
            child += count if child < images else count - images
        doubled[at] = child
    for index in range(count):
        m, n = np.int64(rows[index]), np.int64(columns[index])
        for i in range(m):
            for j in range(n):
                child = children[starts[index] + i * n + j]
                if child >= images:
                    child -= images
                elif child >= count:
                    child += images
                else:
                    child += count
                to = i if kinds[index] == 1 else j * m + i
                doubled[edges + starts[index] + to] = child


def doubled(graph: Graph) -> Graph:
    """The same game with an own position for every one in which the players are exchanged: position k's is len(graph) + k."""
    chance = graph.kinds == 1
    rows, columns = np.where(chance, graph.rows, graph.columns), np.where(chance, graph.columns, graph.rows)
    children = np.zeros(2 * len(graph.children), np.int32)
    run(list_children, graph.rows, graph.columns, graph.starts, graph.children, graph.kinds, graph.images, children)

    def twice(one: Any, offset: int = 0) -> Any:
        return np.concatenate([one, one + one.dtype.type(offset)])

    return Graph(
        twice(graph.kinds), np.concatenate([graph.rows, rows]), np.concatenate([graph.columns, columns]),
        twice(graph.starts, len(graph.children)), children, graph.weights, twice(graph.weights_from),
        np.concatenate([graph.ends, -graph.ends]),
    )  # fmt: skip
