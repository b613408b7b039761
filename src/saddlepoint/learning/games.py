"""Games of a search against itself, where they begin, and what it found of each position."""

import hashlib
import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ..arena.openings import make_openings
from ..evaluators.network.file import Weights
from ..evaluators.network.inputs import random_start
from ..evaluators.network.training import Samples
from ..game.base import Game
from ..play.valued_games import Looker, ValuedGames
from .models import Model, model_of, search_of

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

_MOST_AFTER_OPENING = 2
"""Random moves at most after an opening that is given: it is there for what it is, and a few more often end the game."""


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


def _looker(plan: Plan, weights: Weights | None) -> Looker:
    algorithm = search_of(plan.search, plan.start)
    if weights is not None:
        algorithm = replace(algorithm, evaluator=plan.model.evaluator(weights))
    return Looker(plan.game, algorithm, plan.nodes)


def play_games(task: Task, leave: Callable[[], None] = lambda: None) -> Samples:
    """Play them; the same task gives the same positions. `leave` is called before each game, and raises where nobody waits for them."""
    draw, plan = random.Random(repr(task.seed)), task.plan
    game = plan.game
    learner = _looker(plan, task.weights)
    rival = None if task.rival is None else _looker(plan, task.rival)
    found: list[tuple[list[Any], Any]] = []
    for number in range(task.games):
        leave()
        opening = task.openings[number] if task.openings else None
        start = random_start(game, draw) if opening is None else game.from_text(opening)
        most = plan.opening if opening is None else min(plan.opening, _MOST_AFTER_OPENING)
        games = ValuedGames(game, most, plan.random_share, plan.trace, plan.knows_values)
        rivals = {number // 4 % 2: rival} if rival is not None and number % 4 == 3 else None
        found.append(games.played(start, learner, draw, rivals))
    states = [state for states, _ in found for state in states]
    if not states:
        return Samples(np.zeros((0, 1), np.uint64), np.zeros(0, np.float32))
    return plan.model.samples(game, states, np.concatenate([worth for _, worth in found]))
