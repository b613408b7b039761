"""Alpha-beta on the serialised game: one player commits first, the other answers knowing it.

When player 0 commits first the value is a lower bound of the simultaneous one, when player 1 does, an upper bound: where
both have a choice in one round, one search proves one bound and no more. The contest's strongest programs play by it.
All of its refinements are settings of this one search.
"""

import functools
import math
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from ...compiled import Component, jit, jit_inline, kernel, run
from ...game import CHANCE, NO_ACTION, TERMINAL, Game
from ..algorithm import Algorithm, Memory
from ..restated import Told, may_be_opinion, only_result, origin, whole_steps
from ..result import Partial
from ..table import slot_of, store, table_key, usable
from ..workspace import DEEPEST, ended, enter, estimated, set_pure, stage_actions, to_front

_SALT = 21
_HAIR = 1e-12
"""The width of a scout's window."""

_GRAIN = 5
"""Units of depth in a round of two actions against two, where depth counts choices."""


@functools.cache
def _by_choices(sizes: int) -> np.ndarray:
    """What a round of so many joint actions costs, in units: the logarithm to the base 4, rounded up."""
    return np.array([0] + [math.ceil(_GRAIN * math.log(n, 4) - 1e-9) for n in range(1, sizes)])


@dataclass(frozen=True)
class NeverSettled(Component):
    """Partition cuts switched off: no unfinished position counts as decided."""

    @kernel
    def settled(self, game, state):
        return False

    @kernel
    def evaluate(self, game, state):
        return 0.0


@jit_inline
def note_result(result, ws):
    """Where results are restated: remember whether one was met that is neither 0 nor at an end of the range."""
    if ws.restated and result != 0.0 and result != ws.worst and result != ws.best:
        ws.others = 1


@jit_inline
def reward(game, state, ply, ws):
    """A finished game's result; nearer ones count a little more where the `distance` setting says so."""
    result = ended(game, state, ws)
    note_result(result, ws)
    return result * (1.0 - ws.distance * (ws.root_step + ply)) if result != 0.0 else ws.draw


@jit_inline
def judged(game, evaluator, state, ws):
    """The evaluator's estimate, 0 counting as a draw."""
    value = estimated(game, evaluator, state, ws)
    return value if value != 0.0 else ws.draw


@jit_inline
def full_window(first, ws):
    """The first mover's range of results: nothing lies outside, so values at its ends are exact and cut off."""
    if first == 0:
        return ws.low, ws.high
    return -ws.high, -ws.low


@jit_inline
def joint(game, state, first, own, reply):
    """The successor after the first mover's action and the other's."""
    if first == 0:
        return game.successor(state, own, reply)
    return game.successor(state, reply, own)


@jit_inline
def sort_by_history(actions, count, scores):
    """Order by falling score, equals as they were (insertion sort: the lists are short).

    Action numbers may be larger than the number of scores; they then share one.
    """
    slots = len(scores)
    for k in range(1, count):
        action = actions[k]
        place = k
        while place > 0 and scores[actions[place - 1] % slots] < scores[action % slots]:
            actions[place] = actions[place - 1]
            place -= 1
        actions[place] = action


@jit_inline
def sort_statically(game, evaluator, state, first, own, owns, replies, count, ply, ws):
    """Order the first mover's actions by their least static value; returns how many survive forward pruning."""
    sign = 1.0 if first == 0 else -1.0
    worth = ws.upper[ply, 0]
    best = -np.inf
    for i in range(owns):
        least = np.inf
        for j in range(count):
            child = joint(game, state, first, own[i], replies[j])
            if game.current_player(child) == TERMINAL:
                value = sign * game.returns(child)
            else:
                ws.evaluations += 1
                value = sign * float(evaluator.evaluate(game, child))
            least = min(least, value)
        action, place = own[i], i
        while place > 0 and worth[place - 1] < least:
            own[place] = own[place - 1]
            worth[place] = worth[place - 1]
            place -= 1
        own[place] = action
        worth[place] = least
        best = max(best, least)
    kept = owns
    while kept > 1 and worth[kept - 1] < best - ws.prune_margin:
        kept -= 1
    return kept


@jit
def serial(game, evaluator, partition, state, depth, budget, ply, alpha, beta, first, ws, table):
    """The first mover's value within (alpha, beta), fail-soft, looking `depth` units ahead; 0.0 where stopped.

    A round costs `ws.costs` units, by the number of its joint actions; all cost one unless depth counts choices.
    """
    sign = 1.0 if first == 0 else -1.0
    if enter(ws):
        return 0.0
    node = game.current_player(state)
    if node == TERMINAL:
        return sign * reward(game, state, ply, ws)
    if ply > 0 and partition.settled(game, state):
        return sign * judged(game, partition, state, ws)
    if depth <= 0 or (ws.budgeted and budget < 1.0):
        return sign * judged(game, evaluator, state, ws)
    if ws.futility > 0.0 and ply > 0 and depth <= ws.grain:
        value = sign * judged(game, evaluator, state, ws)
        if value - ws.futility >= beta:
            return value - ws.futility
        if value + ws.futility <= alpha:
            return value + ws.futility
    remembered = ws.use_table and depth > ws.grain  # at the frontier a table costs more than it spares
    key, slot = np.uint64(0), 0
    best_own, best_reply = NO_ACTION, NO_ACTION
    if remembered:
        key = table_key(game.hash(state) ^ ws.identity, _SALT + first)
        slot = slot_of(table, key)
        if table[slot].key == key:
            best_own, best_reply = np.int64(table[slot].action0), np.int64(table[slot].action1)
            deeper = ws.trust_deeper != 0 and table[slot].depth > depth
            if ply > 0 and (deeper or usable(table, slot, key, depth)):
                lower, upper = table[slot].lower, table[slot].upper
                if lower >= upper or lower >= beta or upper <= alpha:
                    ws.table_hits += 1
                    ws.estimates += 1 - table[slot].proven
                    return lower if lower >= beta else upper
    if game.has_bounds and ply > 0:
        floor, ceiling = game.bounds(state)
        note_result(floor, ws)
        note_result(ceiling, ws)
        if first == 1:
            floor, ceiling = -ceiling, -floor
        if floor >= beta or floor >= ceiling:
            ws.leaves += 1
            return floor
        if ceiling <= alpha:
            ws.leaves += 1
            return ceiling
    estimates = ws.estimates
    best = -np.inf
    follower = 1 - first if ws.flip and ply == 0 else first
    turn = 1.0 if follower == first else -1.0
    slots = len(ws.history_scores[0])
    selective = ws.scout != 0 or ws.reduction > 0 or ws.reply_reduction > 0
    if node == CHANCE:
        outcomes, chances = ws.actions[ply, 0], ws.probabilities[ply]
        best, count, rest = 0.0, game.chance_outcomes(state, outcomes, chances), 1.0
        least, most = (ws.low, ws.high) if first == 0 else (-ws.high, -ws.low)
        for k in range(count):  # Star1, as in SMAB
            rest -= chances[k]
            low = (alpha - best - rest * most) / chances[k]
            high = (beta - best - rest * least) / chances[k]
            child = game.successor(state, outcomes[k], NO_ACTION)
            found = serial(game, evaluator, partition, child, depth, budget / count, ply + 1, low, high, first, ws, table)
            if ws.stop:
                return 0.0
            best += chances[k] * found
            if found <= low and k < count - 1:
                best += rest * most
                break
            if found >= high and k < count - 1:
                best += rest * least
                break
    else:
        stage_actions(game, state, node, ply, ws)
        own, replies = ws.actions[ply, first], ws.actions[ply, 1 - first]
        owns, count = ws.sizes[ply, first], ws.sizes[ply, 1 - first]
        if owns > 1 and count > 1:
            ws.joint = 1
        if ply < ws.sort_rounds:
            owns = sort_statically(game, evaluator, state, first, own, owns, replies, count, ply, ws)
        if ws.history:
            sort_by_history(own, owns, ws.history_scores[first])
            sort_by_history(replies, count, ws.history_scores[1 - first])
        if ws.killers:
            to_front(own, owns, ws.killer_actions[ply, 0, 1])
            to_front(own, owns, ws.killer_actions[ply, 0, 0])
        to_front(own, owns, best_own)
        to_front(replies, count, best_reply)
        if ply == 0:
            to_front(own, owns, ws.preferred[first])
            to_front(replies, count, ws.preferred[1 - first])
        share = budget / (owns * count)
        cost = ws.costs[owns * count]
        for i in range(owns):
            if ws.killers and i > 0:
                to_front(replies, count, ws.killer_actions[ply, 1, 1])
                to_front(replies, count, ws.killer_actions[ply, 1, 0])
            low = max(alpha, best)
            worst, answer = np.inf, replies[0]
            # A later action is first scouted: is it any better than the best, seen less deep by `reduction`?
            scouting = i > 0 and selective
            while True:
                less = ws.reduction if scouting and depth > ws.reduction + cost else 0
                most_wanted = min(beta, low + _HAIR) if scouting else beta
                worst, answer = np.inf, replies[0]
                for j in range(count):
                    child = joint(game, state, first, own[i], replies[j])
                    high = min(most_wanted, worst)
                    # So is a later reply: is it any worse for the first mover than the worst?
                    scouted = selective and not scouting and j > 0
                    fewer = ws.reply_reduction if scouted and depth > ws.reply_reduction + cost else less
                    low_wanted = max(low, high - _HAIR) if scouted else low
                    while True:
                        value = turn * serial(
                            game, evaluator, partition, child, depth - cost - fewer, share, ply + 1,
                            low_wanted if turn > 0.0 else -high, high if turn > 0.0 else -low_wanted,
                            follower, ws, table,
                        )  # fmt: skip
                        if ws.stop or not scouted or value >= high or (fewer == 0 and value <= low):
                            break
                        scouted, fewer, low_wanted = False, 0, low
                    if ws.stop:
                        return 0.0
                    if value < worst:
                        worst, answer = value, replies[j]
                    if worst <= low:
                        ws.cutoffs += 1
                        if ws.killers and ws.killer_actions[ply, 1, 0] != answer:
                            ws.killer_actions[ply, 1, 1] = ws.killer_actions[ply, 1, 0]
                            ws.killer_actions[ply, 1, 0] = answer
                        if ws.history and answer >= 0:
                            ws.history_scores[1 - first, answer % slots] += depth * depth
                        break
                if not scouting or worst <= low or (less == 0 and worst >= beta):
                    break
                scouting = False
                to_front(replies, count, answer)
            if ply == 0:
                ws.lower[0, 0, i] = worst
                ws.known[0, 0, i] = 1 if worst > low else 2
            if worst > best:
                best, best_own, best_reply = worst, own[i], answer
                if ply == 0:
                    ws.preferred[first] = best_own
                    ws.preferred[1 - first] = best_reply
            if best >= beta:
                ws.cutoffs += 1
                if ws.killers and ws.killer_actions[ply, 0, 0] != best_own:
                    ws.killer_actions[ply, 0, 1] = ws.killer_actions[ply, 0, 0]
                    ws.killer_actions[ply, 0, 0] = best_own
                if ws.history and best_own >= 0:
                    ws.history_scores[first, best_own % slots] += depth * depth
                break
    if remembered and not ws.stop:
        least = -np.inf if best <= alpha else best
        most = np.inf if best >= beta else best
        store(table, slot, key, depth, least, most, best_own, best_reply, ws.estimates == estimates, ws.age)
    return best


@jit
def serial_root(game, evaluator, partition, state, depth, budget, ply, first, ws, table):
    """Player 0's value of the serialised game; pure strategies of the principal variation in ply 0.

    `ply` is 0: a literal here would make Numba compile a second search for it.
    """
    for k in range(len(ws.known[0, 0])):
        ws.known[0, 0, k] = 0
    low, high = full_window(first, ws)
    value = serial(game, evaluator, partition, state, depth, budget, ply, low, high, first, ws, table)
    own, reply = ws.preferred[first], ws.preferred[1 - first]
    i, j = 0, 0
    for k in range(ws.sizes[0, first]):
        if ws.actions[0, first, k] == own:
            i = k
    for k in range(ws.sizes[0, 1 - first]):
        if ws.actions[0, 1 - first, k] == reply:
            j = k
    if first == 0:
        set_pure(0, ws.sizes[0, 0], ws.sizes[0, 1], i, j, ws)
        return value
    set_pure(0, ws.sizes[0, 0], ws.sizes[0, 1], j, i, ws)
    return -value


@dataclass(frozen=True)
class AlphaBeta(Algorithm):
    """Serialised alpha-beta; `first` commits first, so that the other is told its action.

    With `first=0` a finished search proves a lower bound of the game's value, with `first=1` an upper one; it is exact where
    no round was met in which both have a choice, and where the bound is an end of the range. With `flip` nothing is proven
    but in such games.

    `table` keeps bounds and best moves, from one turn to the next where the memory is kept (the "cached tree"); None: where
    the game has a hash;
    `killers` and `history` order moves; `sort_rounds` sorts the first mover's moves in the top rounds by the static
    evaluation, and `prune_margin` (in the evaluator's units) then drops those worse than the best by more; `flip`
    exchanges the order of the players after the first round; `budget` replaces the depth limit by a number of nodes
    divided among the moves at each node (0: off); `partition`, a component with kernels `settled` and `evaluate`,
    ends lines in positions that are decided; `distance` makes a result a step later worth that much less inside the search:
    reported values are the game's, with the `plies` to the end beside them.

    `scout` looks at all but the first action of either player with an empty window first (principal-variation search);
    `reduction` does so for the first mover's later actions with that many rounds less, `reply_reduction` for the
    other's (late-move reductions): a depth then no longer means that all lines of that length were seen.

    `by_choices`: a depth counts choices instead of rounds. A round costs the logarithm, to the base 4, of the number of
    its joint actions (in fifths, rounded up): two actions against two cost one, three against three 1.6, a round in
    which nobody has a choice nothing. Reductions are in the same measure. `futility`: with at most a depth of 1 left, a
    position whose static value is outside the window by more than that (in the evaluator's units) is not looked at any
    further. `trust_deeper`: an entry of the table that looked deeper than wanted, as after the last move, will do.
    `contempt`: a draw, and an estimate of exactly 0, are worth that much less to the player who commits first.
    """

    first: Literal[0, 1] = 0
    table: bool | None = None
    killers: bool = True
    history: bool = False
    sort_rounds: int = 0
    prune_margin: float = float("inf")
    flip: bool = False
    budget: float = 0.0
    partition: Component | None = None
    distance: float = 0.0
    scout: bool = False
    reduction: int = 0
    reply_reduction: int = 0
    by_choices: bool = False
    futility: float = 0.0
    trust_deeper: bool = False
    contempt: float = 0.0

    def __post_init__(self) -> None:
        if not 0.0 <= self.distance < 0.1:
            raise ValueError(f"distance must be 0 or more and below 0.1, not {self.distance}")

    name: ClassVar[str] = "alphabeta"
    solves_stages: ClassVar[bool] = False

    def iterate(self, game: Any, state: Any, depth: int, ws: Any, memory: Memory) -> float:
        ws["use_table"] = self.uses_table(game)
        ws["killers"], ws["history"], ws["flip"] = self.killers, self.history, self.flip
        ws["sort_rounds"], ws["prune_margin"] = self.sort_rounds, self.prune_margin
        ws["budgeted"], ws["distance"] = self.budget > 0, self.distance
        ws["scout"] = self.scout
        grain = _GRAIN if self.by_choices else 1
        ws["grain"], ws["costs"] = grain, _by_choices(len(ws["costs"])) if self.by_choices else 1
        ws["reduction"], ws["reply_reduction"] = grain * self.reduction, grain * self.reply_reduction
        ws["draw"] = -self.contempt if self.first == 0 else self.contempt
        ws["restated"] = self.distance != 0.0 or self.contempt != 0.0
        ws["low"], ws["high"] = min(ws["low"], ws["draw"]), max(ws["high"], ws["draw"])
        ws["futility"], ws["trust_deeper"] = self.futility, self.trust_deeper
        partition = self.partition if self.partition is not None else NeverSettled()
        table = memory.table(game, self.uses_table(game))
        return run(
            serial_root, game, self.leaf, partition, state, depth * grain, float(self.budget), 0, self.first, ws, table,
        )  # fmt: skip

    def told(self, value: float, ws: Any, solved: bool = False) -> Told:
        """A result at so many steps counts without what the distance took; a despised draw is 0."""
        if self.contempt != 0.0 and value == float(ws["draw"]):
            return Told(0.0, None)
        result = float(ws["best"] if value > 0.0 else ws["worst"])
        if self.distance > 0.0 and value != 0.0 and value * result > 0.0:
            steps = whole_steps((1.0 - value / result) / self.distance - int(ws["root_step"]), DEEPEST)
            if steps is not None and (solved or not may_be_opinion(value, result, getattr(self.leaf, "bound", 0.0))):
                return Told(result, steps)
        return Told(value, None)

    def bounds(self, game: Game, value: float, solved: bool, ws: Any) -> tuple[float, float]:
        """The bound that the first mover's value is; both where nothing hangs on who commits first."""
        low, high = game.min_utility, game.max_utility
        one_sided = ws["joint"] != 0 or (self.sort_rounds > 0 and self.prune_margin < math.inf)
        if not solved or (self.flip and one_sided):
            return low, high
        least, most = self._serialised(game, value, ws)
        if not one_sided:
            return least, most
        return (least, high) if self.first == 0 else (low, most)

    def _serialised(self, game: Game, value: float, ws: Any) -> tuple[float, float]:
        """Bounds of what the serialised game is worth in its own units."""
        # A table's entries may be of another move of the game: any step of it can have been the root.
        least = 1.0 - self.distance * (2 * game.max_depth + int(ws["root_step"]))
        if least <= 0.0:
            return game.min_utility, game.max_utility
        if game.has_chance:  # what each result may have lost, whatever its sign
            lost = (1.0 - least) * max(abs(game.min_utility), abs(game.max_utility))
            low, high = value - lost, value + lost
        else:
            low, high = origin(value, least) if self.distance > 0.0 else (value, value)
        # A draw was worth `contempt` less to the player who commits first.
        shift = self.contempt if self.first == 0 else -self.contempt
        low, high = low + min(0.0, shift), high + max(0.0, shift)
        if low < high and not ws["others"] and not game.has_chance:
            result = only_result(low, high, (float(ws["worst"]), 0.0, float(ws["best"])))
            if result is not None:
                return result, result
        return low, high

    def partial(self, ws: Any, depth: int) -> Partial:
        """The first mover's finished root actions, each with the other's NO_ACTION; the leading pair."""
        cells: dict[tuple[int, int], tuple[float, float]] = {}
        for i in range(int(ws["sizes"][0, self.first])):
            known, value = int(ws["known"][0, 0, i]), float(ws["lower"][0, 0, i])
            value = self.told(value if self.first == 0 else -value, ws).value * (1 if self.first == 0 else -1)
            if known:
                action = int(ws["actions"][0, self.first, i])
                joint = (action, NO_ACTION) if self.first == 0 else (NO_ACTION, action)
                own = (value, value) if known == 1 else (float("-inf"), value)
                cells[joint] = own if self.first == 0 else (-own[1], -own[0])
        best = (int(ws["preferred"][0]), int(ws["preferred"][1])) if cells else None
        return Partial(depth, cells, best)
