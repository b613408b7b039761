"""A player that is another program, in any language, speaking riddles.io's protocol of Light Riders."""

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

from ...game import Game
from ...games.light_riders import LightRiders
from ...players.base import Player, PlayerError
from ...players.clock import Clock
from ...players.fault import FaultKind
from ...programs.isolation import Isolation
from ...programs.process import LineProcess, Reply
from ...programs.transcript import Transcript
from ...spec import SpecError
from .words import INVALID, direction_taken, round_lines, settings_lines, told_clock


class ProcessPlayer(Player):
    """Starts `command` afresh for every game, and ends it with all its children after the game."""

    def __init__(self, command: str, game: Game, isolation: Isolation | None = None) -> None:
        if not isinstance(game, LightRiders):
            raise SpecError(f"riddles.io's protocol is for light_riders; there is none for {game.name}")
        self.command, self.isolation = command, isolation
        self._log: Path | None = None
        self._transcript: Transcript | None = None
        self.process: LineProcess | None = None

    def begin(self, game: Game, player: int, seed: int | None = None) -> None:
        super().begin(game, player, seed)
        self.close()
        self._settings_told = False
        self.process = LineProcess(self.command, self.isolation)
        if self._log is not None:
            with suppress(OSError):  # a full disk costs the log, not the game
                self._transcript = Transcript(self._log)
                self.process.log_to(self._transcript)

    def log_to(self, file: Path | None) -> None:
        self._log = file

    def warm(self, game: Game, state: Any, seats: Iterable[int] = (0, 1)) -> None:
        """The program starts with its game; it has its clock for whatever it prepares."""

    def ask(self, state: Any, clock: Clock, beside: Iterable[LineProcess] = ()) -> Reply:
        """Tell the program the position and wait for its answer, as long as the clock's bank lasts."""
        assert isinstance(self.game, LightRiders) and self.process is not None
        if not self._settings_told:
            self.process.send(settings_lines(self.game, self.player, clock))
            self._settings_told = True
        return self.process.ask(round_lines(self.game, state, clock), told_clock(clock).bank, beside)

    def choose(self, state: Any, clock: Clock) -> int:
        """The direction its answer means; raises PlayerError where there is no answer, or one that is no move."""
        reply = self.ask(state, clock)
        if reply.line is None:
            self.close()  # its processes are gone before anybody hears of the fault
            raise PlayerError(reply.fault, reply.kind or FaultKind.ERROR)
        direction = state.direction0 if self.player == 0 else state.direction1
        taken, warning = direction_taken(reply.line, direction, state.round)
        if warning == INVALID:
            raise PlayerError(f"{reply.line[:40]!r} is no move", FaultKind.ILLEGAL)
        return taken

    def close(self) -> None:
        if self.process is not None:
            self.process.close()
            self.process = None
        if self._transcript is not None:
            self._transcript.close()
            self._transcript = None
