"""Games of a search against itself, where they begin, and what it found of each position."""

import hashlib
import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ..algorithms import Limits, SearchResult
from ..algorithms.algorithm import Memory
from ..algorithms.searcher import Searcher
from ..arena.openings import make_openings
from ..evaluators.network.file import Weights
from ..game.base import CHANCE, NO_ACTION, TERMINAL, Game
from ..play.game import random_step
from .inputs import random_start
from .models import Model, model_of, search_of
from .training import Samples

_RANDOM = 200
"""Positions of `random:PLIES`, fewer where a game does not have them; to find that out takes seconds."""


@dataclass(frozen=True)
class Openings:
    """Positions in the game's text form, as an option named them."""

    asked: str
    """The option; of a file its name alone."""
    positions: tuple[str, ...]

    @property
    def identity(self) -> dict[str, Any]:
        """The record of the openings in a run, which must be the same for the run to be resumed."""
        digest = hashlib.blake2b("\n\n".join(self.positions).encode(), digest_size=8).hexdigest()
        return {"asked": self.asked, "positions": len(self.positions), "digest": digest}

    def drawn(self, games: int, draw: random.Random) -> tuple[str | None, ...]:
        """The openings of `games` games: half of them begin in a drawn position, the others at the game's
        start (None).
        """
        chosen = set(draw.sample(range(games), games // 2))
        return tuple(draw.choice(self.positions) if number in chosen else None for number in range(games))


def openings_of(game: Game, asked: str, seed: int) -> Openings:
    """The openings that an option names, of the kinds that a match takes. Raises GameError, in one sentence."""
    found = make_openings(game, asked, _RANDOM, seed)
    return Openings(Path(asked).name if Path(asked).is_file() else asked, tuple(found))


# Games of a search against itself, with what it found of each position.

_TABLE = 1 << 13
_MOST_AFTER_OPENING = 2
"""Random moves at most after an opening that is given: it is there for what it is, and a few more often end the game."""
_MOST_NODES = 16
"""How many times the nodes of a plan at most: a search that takes more is made again less deep."""


class Plan(NamedTuple):
    """The plan of a generation's games."""

    game: Game
    search: str
    """The spec of the search; made where it plays, since a class in a file of somebody's own is no message."""
    start: str | None
    """The spec of the evaluator as long as nothing is learnt; None: none."""
    nodes: int
    """Of a move's search."""
    opening: int
    """Random moves at the beginning of a game, at most."""
    random_share: float
    """How often a move is a random one."""
    trace: float
    """How much of a target comes from later positions: 0 the search's value, 1 the game's result."""
    knows_values: bool = True
    """Whether a search's value says anything before the game is over."""
    evaluator: str | None = None
    """The spec of the evaluator whose weights are fitted; None: `fitted`."""

    @property
    def model(self) -> Model:
        return model_of(self.evaluator)


class Task(NamedTuple):
    """Some games, which one process plays."""

    plan: Plan
    weights: Weights | None
    """Of the player that learns; None for the search as it is."""
    rival: Weights | None
    """Of its opponent in every fourth game: an earlier generation."""
    games: int
    seed: tuple[int, ...]
    openings: tuple[str | None, ...] = ()
    """Where each of the games begins, in the game's text form; None, and where there are none: as the game begins."""


class _Looker:
    """Searches positions one after the other, each to a depth chosen by the last one's nodes, for about
    `nodes` nodes.

    Deepening would call a search for every depth, and a call takes longer than these few nodes. Its table,
    which is emptied before every game, is small where its size is no setting of the search.
    """

    def __init__(self, plan: Plan, weights: Weights | None) -> None:
        algorithm = search_of(plan.search, plan.start)
        if weights is not None:
            algorithm = replace(algorithm, evaluator=plan.model.evaluator(weights))
        self._searcher = Searcher(plan.game, algorithm, memory=Memory(_TABLE))
        self._nodes, self._depth = plan.nodes, 1
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


def play_games(task: Task, leave: Callable[[], None] = lambda: None) -> Samples:
    """Play them; the same task gives the same positions. `leave` is called before each game, and raises where nobody waits for them."""
    draw = random.Random(repr(task.seed))
    game = task.plan.game
    learner = _Looker(task.plan, task.weights)
    rival = learner if task.rival is None else _Looker(task.plan, task.rival)
    found: list[tuple[list[Any], Any]] = []
    for number in range(task.games):
        leave()
        opening = task.openings[number] if task.openings else None
        found.append(_play(task.plan, (learner, rival), number, draw, opening))
    states = [state for states, _ in found for state in states]
    if not states:
        return Samples(np.zeros((0, 1), np.uint64), np.zeros(0, np.float32))
    return task.plan.model.samples(game, states, np.concatenate([worth for _, worth in found]))


def _play(
    plan: Plan, lookers: tuple[_Looker, _Looker], number: int, draw: random.Random, opening: str | None
) -> tuple[list[Any], Any]:
    """One game: its positions and their targets."""
    game, learner = plan.game, lookers[0]
    rival_side = number // 4 % 2 if number % 4 == 3 else None
    for looker in set(lookers):
        looker.begin()
    state = random_start(game, draw) if opening is None else game.from_text(opening)
    most = plan.opening if opening is None else min(plan.opening, _MOST_AFTER_OPENING)
    for _ in range(draw.randint(0, most)):
        after = random_step(game, state, draw)
        if game.current_player(after) == TERMINAL:
            break
        state = after
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
        values.append(found.value if found.exact or plan.knows_values else None)
        actions, is_random = [NO_ACTION, NO_ACTION], False
        for player in game.players_to_act(state):
            mixture = found.strategies[player]
            if player == rival_side and lookers[1] is not learner:
                mixture = lookers[1].look(state, seed).strategies[player]
            if not mixture or draw.random() < plan.random_share:
                is_random = True
                actions[player] = draw.choice(
                    game.search_actions(state, player) or game.legal_actions(state, player)
                )
            else:
                actions[player] = draw.choices(list(mixture), list(mixture.values()))[0]
        trusted.append(not (is_random or found.exact))
        state = game.advance(state, *actions)
    return states, targets(plan, float(game.returns(state)), values, trusted)


def targets(plan: Plan, result: float, values: list[float | None], trusted: list[bool]) -> Any:
    """The target value of each position: the search's value, mixed with the next position's target; -1 to 1.

    Positions after a random move do not count for those before it, and a proven value is not mixed.
    """
    game = plan.game
    middle, half = (
        0.5 * (game.max_utility + game.min_utility),
        max(0.5 * (game.max_utility - game.min_utility), 1e-9),
    )
    found, later = np.zeros(len(values), np.float32), result
    for k in range(len(values) - 1, -1, -1):
        value = values[k]
        if value is not None:
            later = value if not trusted[k] else (1.0 - plan.trace) * value + plan.trace * later
        found[k] = (later - middle) / half
    return np.clip(found, -1.0, 1.0)
