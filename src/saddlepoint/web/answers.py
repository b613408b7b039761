"""A player's answer in a position, within its time; and what has to be compiled before."""

import time
from typing import Any, NamedTuple

from ..algorithms import Limits, SearchResult
from ..compiled import KernelError
from ..game.base import Game, GameError
from ..game.spec import SpecError
from ..games.catalogue.make import make_player
from ..play.pool import KeptPlayers
from ..play.preparation import BusyError, Need, Preparation
from ..play.timely import Question, Timekeeper
from ..players.base import Answer, MachineFault, Player, PlayerError
from ..players.clock import Clock, Deadline
from ..system.text import error_line
from . import limits
from .catalogue import KnownGame
from .limits import Refused, StillCompiling, refusing

MOST = 8
"""Players that may wait to be compiled."""
RULES = "random"
"""The player that needs nothing but the rules."""


def missing(preparation: Preparation, known: KnownGame, player: str) -> StillCompiling | None:
    """The part of a player that is not compiled yet, whose compilation this call starts.

    None where it may play.

    Raises Refused where it cannot be compiled.
    """
    try:
        task = preparation.missing(Need(known.game, player))
    except BusyError:
        raise Refused("too much is being compiled already; try again in a moment", 503) from None
    except Exception as error:
        raise Refused(f"{player} cannot play {known.spec}: {error_line(error)}") from None
    return (
        None
        if task is None
        else StillCompiling(
            f"{known.spec}: {player}", round(time.monotonic() - task.asked, 1), preparation.ahead(task)
        )
    )


# A player's answer in a position: within its time, with its search ended when the time is over or the server ends.

_GRACE = 0.05
"""Seconds by which a search that knows its limit may overstep it before it is stopped."""


class _Made(NamedTuple):
    game: Game
    spec: str
    nodes: int | None


class ReadyPlayers:
    """Players that are kept ready, each used by one answer at a time."""

    def __init__(self) -> None:
        self._kept = KeptPlayers(_made, limits.PLAYERS)
        self._timekeeper = Timekeeper()

    def answer(
        self, game: Game, state: Any, player: int, by: str, seconds: float, nodes: int | None
    ) -> dict[str, Any]:
        """The move of the player `by` as `player` in this position, as plain data."""
        if player not in game.players_to_act(state):
            raise Refused(f"player {player} has no choice in this position")
        try:
            with self._kept.use(_Made(game, by, nodes)) as one:
                one.begin(game, player)
                question = Question(Deadline(seconds + _GRACE))
                self._timekeeper.watch(question)
                try:
                    found = question.answer_of(one, state, Clock(seconds, seconds))
                finally:
                    question.stop()
        except (PlayerError, GameError, KernelError, MachineFault) as error:
            raise Refused(f"{by} has no answer: {error_line(error)}", 422) from None
        return answer_json(game, state, player, found)

    def close(self) -> None:
        self._timekeeper.close()
        self._kept.close()


def _made(what: _Made) -> Player:
    with refusing(SpecError):
        return make_player(
            what.spec,
            what.game,
            None if what.nodes is None else Limits(nodes=what.nodes, seconds=limits.SECONDS),
        )


def answer_json(game: Game, state: Any, player: int, answer: Answer) -> dict[str, Any]:
    action = answer.action
    if action not in game.legal_actions(state, player):
        raise Refused(f"the player chose {action}, which is not legal here", 422)
    statistics, found = answer.statistics, answer.findings

    def named(one: int) -> str:
        return game.action_to_string(state, player, one)

    mixture = found.strategies[player] if isinstance(found, SearchResult) else None
    line = found.principal_variation.in_words(game, state) if isinstance(found, SearchResult) else []
    return {
        "action": action,
        "name": named(action),
        "seconds": None if statistics is None else statistics.seconds,
        "value": None if statistics is None else statistics.value,
        "depth": None if statistics is None else statistics.depth,
        "nodes": None if statistics is None else statistics.nodes,
        "strategy": [[one, named(one), share] for one, share in mixture.items()] if mixture else None,
        "line": line,
    }
