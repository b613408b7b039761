"""The plan of Simplexity's best player: forced wins and losses are looked for before the search, and after it."""

from typing import Any

from ... import (
    Limits,
    SearchResult,
    Statistics,
)
from ..interface import (
    Answer,
    Clock,
    EndgamePlan,
    Game,
    Line,
    SearchPlayer,
)
from .forced import Forced, ForcedAnswer, ForcedSearch
from .game import Simplexity

_MEGABYTES = 16.0
_FIRST, _LOOKED, _SEARCHED, _CHECKED, _AGAIN = 0.15, 0.6, 0.6, 0.9, 0.03
"""Shares of what is left of a move's time, or nodes, at most: for the forced result, a look at the actions, the search, the check of its
action, another search."""
_NEAR = 13
"""Plies within which an action is seen to lose before the search; most that lose at all lose so soon, and few looks take all their time."""


class ForcedFirst(EndgamePlan):
    """Takes a forced win and puts off a forced loss; else the search's action, unless that is seen to lose by force.

    On boards of at most 64 bits, (rows + 1) x cols; with a limit of depth alone the search plays alone.
    """

    def begin(self, searching: SearchPlayer) -> None:
        self._forced = _new_search(searching.game)  # a limit of nodes gives the same game again

    def warm(self, game: Game, state: Any) -> None:
        _new_search(game)

    def choose(self, searching: SearchPlayer, state: Any, clock: Clock) -> Answer | None:
        started, limits, forced = searching.now(), searching.limits, self._forced
        actions = searching.game.search_actions(state, searching.player)
        seconds = searching.seconds(searching.deadline(clock).depth)
        if (
            forced is None or len(actions) == 1 or limits == Limits(limits.depth) != Limits()
        ):  # of depth alone
            return None
        searched, result, looks = -forced.nodes, None, dict[int, ForcedAnswer]()

        def within(share: float) -> dict[str, Any]:
            """That share of what is left."""
            nodes = limits.nodes and max(1, int(share * (limits.nodes - searched - forced.nodes)))
            left = seconds and max(1e-6, share * (seconds + started - searching.now()))
            return {"nodes": nodes, "seconds": left, "stop": searching.stop}

        def look(action: int, share: float, plies: int | None = None) -> None:
            """Note whether the action loses by force, where that can be told; then it is no longer among the actions."""
            # When time is up, on a busy machine even the moments that a look takes are long.
            if not seconds or searching.now() < started + seconds:
                asked = forced.ask(searching.game.next_state(state, action), True, plies, **within(share))
                if asked.plies:
                    looks[action] = asked
                if asked.reached:
                    actions.remove(action)

        found = forced.search(state, _NEAR + 1, **within(_FIRST))
        if found.value != 0:
            action = forced.choice(state, found, **within(_SEARCHED))
            return Answer(action, _result_of(found, searching.player, action, searching.now() - started))
        for left in range(len(actions), 0, -1):  # removed from behind, as they are seen to lose
            look(actions[left - 1], _LOOKED / left, _NEAR)
        while actions:
            part = within(_AGAIN if result else _SEARCHED)
            limit = Limits(limits.depth, part["nodes"], part["seconds"])
            result = searching.search(state, limit, among=actions)
            searched += result.statistics.nodes
            action = searching.chosen(result)
            look(action, _CHECKED)
            actions = [one for one in actions if one in looks] or actions
            if action in actions:
                return Answer(action, result)
        return Answer(max(looks, key=lambda one: looks[one].plies), result)


def _new_search(game: Game) -> ForcedSearch | None:
    """None for a board that is too large."""
    assert isinstance(game, Simplexity)
    return ForcedSearch(game, _MEGABYTES) if game.columns.words == 1 else None


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
