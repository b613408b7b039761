"""The order of the sweeps: held against SciPy's strongly connected components."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from saddlepoint.solvers.cycles.graph import Graph, ordered

pytestmark = pytest.mark.plain


@strategies.composite
def graphs(draw: Any) -> Graph:
    """Positions with two moves each, to positions (without and with the players exchanged) and ended games."""
    count, ends = draw(strategies.integers(1, 12)), 2
    exchanges = draw(strategies.booleans())
    led_to = strategies.integers(0, (2 if exchanges else 1) * count + ends - 1)
    children = draw(strategies.lists(led_to, min_size=2 * count, max_size=2 * count))
    return Graph(
        np.zeros(count, np.int8),
        np.full(count, 2, np.int32),
        np.ones(count, np.int32),
        2 * np.arange(count, dtype=np.int64),
        np.array(children, np.int32),
        np.zeros(0),
        np.zeros(count, np.int64),
        np.zeros(ends),
        exchanges,
    )


def edges_of(graph: Graph) -> list[tuple[int, int]]:
    """All moves from a position to another, exchanged or not."""
    count, found = len(graph), list[tuple[int, int]]()
    for at, child in enumerate(graph.children.tolist()):
        if child < count or (graph.exchanges and child >= graph.images):
            found.append((at // 2, child if child < count else child - graph.images))
    return found


@given(graphs())
def test_what_follows_a_block_is_before_it_and_what_comes_back_is_in_it(graph: Graph) -> None:
    order, count = ordered(graph), len(graph)
    assert sorted(order.positions.tolist()) == list(range(count))
    assert order.places[order.positions].tolist() == list(range(count))
    assert [0, *(block.last for block in order.blocks)] == [*(block.first for block in order.blocks), count]
    edges = edges_of(graph)
    rows, columns = [a for a, _ in edges], [b for _, b in edges]
    _, labels = connected_components(
        coo_array((np.ones(len(edges)), (rows, columns)), shape=(count, count)), connection="strong"
    )
    where = labels[order.positions].tolist()
    assert [k for k in range(count) if k == 0 or where[k] != where[k - 1]] == sorted(
        where.index(label) for label in set(where)
    )
    for a, b in edges:
        assert labels[a] == labels[b] or order.places[b] < order.places[a]
    for block in order.blocks:
        members = set(order.positions[block.first : block.last].tolist())
        inside = [(a, b) for a, b in edges if a in members and b in members]
        assert any(a == b or labels[a] == labels[b] for a, b in inside) == block.comes_back
