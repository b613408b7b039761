"""Slow and obvious versions of everything in `saddlepoint.boards`, over sets of (x, y) cells."""

from collections import deque
from itertools import pairwise

import numpy as np

from saddlepoint.boards.grid import Grid

MOVES = ((0, -1), (1, 0), (0, 1), (-1, 0))


def around(cell):
    return [(cell[0] + dx, cell[1] + dy) for dx, dy in MOVES]


def steps(starts, is_free):
    """How many steps it takes to every cell to which free cells lead from one of these, which are there with 0."""
    found = dict.fromkeys(starts, 0)
    waiting = list(found)
    for cell in waiting:
        for there in around(cell):
            if there not in found and is_free(there):
                found[there] = found[cell] + 1
                waiting.append(there)
    return found


def distances(head, free):
    """Steps from the head to each cell it can reach."""
    found = steps([head], free.__contains__)
    del found[head]
    return found


def territories(head0, head1, free):
    """(nearer to head 0, nearer to head 1, equally near), by comparing distances."""
    d0, d1 = distances(head0, free), distances(head1, free)
    far = 10**9
    return (
        {c for c in d0 if d0[c] < d1.get(c, far)},
        {c for c in d1 if d1[c] < d0.get(c, far)},
        {c for c in d0 if d0[c] == d1.get(c, far)},
    )


def layered_control(head0, head1, free):
    """Both floods, a layer at a time, player 0's layer first: the cells of each."""
    owned, layers, left = (set(), set()), [{head0}, {head1}], set(free)
    while layers[0] or layers[1]:
        for player in (0, 1):
            layers[player] = {there for cell in layers[player] for there in around(cell) if there in left}
            owned[player].update(layers[player])
            left -= layers[player]
    return owned


def queue_territory(head0, head1, free):
    """One queue for both players, head 0 first: the cells of each."""
    owner, queue = {}, deque([(head0, 0), (head1, 1)])
    while queue:
        cell, player = queue.popleft()
        for there in around(cell):
            if there in free and there not in owner:
                owner[there] = player
                queue.append((there, player))
    return tuple({cell for cell, player in owner.items() if player == wanted} for wanted in (0, 1))


def edges(region, free):
    return sum(there in free for cell in region for there in around(cell))


def open_sides(cell, free):
    """Whether the cell above is free, the one to the right, below, to the left."""
    return tuple(there in free for there in around(cell))


def choke_points(cells, free):
    """Exactly two open neighbours, opposite each other."""
    lines = ((True, False, True, False), (False, True, False, True))
    return {cell for cell in cells if open_sides(cell, free) in lines}


def passages(cells, free):
    """No open neighbour on either side of one of the two lines through the cell."""
    sides = {cell: open_sides(cell, free) for cell in cells}
    return {
        cell for cell, (up, right, down, left) in sides.items() if not (up or down) or not (left or right)
    }


def chamber_worth(head, own, chokes, front, layers, weigh, step):
    """What the cells `own` are worth, by recursion over chambers.

    From the first cell, the cells reached without entering choke points form the chamber. The best single way counts:
    what lies behind a choke point plus the chamber's weight, or plus `step` a layer where what lies behind touches the
    front.
    """
    visited = set()
    layers = {**layers, head: 0}

    def behind(first):
        visited.add(first)
        chamber, queue = {first}, deque([first])
        while queue:
            for there in around(queue.popleft()):
                if there in own and there not in chokes and there not in visited:
                    visited.add(there)
                    chamber.add(there)
                    queue.append(there)
        exits = {
            there for cell in chamber for there in around(cell) if there in chokes and there not in visited
        }
        chamber &= own
        staying = weigh(chamber)
        best, touches = staying, bool(chamber & front)
        for choke in sorted(exits, key=lambda c: (c[1], c[0]), reverse=True):
            if choke in visited:
                continue
            worth, touching = behind(choke)
            touches = touches or touching
            best = max(best, worth + (step * (layers[choke] - layers[first]) if touching else staying))
        return best, touches

    return behind(head)[0]


def blocks(region):
    """Hopcroft and Tarjan's biconnected components, as sets of cells: from a stack of edges."""
    order, low, stack, found = {}, {}, [], []

    def visit(cell, parent):
        order[cell] = low[cell] = len(order)
        for there in around(cell):
            if there not in region or there == parent:
                continue
            if there in order:
                if order[there] < order[cell]:
                    stack.append((cell, there))
                low[cell] = min(low[cell], order[there])
                continue
            stack.append((cell, there))
            visit(there, cell)
            low[cell] = min(low[cell], low[there])
            if low[there] >= order[cell]:
                block = set()
                while True:
                    edge = stack.pop()
                    block.update(edge)
                    if edge == (cell, there):
                        break
                found.append(block)

    for cell in region:
        if cell not in order:
            visit(cell, None)
    return found


def articulation_points(region):
    """The cells that two blocks have in common."""
    found = blocks(region)
    return {cell for cell in region if sum(cell in block for block in found) > 1}


def block_worth(head, own, front, layers, weigh, step):
    """What the cells `own` are worth, by recursion over blocks."""
    region = own | {head}
    cuts = articulation_points(region)
    parts = blocks(region)
    layers = {**layers, head: 0}

    def block(first, second):
        return next(part for part in parts if first in part and second in part)

    def ways(first, came):
        """(worth, whether it touches the front) of each block behind `first`."""
        seen = set(came)
        for second in around(first):
            if second not in region or second in seen:
                continue
            members = block(first, second)
            seen |= members
            exits = members & cuts - {first}
            staying = weigh(members - exits - {head})
            best, touches = staying, bool((members - exits - {head}) & front)
            for cut in exits:
                for worth, touching in ways(cut, members):
                    touches = touches or touching
                    best = max(best, worth + (step * (layers[cut] - layers[first]) if touching else staying))
            yield best, touches

    return max((worth for worth, _ in ways(head, set())), default=0)


def longest_path(head, free):
    """The number of steps of the longest path, by trying all of them."""
    best = 0
    for there in around(head):
        if there in free:
            best = max(best, 1 + longest_path(there, free - {there}))
    return best


def fillable(head, free):
    """The most steps through the best chain of blocks, each by its checkerboard colours, by recursion."""
    region = {head, *distances(head, free)}
    cuts, parts = articulation_points(region), blocks(region)

    def onward(first, came):
        best = 0
        for members in parts:
            if first not in members or members == came:
                continue
            like = sum((x + y - sum(first)) % 2 == 0 for x, y in members - {first})
            unlike = len(members) - 1 - like
            best = max(best, 2 * like + 1 if unlike > like else 2 * unlike)
            for cut in members & cuts - {first}:
                if behind := onward(cut, members):
                    odd = (sum(cut) - sum(first)) % 2 == 1
                    best = max(
                        best, behind + (2 * min(unlike - 1, like) + 1 if odd else 2 * min(unlike, like))
                    )
        return best

    return onward(head, None)


def is_path(head, cells, free):
    """Whether the cells are a path of free cells, none twice, from the head."""
    steps = [head, *cells]
    return (
        len(set(steps)) == len(steps)
        and set(cells) <= set(free)
        and all(b in around(a) for a, b in pairwise(steps))
    )


def random_positions(grid: Grid, count: int, seed: int):
    """(walls as an array of words [count, words], heads as cell indices [count, 2]).

    Half of the boards are random obstacles of every density, half two random trails with obstacles.
    """
    rng = np.random.default_rng(seed)
    outside = sum(int(word) << 64 * k for k, word in enumerate(grid.outside))
    words, heads = np.zeros((count, grid.words), np.uint64), np.zeros((count, 2), np.int64)
    for k in range(count):
        blocked = rng.random((grid.height, grid.width)) < rng.uniform(0.0, 0.6 if k % 2 else 0.25)
        places = rng.choice(grid.width * grid.height, 2, replace=False)
        walls = outside
        for player, place in enumerate(places):
            x, y = int(place) % grid.width, int(place) // grid.width
            if k % 2 == 0:
                for dx, dy in np.array(MOVES)[rng.integers(0, 4, grid.width).repeat(3)]:
                    there = x + int(dx), y + int(dy)
                    if (
                        0 <= there[0] < grid.width
                        and 0 <= there[1] < grid.height
                        and not blocked[there[1], there[0]]
                    ):
                        if player == 1 and heads[k, 0] == grid.cell(*there):
                            continue
                        blocked[y, x] = True
                        x, y = there
            blocked[y, x] = True
            heads[k, player] = grid.cell(x, y)
        for y, x in zip(*np.nonzero(blocked), strict=True):
            walls |= 1 << grid.cell(int(x), int(y))
        words[k] = [walls >> 64 * j & (1 << 64) - 1 for j in range(grid.words)]
    return words, heads


def cells_of(grid: Grid, words) -> set[tuple[int, int]]:
    """The cells of a board given as words; fails where a bit outside the field is set."""
    bits = sum(int(word) << 64 * k for k, word in enumerate(words))
    found = set()
    while bits:
        cell = (bits & -bits).bit_length() - 1
        bits &= bits - 1
        x, y = grid.position(cell)
        assert x < grid.width
        assert y < grid.height
        found.add((x, y))
    return found


def free_of(grid: Grid, walls) -> set[tuple[int, int]]:
    """The free cells of a board's walls."""
    return cells_of(grid, [~int(word) & (1 << 64) - 1 for word in walls])
