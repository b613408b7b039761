"""The values of a stochastic game by value iteration and by policy iteration, and what strategies guarantee."""

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...compiled import jit
from ...compiled.call import run
from .graph import Block
from .sweeps import ANY, OF_CHANCE, Sweeper, named_arrays

# The values of strategies in a part of the order, by linear equations.

ROUNDING = 1e-14
"""A change below this share of the largest result is rounding."""
_MOST_UNKNOWNS = 200_000
"""Positions beyond which systems of equations are not solved: their factors would not fit."""
_MOST_PASSES = 1_000
"""Passes that take the place of a system of equations."""
_LOST = 1e-12
"""The chance to go on lacks more than this of 1 where play may leave a part, or is discounted; less is rounding."""


@jit
def list_moves(
    arrays,
    images,
    first,
    last,
    mixtures,
    discount,
    x,
    places,
    numbers,
    unknowns,
    pointers,
    chances,
    followers,
    constants,
):
    """Write the equations of a part's positions at which players choose, and of those of chance that may come after them.

    Unknown k is the value of position `unknowns[k]`: its constant, and the sum of the others `followers` by their `chances`, from
    `pointers[k]` on. What lies outside of the part is worth `x`. `numbers` has -1 for every position. Returns how many there are.
    """
    arrays = named_arrays(arrays)
    kinds, rows, columns, starts, children, weights, weights_from, order = arrays
    count, at, known = 0, 0, len(kinds)
    for place in range(last - 1, first - 1, -1):
        if kinds[order[place]] == 0:
            unknowns[count], numbers[order[place]] = order[place], count
            count += 1
    number = 0
    while number < count:
        index = unknowns[number]
        constants[number] = 0.0
        for i in range(rows[index]):
            for j in range(columns[index]):
                if kinds[index] == 1:
                    chance = weights[weights_from[index] + i]
                else:
                    chance = discount * (
                        mixtures[0][mixtures[1][index] + i] * mixtures[2][mixtures[3][index] + j]
                    )
                if chance == 0.0:
                    continue
                child = children[starts[index] + i * columns[index] + j]
                if child >= known and (images == 0 or child < images):
                    constants[number] += chance * x[child]
                    continue
                if child >= known:
                    child -= images
                    chance = -chance
                if places[child] < first or places[child] >= last:
                    constants[number] += chance * x[child]
                    continue
                if numbers[child] < 0:
                    unknowns[count], numbers[child] = child, count
                    count += 1
                chances[at], followers[at] = chance, numbers[child]
                at += 1
        number += 1
        pointers[number] = at
    for k in range(count):
        numbers[unknowns[k]] = -1
    return count


@jit
def find_endless(pointers, chances, followers, endless):
    """Leave marked in `endless`, which begins with all marked, the positions from which play never ends nor leaves the part.

    No discount is lost where chance alone goes round. Any number solves the equations there, so they are left out.
    Returns how many.
    """
    left, changed = len(endless), True
    while changed:
        changed = False
        for index in range(len(endless) - 1, -1, -1):
            if not endless[index]:
                continue
            going_on, is_endless = 0.0, True
            for at in range(pointers[index], pointers[index + 1]):
                going_on += abs(chances[at])
                is_endless = is_endless and endless[followers[at]]
            if not is_endless or going_on < 1.0 - _LOST:
                endless[index], changed = False, True
                left -= 1
    return left


@jit
def follow(pointers, chances, followers, constants, values):
    """One pass of what the listed moves are worth, in place; returns the largest change."""
    most = 0.0
    for index in range(len(constants) - 1, -1, -1):
        value = constants[index]
        for at in range(pointers[index], pointers[index + 1]):
            value += chances[at] * values[followers[at]]
        most = max(most, abs(value - values[index]))
        values[index] = value
    return most


@jit
def best_replies(arrays, first, last, x, mixtures, least):
    """Give player 0 a best reply to player 1's strategy where it gets `least` more than his own; returns for how many positions."""
    arrays = named_arrays(arrays)
    kinds, rows, columns, starts, children, order = (
        arrays[0],
        arrays[1],
        arrays[2],
        arrays[3],
        arrays[4],
        arrays[7],
    )
    changed = 0
    for place in range(first, last):
        index = order[place]
        if kinds[index] == 1:
            continue
        m, n, at, begin = rows[index], columns[index], starts[index], mixtures[1][index]
        own, best, chosen = 0.0, -np.inf, 0
        for i in range(m):
            found = 0.0
            for j in range(n):
                found += mixtures[2][mixtures[3][index] + j] * x[children[at + i * n + j]]
            own += mixtures[0][begin + i] * found
            if found > best:
                best, chosen = found, i
        if best > own + least:
            for i in range(m):
                mixtures[0][begin + i] = 1.0 if i == chosen else 0.0
            changed += 1
    return changed


class Evaluator:
    """Evaluates the strategies of a sweeper's `mixtures` in one part of the order."""

    def __init__(self, sweeper: Sweeper, block: Block) -> None:
        self._sweeper, self._block, graph = sweeper, block, sweeper.graph
        members = sweeper.order.positions[block.first : block.last]
        edges = int((graph.rows[members].astype(np.int64) * graph.columns[members]).sum())
        self._numbers = np.full(len(graph), -1, np.int32)
        self._unknowns, self._pointers = (
            np.zeros(len(members), np.int32),
            np.zeros(len(members) + 1, np.int64),
        )
        self._chances, self._followers, self._constants = (
            np.zeros(edges),
            np.zeros(edges, np.int32),
            np.zeros(len(members)),
        )

    def evaluated(self, discount: float, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """The values of the strategies against each other; all else in `values`, an estimate, is kept.

        Where play never ends under them, the values are not known: there they are the estimate.
        """
        sweeper, images, found = self._sweeper, self._sweeper.graph.images, values.copy()
        count = run(
            list_moves,
            sweeper.arrays,
            images,
            self._block.first,
            self._block.last,
            tuple(sweeper.mixtures),
            discount,
            values,
            sweeper.order.places,
            self._numbers,
            self._unknowns,
            self._pointers,
            self._chances,
            self._followers,
            self._constants,
        )
        unknowns, edges = self._unknowns[:count], int(self._pointers[count])
        system = (
            self._pointers[: count + 1],
            self._chances[:edges],
            self._followers[:edges],
            self._constants[:count],
        )
        found[unknowns] = (
            _followed(*system, values[unknowns])
            if count > _MOST_UNKNOWNS
            else _solved(*system, values[unknowns])
        )
        if images:
            found[images + unknowns] = -found[unknowns]
        # Chance that no strategy leads to has no equation; it may lead to itself, or to what comes after it in the order.
        sweeper.improve(
            self._block, found, discount, OF_CHANCE, passes=_MOST_PASSES, enough=ROUNDING * sweeper.scale
        )
        return found

    def against_best_reply(
        self, discount: float, values: NDArray[np.float64], most: int
    ) -> NDArray[np.float64]:
        """The values of player 1's strategy against the best reply, by `most` rounds of policy iteration
        (Howard 1960).
        """
        sweeper, found = self._sweeper, values
        for _ in range(most):
            found = self.evaluated(discount, found)
            improved = run(
                best_replies,
                sweeper.arrays,
                self._block.first,
                self._block.last,
                found,
                tuple(sweeper.mixtures),
                ROUNDING * sweeper.scale,
            )
            if improved == 0:
                break
        return found


def _solved(pointers: Any, chances: Any, followers: Any, constants: Any, estimate: Any) -> Any:
    # They take long to load, and many games need no system of equations.
    from scipy.sparse import csr_array, eye_array
    from scipy.sparse.linalg import splu

    endless, found = np.ones(len(constants), np.bool_), estimate.copy()
    left = run(find_endless, pointers, chances, followers, endless)
    moves = csr_array((chances, followers, pointers), shape=(len(constants), len(constants)))
    moves.sum_duplicates()  # it writes to the arrays
    if left > 0:
        rest = np.flatnonzero(~endless)
        constants = constants[rest] + (moves @ np.where(endless, estimate, 0.0))[rest]
        moves = moves[rest][:, rest]
    else:
        rest = np.arange(len(constants))
    try:
        found[rest] = (
            splu((eye_array(len(rest)) - moves).tocsc()).solve(constants) if len(rest) else constants
        )
    except RuntimeError:  # singular
        return estimate
    return found if np.isfinite(found).all() else estimate


def _followed(pointers: Any, chances: Any, followers: Any, constants: Any, values: Any) -> Any:
    scale = float(np.abs(values).max(initial=0.0)) or 1.0
    for _ in range(_MOST_PASSES):
        if run(follow, pointers, chances, followers, constants, values) <= ROUNDING * scale:
            break
    return values


# Iterations: value iteration where it comes near soon, policy iteration where it does not.

_MOST_ROUNDS = 500
_PASSES = 10
"""Passes of value iteration between two looks at how fast it comes nearer."""
_WORTH = 400
"""Passes of value iteration that some systems of equations take as long as: where more are to come, those are solved."""
FIRST_PASSES = 300
"""Passes before the first look at values that were never near: until a result has reached all positions, changes tell little."""
_REPLIES = 60
_STILL = 1e-2
"""Of the tolerance: what still moves when a part is left, so that what leads to it comes near enough too."""

OnRound = Callable[[float], None]


def iterate_values_once(
    sweeper: Sweeper, discount: float, values: NDArray[np.float64], on_round: OnRound
) -> float:
    """Shapley's value iteration (1953) on `values`, in place, while it converges soon.

    Returns the largest change left.

    With a discount it converges to any precision. It ends where a pass changes nothing by more than rounding,
    or where too many passes were to come, as far as the last ones tell.
    """
    enough, blocks = ROUNDING * sweeper.scale, sweeper.order.blocks
    return max(_settle(sweeper, block, discount, values, enough, on_round, FIRST_PASSES) for block in blocks)


def _settle(
    sweeper: Sweeper,
    block: Block,
    discount: float,
    values: NDArray[np.float64],
    enough: float,
    on_round: OnRound,
    patience: int,
) -> float:
    if not block.comes_back:
        sweeper.improve(block, values, discount)
        return 0.0
    change = before = math.inf
    for done in range(0, _WORTH, _PASSES):
        change = sweeper.improve(block, values, discount, ANY, passes=_PASSES, enough=enough)
        on_round(change)
        if change <= enough or change >= before:
            break
        if (
            done >= patience
            and math.log(change / enough) * _PASSES / math.log(before / change) > _WORTH - done
        ):
            break
        before = change
    return change


def iterate_policies(
    sweeper: Sweeper,
    discount: float,
    values: NDArray[np.float64],
    on_round: OnRound,
    *,
    tolerance: float = ROUNDING,
    replies: int = _REPLIES,
    patience: int = 0,
) -> tuple[NDArray[np.float64], float]:
    """The values (and what is behind them) by Newton's method (Pollatschek and Avi-Itzhak 1969), and by how much a pass changes them.

    It goes part after part. With `patience` it begins with value iteration, at least so many passes, and goes on where that takes long;
    values of nearly the same discount are better left alone. Each round solves all stages and then, for these strategies, the linear
    equations of the values. Where that brings no smaller change of the values, as it need not, player 1's strategy alone is kept and
    the best reply to it evaluated, whose values fall towards the true ones from then on (Hoffman and Karp 1966), unless the change was
    within `tolerance` of the largest result already. `on_round` is called with the largest change. It ends where that is rounding, or where
    neither way comes nearer, the second with so many `replies`.
    """
    most, values = 0.0, values.copy()
    for block in sweeper.order.blocks:
        change = math.inf
        if patience > 0 or not block.comes_back:
            change = _settle(sweeper, block, discount, values, ROUNDING * sweeper.scale, on_round, patience)
        if change > ROUNDING * sweeper.scale:
            values, change = _newton(sweeper, block, discount, values, on_round, tolerance, replies)
        most = max(most, change)
    return values, most


def _newton(
    sweeper: Sweeper,
    block: Block,
    discount: float,
    values: NDArray[np.float64],
    on_round: OnRound,
    tolerance: float,
    replies: int,
) -> tuple[NDArray[np.float64], float]:
    evaluator, change = Evaluator(sweeper, block), sweeper.stages(values, discount, block=block)
    for _ in range(_MOST_ROUNDS):
        on_round(change)
        if change <= ROUNDING * sweeper.scale:
            break
        before, better = change, evaluator.evaluated(discount, values)
        change = sweeper.stages(better, discount, block=block)
        if change >= 0.5 * before and before <= tolerance * sweeper.scale:
            change = before
            break
        if change >= 0.5 * before:
            better = values
            change = sweeper.stages(better, discount, block=block)
            for _ in range(replies):
                better = evaluator.against_best_reply(discount, better, _MOST_ROUNDS)
                change = sweeper.stages(better, discount, block=block)
                if change < 0.5 * before:
                    break
        values = better
        if change >= 0.5 * before:
            break
    return values, change


def iterate_values(
    sweeper: Sweeper, discount: float, tolerance: float, on_round: OnRound, most: int = 10_000
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Shapley's value iteration from both sides: (lower, upper) values, which enclose the true ones after every pass.

    Part after part, it ends where they are nowhere further apart than `tolerance` and nothing moves, where nothing moves any more at
    all, or after `most` passes. `on_round` is called with how far they are apart.
    """
    least, largest = sweeper.range
    lower, upper = sweeper.filled(least, -largest), sweeper.filled(largest, -least)
    for block in sweeper.order.blocks:
        members = sweeper.order.positions[block.first : block.last]
        passes = _PASSES if block.comes_back else 1
        for _ in range(0, most, passes):
            moved = sweeper.enclose(block, (lower, upper), discount, passes)
            apart = float((upper[members] - lower[members]).max())
            on_round(apart)
            if not block.comes_back or (apart <= tolerance and moved <= _STILL * tolerance) or moved == 0.0:
                break
    return lower, upper


# What stationary strategies guarantee: bounds of the value from both sides that hold whatever the values are that they came from.
#
# Player 0's strategy guarantees `w` where for every position and every reply the expected `w` after the move is no less than `w`, and
# more by a factor where `w` is above 0, so that play cannot go on for ever above 0 (Everett 1957); an endless play is worth 0. Such a
# `w` is found by lowering the values until a pass over all positions has nothing left to lower.

_LASTING = 1e-11
"""The share of a good result that is lost with each move, which rules endless play out."""
_PASS_ROUNDING = 4e-16
"""What is lowered less in a pass, as a share of the largest result, is rounding; a good result loses four times that with each move."""
_FIRST_PASSES = 30
"""Passes after which what still falls is let fall further at once, by ever more: the slower it is, the less of it is left."""
_STRETCH = 4.0
_MOST_FALLS = 25


class Bounds(NamedTuple):
    """Guarantees by position: shape (positions,)."""

    lower: NDArray[np.float64]
    upper: NDArray[np.float64]


def guaranteed(sweeper: Sweeper, values: NDArray[np.float64], discount: float) -> Bounds:
    """The bounds that the strategies of `sweeper.mixtures` guarantee.

    `values` is an estimate, with the ends behind it.
    """
    bounds = values.copy(), values.copy()
    for block in sweeper.order.blocks:
        # Where a position leads to another one with the players exchanged, each bound follows from the other player's.
        for players in ((0, 1),) if sweeper.graph.exchanges else ((0,), (1,)):
            _loosen_until_proven(sweeper, block, bounds, players, discount)
    least, largest = sweeper.range  # no strategy gets less
    count = len(sweeper.graph)
    return Bounds(np.maximum(bounds[0][:count], least), np.minimum(bounds[1][:count], largest))


def _loosen_until_proven(
    sweeper: Sweeper, block: Block, bounds: tuple[Any, Any], players: tuple[int, ...], discount: float
) -> None:
    """Make the bounds of a part hold, those of what it leads to being proven."""
    rounding, images = _PASS_ROUNDING * sweeper.scale, sweeper.graph.images
    is_wanted = 0 in players, 1 in players
    members = sweeper.order.positions[block.first : block.last]
    touched = np.concatenate([members, images + members]) if images else members

    def change(passes: int) -> float:
        return sweeper.reply(
            block, bounds, is_wanted, discount, 1.0 - _LASTING, 4 * rounding, passes, rounding
        )

    if not block.comes_back:
        change(1)
        return
    stretch = float(_FIRST_PASSES)
    for _ in range(_MOST_FALLS):
        if change(_FIRST_PASSES - 1) <= rounding:
            return
        before = [bounds[player][touched] for player in players]
        if change(1) <= rounding:
            return
        for player, old in zip(players, before, strict=True):
            bounds[player][touched] += stretch * (bounds[player][touched] - old)
        stretch *= _STRETCH
    for player in players:
        bounds[player][members] = sweeper.range[player]
        if images:
            bounds[1 - player][images + members] = -sweeper.range[player]
