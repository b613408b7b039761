"""A player's answer in a position: within its time, with its search ended when the time is over or the server ends."""

import threading
from collections import OrderedDict
from typing import Any

from ..algorithms import Limits, SearchResult, StopToken
from ..compiled import KernelError
from ..game import NO_ACTION, Game, GameError
from ..players.base import Answer, MachineFault, Player, PlayerError
from ..players.clock import Clock
from ..players.searching import SearchPlayer
from ..roster.make import make_player
from ..spec import SpecError
from . import limits
from .errors import Refused, first_line

_GRACE = 0.05
"""Seconds by which a search that knows its limit may overstep it before it is stopped."""


class Players:
    """Players that are kept ready, each used by one answer at a time."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._idle: OrderedDict[tuple[str, str, int | None], list[Player]] = OrderedDict()
        self._running: set[StopToken] = set()
        self._closed = False

    def answer(self, spec: str, game: Game, state: Any, player: int, by: str, seconds: float, nodes: int | None) -> dict[str, Any]:
        """What the player `by` does as `player` in this position, as plain data."""
        if player not in game.players_to_act(state):
            raise Refused(f"player {player} has no choice in this position")
        key = spec, by, nodes
        one = self._take(key) or _made(by, game, nodes)
        token = StopToken()
        timer = threading.Timer(seconds + _GRACE, token.stop)
        timer.daemon = True
        self._begin(token)
        try:
            if isinstance(one, SearchPlayer):
                one.stop = token
            one.begin(game, player)
            timer.start()
            found = Answer.of(one.choose(state, Clock(seconds, seconds)))
        except (PlayerError, GameError, KernelError, MachineFault) as error:
            one.close()
            raise Refused(f"{by} has no answer: {first_line(error)}", 422) from None
        except BaseException:
            one.close()
            raise
        finally:
            timer.cancel()
            with self._lock:
                self._running.discard(token)
        self._put(key, one)
        return answer_json(game, state, player, found)

    def close(self) -> None:
        """End every search, and forget the players."""
        with self._lock:
            self._closed = True
            running, idle = list(self._running), [one for ready in self._idle.values() for one in ready]
            self._idle.clear()
        for token in running:
            token.stop()
        for one in idle:
            one.close()

    def _begin(self, token: StopToken) -> None:
        with self._lock:
            self._running.add(token)
            closed = self._closed
        if closed:
            token.stop()

    def _take(self, key: tuple[str, str, int | None]) -> Player | None:
        with self._lock:
            ready = self._idle.get(key)
            if not ready:
                return None
            one = ready.pop()
            if not ready:
                del self._idle[key]
            return one

    def _put(self, key: tuple[str, str, int | None], one: Player) -> None:
        forgotten: list[Player] = []
        with self._lock:
            if self._closed:
                forgotten.append(one)
            else:
                self._idle.setdefault(key, []).append(one)
                self._idle.move_to_end(key)
                while sum(map(len, self._idle.values())) > limits.PLAYERS:
                    oldest = next(iter(self._idle))
                    forgotten.append(self._idle[oldest].pop(0))
                    if not self._idle[oldest]:
                        del self._idle[oldest]
        for old in forgotten:
            old.close()


def _made(by: str, game: Game, nodes: int | None) -> Player:
    try:
        return make_player(by, game, None if nodes is None else Limits(nodes=nodes, seconds=limits.SECONDS))
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
