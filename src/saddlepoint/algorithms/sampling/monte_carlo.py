"""Monte-Carlo tree search for games in turn, with or without chance: UCT, with proven values, in a tree of fixed size.

Kocsis and Szepesvari, Bandit based Monte-Carlo planning (2006); Winands, Bjornsson and Saito, Monte-Carlo tree search solver (2008), here
with bounds instead of three values (Cazenave and Saffidine 2010).
"""

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ...compiled import jit, jit_inline, run
from ...game.base import CHANCE, Game
from ..algorithm import Memory
from ..result import Strategies
from ..table import DEEPEST, enter
from ..turns.turn_algorithm import TurnAlgorithm, new_turn_workspace
from .playouts import (
    PLAYOUT_FIELDS,
    SLOTS,
    begin_trace,
    fade,
    known_mean,
    learn_moves,
    note_moves,
    place_at,
    playout,
    sampled,
)
from .turn_tree import USED, expand, move_root, new_tree, tighten

_MOST_DOUBLINGS, _DOUBLINGS_ALONE = 48, 12


@jit_inline
def chosen_child(index, ws, tree):
    """The child to visit: by UCT, without those that are proven to be no better than another."""
    node = tree[index]
    if node.mover == CHANCE:
        weights = tree[node.first : node.first + node.count].weight
        return node.first + place_at(sampled(ws), weights, node.count)
    spread = ws.exploration * math.sqrt(math.log(node.visits + 1.0))
    sign, refers = 1.0 if node.mover == 0 else -1.0, ws.grave > 0 and ws.reference[node.mover] >= 0
    best, chosen = -np.inf, node.first
    for k in range(node.first, node.first + node.count):
        child = tree[k]
        # Sound: a child whose bound is no better than what its parent is proven to be worth cannot change the parent's value.
        useless = child.upper <= node.lower if node.mover == 0 else child.lower >= node.upper
        if useless:
            continue
        visits, later, score = np.float64(child.visits), 0.0, 0.0
        counted = visits + ws.prior
        if counted > 0.0:
            mean = sign * (child.total + ws.prior * child.guess) / counted
            if ws.implicit > 0.0:
                mean += ws.implicit * (sign * min(max(child.minimax, child.lower), child.upper) - mean)
            score = mean + spread / math.sqrt(counted)
        if refers:
            slot = np.int64(child.action) % SLOTS
            later = ws.later[node.mover, slot]
            if later > 0.0:
                share = later / (later + visits + ws.grave_bias * later * visits)
                score = share * sign * ws.later_total[node.mover, slot] / later + (1.0 - share) * score
        if visits == 0.0 and later == 0.0 and ws.prior <= 0.0:
            return k
        if score > best:
            best, chosen = score, k
    return chosen


_GUESSED_AGAIN = 8
"""Visits of a node between two looks at what its actions brought elsewhere."""


@jit_inline
def guess(index, ws, tree):
    """Let what a node's actions brought elsewhere be their guess, from time to time, and at visits 1, 2 and 4."""
    node = tree[index]
    visits = node.visits
    if node.mover < 0 or (visits % _GUESSED_AGAIN and visits & (visits - 1)):
        return
    for k in range(node.first, node.first + node.count):
        mean = known_mean(ws, np.int64(node.mover), np.int64(tree[k].action), 0.5)
        tree[k].guess = ws.worst + (1.0 - mean if node.mover == 1 else mean) / ws.scale


@jit_inline
def refer(index, ws, tree):
    """Let a node that has been visited often give the estimates of its mover's actions, for itself and below (GRAVE)."""
    node = tree[index]
    if node.mover < 0 or (node.visits < ws.grave and ws.reference[node.mover] >= 0):
        return
    ws.reference[node.mover] = index
    for k in range(node.first, node.first + node.count):
        slot = np.int64(tree[k].action) % SLOTS
        ws.later[node.mover, slot] = tree[k].later
        ws.later_total[node.mover, slot] = tree[k].later_total


@jit_inline
def learn_later(path, length, value, ws, tree):
    """Count the result for all actions of the players at every node of the path, as if played there first (AMAF)."""
    ws.simulation += 1
    place, ply = ws.trace_length - 1, length
    while ply >= 0:
        node = tree[path[ply]]
        while place >= 0 and place >= ws.moves_before[ply]:
            ws.seen[ws.moves[place, 0], ws.moves[place, 1] % SLOTS] = ws.simulation
            place -= 1
        if node.mover >= 0:
            for k in range(node.first, node.first + node.count):
                if ws.seen[node.mover, np.int64(tree[k].action) % SLOTS] == ws.simulation:
                    tree[k].later += 1.0
                    tree[k].later_total += value
        ply -= 1


@jit_inline
def worth_here(node, child, value):
    """What a simulation that went on to `child` is worth at a node: its value, unless what is proven says otherwise.

    Only children that may be better than what is proven are visited. Where the visited one seems to be worse, the mover would play what
    is proven instead; without this the node's mean would be that of moves which nobody plays.
    """
    if node.lower >= node.upper:
        return node.lower
    is_proven = child.lower >= child.upper
    if node.mover == 0:
        seems_worse = child.lower < node.lower if is_proven else child.total < node.lower * child.visits
        return max(value, node.lower) if seems_worse else value
    if node.mover == 1:
        seems_worse = child.upper > node.upper if is_proven else child.total > node.upper * child.visits
        return min(value, node.upper) if seems_worse else value
    return value


@jit
def simulate(game, evaluator, root, simulations, ws, tree, counters):
    """Grow the tree until the root has `simulations` visits, is proven, or the search is stopped."""
    path = ws.played
    while tree[0].visits < simulations and tree[0].lower < tree[0].upper:
        state, index, length = root, np.int64(0), 0
        path[0] = 0
        begin_trace(ws)
        ws.reference[0] = -1
        ws.reference[1] = -1
        while True:
            if enter(ws):
                return
            ws.moves_before[length] = ws.trace_length
            if tree[index].lower >= tree[index].upper or length >= ws.last_ply:
                break
            if tree[index].count == 0:
                if (tree[index].visits == 0 and index > 0) or not expand(
                    game, evaluator, state, index, ws, tree, counters
                ):
                    break
                tighten(index, tree)
                continue
            mover = tree[index].mover
            if ws.grave > 0:
                refer(index, ws, tree)
            if ws.prior > 0.0:
                guess(index, ws, tree)
            index = chosen_child(index, ws, tree)
            if ws.learns and mover >= 0:
                note_moves(ws, mover, np.int64(tree[index].action), np.int64(tree[index].action))
            state = game.next_state(state, np.int64(tree[index].action))
            length += 1
            path[length] = index
        if tree[index].lower >= tree[index].upper:
            value = tree[index].lower
        elif ws.playouts:
            value = playout(game, evaluator, state, ws.actions[0], ws.actions[1], ws.chances[1], ws)
            ws.leaves += 1
        else:
            value = np.float64(evaluator.evaluate(game, state))
            ws.leaves += 1
            ws.evaluations += 1
        if ws.stop:
            return
        if ws.learns:
            learn_moves(ws, (value - ws.worst) * ws.scale)
        if ws.grave > 0:
            learn_later(path, length, value, ws, tree)
        for place in range(length, -1, -1):
            node = tree[path[place]]
            tighten(path[place], tree)
            value = worth_here(node, tree[path[min(place + 1, length)]], value)
            node.visits += 1
            node.total += value


@dataclass(frozen=True)
class MonteCarlo(TurnAlgorithm):
    """UCT for turn-based games, with chance nodes; the root's strategy gives each action its share of the visits.

    `playouts`: a leaf of the tree gets the result of a playout, else the evaluator's value. `exploration` is UCT's constant for values in
    [-1, 1]; other ranges of results are scaled to it. Proven nodes are not visited again, and a proven root ends the search.

    In a playout a player takes, with probability `mast` (0 to 1), the action with the best mean result of all simulations in which it was
    played, anywhere in the game (MAST, Finnsson and Björnsson 2008), or as a reply to the other's last action (NST, Tak, Winands and
    Björnsson 2012); else any action. With `grave` above 0 a node's actions also count by the results of simulations in which they were
    played later, as known at the next node above that has so many visits (GRAVE, Cazenave 2015); the more visits an action has itself, the
    less these count, by `grave_bias`. With `prior` above 0 each action counts as visited so many times more, with the mean result that it
    had elsewhere, or as a reply to the other's last action (equivalent experience, Gelly and Silver 2007).

    With an evaluator, `cut` above 0 ends a play-out after so many plies with what it says (Lorentz 2008), and the share `implicit` (0 to 1)
    of what an action counts as is the evaluator's value of the position after it, backed up by minimax in the tree (implicit minimax
    backups, Lanctot, Winands, Pepels and Sturtevant 2014).

    The tree, of `megabytes`, is kept from one move to the next where the game
    has a hash; when it is full it grows no more. A "depth" is a number of simulations: depth 1 is `batch` of
    them, and every further depth doubles it; without any limit there are 2^11 times `batch`.

    >>> from saddlepoint import Limits, MonteCarlo, TicTacToe, search
    >>> game, state = TicTacToe(), TicTacToe().initial_state()
    >>> for action in (0, 3, 1, 4):
    ...     state = game.next_state(state, action)
    >>> result = search(game, state, MonteCarlo(), Limits(nodes=2000), seed=1)
    >>> result.best_action(0), result.value, result.exact
    (2, 1.0, True)
    """

    playouts: bool = True
    exploration: float = 0.7
    megabytes: float = 64.0
    batch: int = 64
    mast: float = 0.0
    grave: int = 0
    grave_bias: float = 1e-4
    prior: float = 0.0
    implicit: float = 0.0
    cut: int = 0

    name: ClassVar[str] = "mcts"
    title: ClassVar[str] = "Monte Carlo tree search"
    goes_by_depth: ClassVar[bool] = False
    line_is_complete: ClassVar[bool] = True

    def workspace(self, game: Game) -> Any:
        fields = (
            *PLAYOUT_FIELDS,
            ("root_bounds", "f8", (2,)),
            ("simulation", "i8"),
            ("moves_before", "i8", (DEEPEST + 3,)),
            ("seen", "i8", (2, SLOTS)),
            ("reference", "i8", (2,)),
            ("later", "f8", (2, SLOTS)),
            ("later_total", "f8", (2, SLOTS)),
        )
        record = new_turn_workspace(game, self, fields)
        record["scale"] = 1.0 / max(game.max_utility - game.min_utility, 1e-300)
        record["learns"] = self.mast > 0 or self.grave > 0 or self.prior > 0
        return record

    def depths(self, wanted: int, deepen: bool) -> range:
        if deepen:
            return range(1, _MOST_DOUBLINGS)
        return range(min(wanted, _DOUBLINGS_ALONE), min(wanted, _DOUBLINGS_ALONE) + 1)

    def iterate(self, game: Any, state: Any, depth: int, ws: Any, memory: Memory) -> float:
        tree, counters = self._tree(game, state, ws, memory)
        run(simulate, game, self.leaf, state, self.batch << (depth - 1) if depth else 1, ws, tree, counters)
        self._report(ws, tree)
        root = tree[0]
        low, high = ws["root_bounds"] = float(root["lower"]), float(root["upper"])
        if low >= high:
            return low
        ws["estimates"] += 1
        return min(max(float(root["total"] / max(1, root["visits"])), low), high)

    def bounds(self, game: Game, value: float, solved: bool, ws: Any) -> tuple[float, float]:
        return float(ws["root_bounds"][0]), float(ws["root_bounds"][1])

    def _tree(self, game: Any, state: Any, ws: Any, memory: Memory) -> tuple[Any, Any]:
        """The half with the tree of this position; in a new search, and on another position, it moves to the other."""
        halves = memory.keep(
            ("tree", int(ws["identity"]), self.megabytes),
            lambda: [*new_tree(self.megabytes, memory.ahead), 0, None],
        )
        begins = math.isnan(float(ws["expected"]))
        if begins:
            ws["expected"] = 0.0
            ws["random"] = ws["seed"]
            fade(ws, int(halves[2][USED]) == 0)
            ws["exploration"] = self.exploration * (game.max_utility - game.min_utility) / 2.0
            ws["root_player"] = game.current_player(state)
        if begins or halves[4] != state:
            old, new = halves[halves[3]], halves[1 - halves[3]]
            run(move_root, game, state, float(game.min_utility), float(game.max_utility), old, new, halves[2])
            halves[3], halves[4] = 1 - halves[3], state
        return halves[halves[3]], halves[2]

    def _report(self, ws: Any, tree: Any) -> None:
        """Leave the root's actions and the line for the search's result."""
        root = tree[0]
        count, player = int(root["count"]), int(root["mover"])
        ws["root_count"] = count if player in (0, 1) else 0
        children = tree[int(root["first"]) : int(root["first"]) + count]
        if count and player in (0, 1):
            ws["actions"][0, :count] = children["action"]
            ws["root_values"][:count] = children["visits"]
            ws["preferred"][player] = children["action"][_best_child(root, children)]
        length, node = 0, root
        while int(node["count"]) and length < int(ws["last_ply"]):
            children = tree[int(node["first"]) : int(node["first"]) + int(node["count"])]
            node = children[_best_child(node, children)]
            if length and not node["visits"] and node["lower"] < node["upper"]:
                break
            ws["line"][0, length] = node["action"]
            length += 1
        ws["line_length"][0] = length

    def strategies(self, game: Game, state: Any, ws: Any) -> Strategies:
        player, count = game.current_player(state), int(ws["root_count"])
        if player not in (0, 1):
            return {}, {}
        actions = [int(action) for action in ws["actions"][0, :count]]
        if not actions:  # the tree has no room for them
            actions = game.search_actions(state, player)
            ws["preferred"][player], ws["root_values"][: len(actions)] = actions[0], 0.0
        visits, best = ws["root_values"][: len(actions)], int(ws["preferred"][player])
        shares = [float(action == best) for action in actions]
        # Else it is proven, whatever was visited most: of several that were visited as often, only that one may be the best.
        if visits[actions.index(best)] == visits.max() > 0 and (visits == visits.max()).sum() == 1:
            shares = [float(share) for share in visits / visits.sum()]
        mixture = dict(zip(actions, shares, strict=True))
        return (mixture, {}) if player == 0 else ({}, mixture)


def _best_child(node: Any, children: Any) -> int:
    """The child that its mover plays: of a proven node one that keeps its value, else the most visited of those that may be better than
    what is proven, if its mean says that it is, and what is proven if not.

    Of outcomes the most probable.
    """
    if int(node["mover"]) == CHANCE:
        return int(children["weight"].argmax())
    sign = 1.0 if int(node["mover"]) == 0 else -1.0
    worst, most = (
        (children["lower"], children["upper"]) if sign > 0 else (-children["upper"], -children["lower"])
    )
    certain = worst.max()
    best = int(np.where(most > certain, children["visits"], -1).argmax())
    visits, total = children["visits"][best], sign * children["total"][best]
    if node["lower"] < node["upper"] and most[best] > certain and visits and total >= certain * visits:
        return best
    # Of equals, lost ones above all, what was visited more took longer to prove.
    return int(np.where(worst >= certain, children["visits"], -1).argmax())
