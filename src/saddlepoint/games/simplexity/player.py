"""The plan of Simplexity's best player: forced wins and losses are looked for before the search, and after it."""

import time
from contextlib import suppress
from typing import Any

from ... import Statistics
from ..interface import (
    Answer,
    Clock,
    EndgamePlan,
    Game,
    GameError,
    Limits,
    Line,
    SearchPlayer,
    SearchResult,
)
from .forced import Forced, ForcedSearch
from .game import Simplexity

_MEGABYTES = 16.0
_FIRST, _LOOKED, _SEARCHED, _CHECKED, _AGAIN = 0.1, 0.2, 0.6, 0.9, 0.03
"""Shares of what is left of a move's time, or nodes: for the forced result, a look at the actions, the search, the check of its action,
another search."""
_NEAR = 13
"""Plies within which an action is seen to lose before the search; most that lose at all lose so soon."""


class _StoppedError(Exception):
    """Somebody has stopped the search."""


class ForcedFirst(EndgamePlan):
    """Takes a forced win and puts off a forced loss; else the search's action, unless that is seen to lose by force.

    On boards of at most 64 bits, (rows + 1) x cols; with a limit of depth alone the search plays alone.
    """

    def __init__(self) -> None:
        self._forced: ForcedSearch | None = None

    def begin(self, searching: SearchPlayer) -> None:
        self._forced = _new_search(searching.game)  # a limit of nodes gives the same game again

    def warm(self, game: Game, state: Any) -> None:
        if (forced := _new_search(game)) is not None:
            forced.search(state, 1)

    def choose(self, searching: SearchPlayer, state: Any, clock: Clock) -> Answer | None:
        started, limits, forced = time.perf_counter(), searching.limits, self._forced
        only_depth = limits.depth is not None and limits.nodes is None and limits.seconds is None
        actions = searching.game.search_actions(state, searching.player)
        if forced is None or only_depth or len(actions) == 1:
            return None
        seconds, visited = searching.seconds(searching.deadline(clock).depth), 0

        def within(share: float) -> Limits:
            """That share of what is left."""
            left = None if seconds is None else seconds - (time.perf_counter() - started)
            return Limits(
                limits.depth,
                None if limits.nodes is None else max(1, int(share * (limits.nodes - visited))),
                None if left is None else max(1e-6, share * left),
            )

        def look(_: int = 0) -> None:
            if searching.stop is not None and searching.stop.stopped:
                raise _StoppedError

        lost_within: dict[int, int] = {}

        def loses(action: int, share: float, plies: int | None = None) -> bool:
            """Whether the action is seen to lose by force; then it is no longer among the actions."""
            nonlocal visited
            look()
            part, after = within(share), searching.game.next_state(state, action)
            asked = forced.ask(after, True, plies, seconds=part.seconds, nodes=part.nodes, on_wait=look)
            visited += asked.nodes
            if asked.reached:
                lost_within[action] = asked.plies
                actions.remove(action)
            return bool(asked.reached)

        action, result, share = actions[0], None, _SEARCHED
        with suppress(_StoppedError):
            part = within(_FIRST)
            found = forced.search(state, seconds=part.seconds, nodes=part.nodes, on_wait=look)
            visited += found.nodes
            if found.value != 0:
                action = forced.choice(state, found, within(_SEARCHED).seconds)
                spent = time.perf_counter() - started
                return Answer(action, _result_of(found, searching.player, action, spent))
            for left in range(len(actions), 0, -1):  # removed from behind, as they are seen to lose
                loses(actions[left - 1], _LOOKED / left, _NEAR)
            while actions:
                result = searching.search(state, within(share), among=actions)
                visited += result.statistics.nodes
                action, share = searching.chosen(result), _AGAIN
                if not loses(action, _CHECKED):
                    return Answer(action, result)
            action = max(lost_within, key=lambda one: lost_within[one])
        return Answer(action, result)


def _new_search(game: Game) -> ForcedSearch | None:
    """None for a board that is too large."""
    assert isinstance(game, Simplexity)
    try:
        return ForcedSearch(game, _MEGABYTES)
    except GameError:
        return None


def _result_of(found: Forced, player: int, action: int, seconds: float) -> SearchResult:
    """A forced result as that of a search."""
    value = float(found.value if player == 0 else -found.value)
    choice = {action: 1.0}
    return SearchResult(
        value=value,
        bounds=(value, value),
        strategies=(choice, {}) if player == 0 else ({}, choice),
        principal_variation=Line(((action, -1) if player == 0 else (-1, action),)),
        depth=found.plies,
        exact=True,
        complete=True,
        seconds=seconds,
        statistics=Statistics(nodes=found.nodes),
        plies=found.plies,
    )
