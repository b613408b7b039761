"""A player that is another program, in any language, speaking riddles.io's protocol of Light Riders."""

from typing import Any

from ...._text import words_in
from ....game import NO_ACTION, Game
from ....players.base import Answer, PlayerError
from ....players.clock import Clock
from ....players.fault import FaultKind
from ....programs.isolation import Isolation
from ....programs.player import ProgramPlayer
from ....programs.process import LineProcess
from ....protocols.opening import Opening, quoted
from ....spec import SpecError
from ..game import LightRiders
from .words import INVALID, MOVES, direction_taken, round_lines, settings_lines, told_clock

_LONGEST_ANSWER = 1000  # characters of an answer that are worth keeping
_TRIAL = Clock(10.0, 0.2)


def opening(game: Game) -> Opening:
    """The settings and the first round: a bot answers with its first move."""
    assert isinstance(game, LightRiders)
    lines = (*settings_lines(game, 0, _TRIAL), *round_lines(game, game.initial_state(), _TRIAL))
    return Opening(lines, lambda line: " ".join(words_in(line)).lower() in MOVES, "a direction such as up after `action move 10000`")


class ProcessPlayer(ProgramPlayer):
    """Starts `command` afresh for every game, and ends it with all its children after the game.

    `forgives` is how often in a game it may give no answer before it is ended.
    """

    def __init__(self, command: str, game: Game, isolation: Isolation | None = None, forgives: int = 0) -> None:
        if not isinstance(game, LightRiders):
            raise SpecError(f"riddles.io's protocol is for light_riders; there is none for {game.name}")
        super().__init__()
        self.command, self.isolation, self.forgives = command, isolation, forgives
        self.beside: ProcessPlayer | None = None
        """Another program, which is listened to while this one is waited for."""
        self.is_silent = False
        """Whether it gave no answer in its trial: it may speak another protocol."""

    def begin(self, game: Game, player: int, seed: int | None = None) -> None:
        super().begin(game, player, seed)
        self._end()
        self._settings_told, self._unanswered = False, 0
        self._begin_transcript()
        self._start(LineProcess(self.command, self.isolation))

    def try_start(self, game: Game) -> None:
        """The protocol has no word that a bot is ready: it is one that is there still when it is asked for a move."""
        try:
            self.begin(game, 0)
            self._unanswered = -1  # it is still there to say its last words
            self.choose(game.initial_state(), _TRIAL)
        except PlayerError as error:
            self.is_silent = error.kind == FaultKind.LATE
            if error.kind == FaultKind.CRASH:
                raise PlayerError(f"{error}{self.process.last_words() if self.process is not None else ''}", error.kind) from error
        finally:
            self._end()

    def choose(self, state: Any, clock: Clock) -> Answer:
        """The direction its answer means; an illegal action where it means none. Raises PlayerError where there is no answer."""
        assert isinstance(self.game, LightRiders)
        if self.process is None:
            raise PlayerError("the program was ended before", FaultKind.CRASH)
        if not self._settings_told:
            self.process.send(settings_lines(self.game, self.player, clock))
            self._settings_told = True
        beside = [self.beside.process] if self.beside is not None and self.beside.process is not None else []
        reply = self.process.ask(round_lines(self.game, state, clock), told_clock(clock).bank, beside)
        if reply.line is None:
            error = reply.error or PlayerError("no answer")
            if error.kind is FaultKind.LATE and (text := self.process.unfinished):
                error = PlayerError(f"{error}: it wrote {quoted(text)} without the end of the line", FaultKind.LATE)
            self._unanswered += 1
            if self._unanswered > self.forgives:
                self._end()  # its processes are gone before anybody hears of the fault
            raise error
        said, direction = reply.line[:_LONGEST_ANSWER], state.direction0 if self.player == 0 else state.direction1
        taken, warning = direction_taken(said, direction, state.round)
        if warning == INVALID:
            return Answer(NO_ACTION, None, said, f"{said[:40]!r} is no move{_meant(said)}")
        return Answer(taken, None, said, warning)


def _meant(said: str) -> str:
    """What an answer should have been, where that can be seen."""
    match words_in(said.lower()):
        case ["move", word] if word in MOVES:
            return f"; expected was the direction alone, {word}"
        case _:
            return ""
