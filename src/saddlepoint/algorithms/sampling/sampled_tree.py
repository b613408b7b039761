"""Monte-Carlo tree search for simultaneous moves (SM-MCTS), for turns too: a tree that grows by simulated games.

Each player chooses by a selection of its own, as in Bošanský, Lisý, Lanctot, Čermák and Winands, Algorithms for computing strategies in
two-player simultaneous move games (2016), section 4. A node has each player's statistics of its own actions, and the joint successors.
Joint actions with the same successor share its node, and so do different ways to it.
"""

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from ...compiled import Component, borrowed, jit, jit_inline, jit_part, python_monotonic_ns, run
from ...game.base import CHANCE, NO_ACTION, TERMINAL, Game
from ..algorithm import Algorithm, Memory, UnsupportedGameError
from ..result import Line, Partial, Strategies
from ..searcher import Searcher
from ..table import DEEPEST, enter, new_record, room_for_actions, room_for_outcomes
from .joint_tree import USED, count_result, looked_at, move_joint_root, new_half, open_cells, plant
from .playouts import (
    PLAYOUT_FIELDS,
    begin_trace,
    fade,
    learn_moves,
    note_moves,
    place_at,
    playout,
    sampled,
)
from .root_threads import prepare, run_together

_MOST_DOUBLINGS, _DOUBLINGS_ALONE = 48, 12
_LONGEST_LINE = 32


@jit_inline
def choose_place(selection, own, count, visits, explores, ply, player, ws):
    """Choose one of a player's actions; what it was chosen by is left in the workspace."""
    out = ws.mixtures[ply, player]
    if count == 1:
        out[0] = 1.0
        ws.odds[ply, player] = 1.0
        return np.int64(0)
    selection.mixture(own, count, visits, out)
    share, point = selection.exploring if explores else 0.0, sampled(ws)
    if point < share:
        place = min(np.int64(point / share * count), count - 1)
    else:
        place = np.int64(place_at((point - share) / (1.0 - share), out, count))
    ws.odds[ply, player] = (1.0 - share) * out[place] + share / count
    return place


@jit_inline
def scaled(value, ws):
    """A result in the game's units as one from 0 to 1."""
    return min(max((value - ws.worst) * ws.scale, 0.0), 1.0)


@jit_part
def leaf_value(game, evaluator, state, ws):
    """The result of an ended game; of another one what the evaluator says, or a play-out brings: from 0 to 1."""
    ws.leaves += 1
    if game.current_player(state) == TERMINAL:
        return scaled(float(game.returns(state)), ws)
    if ws.plays_out:
        return scaled(playout(game, evaluator, state, ws.actions[0], ws.actions[1], ws.chances, ws), ws)
    ws.evaluations += 1
    return scaled(float(evaluator.evaluate(game, state)), ws)


@jit_part
def fill_priors(game, evaluator, state, index, ws, nodes, actions):
    """Priors from what the evaluator says of the joint successors: a softmax of each action's mean over the other's actions."""
    first, count0, count1 = nodes[index].first, np.int64(nodes[index].count0), np.int64(nodes[index].count1)
    for k in range(first, first + count0 + count1):
        actions[k].prior = 0.0
    for i in range(count0):
        for j in range(count1):
            after = game.successor(state, actions[first + i].action, actions[first + count0 + j].action)
            ended = game.current_player(after) == TERMINAL
            worth = scaled(
                float(game.returns(after)) if ended else float(evaluator.evaluate(game, after)), ws
            )
            ws.evaluations += not ended
            actions[first + i].prior += worth / count1
            actions[first + count0 + j].prior += (1.0 - worth) / count0
    soften(actions[first : first + count0], count0, ws.softness)
    soften(actions[first + count0 : first + count0 + count1], count1, ws.softness)


@jit_inline
def soften(own, count, temperature):
    """A softmax of the priors, by a temperature above 0."""
    most, total = 0.0, 0.0
    for k in range(count):
        most = max(most, own[k].prior)
    for k in range(count):
        own[k].prior = np.exp((own[k].prior - most) / temperature)
        total += own[k].prior
    for k in range(count):
        own[k].prior /= total


@jit_part
def learn_of(selection, player, chosen, value, index, ply, learns, below, ws, nodes, actions, table):
    """Tell a player's actions at a node how a visit went; the importance of what is above."""
    node = nodes[index]
    count = looked_at(node, np.int64(node.count1 if player else node.count0), ws)
    if count == 1:
        return below
    start = node.first + (node.count0 if player else 0)
    own, out = actions[start : start + count], ws.mixtures[ply, player]
    worth = 1.0 - value if player else value
    chance = ws.odds[ply, player]
    if learns or not selection.alternates:
        other = ws.places[ply, 1 - player]
        if selection.needs_replies:
            for k in range(count):
                place = node.table + (other * node.count1 + k if player else k * node.count1 + other)
                after = nodes[table[place]]
                mean = after.worth if table[place] > 0 and after.mass > 0.0 else node.worth
                ws.replies[k] = 1.0 - mean if player else mean
        against = ws.mixtures[ply, 1 - player, other] / ws.odds[ply, 1 - player]
        selection.learn(own, count, chosen, worth, ws.replies, out, chance, below, against)
    if not learns or not selection.alternates:
        selection.remember(own, count, node.visits, chosen, out)
    own[chosen].visits += 1.0
    own[chosen].total += worth
    return below * out[chosen] / chance


@jit
def simulate_jointly(game, evaluator, selection, root, simulations, ws, nodes, actions, table, counters):
    """Grow the tree until the root has `simulations` visits or the search is stopped."""
    nodes, actions, table, counters = borrowed(nodes), borrowed(actions), borrowed(table), borrowed(counters)
    while nodes[0].visits < simulations:
        state, index, length = root, np.int64(0), 0
        learner = nodes[0].visits & 1
        begin_trace(ws)
        while True:
            if enter(ws):
                return
            ws.path[length] = index
            if index < 0 or length >= ws.last_ply or nodes[index].mover == TERMINAL:
                break
            if nodes[index].count0 == 0:
                if (nodes[index].visits == 0 and index > 0) or not open_cells(
                    game, state, index, ws, nodes, actions, table, counters
                ):
                    break
                if ws.uses_priors and nodes[index].mover != CHANCE:
                    fill_priors(game, evaluator, state, index, ws, nodes, actions)
            node = nodes[index]
            count0, count1 = np.int64(node.count0), np.int64(node.count1)
            first, second = node.first, node.first + count0
            if node.mover == CHANCE:
                place0 = np.int64(place_at(sampled(ws), actions[first:second].prior, count0))
                place1 = np.int64(0)
            else:
                both = not selection.alternates
                wide0, wide1 = looked_at(node, count0, ws), looked_at(node, count1, ws)
                own, others = actions[first : first + wide0], actions[second : second + wide1]
                explores0, explores1 = both or learner == 0, both or learner == 1
                place0 = choose_place(selection, own, wide0, node.visits, explores0, length, 0, ws)
                place1 = choose_place(selection, others, wide1, node.visits, explores1, length, 1, ws)
            if ws.learns and node.mover != CHANCE:
                note_moves(ws, node.mover, actions[first + place0].action, actions[second + place1].action)
            ws.places[length, 0] = place0
            ws.places[length, 1] = place1
            state = game.successor(state, actions[first + place0].action, actions[second + place1].action)
            below = node.table + place0 * count1 + place1
            index = np.int64(table[below])
            if index == 0:
                index = plant(game, state, np.int64(length + 1), nodes, counters)
                table[below] = max(index, 0)
            length += 1
        value = leaf_value(game, evaluator, state, ws)
        if ws.stop:
            return
        if ws.learns:
            learn_moves(ws, value)
        if index >= 0:
            count_result(nodes[index], value, 1.0)
        below0, below1 = 1.0, 1.0
        for ply in range(length - 1, -1, -1):
            index = ws.path[ply]
            if nodes[index].mover != CHANCE:
                place0, place1 = ws.places[ply, 0], ws.places[ply, 1]
                below0 = learn_of(
                    selection, 0, place0, value, index, ply, learner == 0, below0, ws, nodes, actions, table
                )
                below1 = learn_of(
                    selection, 1, place1, value, index, ply, learner == 1, below1, ws, nodes, actions, table
                )
            count_result(nodes[index], value, below0 * below1)


@dataclass(frozen=True)
class SampledTree(Algorithm):
    """Base of the searches whose tree grows by simulated games, in which both players may move at once.

    A leaf of the tree is worth what the evaluator says; without one it gets the result of a random play-out, and with `cut` above 0 that of
    a play-out that the evaluator ends after so many plies. The tree, of `megabytes`, is
    kept from one move to the next where the game has a hash; when it is full it grows no more. A "depth" is a number of simulations: depth
    1 is `batch` of them, and every further depth doubles it; without any limit there are 2^11 times `batch`. A depth that a limit
    ends early counts with what it has. Nodes are positions visited, in the tree and in play-outs.

    Of more than 100 actions a node looks at 100 drawn ones first, and at `widening` times the square root of its visits more (progressive
    widening, Coulom 2007); at all at once if that is 0.

    With `threads` each grows a tree of its own, which has its share of the megabytes and makes as many
    simulations; the results at the root are added up (root parallelisation).
    """

    megabytes: float = 64.0
    batch: int = 64
    threads: int = 1
    mast: float = 0.0
    cut: int = 0
    widening: float = 1.0

    goes_by_depth: ClassVar[bool] = False
    solves_stages: ClassVar[bool] = False
    line_is_complete: ClassVar[bool] = True

    @property
    @abstractmethod
    def selector(self) -> Component:
        """The selection by which both players choose."""

    def workspace(self, game: Game) -> Any:
        actions, plies = max(room_for_actions(game), room_for_outcomes(game)), DEEPEST + 2
        record = new_record(
            game,
            self,
            (
                ("seed", "u8"),
                *PLAYOUT_FIELDS,
                ("softness", "f8"),
                ("is_new", "u1"),
                ("is_over", "u1"),
                ("plays_out", "u1"),
                ("uses_priors", "u1"),
                ("last_ply", "i8"),
                ("actions", "i8", (2, actions)),
                ("chances", "f8", (actions,)),
                ("replies", "f8", (actions,)),
                ("path", "i8", (plies,)),
                ("places", "i8", (plies, 2)),
                ("odds", "f8", (plies, 2)),
                ("mixtures", "f8", (plies, 2, actions)),
                ("root_counts", "i8", (2,)),
                ("root_actions", "i8", (2, actions)),
                ("root_averages", "f8", (2, actions)),
                ("line", "i8", (_LONGEST_LINE, 2)),
                ("line_length", "i8"),
            ),
        )
        width = game.max_utility - game.min_utility
        record["scale"] = 1.0 / width if width > 0 else 0.0
        record["plays_out"] = self.evaluator is None or self.cut > 0
        record["learns"] = self.mast > 0
        record["softness"] = temperature = getattr(self, "temperature", 0.0)  # of priors from the evaluator
        record["uses_priors"] = self.evaluator is not None and temperature > 0
        record["last_ply"] = plies - 2
        return record

    def deepest(self, game: Game) -> int:
        return _MOST_DOUBLINGS

    def depths(self, wanted: int, deepen: bool) -> range:
        if deepen:
            return range(1, wanted + 1)
        alone = _DOUBLINGS_ALONE if wanted == _MOST_DOUBLINGS else wanted
        return range(alone, alone + 1)

    def reset(self, ws: Any) -> None:
        ws["is_new"], ws["is_over"] = 1, 0
        ws["preferred"], ws["root_counts"], ws["line_length"] = NO_ACTION, 0, 0

    def iterate(self, game: Any, state: Any, depth: int, ws: Any, memory: Memory) -> float:
        ws["estimates"] += 1  # nothing is proven
        if ws["is_over"]:
            ws["stop"] = 1
            return 0.0
        workspaces = [ws, *self._others(game, ws, memory)]
        halves = [self._half(game, state, one, memory, thread) for thread, one in enumerate(workspaces)]
        before = sum(int(nodes["visits"][0]) for nodes, *_ in halves)
        simulations = self.batch << (depth - 1) if depth else 1

        def grow(thread: int) -> None:
            run(
                simulate_jointly,
                game,
                self.leaf,
                self.selector,
                state,
                simulations,
                workspaces[thread],
                *halves[thread],
            )

        used_up = run_together(grow, workspaces, self._is_used_up)
        visits = sum(int(nodes["visits"][0]) for nodes, *_ in halves)
        # What a limit ends early counts; the next depth then ends the search. A token's stop stays.
        if ws["stop"] and visits > before and used_up:
            ws["stop"], ws["is_over"] = 0, 1
        self._report(ws, halves)
        total = sum(float(nodes["total"][0]) for nodes, *_ in halves)
        return float(ws["worst"] + (total / visits if visits else 0.5) * (ws["best"] - ws["worst"]))

    @staticmethod
    def _is_used_up(ws: Any) -> bool:
        return int(ws["nodes"]) > int(ws["node_limit"]) or 0 < int(ws["deadline"]) <= python_monotonic_ns()

    def half_of(self, ws: Any, memory: Memory) -> Any:
        """The last search's tree, of several the first thread's: nodes, actions, table of successors, counters (see `joint_tree`)."""
        kept = self._kept(ws, memory, 0)
        return kept[4 * kept[8] : 4 * kept[8] + 4]

    def _kept(self, ws: Any, memory: Memory, thread: int) -> list[Any]:
        """A thread's two halves, which one is in use, and for which position."""
        megabytes = self.megabytes / self.threads
        return memory.keep(
            ("joint tree", int(ws["identity"]), megabytes, thread),
            lambda: [*new_half(megabytes, memory.ahead), *new_half(megabytes, memory.ahead), 0, None],
        )

    def _others(self, game: Game, ws: Any, memory: Memory) -> list[Any]:
        """The other threads' workspaces, ready to begin as this one does."""
        key = ("other threads", int(ws["identity"]), self.threads)
        others = memory.keep(key, lambda: [self.workspace(game) for _ in range(self.threads - 1)])
        prepare(others, ws)
        return others

    def _half(self, game: Any, state: Any, ws: Any, memory: Memory, thread: int) -> Any:
        """The half with a thread's tree of this position; in a new search, and on another position, it moves to the other."""
        kept = self._kept(ws, memory, thread)
        halves = kept[:4], kept[4:8]
        if ws["is_new"] or kept[9] != state:
            if ws["is_new"]:
                ws["random"], ws["is_new"] = ws["seed"], 0
                fade(ws, int(halves[kept[8]][3][USED]) == 0)
            run(move_joint_root, game, state, *halves[kept[8]], *halves[1 - kept[8]])
            kept[8], kept[9] = 1 - kept[8], state
        return halves[kept[8]]

    def _report(self, ws: Any, halves: list[Any]) -> None:
        """Leave the root's actions of all trees together, and the line that begins with the likeliest, in the first tree after that."""
        nodes, actions, table, _ = halves[0]
        index = length = 0
        ws["root_counts"] = 0, 0
        while length < _LONGEST_LINE:
            node = nodes[index]
            counts = int(node["count0"]), int(node["count1"])
            if not counts[0] or not int(node["visits"]):
                break
            own = _actions_at(node, actions)
            averages = [one["average"] for one in own]
            if length == 0:
                averages = [_sum_at_root(player, halves) for player in (0, 1)]
                for player, count in enumerate(counts):
                    ws["root_actions"][player, :count] = own[player]["action"]
                    ws["root_averages"][player, :count] = averages[player]
                ws["root_counts"] = counts
            weights = own[0]["prior"] if int(node["mover"]) == CHANCE else averages[0]
            best = int(weights.argmax()), int(averages[1].argmax())
            ws["line"][length] = own[0]["action"][best[0]], own[1]["action"][best[1]]
            length += 1
            index = int(table[int(node["table"]) + best[0] * counts[1] + best[1]])
            if index == 0:
                break
        ws["line_length"] = length

    def strategies(self, game: Game, state: Any, ws: Any) -> Strategies:
        mixtures: list[dict[int, float]] = [{}, {}]
        for player in game.players_to_act(state):
            count = int(ws["root_counts"][player])
            actions = [int(action) for action in ws["root_actions"][player, :count]]
            averages = ws["root_averages"][player, :count]
            if not actions:  # the tree has no room for them
                actions = game.search_actions(state, player)
                averages = np.zeros(len(actions))
            mixtures[player] = dict(zip(actions, shares_of(averages), strict=True))
        return mixtures[0], mixtures[1]

    def line(self, game: Game, state: Any, ws: Any) -> Line:
        return Line((int(joint[0]), int(joint[1])) for joint in ws["line"][: int(ws["line_length"])])

    def partial(self, ws: Any, depth: int) -> Partial:
        """Nothing: what there is counts as a depth."""
        return Partial(depth, {})


def _actions_at(node: Any, actions: Any) -> tuple[Any, Any]:
    """Both players' actions at a node that was opened; none before."""
    first, second = int(node["first"]), int(node["first"]) + int(node["count0"])
    return actions[first:second], actions[second : second + int(node["count1"])]


def _sum_at_root(player: int, halves: list[Any]) -> Any:
    """A player's averages at the root, of all trees that opened it, in the order of the first tree's actions."""
    opened = [
        _actions_at(nodes[0], actions)[player] for nodes, actions, *_ in halves if int(nodes[0]["count0"])
    ]
    total = sum(one["average"][one["action"].argsort()] for one in opened)
    return np.asarray(total)[opened[0]["action"].argsort().argsort()]


def shares_of(averages: Any) -> list[float]:
    """Probabilities in proportion to what was added up; all alike where nothing was."""
    total = float(averages.sum())
    return (
        [float(share) / total for share in averages] if total > 0 else [1.0 / len(averages)] * len(averages)
    )


# What a sampled tree knows of every position in it.


class TreePosition(NamedTuple):
    """An opened node at which somebody chooses."""

    state: Any
    visits: int
    strategies: tuple[dict[int, float], dict[int, float]]
    """Each player's average strategy there; empty for a player that does not move."""


def tree_positions(searcher: Searcher, state: Any) -> Iterator[TreePosition]:
    """The positions in the tree of the searcher's last search, from `state`, each node of it once.

    Raises UnsupportedGameError for a search without such a tree, or with several (`threads`).
    """
    algorithm, game, ws = searcher.algorithm, searcher.game, searcher._workspace
    if not isinstance(algorithm, SampledTree):
        raise UnsupportedGameError(f"{algorithm.name} grows no tree of sampled joint moves")
    if algorithm.threads > 1:
        raise UnsupportedGameError(
            f"{algorithm.name} with threads={algorithm.threads} grows a tree in each thread: say threads=1"
        )
    nodes, actions, table, _ = algorithm.half_of(ws, searcher.memory)
    waiting, seen = [(0, state)], {0}
    while waiting:
        index, position = waiting.pop()
        node = nodes[index]
        own, count1 = _actions_at(node, actions), int(node["count1"])
        if int(node["count0"]) and int(node["mover"]) != CHANCE:
            mixtures = tuple(
                {
                    int(action): share
                    for action, share in zip(one["action"], shares_of(one["average"]), strict=True)
                    if action != NO_ACTION
                }
                for one in own
            )
            yield TreePosition(position, int(node["visits"]), (mixtures[0], mixtures[1]))
        for place in range(int(node["count0"]) * count1):
            below = int(table[int(node["table"]) + place])
            if below and below not in seen:
                seen.add(below)
                joint = int(own[0]["action"][place // count1]), int(own[1]["action"][place % count1])
                waiting.append((below, game.advance(position, *joint)))
