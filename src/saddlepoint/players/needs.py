"""What is to be compiled before a game, by its name, how long that takes, and how it is compiled in this process."""

import os
import random
from contextlib import AbstractContextManager, closing
from dataclasses import fields
from typing import Any, NamedTuple

from ..compiled import PLAIN_PYTHON, forecast
from ..compiled.announce import compiling
from ..compiled.component import in_package
from ..game import CHANCE, Game
from ..spec import Spec
from .base import MakePlayer

_UNKNOWN = 5.0
"""Seconds that a player may take of which nothing is known."""
_MOST_STEPS = 3000


class Need(NamedTuple):
    """A player that shall be compiled for a game."""

    game: Game
    player: str

    @property
    def task(self) -> str:
        """What this is called: the game, with the parameters that are not the usual ones, and the player."""
        given = {field.name: getattr(self.game, field.name) for field in fields(self.game)}  # type: ignore[arg-type]
        usual = {field.name: field.default for field in fields(self.game)}  # type: ignore[arg-type]
        others = {name: value for name, value in given.items() if value != usual[name]}
        return f"{Spec(self.game.name or type(self.game).__name__, others)} {self.player}"

    @property
    def is_known(self) -> bool:
        """Whether the name says what is compiled: the rules of a game that is not this library's may change under theirs."""
        return in_package(type(self.game))

    @property
    def seconds(self) -> float:
        """What it is expected to take, of one core."""
        if PLAIN_PYTHON or (self.is_known and forecast.is_compiled(self.task)):
            return 0.0
        known = forecast.expected(self.task)
        return _UNKNOWN if known is None else known

    def compiling(self) -> AbstractContextManager[None]:
        """Around the compilation, which is then known by this name."""
        return compiling(self.task if self.is_known else None)


def compile_need(make: MakePlayer, need: Need, niceness: int = 0) -> None:
    """Make a player, and compile or load all that it and the game's rules need."""
    if niceness:
        os.setpriority(os.PRIO_PROCESS, 0, niceness)
    with closing(make(need.player, need.game)) as player:
        start = need.game.initial_state()
        with need.compiling():
            asked = warm_rules(need.game, start)
            for seat in (0, 1):
                player.warm(need.game, asked.get(seat, start), (seat,))
    if need.is_known:
        forecast.note_compiled(need.task)


def warm_rules(game: Game, start: Any) -> dict[int, Any]:
    """Compile, or load, the rules: play one game at random with all that the arena and simple players ask of them.

    Returns a position in which each player, 0 or 1, chooses; without those who never got to.
    """
    draw = random.Random(0)
    asked: dict[int, Any] = {}
    state = start
    game.from_text(game.to_text(state))
    for _ in range(_MOST_STEPS):
        if game.current_player(state) == CHANCE:
            state = game.next_state(state, draw.choice(game.chance_outcomes(state))[0])
            continue
        to_act = game.players_to_act(state)
        if not to_act:
            game.returns(state)
            break
        chosen: list[int] = []
        for player in to_act:
            asked.setdefault(player, state)
            actions = game.legal_actions(state, player)
            game.search_actions(state, player)
            game.choices(state, player)
            game.action_to_string(state, player, actions[0])
            chosen.append(draw.choice(actions))
        state = game.next_state(state, *chosen)
    return asked
