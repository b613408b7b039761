"""Tron-41 as the course plays it: its runner's rules about time and faults, and what it takes where nothing is said."""

import math
import random
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ....game import CHANCE, Game
from ....play.game import FaultPolicy, play_game
from ....players.base import Answer, Player
from ....players.clock import Clock
from ....players.fault import Fault, FaultKind
from ....players.seeds import SEED_BITS, derived_seed
from .. import ACTIONS, State, Tron41
from .limits import MAX_WAIT

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


class _Runner(FaultPolicy):
    """Too late or an exception is the move U, an answer that is no action an arbitrary one; neither ends the game."""

    forfeits = False

    def __init__(self, draw: random.Random) -> None:
        self._draw = draw
        self.mover, self.warning = 0, ""

    def judge(self, game: Game, state: State, player: int, answer: Answer | None, fault: Fault | None) -> Answer:
        action, self.mover, self.warning = _UP, player, ""
        if answer is not None and answer.warning:  # a bot file's fault, dealt with already
            action, self.warning = answer.action, f"moves {ACTIONS[answer.action]}: {answer.warning}"
        elif fault is None:
            assert answer is not None
            action = answer.action
        elif fault.kind is FaultKind.ILLEGAL:
            action, self.warning = self._draw.randrange(len(ACTIONS)), "moves somewhere: its answer was no action"
        elif answer is not None:
            self.warning = f"moves U, too {fault.text}"
        else:
            self.warning = f"moves U after an exception: {fault.text}"
        return Answer(action, warning=self.warning)

    def chance(self, game: Game, state: State, draw: random.Random) -> int:
        assert isinstance(game, Tron41)
        return self._draw.randrange(int(game.trap_choices(state)))


def play(
    game: Tron41,
    players: Sequence[Player],
    start: State,
    rules: CourseRules | None = None,
    seed: int | None = None,
    on_step: Callable[[State, int, str], None] | None = None,
) -> int:
    """Play one game by the runner's rules and give the winner, 0 or 1.

    `on_step` gets each position, who moved (0 or 1), and a warning or an empty string.
    """
    rules = rules or CourseRules()
    seed = secrets.randbits(SEED_BITS) if seed is None else seed
    runner = _Runner(random.Random(derived_seed(seed, "chance")))
    clock = Clock(rules.max_wait, rules.max_wait)

    def stepped(state: State, joint: tuple[int, int]) -> None:
        if on_step is not None and game.current_player(state) != CHANCE:  # a trap's cells are part of the move
            on_step(state, runner.mover, runner.warning)

    record = play_game(game, players, start, (clock, clock), seed, rules.tolerance, stepped, policy=runner)
    return 0 if record.result > 0 else 1
