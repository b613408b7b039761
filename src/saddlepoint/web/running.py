"""The games of a ledger that are being played, as the page draws them."""

from collections import OrderedDict
from typing import Any

from ..arena.conditions import in_words
from ..arena.ledger import LedgerError, Tournament
from ..arena.ledger.running import RunningGame
from ..arena.settings import game_of
from ..game import Game
from ..picture import Picture, continued
from ..play.player_words import player_words
from ..play.replay import steps_of
from ..play.turns import Turns
from ..play.viewer.data import heading_of
from . import limits
from .positions import UNREADABLE

SHOWN = 4
"""Games in one answer."""
_POSITIONS = 8
"""Positions of each: the page shows what was played since it asked last."""
_KEPT = 16


class _Followed:
    """A game as far as it was seen; it goes on from there."""

    def __init__(self, game: Game, opening: str) -> None:
        self.game = game
        self.states: list[Any] = [game.from_text(opening)]
        self.names: list[tuple[str | None, str | None]] = [(None, None)]
        self.pictures: list[Picture] = [game.picture(self.states[0])]
        self.actions: tuple[tuple[int, int], ...] = ()

    def go_on(self, actions: tuple[tuple[int, int], ...]) -> None:
        """Play the moves that are new."""
        for step in steps_of(self.game, self.states[-1], actions[len(self.actions) :]):
            drawn = None if step.chance is None else self.game.outcome_to_string(step.before, step.chance)
            self.states.append(step.after)
            self.names.append(step.names if drawn is None else (drawn, None))
            self.pictures.append(continued(self.pictures[-1], self.game.picture(step.after)))
        self.actions = actions

    def positions(self) -> list[dict[str, Any]]:
        """The last positions."""
        turns = Turns(self.game, self.states)
        first = max(0, len(self.states) - _POSITIONS)
        return [
            {
                "number": at, "turn": turns.done(at), "picture": self.pictures[at].to_json() | {"moves": []},
                "names": list(self.names[at]),
            }
            for at in range(first, len(self.states))
        ]  # fmt: skip


class RunningBoards:
    """The boards of games that are being played; what was seen of a game is kept, so that it is not played again. For one thread."""

    def __init__(self) -> None:
        self._followed: OrderedDict[tuple[Any, ...], _Followed] = OrderedDict()

    def told(self, one: RunningGame, tournament: Tournament) -> dict[str, Any]:
        """A game as plain data; without positions where its rules are not at hand or do not fit."""
        told: dict[str, Any] = {
            "tournament": one.tournament, "number": one.number, "players": list(one.players),
            "titles": [player_words(spec) for spec in one.players], "event": event_of(tournament, one.number),
            "limits": in_words(tournament.conditions), "title": "", "turn_word": "", "positions": [],
        }  # fmt: skip
        try:
            followed = self._follow(one, tournament)
            told |= {
                "title": heading_of(followed.game), "turn_word": Turns(followed.game, followed.states).word,
                "positions": followed.positions(),
            }  # fmt: skip
        except (LedgerError, *UNREADABLE):
            pass
        return told

    def _follow(self, one: RunningGame, tournament: Tournament) -> _Followed:
        key = (one.tournament, one.number, one.began, one.players, one.opening)
        followed = self._followed.pop(key, None)  # one whose moves fit no longer is begun anew
        actions = one.actions[: limits.MOVES]
        if followed is None or actions[: len(followed.actions)] != followed.actions:
            followed = _Followed(game_of(tournament), one.opening)
        followed.go_on(actions)
        self._followed[key] = followed
        while len(self._followed) > _KEPT:
            self._followed.popitem(last=False)
        return followed


def event_of(tournament: Tournament, number: int) -> str:
    """Which game of which tournament it is, in words: people count from 1."""
    return f"{tournament.kind} {tournament.id}, game {number + 1}".capitalize()
