"""What all players that are another program have in common: a process, and a log of what is said to it."""

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

from ..game import Game
from ..players.base import Player
from .process import LineProcess
from .transcript import Transcript


class ProgramPlayer(Player):
    """A player in a process of its own."""

    def __init__(self) -> None:
        self.process: LineProcess | None = None
        self._log: Path | None = None
        self._transcript: Transcript | None = None

    @property
    def waited(self) -> float | None:
        return 0.0 if self.process is None else self.process.waited

    def warm(self, game: Game, state: Any, seats: Iterable[int] = (0, 1)) -> None:
        """A program starts with its first game, before its clock runs."""

    def try_start(self, game: Game) -> None:
        try:
            self.begin(game, 0, 0)
        finally:
            self._end()

    def log_to(self, file: Path | None) -> None:
        self._log = file
        if file is None:
            self._begin_transcript()

    def close(self, grace: float = 0.0) -> None:
        """End the program, after `grace` seconds to leave by itself, and its log."""
        self._end(grace)
        self.log_to(None)

    def _start(self, process: LineProcess) -> None:
        self.process = process
        process.log_to(self._transcript)

    def _end(self, grace: float = 0.0) -> None:
        if self.process is not None:
            self.process.close(grace)
            self.process = None

    def _begin_transcript(self) -> None:
        """Of a new game, from now on; nothing is written where there is nowhere to."""
        if self.process is not None:
            self.process.log_to(None)
        if self._transcript is not None:
            self._transcript.close()
            self._transcript = None
        if self._log is not None:
            with suppress(OSError):  # a full disk costs the log, not the game
                self._transcript = Transcript(self._log)
        if self.process is not None:
            self.process.log_to(self._transcript)
