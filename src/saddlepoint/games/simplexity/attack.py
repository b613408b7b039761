"""Whether a side wins by force within a number of plies: a search with two results.

A position is seen from the side to move, for which the rules are the same whichever it is: `mine` are the pieces of
its colour, `shape` those of its shape (of either colour), `filled` all. After a drop the others' colour and shape are
the rest of `filled`.

What keeps the tree small:

- A player with pieces of the own shape for all drops within the horizon never needs the other shape: in any line of play
  exchange its pieces of the other shape for own ones, and its lines only become more, the opponent's only fewer.
- Cells that complete a line are known for the whole board and carried along; a drop changes only what goes through it.
- A side that cannot complete a line with the drops it has left within the horizon does not win within it.
- A player that drops on top of every drop of the other gets certain cells (`following`), which may settle the position.
- A piece's colour or shape that no line can use any more is left out of the table's key, and so are the supplies of both
  shapes where no line of a shape is left. On a cell that no such line goes through the other shape is dropped: the own one is worth more.
- A winning drop is played, a single threat is blocked, and nobody drops below a cell where the opponent then wins.

A side's *pieces of its shape* are of either colour, its *pieces of its colour* of either shape: a line of either wins.
"""

from typing import Any

import numpy as np

from ..interface import (
    Bits,
    Columns,
    borrowed,
    formula,
    is_last_node,
    jit,
    jit_inline,
    new_control,
    popcount,
    trailing_zeros,
)
from .facts import answer, keep_fact, key_of, slot_of, tried_first
from .game import Simplexity
from .state import keys, mirror_image

_COUNTED = 3
"""Gaps beyond that many in a line are not distinguished."""


@formula
def free_cells(columns: Columns, filled: Bits) -> tuple[Bits, Bits]:
    """All free cells, and those on which a piece lands."""
    return columns.inside & ~filled, columns.landings(filled)


@formula
def completing_pair(columns: Columns, first: Bits, second: Bits, free: Bits) -> tuple[Bits, Bits]:
    """The free cells that would complete a line of each of two sets of pieces."""
    cells = Bits.split(columns.completing(Bits.side_by_side(first, second), Bits.side_by_side(free, free)))
    return cells[0], cells[1]


NO_LINE = 64
"""More pieces than any line takes: none is possible."""


@formula
def fewest_missing(columns: Columns, shape: Bits, colour: Bits, free: Bits) -> tuple[int, int]:
    """At least how many pieces each of two sets needs for a line; `NO_LINE` or more where none is possible."""
    pieces, gaps = Bits.side_by_side(shape, colour), Bits.side_by_side(free, free)
    most = min(columns.win, _COUNTED + 1)
    levels: list[Any] = [0] * (most + 1)
    for step in columns.steps:
        found = columns.runs_by_gaps(pieces, gaps, step, most - 1)
        for level, starts in enumerate([*found, columns.runs(pieces | gaps, step)]):
            levels[level] = starts | levels[level]
    missing: list[Any] = [shape & 0, shape & 0]
    fewer: Any = 0
    for level, starts in enumerate(levels):
        fewer = starts | fewer
        for side, found in enumerate(Bits.split(fewer)):
            cost = NO_LINE if level == most else 1
            missing[side] = missing[side] + Bits.choose(Bits.nonzero(found), shape & 0, cost)
    return missing[0], missing[1]


@formula
def live(
    columns: Columns, shape: Bits, its_shape: Bits, mine: Bits, its: Bits, free: Bits
) -> tuple[Bits, Bits, Bits, Bits]:
    """For each of four sets the cells of the lines that could still be completed."""
    open_: Any = Bits.side_by_side(shape, its_shape, mine, its) | Bits.side_by_side(free, free, free, free)
    cells = Bits.split(columns.in_lines(open_))
    return cells[0], cells[1], cells[2], cells[3]


@formula
def following(
    columns: Columns,
    shape: Bits,
    mine: Bits,
    its_shape: Bits,
    its: Bits,
    free: Bits,
    landing: Bits,
    its_enough: bool,
) -> tuple[bool, bool]:
    """(whether the side to move can win, whether the opponent must) where the opponent drops on top of each
    of its drops.

    An even number of cells must be free. Where the opponent follows it gets every second cell of a column from the top;
    of those on which a piece lands in columns with an odd number of free cells it gets half, by dropping into another
    such column: the side to move is given all of them. With `its_enough` the opponent drops its own shape alone.
    """
    others: Any = columns.bottoms * sum(1 << row for row in range(columns.rows - 1, -1, -2)) & columns.inside
    its_cells = free & others & ~landing
    my_cells = free & ~its_cells
    for_my_shape = Bits.choose(its_enough, my_cells, free)
    for_its_shape = Bits.choose(its_enough, its_cells, its_cells & 0)
    sets: Any = Bits.side_by_side(
        shape | for_my_shape, mine | my_cells, its_shape | for_its_shape, its | its_cells
    )
    lines = Bits.split(columns.union(lambda step: columns.runs(sets, step)))
    return Bits.nonzero(lines[0] | lines[1]), Bits.nonzero(lines[2] | lines[3])


_REMEMBERED = 5
"""Positions with a shorter horizon are searched again rather than kept."""

_CLOCK_INTERVAL = 255
_WINS_SOON, _USELESS = -1, -2
_FIRST = 1 << 40

_NOTHING = np.uint64(0)
_ONE = np.uint64(1)


def new_drops(columns: Columns) -> Any:
    """Scratch memory for the drops of every ply: what the position will be, its winning cells, score and drop."""
    return np.zeros((columns.rows * columns.cols + 1, 2 * columns.cols, 9), np.uint64)


_FIELDS = [
    ("last_move", "i8"),
    ("own", "i8", (2,)),
    ("other", "i8", (2,)),
    ("folding", "u1"),
    ("age", "i8"),
    ("best", "i8"),
]
"""Of the record `control`, beside its limits. Of the game, so that all games on one board share their compiled code: the move after which
it ends, and what each player has of its own shape and of the other one. Of the search: whether to fold mirror images, and its number. What
it tells: the drop that reached the goal of the last position looked into, which is the root's unless that was settled at once.
"""


def control_of(game: Simplexity, nodes: int | None = None, seconds: float | None = None) -> Any:
    """The record that a search and its caller exchange."""
    control = new_control(nodes, seconds, _FIELDS)
    control["last_move"] = game.last_move
    control["own"], control["other"] = (game.rounds[0], game.squares[1]), (game.squares[0], game.rounds[1])
    return control


@jit
def reaches(
    columns,
    mine,
    shape,
    filled,
    my_shape,
    my_colour,
    its_shape,
    its_colour,
    horizon,
    attacking,
    table,
    drops,
    history,
    control,
):
    """Whether the side to move reaches its goal; False where the search was stopped.

    Attacking, the goal is to win within `horizon` plies; else, not to lose within them. The game is not over.
    `my_shape` .. `its_colour` are the free cells that would complete a line of each kind.
    """
    if is_last_node(control, _CLOCK_INTERVAL):
        return False
    moves = popcount(filled)
    player = moves & 1
    horizon = min(horizon, control.last_move - moves)
    its, rest = filled ^ mine, filled ^ shape
    own, other = (
        control.own[player] - popcount(mine & shape),
        control.other[player] - popcount(mine & rest),
    )
    its_own = control.own[1 - player] - popcount(its & rest)
    its_other = control.other[1 - player] - popcount(its & shape)
    # Nobody is forced to complete the other's line who has pieces of the own shape; then only the winner's ply counts.
    enough, its_enough = own >= (horizon + 1) >> 1, its_own >= horizon >> 1
    if attacking:
        if its_enough and horizon & 1 == 0:
            horizon -= 1
    elif enough and horizon & 1 == 1:
        horizon -= 1
    if horizon <= 0:
        return not attacking
    free, landing = free_cells(columns, (filled,))
    places = landing[0]
    if own > 0 and (my_shape | my_colour) & places != _NOTHING:
        return True
    if other > 0 and my_colour & ~its_shape & places != _NOTHING:
        return True
    if horizon == 1:
        return not attacking and (own > 0 or places & ~its_shape != _NOTHING)
    allowed = places
    if its_own > 0:
        wins = its_shape | its_colour
        threats = wins & places
        if threats != _NOTHING:
            if threats & (threats - _ONE) != _NOTHING:
                return False
            allowed = threats
        allowed &= ~(wins >> _ONE)
    with_own = allowed if own > 0 else _NOTHING
    with_other = allowed & ~its_shape if other > 0 and not enough else _NOTHING
    if with_own | with_other == _NOTHING:
        return False
    if horizon == 2 and not attacking and its_own > 0 and with_own != _NOTHING:
        return True
    # Can the attacker complete a line at all?
    if attacking:
        if my_shape | my_colour == _NOTHING:
            by_shape, by_colour = fewest_missing(columns, (shape,), (mine,), free)
            if by_colour > (horizon + 1) >> 1 and by_shape > (
                (horizon + 1) >> 1 if its_enough else NO_LINE - 1
            ):
                return False
    elif its_shape | its_colour == _NOTHING:
        by_shape, by_colour = fewest_missing(columns, (rest,), (its,), free)
        if by_colour > horizon >> 1 and by_shape > (horizon >> 1 if enough else NO_LINE - 1):
            return True

    key, check, is_image, tried = _ONE, _NOTHING, False, np.int64(255)
    if horizon >= _REMEMBERED:
        count_free = popcount(
            free[0]
        )  # where it is even, all columns with an odd number of free cells go in pairs
        if count_free & 1 == 0:
            may, must = following(columns, (shape,), (mine,), (rest,), (its,), free, landing, its_enough)
            if not may:
                if attacking:
                    return False
                if must and horizon >= count_free:
                    return False
        live_shape, live_its_shape, live_mine, live_its = live(
            columns, (shape,), (rest,), (mine,), (its,), free
        )
        of_shape = live_shape[0] | live_its_shape[0]
        if with_other != _NOTHING:
            with_own &= of_shape | ~with_other
        supply = np.uint64(own * 64 + its_own) if of_shape != _NOTHING else _NOTHING
        mine_left, its_left = mine & live_mine[0], its & live_its[0]
        shape_left, its_shape_left = shape & live_shape[0], rest & live_its_shape[0]
        first, second = keys(columns, (mine_left,), (shape_left,), (filled,))
        key, check = key_of(first[0], second[0], its_left, its_shape_left, supply)
        if control.folding != 0:
            image, image_shape, image_filled = mirror_image(columns, (mine_left,), (shape_left,), (filled,))
            first, second = keys(columns, image, image_shape, image_filled)
            image, its_image, _ = mirror_image(columns, (its_left,), (its_shape_left,), (filled,))
            image_key, image_check = key_of(first[0], second[0], image[0], its_image[0], supply)
            is_image = image_key < key
            if is_image:
                key, check = image_key, image_check
        slot = slot_of(table, key, check)
        if slot >= 0:
            facts = table[slot, 1]
            known = answer(facts, horizon, attacking)
            if known >= 0:
                return known == 1
            tried = tried_first(facts)
            if is_image:
                tried = mirror_drop(columns, tried)

    reached, best = False, np.int64(255)
    mine_to_drop, count = drops[moves], 0
    in_time = horizon > 2 or not attacking  # for a win with the next drop but one
    for kind in range(2):
        cells = with_own if kind == 0 else with_other
        while cells != _NOTHING and not reached:
            cell = cells & (~cells + _ONE)
            cells ^= cell
            number = 2 * trailing_zeros(cell) + kind
            found = put_drop(
                columns,
                mine,
                shape,
                filled | cell,
                my_shape,
                its_shape,
                its_colour,
                cell,
                kind,
                own + kind - 1 if in_time else 0,
                its_own,
                its_other,
                attacking and horizon == 3,
                mine_to_drop[count],
            )
            if found == _WINS_SOON:
                reached, best = True, np.int64(number)
            elif found >= 0:
                mine_to_drop[count, 7] = np.uint64(
                    found + history[player, number] if number != tried else _FIRST
                )
                mine_to_drop[count, 8] = np.uint64(number)
                count += 1
    for _ in range(0 if reached else count):
        drop = mine_to_drop[np.argmax(mine_to_drop[:count, 7])]
        drop[7] = _NOTHING
        if not reaches(
            columns,
            drop[0],
            drop[1],
            drop[2],
            drop[3],
            drop[4],
            drop[5],
            drop[6],
            horizon - 1,
            not attacking,
            table,
            drops,
            history,
            control,
        ):
            reached, best = True, np.int64(drop[8])
            break
    if control.stop != 0:
        return False
    if reached:
        history[player, best] += horizon * horizon
        control.best = best
    if horizon >= _REMEMBERED:
        kept = mirror_drop(columns, best) if is_image and best != 255 else best
        keep_fact(table, key, check, horizon, attacking, reached, kept, control.age)
    return reached


@jit_inline
def mirror_drop(columns, drop):
    """The drop (see `facts.tried_first`) in the mirror image."""
    if drop == 255:
        return drop
    height = columns.rows + 1
    cell = drop >> 1
    return 2 * ((columns.cols - 1 - cell // height) * height + cell % height) + (drop & 1)


@jit_inline
def put_drop(
    columns,
    mine,
    shape,
    filled,
    my_shape,
    its_shape,
    its_colour,
    cell,
    kind,
    own,
    its_own,
    its_other,
    last_chance,
    out,
):
    """Write down what a drop leads to: the position as the next to move sees it, and its four sets of winning cells.

    Returns how promising it is, or `_WINS_SOON` or `_USELESS` where that is seen at once. `filled` has the cell
    already, `own` is what is left after the drop. With `last_chance` the drop has to win with the next one.
    """
    mine |= cell
    free, landing = free_cells(columns, (filled,))
    its_colour &= ~cell
    if kind == 0:
        shape |= cell
        its_shape &= ~cell
        shape_cells, colour_cells = completing_pair(columns, (shape,), (mine,), free)
        my_shape = shape_cells[0]
    else:
        my_shape &= ~cell
        shape_cells, colour_cells = completing_pair(columns, (filled ^ shape,), (mine,), free)
        its_shape = shape_cells[0]
    my_colour = colour_cells[0]
    places = landing[0]
    answers = _NOTHING
    if its_own > 0:
        answers = its_shape | its_colour
    if its_other > 0:
        answers |= its_colour & ~my_shape
    if answers & places != _NOTHING:
        return _USELESS
    wins = my_shape | my_colour
    threats = wins & places
    if own > 0:
        # Two threats, one that cannot be blocked without giving the cell above, or no column that is safe.
        block = threats if threats != _NOTHING else places
        if places != _NOTHING and (
            threats & (threats - _ONE) != _NOTHING or block & ~(wins >> _ONE) == _NOTHING
        ):
            return _WINS_SOON
        if last_chance and its_own > 0:
            return _USELESS
    out[0] = filled ^ mine
    out[1] = filled ^ shape
    out[2] = filled
    out[3] = its_shape
    out[4] = its_colour
    out[5] = my_shape
    out[6] = my_colour
    return (np.int64(popcount(wins)) << 24) + (np.int64(popcount(threats)) << 28)


@jit
def reaches_from(columns, mine, shape, filled, horizon, attacking, table, drops, history, control):
    """`reaches`, for a position whose winning cells are not known yet."""
    free, _ = free_cells(columns, (filled,))
    my_shape, my_colour = completing_pair(columns, (shape,), (mine,), free)
    its_shape, its_colour = completing_pair(columns, (filled ^ shape,), (filled ^ mine,), free)
    return reaches(
        columns,
        mine,
        shape,
        filled,
        my_shape[0],
        my_colour[0],
        its_shape[0],
        its_colour[0],
        horizon,
        attacking,
        borrowed(table),
        borrowed(drops),
        borrowed(history),
        control,
    )
