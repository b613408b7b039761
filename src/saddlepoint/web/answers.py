"""A player's answer in a position: within its time, with its search ended when the time is over or the server ends."""

import time
from typing import Any, NamedTuple

from ..algorithms import Limits, SearchResult
from ..compiled import KernelError
from ..game import NO_ACTION, Game, GameError
from ..play.kept import KeptPlayers
from ..play.timely import Question, Timekeeper
from ..players.base import Answer, MachineFault, Player, PlayerError
from ..players.clock import Clock
from ..roster.make import make_player
from ..spec import SpecError
from . import limits
from .errors import Refused, first_line

_GRACE = 0.05
"""Seconds by which a search that knows its limit may overstep it before it is stopped."""


class _Made(NamedTuple):
    """What a player is made of."""

    game: Game
    spec: str
    nodes: int | None


class ReadyPlayers:
    """Players that are kept ready, each used by one answer at a time."""

    def __init__(self) -> None:
        self._kept = KeptPlayers(_made, limits.PLAYERS)
        self._timekeeper = Timekeeper()

    def answer(self, game: Game, state: Any, player: int, by: str, seconds: float, nodes: int | None) -> dict[str, Any]:
        """What the player `by` does as `player` in this position, as plain data."""
        if player not in game.players_to_act(state):
            raise Refused(f"player {player} has no choice in this position")
        try:
            with self._kept.use(_Made(game, by, nodes)) as one:
                one.begin(game, player)
                question = Question(search_until=time.monotonic() + seconds + _GRACE)
                self._timekeeper.watch(question)
                try:
                    found = question.put_to(one, state, Clock(seconds, seconds))
                finally:
                    question.stop()
        except (PlayerError, GameError, KernelError, MachineFault) as error:
            raise Refused(f"{by} has no answer: {first_line(error)}", 422) from None
        return answer_json(game, state, player, found)

    def close(self) -> None:
        """End every search, and forget the players."""
        self._timekeeper.close()
        self._kept.close()


def _made(what: _Made) -> Player:
    try:
        bounds = None if what.nodes is None else Limits(nodes=what.nodes, seconds=limits.SECONDS)
        return make_player(what.spec, what.game, bounds)
    except SpecError as error:
        raise Refused(first_line(error)) from None


def answer_json(game: Game, state: Any, player: int, answer: Answer) -> dict[str, Any]:
    """An answer as the page shows it."""
    action = answer.action
    if action not in game.legal_actions(state, player):
        raise Refused(f"the player chose {action}, which is not legal here", 422)
    told, found = answer.statistics, answer.findings

    def named(one: int) -> str:
        return game.action_to_string(state, player, one)

    mixture = found.strategies[player] if isinstance(found, SearchResult) else None
    line = _line(game, state, found.principal_variation) if isinstance(found, SearchResult) else []
    return {
        "action": action, "name": named(action),
        "seconds": None if told is None else told.seconds, "value": None if told is None else told.value,
        "depth": None if told is None else told.depth, "nodes": None if told is None else told.nodes,
        "strategy": [[one, named(one), share] for one, share in mixture.items()] if mixture else None, "line": line,
    }  # fmt: skip


def _line(game: Game, state: Any, actions: tuple[tuple[int, int], ...]) -> list[str]:
    """The moves of a line by name, as far as they are legal."""
    names: list[str] = []
    for joint in actions:
        to_act = game.players_to_act(state)
        if not to_act or any(joint[p] == NO_ACTION for p in to_act):
            break
        try:
            names.append(" ".join(game.action_to_string(state, p, joint[p]) for p in to_act))
            state = game.next_state(state, *(joint[p] for p in to_act))
        except GameError:
            break
    return names
