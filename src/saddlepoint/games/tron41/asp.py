"""Bot files of the Tron-41 course as players in processes of their own, and games by the rules of its runner."""

import json
import math
import os
import random
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..interface import (
    CHANCE,
    Answer,
    Clock,
    Fault,
    FaultKind,
    FaultPolicy,
    Game,
    Isolation,
    LineProcess,
    Player,
    PlayerError,
    ProgramPlayer,
    SpecError,
    defines_class,
    json_object,
    play_game,
)
from .bot_file import MAX_WAIT
from .bot_host import CLASSES
from .game import (
    ACTIONS,
    Tron41,
)
from .rules import (
    UP,
    State,
)

_HOST = Path(__file__).with_name("bot_host.py")
_STARTING = 20.0  # seconds for what a bot imports and builds
_CLEANING = 2.0
_MOST_ANSWERS = 10_000
_SWALLOWED = 0.2  # what an answer may take longer than its limit, in a bot that catches the time-out


class AspPlayer(ProgramPlayer):
    """Plays by the course's rules: too late or an exception is the move U, what is no direction an arbitrary one.

    `bot_class` is the class in the file, StudentBot or UserBot if not given. A move may take `max_wait` seconds, or what
    is left on the clock if that is less. The bot lives from game to game, with `cleanup()` between them; one that hangs
    is ended and started afresh. The answer's warning says what went wrong.
    """

    def __init__(
        self,
        file: str,
        bot_class: str | None = None,
        max_wait: float = MAX_WAIT,
        isolation: Isolation | None = None,
    ) -> None:
        path = Path(os.path.expanduser(file))
        if not path.is_file() or path.suffix != ".py":
            raise SpecError(
                f"a program that plays tron41 is a Python file with a bot class; {file!r} is none"
            )
        if not 0 < max_wait < math.inf:
            raise SpecError(f"max_wait takes seconds above 0, not {max_wait}")
        super().__init__()
        self.file, self.bot_class, self.max_wait, self.isolation = path, bot_class, max_wait, isolation
        self._played = False
        self._answers = 0
        self._error: PlayerError | None = None

    def isolate(self, isolation: Isolation) -> bool:
        self.isolation = isolation
        return True

    def begin(self, game: Game, player: int, seed: int | None = None) -> None:
        super().begin(game, player, seed)
        self._random = random.Random(seed)
        if self._played and self.process is not None:
            # A stream is read up to a limit: a process does not answer for ever.
            if self._answers > _MOST_ANSWERS or "clean" not in self._ask({"cleanup": seed}, _CLEANING):
                self._end()
        self._played = False
        self._begin_transcript()
        if self.process is None:
            self._begin_bot()

    def choose(self, state: State, clock: Clock) -> Answer:
        assert isinstance(self.game, Tron41)
        if self.process is None:
            self._begin_bot()
        self._played = True
        limit = max(0.001, min(self.max_wait, clock.bank))
        reply = self._ask({"decide": position(self.game, state), "limit": limit}, limit + _SWALLOWED)
        answer = reply.get("answer")
        if isinstance(answer, str) and len(answer) == 1 and answer in ACTIONS:
            return Answer(ACTIONS.index(answer))
        if answer is not None:
            return Answer(self._random.randrange(len(ACTIONS)), warning=f"{answer!r} is no direction")
        if "late" not in reply and "error" not in reply:
            self._end()  # it hangs, or is gone
        return Answer(UP, warning=reply.get("error", f"no answer within {limit:g} s"))

    def _begin_bot(self) -> None:
        arguments = [sys.executable, str(_HOST), str(self.file.resolve())]
        self._start(
            LineProcess([*arguments, self.bot_class] if self.bot_class else arguments, self.isolation)
        )
        self._answers = 0
        reply = self._ask({"start": self.seed}, _STARTING)
        if "ready" not in reply:
            self._end()
            kind = FaultKind.ERROR if self._error is None else self._error.kind
            raise PlayerError(f"{self.file}: {reply.get('error') or self._error or 'it did not start'}", kind)

    def _ask(self, question: dict[str, Any], seconds: float) -> dict[str, Any]:
        """The answer as the host gives it; an empty one where there is none in time, or none of its kind."""
        assert self.process is not None
        self._answers += 1
        reply = self.process.ask([json.dumps(question)], seconds)
        self._error = reply.error
        if reply.error is not None and reply.error.kind in (
            FaultKind.ESCAPE,
            FaultKind.MEMORY,
        ):  # the course's rules know neither
            self._end()
            raise reply.error
        try:
            return json_object(reply.line or "{}")
        except ValueError:
            return {}


def position(game: Tron41, state: State) -> dict[str, Any]:
    """A position as the course's code has it, in JSON's kinds of data."""
    owned = [
        {**({"@": 1} if armor else {}), **({"^": int(speed)} if speed else {})}
        for armor, speed in ((state.armor0, state.speed0), (state.armor1, state.speed1))
    ]
    return {
        "board": game.field(state),
        "locs": [game.position(state, player) for player in (0, 1)],
        "ptm": int(state.turn),
        "powerups": owned,
    }


def asp_player(command: str, game: Game, isolation: Isolation | None = None) -> AspPlayer:
    file, mark, name = command.rpartition(":")
    if mark and name.isidentifier() and file.endswith(".py"):
        return AspPlayer(file, name, isolation=isolation)
    return AspPlayer(command, isolation=isolation)


def is_bot_file(words: Sequence[str], file: Path | None, is_other: bool) -> bool:
    """Whether a command is `FILE.py` or `FILE.py:CLASS`, and no program or player of this library without a bot of the course's."""
    if file is not None:
        return defines_class(file, CLASSES) or not is_other
    return len(words) == 1 and words[0].rpartition(":")[0 if ":" in words[0] else 2].endswith(".py")


# Tron-41 as the course plays it: its runner's rules about time and faults, and what it takes where nothing is said.


@dataclass(frozen=True)
class Edition:
    """The defaults of the course's runner in a year."""

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


class _Runner(FaultPolicy):
    """Too late or an exception is the move U, an answer that is no action an arbitrary one; neither ends the game."""

    forfeits = False

    def __init__(self, draw: random.Random) -> None:
        self._draw = draw
        self.mover, self.warning = 0, ""

    def judge(
        self, game: Game, state: State, player: int, answer: Answer | None, fault: Fault | None
    ) -> Answer:
        action, self.mover, self.warning = UP, player, ""
        if answer is not None and answer.warning:  # a bot file's fault, dealt with already
            action, self.warning = answer.action, f"moves {ACTIONS[answer.action]}: {answer.warning}"
        elif fault is None:
            assert answer is not None
            action = answer.action
        elif fault.kind is FaultKind.ILLEGAL:
            action, self.warning = (
                self._draw.randrange(len(ACTIONS)),
                "moves somewhere: its answer was no action",
            )
        elif answer is not None:
            self.warning = f"moves U, too {fault.text}"
        else:
            self.warning = f"moves U after an exception: {fault.text}"
        return Answer(action, warning=self.warning)

    def chance(self, game: Game, state: State, draw: random.Random) -> int:
        assert isinstance(game, Tron41)
        return draw.randrange(int(game.trap_choices(state)))


def play(
    game: Tron41,
    players: Sequence[Player],
    start: State,
    max_wait: float = MAX_WAIT,
    seed: int | None = None,
    on_step: Callable[[State, int, str], None] | None = None,
    tolerance: float = 0.05,
) -> int:
    """Play one game by the runner's rules and give the winner, 0 or 1.

    A move takes `max_wait` seconds at most; `tolerance` is forgiven on a busy machine.
    `on_step` gets each position, who moved (0 or 1), and a warning or an empty string.
    """
    runner = _Runner(random.Random(seed))
    clock = Clock(max_wait, max_wait)

    def stepped(state: State, joint: tuple[int, int]) -> None:
        if (
            on_step is not None and game.current_player(state) != CHANCE
        ):  # a trap's cells are part of the move
            on_step(state, runner.mover, runner.warning)

    record = play_game(game, players, start, (clock, clock), seed, tolerance, stepped, policy=runner)
    return 0 if record.result > 0 else 1
