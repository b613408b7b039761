"""Games of a search against itself, with what each position is worth: networks are fitted to them."""

import random
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..algorithms import Algorithm, Limits, SearchResult
from ..algorithms.algorithm import Memory
from ..algorithms.searcher import Searcher
from ..game.base import CHANCE, NO_ACTION, TERMINAL, Game
from ..game.steps import after_random_steps, random_step

_TABLE = 1 << 13
_MOST_NODES = 16
"""How many times the wanted nodes at most: a search that takes more is made again less deep."""


class Looker:
    """Searches positions one after the other, each to a depth chosen by the last one's nodes, for about
    `nodes` nodes.

    Deepening would call a search for every depth, and a call takes longer than these few nodes. Its table,
    which is emptied before every game, is small where its size is no setting of the search.
    """

    def __init__(self, game: Game, algorithm: Algorithm, nodes: int) -> None:
        self._searcher = Searcher(game, algorithm, memory=Memory(_TABLE))
        self._nodes, self._depth = nodes, 1
        self._goes_by_depth = algorithm.goes_by_depth

    def begin(self) -> None:
        """A new game, which depends on nothing before it."""
        self._searcher.memory.clear()
        self._depth = 1

    def look(self, state: Any, seed: int) -> SearchResult:
        if not self._goes_by_depth:
            return self._searcher.search(state, Limits(nodes=self._nodes), seed=seed, variation=False)
        while True:
            limits = Limits(self._depth, _MOST_NODES * self._nodes if self._depth > 1 else None)
            found = self._searcher.search(state, limits, seed=seed, variation=False, deepen=False)
            nodes = found.statistics.nodes
            stopped = self._depth > 1 and not found.complete
            if nodes < self._nodes // 4:
                self._depth += 1
            elif nodes > self._nodes * 2 and self._depth > 1:
                self._depth -= 1
            if not stopped:
                return found


@dataclass(frozen=True)
class ValuedGames:
    """How the games are played, and how their positions are valued."""

    game: Game
    opening: int
    """Random moves at the beginning of a game, at most."""
    random_share: float
    """How often a move is a random one."""
    trace: float
    """How much of a target comes from later positions: 0 the search's value, 1 the game's result."""
    knows_values: bool = True
    """Whether a search's value says anything before the game is over."""

    def played(
        self, state: Any, learner: Looker, draw: random.Random, rivals: dict[int, Looker] | None = None
    ) -> tuple[list[Any], Any]:
        """One game from a position: its positions, and their targets.

        `learner` searches all of them, and a rival chooses for its player.
        """
        game = self.game
        for looker in {learner, *(rivals or {}).values()}:
            looker.begin()
        state = after_random_steps(game, state, draw.randint(0, self.opening), draw)
        states, values = list[Any](), list[float | None]()
        trusted = list[bool]()  # whether what comes later tells of this position
        while game.current_player(state) != TERMINAL:
            states.append(state)
            if game.current_player(state) == CHANCE:
                values.append(None)
                trusted.append(True)
                state = random_step(game, state, draw)
                continue
            seed = draw.getrandbits(62)
            found = learner.look(state, seed)
            values.append(found.value if found.exact or self.knows_values else None)
            actions, is_random = [NO_ACTION, NO_ACTION], False
            for player in game.players_to_act(state):
                mixture = found.strategies[player]
                if rivals and player in rivals:
                    mixture = rivals[player].look(state, seed).strategies[player]
                if not mixture or draw.random() < self.random_share:
                    is_random = True
                    actions[player] = draw.choice(
                        game.search_actions(state, player) or game.legal_actions(state, player)
                    )
                else:
                    actions[player] = draw.choices(list(mixture), list(mixture.values()))[0]
            trusted.append(not (is_random or found.exact))
            state = game.advance(state, *actions)
        return states, self.targets(float(game.returns(state)), values, trusted)

    def targets(self, result: float, values: list[float | None], trusted: list[bool]) -> Any:
        """The target value of each position: the search's value, mixed with the next position's target; -1 to 1.

        Positions after a random move do not count for those before it, and a proven value is not mixed.
        """
        game = self.game
        middle, half = (
            0.5 * (game.max_utility + game.min_utility),
            max(0.5 * (game.max_utility - game.min_utility), 1e-9),
        )
        found, later = np.zeros(len(values), np.float32), result
        for k in range(len(values) - 1, -1, -1):
            value = values[k]
            if value is not None:
                later = value if not trusted[k] else (1.0 - self.trace) * value + self.trace * later
            found[k] = (later - middle) / half
        return np.clip(found, -1.0, 1.0)
