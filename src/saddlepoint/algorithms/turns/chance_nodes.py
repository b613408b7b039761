"""Chance nodes of turn-based games, and the transposition table of their searches, which threads share."""

import math
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...compiled import Component, float_bits, jit_inline, kernel, mix
from ...compiled.bits import bucket_of
from ...game.base import NO_ACTION
from ..result import note_result


@dataclass(frozen=True)
class ResultValue(Component):
    """Ended games by their results, others by the evaluator's `evaluate(game, state)`; both are player 0's."""

    evaluator: Any

    @kernel
    def end(self, game, state, root):
        """The value of a finished game."""
        return float(game.returns(state))

    @kernel
    def estimate(self, game, state, root):
        """The value of an unfinished game."""
        return float(self.evaluator.evaluate(game, state))


@dataclass(frozen=True)
class RootPlayerValue(Component):
    """All positions, finished ones too, by the evaluator's `evaluate_for(game, state, player)` for the root's player.

    The two players' views need not be each other's negatives (a draw may please both), so nothing but the minimax form
    fits: the root's player maximises its view, the other minimises it.
    """

    evaluator: Any

    @kernel
    def end(self, game, state, root):
        """The value of a finished game, turned to player 0's side."""
        value = float(self.evaluator.evaluate_for(game, state, root))
        return value if root == 0 else -value

    @kernel
    def estimate(self, game, state, root):
        """The value of an unfinished game, turned to player 0's side."""
        value = float(self.evaluator.evaluate_for(game, state, root))
        return value if root == 0 else -value


@jit_inline
def static_bounds(game, state, ws):
    """The game's bounds of a value that loses a little with every move to come."""
    floor, ceiling = game.bounds(state)
    note_result(floor, ws)
    note_result(ceiling, ws)
    return (floor if floor < 0.0 else floor * ws.shrunk), (ceiling if ceiling > 0.0 else ceiling * ws.shrunk)


# Chance nodes: samples where there are too many outcomes, and what the outcomes so far tell of the node (Star1, Star2).


@jit_inline
def sample_outcomes(outcomes, chances, count, wanted, key):
    """Keep at most `wanted` outcomes in the arrays, with new probabilities; returns how many.

    Systematic sampling (Madow 1949): `wanted` equidistant points from a random start on the line of cumulative
    probabilities. The expectation is not biased, and outcomes of about the same kind that stand together are
    represented by their share.
    """
    point = (mix(key) >> np.uint64(11)) / 9007199254740992.0 / wanted
    total, kept, drawn = 0.0, 0, 0
    for k in range(count):
        total += chances[k]
        hits = 0
        while drawn < wanted and (point < total or k == count - 1):
            hits += 1
            drawn += 1
            point += 1.0 / wanted
        if hits > 0:
            outcomes[kept] = outcomes[k]
            chances[kept] = hits / wanted
            kept += 1
    return kept


@jit_inline
def open_outcomes(game, state, ply, ws):
    """(how many outcomes are followed, 1 if these are all, the least and the most the node can be worth)."""
    actions, chances, complete = ws.actions[ply], ws.chances[ply], 1
    count = game.chance_outcomes(state, actions, chances)
    if ws.samples > 0 and count > ws.samples:
        count = sample_outcomes(actions, chances, count, ws.samples, game.hash(state) ^ ws.seed)
        complete = 0
    least, most = 0.0, 0.0
    for k in range(count):
        ws.floors[ply, k], ws.ceilings[ply, k] = ws.low, ws.high
        if ws.use_bounds:
            ws.floors[ply, k], ws.ceilings[ply, k] = static_bounds(
                game, game.next_state(state, actions[k]), ws
            )
        least += chances[k] * ws.floors[ply, k]
        most += chances[k] * ws.ceilings[ply, k]
    ws.played[ply] = NO_ACTION
    return count, complete, least, most


@jit_inline
def outcome_window(game, state, outcome, probing, alpha, beta, least, most, ply, ws):
    """(whether to search, the position, who moves after the outcome, the window).

    Star1 (Ballard 1983): an outcome's window is what it would take to leave the node's window, were the others as good, or
    as bad, as they can still be. Star2 first probes: one action of the outcome's player bounds one side.
    """
    weight, floor, ceiling = ws.chances[ply, outcome], ws.floors[ply, outcome], ws.ceilings[ply, outcome]
    low = (alpha - (most - weight * ceiling)) / weight
    high = (beta - (least - weight * floor)) / weight
    child = game.next_state(state, ws.actions[ply, outcome])
    mover = game.current_player(child)
    if not probing:
        return True, child, mover, low if ws.star1 else -np.inf, high if ws.star1 else np.inf
    if mover != 0 and mover != 1:
        return False, child, mover, low, high
    game.search_actions(child, mover, ws.actions[ply + 1])
    first = ws.actions[ply + 1, 0]
    ws.played[ply + 1], ws.played_by[ply + 1] = first, mover
    if mover == 0:
        low = floor
    else:
        high = ceiling
    return low < high, game.next_state(child, first), mover, low * ws.stretch, high * ws.stretch


@jit_inline
def note_outcome(value, outcome, probing, mover, low, high, alpha, beta, least, most, ply, ws):
    """(the least and the most the node can be worth now, whether it is below, whether it is above its window)."""
    weight, floor, ceiling = ws.chances[ply, outcome], ws.floors[ply, outcome], ws.ceilings[ply, outcome]
    rest_low, rest_high = least - weight * floor, most - weight * ceiling
    if probing:
        if mover == 0 and value > floor:
            floor = min(value, ceiling)
        elif mover == 1 and value < ceiling:
            ceiling = max(value, floor)
        least, most = rest_low + weight * floor, rest_high + weight * ceiling
        # Sound: the least and the most are means over bounds of all outcomes; beyond an edge no outcome left brings them back.
        below, above = most <= alpha, least >= beta
    else:
        below, above = value <= low + ws.noise, value >= high - ws.noise
        if not below:
            least, floor = rest_low + weight * value, value
        if not above:
            most, ceiling = rest_high + weight * value, value
    ws.floors[ply, outcome], ws.ceilings[ply, outcome] = floor, ceiling
    return least, most, below, above


# A transposition table that threads share without locks, and the threads that search the same position into it (lazy SMP).

# A transposition table that threads share without locks: buckets of two entries, each with a checksum of its words.
#
# Hyatt and Mann, A lockless transposition-table implementation for parallel search, ICGA Journal 25 (2002): a half
# written entry does not check, so it is never used. The first entry of a bucket is kept while it is of this search and
# looked deeper, the second is always replaced.

ENTRY = np.dtype([("check", "u8"), ("lower", "f8"), ("upper", "f8"), ("facts", "u8")])
BUCKET = 2


@jit_inline
def facts_of(action, depth, age, proven):
    """An entry's small numbers in one word."""
    return (
        np.uint64(action + 1)
        | (np.uint64(depth) << np.uint64(32))
        | (np.uint64(age) << np.uint64(48))
        | (np.uint64(proven) << np.uint64(56))
    )


@jit_inline
def action_in(facts):
    """The best action; -1 where none is known."""
    return np.int64(facts & np.uint64(0xFFFFFFFF)) - 1


@jit_inline
def depth_in(facts):
    """The depth of the search."""
    return np.int64((facts >> np.uint64(32)) & np.uint64(0xFFFF))


@jit_inline
def age_in(facts):
    """The number of the search that wrote the entry, modulo 256."""
    return np.int64((facts >> np.uint64(48)) & np.uint64(0xFF))


@jit_inline
def proven_in(facts):
    """1 where the bounds rest on ended games alone."""
    return np.int64(facts >> np.uint64(56))


@jit_inline
def checksum(lower, upper, facts):
    """A word that follows from all of an entry; multiplied, for equal bounds of an exact value would cancel out."""
    return (
        float_bits(lower) * np.uint64(0x9E3779B97F4A7C15)
        ^ float_bits(upper) * np.uint64(0xBF58476D1CE4E5B9)
        ^ facts * np.uint64(0x94D049BB133111EB)
    )


@jit_inline
def look_up(table, key):
    """(found, lower bound, upper bound, facts) of a position."""
    first = bucket_of(table, key, BUCKET)
    for slot in range(first, first + BUCKET):
        lower, upper, facts = table[slot].lower, table[slot].upper, table[slot].facts
        if table[slot].check ^ checksum(lower, upper, facts) == key:
            return True, lower, upper, facts
    return False, -np.inf, np.inf, np.uint64(0)


@jit_inline
def keep(table, key, lower, upper, action, depth, age, proven):
    """Store bounds of a position's value, joined with what is known of it at the same depth.

    What was proven is not given up for what was not.
    """
    first = bucket_of(table, key, BUCKET)
    chosen = first + 1
    facts = table[first].facts
    if age_in(facts) != age or depth_in(facts) <= depth:
        chosen = first
    for slot in range(first, first + BUCKET):
        low, high, known = table[slot].lower, table[slot].upper, table[slot].facts
        if table[slot].check ^ checksum(low, high, known) == key:
            chosen = slot
            settled = proven_in(known)
            if settled > proven:
                lower, upper, depth, proven = low, high, depth_in(known), settled
            elif settled == proven and (proven != 0 or depth_in(known) == depth):
                if max(lower, low) <= min(upper, high):  # else rounding, or a collision: trust the newer
                    lower, upper = max(lower, low), min(upper, high)
            if action < 0:
                action = action_in(known)
            break
    facts = facts_of(action, depth, age, proven)
    entry = table[chosen]
    entry.lower = lower
    entry.upper = upper
    entry.facts = facts
    entry.check = key ^ checksum(lower, upper, facts)


# Threads that search the same position into the same table while the main thread does ("lazy SMP").

_FURTHEST = 4  # depths a helper may be ahead


@contextmanager
def lazy_smp(
    workspaces: list[Any], look: Callable[[Any, int, float, float], float], depth: int
) -> Generator[None]:
    """Run a search in other threads, each in a workspace of its own, until the block is left.

    `look(workspace, depth, low, high)` searches; every other helper begins a depth further, so that they do not all
    do the same.
    """

    def help_from(ws: Any, depth: int) -> None:
        for further in range(_FURTHEST):
            look(ws, depth + further, -math.inf, math.inf)
            if ws["stop"]:
                return

    threads = [
        threading.Thread(target=help_from, args=(ws, depth + 1 - k % 2), daemon=True)
        for k, ws in enumerate(workspaces)
    ]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        for ws in workspaces:
            ws["stop"] = 1
        for thread in threads:
            thread.join()
