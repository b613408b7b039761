"""A whole game looked at again: what each position was worth, and what each player gave away there."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ...game.base import CHANCE, NO_ACTION, TERMINAL, Game
from ..algorithm import Algorithm, Memory
from ..chance import passes_over_chance
from ..limits import Limits, StopToken
from ..result import Joint, Strategies
from .alternatives import Alternatives, find_alternatives
from .fair import MeanSearcher


@dataclass(frozen=True)
class ReviewedTurn:
    """A step of a game. Values are player 0's, in units of the game."""

    step: int
    value: float
    """Before the step."""
    best: Joint
    """The best action of who moves; where both do, each one's likeliest in equilibrium. -1 for who has no choice."""
    mixtures: Strategies
    """Both players' strategies; empty for a player without a choice."""
    played: Joint
    loss: tuple[float, float]
    """What each player's action gives away against the other's equilibrium strategy that punishes it most (at a turn: against
    the best action)."""
    depth: int
    """The depth that all of it was found at."""
    exact: bool
    """Whether every alternative's value is proven."""
    after: float
    """What the position was worth that the step led to, found at the same depth: the value before it, less what the first player's
    action gave away, more what the second's did, and the rest is luck: how two actions met, or what chance drew."""
    losses: Strategies
    """What each action would have given away, of those that were looked at; empty for a player without a choice."""


def review(
    game: Game,
    states: Sequence[Any],
    actions: Sequence[Joint],
    algorithm: Algorithm,
    limits: Limits,
    *,
    stop: StopToken | None = None,
    steps: Iterable[int] | None = None,
    searcher: MeanSearcher | None = None,
) -> Iterator[ReviewedTurn]:
    """The steps of a game, each as soon as it is known. `states[k]` is the position before `actions[k]`.

    `limits` bound each step; the first depth is always finished. `steps` chooses some, in an order of its own (by default
    from the last to the first, whose search then finds the end of the game in the table). Ends early where stopped. A `searcher`
    searches in the algorithm's place.

    A game that has a form without chance is better reviewed in that form (`searched_form`): what chance did is then passed over.
    """
    stop = stop or StopToken()
    memory = Memory()
    for step in reversed(range(len(actions))) if steps is None else steps:
        if stop.stopped:
            return
        state, played = states[step], actions[step]
        node = game.current_player(state)
        if node == TERMINAL or (node == CHANCE and passes_over_chance(game)):
            continue
        found = find_alternatives(
            game, state, algorithm, limits, stop=stop, memory=memory, played=played, searcher=searcher
        )
        if found.value is None:
            return
        yield _reviewed(step, found, played)


def _reviewed(step: int, found: Alternatives, played: Joint) -> ReviewedTurn:
    mixtures: Strategies = {}, {}
    if found.mixtures is not None:
        for strategy, own, shares in zip(mixtures, (found.rows, found.columns), found.mixtures, strict=True):
            strategy.update({a: p for a, p in zip(own, shares, strict=True) if p > 0 and a != NO_ACTION})
    after, losses = found.after(played), found.losses()
    assert found.value is not None and after is not None
    loss = losses[0].get(played[0], 0.0), losses[1].get(played[1], 0.0)
    return ReviewedTurn(
        step,
        found.value,
        found.best(),
        mixtures,
        played,
        loss,
        found.finished,
        found.is_proven,
        after,
        losses,
    )
