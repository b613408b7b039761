"""The average strategies of a sampled tree, in all of its positions, as a policy."""

from typing import Any

from ..algorithms import Algorithm, Limits, Searcher
from ..algorithms.sampling.tree_positions import tree_positions
from ..game import Game
from .policy import Mixtures, TablePolicy, UniformPolicy


def tree_policy(game: Game, algorithm: Algorithm, limits: Limits, seed: int = 0, state: Any = None) -> TablePolicy:
    """What one search from the start (or `state`) tells of every position in its tree; where it was not, all actions alike.

    So the whole game is played by one tree, as the convergence of sampling searches is measured. Of a position that was reached in several
    ways it is what the most visits say. Raises UnsupportedGameError for a search without such a tree or with several: see `SampledTree`.
    """
    searcher = Searcher(game, algorithm)
    root = game.initial_state() if state is None else state
    searcher.search(root, limits, seed=seed, variation=False)
    most: dict[Any, int] = {}
    rows: dict[Any, Mixtures] = {}
    for position, visits, strategies in tree_positions(searcher, root):
        if visits > most.get(position, 0):
            most[position], rows[position] = visits, strategies
    return TablePolicy(game, rows, UniformPolicy(game))
