"""What a sampled tree knows of every position in it."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from ...game import CHANCE, NO_ACTION
from ..algorithm import UnsupportedGameError
from ..searcher import Searcher
from .sampled_tree import SampledTree, shares_of


class TreePosition(NamedTuple):
    """An opened node at which somebody chooses."""

    state: Any
    visits: int
    strategies: tuple[dict[int, float], dict[int, float]]
    """Each player's average strategy there; empty for who does not move."""


def tree_positions(searcher: Searcher, state: Any) -> Iterator[TreePosition]:
    """The positions in the tree of the searcher's last search, which began at `state`; one that was reached in two ways comes twice.

    Raises UnsupportedGameError for a search without such a tree, or with several (`threads`).
    """
    algorithm, game, ws = searcher.algorithm, searcher.game, searcher._workspace
    if not isinstance(algorithm, SampledTree):
        raise UnsupportedGameError(f"{algorithm.name} grows no tree of sampled joint moves")
    if algorithm.threads > 1:
        raise UnsupportedGameError(f"{algorithm.name} with threads={algorithm.threads} grows so many trees: say threads=1")
    nodes, actions, table, _ = algorithm.half_of(ws, searcher.memory)
    waiting = [(0, state)]
    while waiting:
        index, position = waiting.pop()
        node = nodes[index]
        first, count0, count1 = int(node["first"]), int(node["count0"]), int(node["count1"])
        if not count0:
            continue
        own = actions[first : first + count0], actions[first + count0 : first + count0 + count1]
        if int(node["mover"]) != CHANCE:
            mixtures = tuple(
                {int(action): share for action, share in zip(one["action"], shares_of(one["average"]), strict=True) if action != NO_ACTION}
                for one in own
            )
            yield TreePosition(position, int(node["visits"]), (mixtures[0], mixtures[1]))
        for place in range(count0 * count1):
            below = int(table[int(node["table"]) + place])
            if below:
                joint = int(own[0]["action"][place // count1]), int(own[1]["action"][place % count1])
                waiting.append((below, game.advance(position, *joint)))
