"""All positions of a game with cycles, found breadth first and numbered, with what follows, and the order in which they are solved."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...boards.limits import LISTEN_AT, listened
from ...compiled import jit, put_words, word_count
from ...compiled.call import run
from ...compiled.states import as_machine_words
from ...game.base import CHANCE, Game
from ..general.induction import new_record
from ..general.packing import Folded, first_packing, folded, folds_images_alone
from ..general.positions import PositionTable, enter
from ..general.successors import (
    ENDED,
    borrowed_packing,
    clock_word,
    read_position,
    without_clock,
    write_successor,
)

# All positions that can come about, found breadth first and numbered, with what follows each joint action: a stochastic game as arrays.
#
# After this no rule is asked any more. A game's clock (`Game.clock`) stands still here, so that positions come back. Of images, which
# the game tells by `canonical`, one may be kept: what leads to an image leads to the kept one, or to that with the players exchanged.

_DONE, _PAUSED, _TOO_NARROW, _TABLE_FULL, _LISTS_FULL = range(5)
"""Why the compiled part came back."""
_SLICE = 20_000
"""Positions between two moments in which Ctrl-C is heard."""
_ENDS_COMPARED = 64
"""Results that are looked for before a new one is listed: most games have few."""
_MOST = 2**31 - 2
_EXCHANGED = np.int64(1 << 30)
"""Marks, until all are numbered, a successor that is the position kept with the players exchanged."""

_RECORD = np.dtype(
    [
        ("next", "i8"), ("filled", "i8"), ("pause", "i8"), ("misfit", "i8"), ("width", "i8"),
        ("edges", "i8"), ("weights", "i8"), ("ends", "i8"),
        ("clock", "i8"), ("start", "u8"),  # the clock's word, or -1, and what it always is
        ("folded", "i8"), ("exchanges", "i8"),  # whether of images one is kept; whether the players are exchanged anywhere
    ],
    align=True,
)  # fmt: skip


@dataclass(frozen=True)
class Graph:
    """The graph of a stochastic game: position k has `rows[k]` x `columns[k]` joint actions, or as rows
    chance's outcomes.

    The successor by joint action (i, j) is `children[starts[k] + i * columns[k] + j]`: a position's number,
    or from len(rows) on an ended game's, whose result is in `ends`, or from `images` on that of a position in
    which the players are exchanged: it is worth that position's value with the other sign. The first position
    is the start, or the one kept for it.
    """

    kinds: NDArray[np.int8]
    """1 where chance moves."""
    rows: NDArray[np.int32]
    columns: NDArray[np.int32]
    starts: NDArray[np.int64]
    children: NDArray[np.int32]
    weights: NDArray[np.float64]
    """The probabilities of chance's outcomes, those of position k from `weights_from[k]` on."""
    weights_from: NDArray[np.int64]
    ends: NDArray[np.float64]
    exchanges: bool = False
    """Whether any successor is a position with the players exchanged."""

    def __len__(self) -> int:
        return len(self.kinds)

    @property
    def images(self) -> int:
        """The first number of positions with the players exchanged; 0 where there are none."""
        return len(self.kinds) + len(self.ends) if self.exchanges else 0

    def with_ends(
        self, values: NDArray[np.float64], exchanged: NDArray[np.float64] | None = None
    ) -> NDArray[np.float64]:
        """Values by number: of all positions, the ended games, and the images; `exchanged` are the latter's if not `-values`."""
        images = (-values if exchanged is None else exchanged,) if self.exchanges else ()
        return np.concatenate([values, self.ends, *images])

    @property
    def arrays(self) -> tuple[Any, ...]:
        return (
            self.kinds,
            self.rows,
            self.columns,
            self.starts,
            self.children,
            self.weights,
            self.weights_from,
        )


@jit
def explore(game, like, ws, rows, known, slots, packing, memory, nodes, children, weights, ends):
    """List what follows each position, numbering the new ones, until there is none left or a list is full.

    `known` are the table's heights, 1 for each position: with cycles there is no longest way to an end.
    """
    words, key, actions, chances = memory
    kinds, heights, widths, starts, weights_from = nodes
    width, packing = ws.width, borrowed_packing(packing)
    while ws.next < ws.filled:
        index = ws.next
        if index >= ws.pause:
            return _PAUSED
        state, node, m, n = read_position(
            game, like, rows[index * (width + 1) :], packing, words[0], actions, chances
        )
        if (
            ws.edges + m * n > len(children)
            or ws.weights + m > len(weights)
            or ws.ends + m * n > len(ends)
            or index == len(kinds)
        ):
            return _LISTS_FULL
        for i in range(m):
            for j in range(n):
                fit, exchanged, result = write_successor(
                    game,
                    state,
                    actions[0, i],
                    actions[1, j],
                    ws.folded,
                    ws.clock,
                    ws.start,
                    packing,
                    width,
                    words[1],
                    key,
                )
                if fit == ENDED:
                    at = np.int64(0)
                    while at < min(ws.ends, _ENDS_COMPARED) and ends[at] != result:
                        at += 1
                    if at == min(ws.ends, _ENDS_COMPARED):
                        at = ws.ends
                        ends[at] = result
                        ws.ends += 1
                    children[ws.edges + i * n + j] = -1 - at
                    continue
                if fit >= 0:
                    ws.misfit = fit
                    return _TOO_NARROW
                found, ws.filled = enter(key, width, rows, known, slots, ws.filled)
                if found < 0:
                    return _TABLE_FULL
                if exchanged:
                    found |= _EXCHANGED
                    ws.exchanges = 1
                children[ws.edges + i * n + j] = found
        kinds[index], heights[index], widths[index] = np.int8(node == CHANCE), m, n
        starts[index], weights_from[index] = ws.edges, ws.weights
        if node == CHANCE:
            for i in range(m):
                weights[ws.weights + i] = chances[i]
            ws.weights += m
        ws.edges += m * n
        ws.next += 1
    return _DONE


class Explored:
    """The positions of a game from a start that is not over, and their graph.

    With `fold`, one of images is kept.
    """

    def __init__(
        self,
        game: Game,
        state: Any,
        *,
        memory: float = float("inf"),
        folder: Path | None = None,
        on_disk: Callable[[int], None] | None = None,
        on_progress: Callable[[int], None] | None = None,
        fold: bool = False,
    ) -> None:
        self.game, self.root, self.is_folded = (
            game,
            without_clock(game, state),
            fold and folds_images_alone(game),
        )
        self.kept = folded(game, self.root) if self.is_folded else Folded(self.root, False, 0.0)
        """The first position, as the start's."""
        words = np.zeros(word_count(self.root), np.uint64)
        put_words(as_machine_words(self.kept.state), words)
        self.positions = PositionTable(first_packing(words), memory, folder, on_disk)
        self._ws: Any = new_record(_RECORD)
        self._ws["clock"] = clock_word(game, self.root)
        self._ws["start"], self._ws["folded"] = words[self._ws["clock"]], self.is_folded
        choices = max(game.max_actions, game.max_outcomes if game.has_chance else 1)
        self._words = np.zeros((2, len(words)), np.uint64)
        self._memory = (
            self._words,
            np.zeros(len(words), np.uint64),
            np.zeros((2, choices), np.int64),
            np.zeros(choices),
        )
        room = max(4 * game.max_actions**2, 4 * choices, 1 << 12)  # a position adds a quarter at most
        nodes = [np.zeros(room, kind) for kind in (np.int8, np.int32, np.int32, np.int64, np.int64)]
        self._lists: list[Any] = [*nodes, np.zeros(room, np.int32), np.zeros(room), np.zeros(room)]
        self._begin(words)
        while (reason := self._explore()) != _DONE:
            if on_progress is not None:
                on_progress(self.positions.filled)
            self._make_room(reason)
        self.graph = self._finished()

    def _begin(self, words: Any) -> None:
        """The start is the first row; its packing has no bits yet, so it is all zeros."""
        table = self.positions
        table.rows[: table.packing.width + 1] = 0
        table.heights[0] = 1
        table.filled = table.used = 1
        table.widen(table.packing)  # enters it in the slots
        self._ws["filled"] = 1

    def _explore(self) -> int:
        ws, table, packing = self._ws, self.positions, self.positions.packing
        ws["width"], ws["filled"], ws["pause"] = packing.width, table.filled, int(ws["next"]) + _SLICE
        *nodes, children, weights, ends = self._lists
        reason = run(
            explore,
            self.game,
            self.root,
            ws,
            table.rows,
            table.heights,
            table.slots,
            packing.arrays,
            self._memory,
            tuple(nodes),
            children,
            weights,
            ends,
        )
        table.filled = table.used = int(ws["filled"])
        return reason

    def _make_room(self, reason: int) -> None:
        if reason == _TABLE_FULL:
            self.positions.grow()
        elif reason == _TOO_NARROW:
            k = int(self._ws["misfit"])
            self.positions.widen(self.positions.packing.widened(k, int(self._words[1][k])))
        elif reason == _LISTS_FULL:
            ws = self._ws
            used = [int(ws["next"])] * 5 + [int(ws["edges"]), int(ws["weights"]), int(ws["ends"])]
            self._lists = [
                np.concatenate([one, np.zeros_like(one)]) if 2 * count >= len(one) else one
                for one, count in zip(self._lists, used, strict=True)
            ]

    def _finished(self) -> Graph:
        ws = self._ws
        count, ends, exchanges = int(ws["next"]), int(ws["ends"]), bool(ws["exchanges"])
        if (2 * count if self.is_folded else count) + ends > _MOST:
            raise ValueError(f"{count:,} positions are more than the solver of games with cycles can number")
        kinds, rows, columns, starts, weights_from = (one[:count].copy() for one in self._lists[:5])
        children = self._lists[5][: int(ws["edges"])]
        numbers = np.where(children < 0, count - 1 - children, children)
        if exchanges:
            numbers[children >= _EXCHANGED] += count + ends - int(_EXCHANGED)
        return Graph(
            kinds,
            rows,
            columns,
            starts,
            numbers.astype(np.int32),
            self._lists[6][: int(ws["weights"])].copy(),
            weights_from,
            self._lists[7][:ends].copy(),
            exchanges,
        )


# A graph in which players are exchanged on the way, without that: each position and the same one with the players exchanged.
#
# Iterations that keep one player's strategy and change the other's need it: in the folded graph both are the same player's, seen from
# two sides.


def doubled(graph: Graph) -> Graph:
    """The same game with an own position for every one in which the players are exchanged: position k's is len(graph) + k."""
    count, images, children, chance = len(graph), graph.images, graph.children, graph.kinds == 1
    rows, columns = np.where(chance, graph.rows, graph.columns), np.where(chance, graph.columns, graph.rows)
    own = children + np.where(children < count, 0, np.where(children < images, count, count - images))
    exchanged = children + np.where(children < count, count, np.where(children < images, images, -images))
    # The players change rows and columns: where each cell of a stage goes.
    index = np.repeat(np.arange(count), graph.rows * graph.columns)
    cell = np.arange(len(children)) - graph.starts[index]
    i, j = np.divmod(cell, graph.columns[index])
    to = np.where(chance[index], cell, j * graph.rows[index] + i)
    swapped = np.empty_like(children)
    swapped[graph.starts[index] + to] = exchanged

    def twice(one: Any, offset: int = 0) -> Any:
        return np.concatenate([one, one + one.dtype.type(offset)])

    return Graph(
        twice(graph.kinds),
        np.concatenate([graph.rows, rows]),
        np.concatenate([graph.columns, columns]),
        twice(graph.starts, len(children)),
        np.concatenate([own, swapped]).astype(np.int32),
        graph.weights,
        twice(graph.weights_from),
        np.concatenate([graph.ends, -graph.ends]),
    )


# In what order positions are solved: what is led to first, and together only what comes back (Tarjan 1972).
#
# Two positions of a strongly connected component lead to each other, so their values have to be found together. Everything else that
# follows from a component is solved before it. Within one a position comes after what it leads to, as depth-first search leaves them.

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
