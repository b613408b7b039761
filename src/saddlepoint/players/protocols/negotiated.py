"""A player that is a program for a game in which programs speak one of several protocols: it is found out which.

Nobody has to say it, and nothing is guessed from how long an answer takes: before its first game the program is started
for a trial, and sent how a game begins in every protocol, one after the other. Its first line that answers one of them
decides. Where it ends on a line it does not know, or says nothing, a second process gets one protocol alone.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ...game.base import Game
from ...game.spec import name_of
from ...system.text import words_in
from ..base import Answer, FaultKind, Player, PlayerError
from ..clock import Clock
from ..programs.isolation import Isolation
from ..programs.process import LineProcess, Reply
from ..programs.streams import Transcript, quoted
from .protocol import Opening

_FIRST_ANSWER = (
    10.0  # seconds, the bank of the contest: then another process is tried beside the one that says nothing
)


@dataclass(frozen=True)
class Candidate:
    """A protocol that the program may speak."""

    opening: Callable[[Game], Opening]
    make: Callable[[str, Game, Isolation | None], Player]


class NegotiatedPlayer(Player):
    """The program of `command`, which plays by the first of these protocols that it answers.

    `candidates` are in the order in which they are opened; programs of the first must ignore lines they do not know.
    """

    def __init__(
        self, command: str, game: Game, isolation: Isolation | None, candidates: Mapping[str, Candidate]
    ) -> None:
        self.command, self.isolation = command, isolation or Isolation()
        self.protocol: str | None = None
        """The program's protocol; None while that is not known."""
        self._given, self._candidates = isolation, candidates
        self.chosen: Player | None = None
        """The player of that protocol."""
        self._log: Path | None = None

    def begin(self, game: Game, player: int, seed: int | None = None) -> None:
        super().begin(game, player, seed)
        self._found(game).begin(game, player, seed)

    def choose(self, state: Any, clock: Clock) -> Answer | int:
        if self.chosen is None:
            raise PlayerError("the program was ended before", FaultKind.CRASH)
        return self.chosen.choose(state, clock)

    @property
    def waited(self) -> float | None:
        return 0.0 if self.chosen is None else self.chosen.waited

    def end(self, result: float) -> None:
        if self.chosen is not None:
            self.chosen.end(result)

    def warm(self, game: Game, state: Any, seats: Any = (0, 1)) -> None:
        """A program starts with its first game, before its clock runs."""

    def try_start(self, game: Game) -> None:
        """Find the program's protocol; no further start is needed."""
        self._found(game)

    def log_to(self, file: Path | None) -> None:
        self._log = file
        if self.chosen is not None:
            self.chosen.log_to(file)

    def close(self) -> None:
        if self.chosen is not None:
            self.chosen.close()

    def _found(self, game: Game) -> Player:
        """The player of the protocol that the program speaks. Raises PlayerError where it answers none."""
        if self.chosen is None:
            with closing(Transcript(self._log)) as transcript:
                self.protocol = self._negotiated(game, transcript)
            self.chosen = self._candidates[self.protocol].make(self.command, game, self._given)
            self.chosen.log_to(self._log)
        return self.chosen

    def _negotiated(self, game: Game, transcript: Transcript) -> str:
        """The protocol that is spoken. Raises PlayerError."""
        openings = {name: one.opening(game) for name, one in self._candidates.items()}
        patience = self.isolation.patience
        seconds = min(_FIRST_ANSWER, patience)
        with closing(self._started("all of them, in one process", transcript)) as process:
            first = _Trial("together", openings, process)
            first.reply = process.ask(first.lines, seconds, answers=first.answers)
            if (spoken := first.spoken) is not None:
                return spoken
            tried, began = [first], time.monotonic()
            for name, opening in list(openings.items())[1:]:
                with closing(self._started(f"{name} alone", transcript)) as alone:
                    trial = _Trial(f"{name} alone", {name: opening}, alone)
                    trial.reply = alone.ask(opening.lines, seconds, [process], trial.answers)
                    if trial.spoken is not None:
                        return name
                    tried.append(trial)
                    trial.outcome()
            left = patience - seconds
            if first.is_silent and not first.refusal and left > 0:
                # A program may take its time to be ready: what it wrote meanwhile was kept.
                transcript.write("#", "the first process may still be preparing")
                left = max(0.001, left - (time.monotonic() - began))
                first.reply = process.answer(left, answers=first.answers)
                if (spoken := first.spoken) is not None:
                    return spoken
                if first.is_silent:
                    late = PlayerError(f"no answer within {patience:.3f} s", FaultKind.LATE)
                    first.reply = Reply(None, patience, late)
            raise _failure(game, tried)

    def _started(self, what: str, transcript: Transcript) -> LineProcess:
        process = LineProcess(self.command, self.isolation)
        process.log_to(transcript)
        transcript.write("#", f"which protocol is spoken: {what}")
        return process


@dataclass
class _Trial:
    """A process that gets some openings, and its reply."""

    how: str
    openings: Mapping[str, Opening]
    process: LineProcess
    noise: str = ""
    """The first line that answers nothing."""
    refusal: str = ""
    reply: Reply = field(default_factory=lambda: Reply(None, 0.0))

    @property
    def lines(self) -> list[str]:
        return [line for one in self.openings.values() for line in one.lines]

    def answers(self, line: str) -> bool:
        """Whether a line answers an opening; what does not is kept."""
        if any(one.answers(line) for one in self.openings.values()):
            return True
        if any(one.refuses(line) for one in self.openings.values()):
            self.refusal = self.refusal or line
        self.noise = self.noise or (line if words_in(line) else "")
        return False

    @property
    def spoken(self) -> str | None:
        """The protocol that was answered."""
        line = self.reply.line
        return (
            None if line is None else next(name for name, one in self.openings.items() if one.answers(line))
        )

    @property
    def is_silent(self) -> bool:
        """Whether it may still answer."""
        return self.reply.error is not None and self.reply.error.kind is FaultKind.LATE

    def outcome(self) -> str:
        """In words, why there was no answer; ends the process."""
        why = str(self.reply.error)
        if not self.is_silent:
            why += self.process.last_words()
        elif text := self.process.unfinished:
            return why + text
        return why + (f", but it wrote {quoted(self.noise)}" if self.noise else "")


def _failure(game: Game, tried: Sequence[_Trial]) -> PlayerError:
    """The error about all tried protocols: their results and the way out, in one sentence."""
    first = tried[0]
    names = " and ".join(first.openings)
    kinds = {trial.reply.error.kind for trial in tried if trial.reply.error is not None}
    kind = FaultKind.LATE if FaultKind.LATE in kinds else kinds.pop() if len(kinds) == 1 else FaultKind.CRASH
    if first.refusal:
        return PlayerError((words_in(first.refusal, 2)[1:] or [""])[0] or "an error it did not explain")
    outcomes = [trial.outcome() for trial in tried]
    if kind is not FaultKind.LATE and len(set(outcomes)) == 1:
        return PlayerError(f"{outcomes[0]} (the protocols {names} were tried)", kind)
    wanted = " or ".join(f"{one.expected} ({name})" for name, one in first.openings.items())
    came = "; ".join(f"{trial.how}: {outcome}" for trial, outcome in zip(tried, outcomes, strict=True))
    return PlayerError(
        f"it answered in none of the protocols that programs speak in {name_of(game)}, {names}: expected was {wanted}, "
        f"each as a line that is flushed at once; {came}",
        kind,
    )
