"""The contest's referee for two Light Riders bots: its rules, its clock, and what it does about errors."""

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from ....description import Referee
from ....game import Game
from ....play.endings import told_apart
from ....play.game import FaultPolicy, play_game
from ....play.replay import game_json
from ....players.base import Answer
from ....players.clock import Clock
from ....players.fault import Fault
from ....programs.isolation import Isolation
from ..game import LightRiders, State
from .player import ProcessPlayer
from .words import INVALID

_GRACE = 0.25  # seconds a bot has to leave by itself after the game


@dataclass(frozen=True)
class RefereeRules:
    """Seconds of the bank at the start (and at most), seconds added a move, errors that are forgiven."""

    timebank: float = 10.0
    time_per_move: float = 0.2
    max_timeouts: int = 0

    def __post_init__(self) -> None:
        if self.timebank <= 0 or self.time_per_move < 0 or self.max_timeouts < 0:
            raise ValueError("the time bank must be above 0, the time per move and the timeouts 0 or more")


class _Engine(FaultPolicy):
    """What is no move is straight on, with a warning; so is no answer. At one too many a bot is shut down, not its rider."""

    forfeits = False

    def __init__(self, bots: tuple[ProcessPlayer, ProcessPlayer]) -> None:
        self._bots = bots
        self.shut_down: list[Fault | None] = [None, None]

    def stand_in(self, game: Game, state: State, player: int) -> Answer | None:
        return Answer(_straight(state, player)) if self.shut_down[player] is not None else None

    def judge(self, game: Game, state: State, player: int, answer: Answer | None, fault: Fault | None) -> Answer:
        if fault is None and answer is not None:
            return answer
        if answer is not None:
            return Answer(_straight(state, player), None, answer.said, INVALID)
        if self._bots[player].process is None:
            self.shut_down[player] = fault
        return Answer(_straight(state, player))


def _straight(state: State, player: int) -> int:
    return int(state.direction1 if player else state.direction0)


def referee(
    game: LightRiders,
    commands: tuple[str, str],
    start: State,
    rules: RefereeRules | None = None,
    seed: int | None = None,
    isolation: Isolation | None = None,
) -> dict[str, Any]:
    """Play one game between two programs; its replay, as plain data. Raises PlayerError where one cannot even be started.

    Both are asked one after the other about the same position. At its first error too many a bot is shut down; its
    rider then goes straight on until it dies, and may still win.
    """
    rules = rules or RefereeRules()
    clock = Clock(rules.timebank, rules.time_per_move, rules.timebank)
    bots = (
        ProcessPlayer(commands[0], game, isolation, rules.max_timeouts),
        ProcessPlayer(commands[1], game, isolation, rules.max_timeouts),
    )
    bots[0].beside, bots[1].beside = bots[1], bots[0]
    engine, states = _Engine(bots), [start]

    def on_step(state: State, joint: tuple[int, int]) -> None:
        states.append(state)

    try:
        # A bot's process is waited for until its bank is used up: there is nothing to forgive.
        record = play_game(game, bots, start, (clock, clock), None, math.inf, on_step, policy=engine)
    finally:
        for bot in bots:
            bot.close(_GRACE)  # the end of its input tells it that the game is over
    faults = (engine.shut_down[0], engine.shut_down[1])
    record = replace(record, faults=faults, reason=how_it_ended(game, states, commands))
    return game_json(game, record, commands, game.to_text(start), seed, asdict(rules))


def how_it_ended(game: LightRiders, states: Sequence[State], players: Sequence[str]) -> str:
    """Who ran into what in the last round, given the game's positions and the players' names."""
    end = states[-1]
    if end.alive == 3:
        return f"both are alive after {end.round} rounds, the limit"
    if len(states) < 2:
        return "the game was over at the start"
    ends = zip(told_apart(players), game.ending(states), strict=True)
    fates = [f"{name} {one.words}" for name, one in ends if one is not None]
    return f"{' and '.join(fates)} in round {states[-2].round}"


REFEREE = Referee(ProcessPlayer, RefereeRules, referee)
