"""Monte-Carlo tree search for turn-based games with or without chance: UCT, with proven values, in a tree of fixed size.

Kocsis and Szepesvari, Bandit based Monte-Carlo planning (2006); Winands, Bjornsson and Saito, Monte-Carlo tree search
solver (2008), here with bounds instead of three values (Cazenave and Saffidine 2010).
"""

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ...compiled import jit, jit_inline, run
from ...game import CHANCE, NO_ACTION, Game
from ..algorithm import Memory
from ..result import Partial
from ..turns.turn_algorithm import TurnAlgorithm
from ..turns.workspace import new_turn_workspace
from ..workspace import enter
from .playouts import playout, sampled
from .tree_nodes import expand, move_root, new_tree, tighten

_MOST_DOUBLINGS, _DOUBLINGS_ALONE = 48, 12


@jit_inline
def chosen_child(index, ws, tree):
    """The child to visit: by UCT, without those that are proven to be no better than another."""
    node = tree[index]
    if node.mover == CHANCE:
        point, child = sampled(ws) - tree[node.first].weight, node.first
        while point >= 0.0 and child < node.first + node.count - 1:
            child += 1
            point -= tree[child].weight
        return child
    spread = ws.exploration * math.sqrt(math.log(node.visits + 1.0))
    best, chosen = -np.inf, node.first
    for k in range(node.first, node.first + node.count):
        child = tree[k]
        useless = child.upper <= node.lower if node.mover == 0 else child.lower >= node.upper
        if useless:
            continue
        if child.visits == 0:
            return k
        mean = child.total / child.visits
        score = (mean if node.mover == 0 else -mean) + spread / math.sqrt(np.float64(child.visits))
        if score > best:
            best, chosen = score, k
    return chosen


@jit
def simulate(game, evaluator, root, simulations, ws, tree, counters):
    """Grow the tree until the root has so many visits, is proven, or the search is stopped."""
    path = ws.played
    while tree[0].visits < simulations and tree[0].lower < tree[0].upper:
        state, index, length = root, np.int64(0), 0
        path[0] = 0
        while True:
            if enter(ws):
                return
            if tree[index].lower >= tree[index].upper or length >= ws.last_ply:
                break
            if tree[index].count == 0:
                if (tree[index].visits == 0 and index > 0) or not expand(
                    game, state, index, ws.actions[0], ws.chances[0], ws.worst, ws.best, tree, counters
                ):
                    break
                tighten(index, tree)
                continue
            index = chosen_child(index, ws, tree)
            state = game.next_state(state, np.int64(tree[index].action))
            length += 1
            path[length] = index
        if tree[index].lower >= tree[index].upper:
            value = tree[index].lower
        elif ws.playouts:
            value = playout(game, state, ws.actions[0], ws.actions[1], ws.chances[1], ws)
            ws.leaves += 1
        else:
            value = np.float64(evaluator.evaluate(game, state))
            ws.leaves += 1
            ws.evaluations += 1
        if ws.stop:
            return
        for place in range(length, -1, -1):
            node = tree[path[place]]
            node.visits += 1
            node.total += value
            tighten(path[place], tree)


@dataclass(frozen=True)
class MonteCarlo(TurnAlgorithm):
    """UCT for turn-based games, with chance nodes; the root's strategy gives each action its share of the visits.

    `playouts`: a leaf of the tree gets the result of a random playout, else the evaluator's value. `exploration` is
    UCT's constant for values in [-1, 1]; other ranges of results are scaled to it. Proven nodes are not visited
    again, and a proven root ends the search. The tree, of `megabytes`, is kept from one move to the next where the game
    has a hash; when it is full it grows no more. A "depth" is a number of simulations: depth 1 is `batch` of
    them, and every further depth doubles it; without any limit there are 2^11 times `batch`.
    """

    playouts: bool = True
    exploration: float = 0.7
    megabytes: float = 64.0
    batch: int = 64

    name: ClassVar[str] = "mcts"
    title: ClassVar[str] = "Monte Carlo tree search"
    goes_by_depth: ClassVar[bool] = False
    line_is_complete: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if self.megabytes <= 0:
            raise ValueError(f"megabytes must be above 0, not {self.megabytes}")
        if self.exploration < 0:
            raise ValueError(f"exploration must be 0 or more, not {self.exploration}")
        if self.batch < 1:
            raise ValueError(f"batch must be 1 or more, not {self.batch}")

    def workspace(self, game: Game) -> Any:
        return new_turn_workspace(game, self, (("random", "u8"),))

    def depths(self, wanted: int, deepen: bool) -> range:
        if deepen:
            return range(1, _MOST_DOUBLINGS)
        return range(min(wanted, _DOUBLINGS_ALONE), min(wanted, _DOUBLINGS_ALONE) + 1)

    def iterate(self, game: Any, state: Any, depth: int, ws: Any, memory: Memory) -> float:
        tree, counters = self._tree(game, state, ws, memory)
        run(simulate, game, self.leaf, state, self.batch << (depth - 1) if depth else 1, ws, tree, counters)
        self._report(ws, tree)
        root = tree[0]
        if root["lower"] < root["upper"]:
            ws["estimates"] += 1
        else:
            return float(root["lower"])
        return float(root["total"] / max(1, root["visits"]))

    def _tree(self, game: Any, state: Any, ws: Any, memory: Memory) -> tuple[Any, Any]:
        """The half with the tree of this position; in a new search, and on another position, it moves to the other."""
        halves = memory.keep(("tree", int(ws["identity"]), self.megabytes), lambda: [*new_tree(self.megabytes, memory.ahead), 0, None])
        begins = math.isnan(float(ws["expected"]))
        if begins:
            ws["expected"] = 0.0
            ws["random"] = ws["seed"]
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

    def strategies(self, game: Game, state: Any, ws: Any) -> tuple[dict[int, float], dict[int, float]]:
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

    def partial(self, ws: Any, depth: int) -> Partial:
        """The action that leads."""
        best = (int(ws["preferred"][0]), int(ws["preferred"][1]))
        player = int(ws["root_player"])
        return Partial(depth, {}, best if player in (0, 1) and best[player] != NO_ACTION else None)


def _best_child(node: Any, children: Any) -> int:
    """What is proven best, else what was visited most among those not proven to be no better; of outcomes the likeliest."""
    if int(node["mover"]) == CHANCE:
        return int(children["weight"].argmax())
    sign = 1.0 if int(node["mover"]) == 0 else -1.0
    worst, most = (children["lower"], children["upper"]) if sign > 0 else (-children["upper"], -children["lower"])
    proven = node["lower"] >= node["upper"]
    # Of equals, lost ones above all, what was visited more took longer to prove.
    eligible = worst >= worst.max() if proven else most > worst.max()
    return int(np.where(eligible, children["visits"], -1).argmax())
