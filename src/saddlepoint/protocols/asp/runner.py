"""Tron-41 as the course plays it: its runner's rules about time and faults, and what it takes where nothing is said."""

import math
import random
import secrets
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ...game import CHANCE, TERMINAL
from ...games.tron41 import ACTIONS, State, Tron41
from ...players.base import Player
from ...players.clock import Clock
from ...players.seeds import SEED_BITS, derived_seed, player_seed
from .player import MAX_WAIT, AspPlayer

_UP = ACTIONS.index("U")


@dataclass(frozen=True)
class Edition:
    """What the course's runner of a year takes where an option is not given."""

    map: str
    start: str
    max_wait: float
    bots: tuple[str, str]
    alternates: bool
    """Whether game i of several begins with player i mod 2; else always with player 1."""


EDITIONS = {
    "2019": Edition("empty_room", "map", 0.3, ("wall", "random"), False),
    "2021": Edition("small_room", "random", 1.0, ("random", "random"), True),
}


@dataclass(frozen=True)
class CourseRules:
    """What the runner does about time: `max_wait` seconds a move; `tolerance` is forgiven on a busy machine."""

    max_wait: float = MAX_WAIT
    tolerance: float = 0.05

    def __post_init__(self) -> None:
        if not (0 < self.max_wait < math.inf and self.tolerance >= 0):
            raise ValueError(f"max_wait takes seconds above 0, not {self.max_wait}")


def play(
    game: Tron41,
    players: Sequence[Player],
    start: State,
    rules: CourseRules | None = None,
    seed: int | None = None,
    on_step: Callable[[State, int, str], None] | None = None,
) -> int:
    """Play one game by the runner's rules and give the winner, 0 or 1.

    Too late or an exception is the move U, an answer that is no action an arbitrary one; neither ends the game.
    `on_step` gets each position, who moved (0 or 1), and a warning or an empty string.
    """
    rules = rules or CourseRules()
    seed = secrets.randbits(SEED_BITS) if seed is None else seed
    draw = random.Random(derived_seed(seed, "chance"))
    for number, player in enumerate(players):
        player.begin(game, number, player_seed(seed, number))
    clock = Clock(rules.max_wait, rules.max_wait)
    state = start
    while (node := game.current_player(state)) != TERMINAL:
        action, warning = _decision(players[node], state, clock, rules, draw)
        state = game.next_state(state, action)
        if game.current_player(state) == CHANCE:
            state = game.next_state(state, draw.randrange(int(game.trap_choices(state))))
        if on_step is not None:
            on_step(state, int(node), warning)
    return 0 if game.returns(state) > 0 else 1


def _decision(player: Player, state: State, clock: Clock, rules: CourseRules, draw: random.Random) -> tuple[int, str]:
    """The action that counts, and what was wrong with the player's own."""
    known = len(_faults(player))
    started = time.perf_counter()
    try:
        action = int(player.choose(state, clock))
    except Exception as error:
        return _UP, f"moves U after an exception: {type(error).__name__}: {error}".splitlines()[0]
    faults = _faults(player)
    if len(faults) > known:  # a bot file's fault, dealt with already
        return action, f"moves {ACTIONS[action]}: {faults[-1]}"
    used = time.perf_counter() - started
    if used > rules.max_wait + rules.tolerance:
        return _UP, f"moves U, too late: {used:.3f} s"
    if action not in range(len(ACTIONS)):
        return draw.randrange(len(ACTIONS)), "moves somewhere: its answer was no action"
    return action, ""


def _faults(player: Player) -> list[str]:
    """What went wrong with a bot file in this game."""
    return player.faults if isinstance(player, AspPlayer) else []
