"""A program examined as a player: started as a match would, asked in positions of a game, and played through one game."""

import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..game.spec import parse_spec
from ..games.catalogue.commands import PYTHON, program_of, protocol_of
from ..games.catalogue.games import protocols_of
from ..games.catalogue.make import make_player
from ..play.game import play_game
from ..play.record import GameRecord, Turns, points_of
from ..players.base import Answer, FaultKind, Player, PlayerError, RandomPlayer
from ..players.clock import ENDLESS, Clock
from ..players.programs.player import ProgramPlayer
from ..players.programs.process import LineProcess
from ..players.programs.streams import OUTPUT_LIMIT
from ..players.protocols.lines_bot import verb_of
from ..players.protocols.protocol import Protocol
from ..players.waiting import Stopwatch
from .conditions import MatchConditions
from .openings import RandomPosition, own_starts, positions_of

_MOST_PROBLEMS = 3  # in positions: a program that is wrong everywhere need not be waited for everywhere
_PATIENT = 20.0
_LEAST_PATIENT = 3.0
"""A late program is asked once more, with the first number times the time, and the second in seconds at least: is it slow, or silent?"""
_DIALOGUE = 14  # lines
_MORE_TRIES = 2
_GRACE = 0.5  # seconds to leave after the last game
_SEED = 20_240_607
_WORDS = {
    FaultKind.LATE: "no answer in time",
    FaultKind.ILLEGAL: "illegal move",
    FaultKind.FLOOD: "prints too much",
    FaultKind.CRASH: "ended early",
    FaultKind.MEMORY: "too much memory",
    FaultKind.ESCAPE: "left its bounds",
    FaultKind.ERROR: "error",
}
_FORMAT, _SLOW = "wrong format", "too slow"
NO_START = "does not start"
"""The kind of problem of a program that ends when it is started."""


@dataclass(frozen=True)
class Problem:
    """A mistake of an examined program."""

    kind: str
    text: str
    """One sentence."""
    where: str
    """At the start, in which position, in which step of the game."""
    position: str = ""
    """The position's text form, where there is one."""
    legal: tuple[str, ...] = ()
    """The legal moves there."""
    dialogue: tuple[str, ...] = ()
    """The last lines before it, each with the seconds and its writer, as in a log."""


@dataclass
class Examination:
    """The result of an examination."""

    protocol: str = ""
    ready: float | None = None
    """Seconds from the start until the program was ready to play."""
    asked: int = 0
    """In positions."""
    seconds: list[float] = field(default_factory=list[float])
    """Of each answer in positions."""
    game: str = ""
    """How the whole game ended; empty where it was not played."""
    steps: int = 0
    problems: list[Problem] = field(default_factory=list[Problem])
    notes: list[str] = field(default_factory=list[str])
    """Remarks on faults that cost no game."""

    @property
    def median(self) -> float | None:
        """Seconds of an answer."""
        return statistics.median(self.seconds) if self.seconds else None


def examine(
    spec: str, conditions: MatchConditions, positions: int, progress: Callable[[str], None]
) -> Examination:
    """Examine the program of a spec under a match's conditions; `progress` is called with what begins.

    What it does wrong is in the result. Raises SpecError for what is no program, MachineFault where the machine is at fault.
    """
    with (
        tempfile.TemporaryDirectory(prefix="saddlepoint-check-") as folder,
        closing(make_player(spec, conditions.game, conditions.limits, conditions.isolation)) as player,
    ):
        return _Examiner(player, spec, conditions, Path(folder) / "log", progress).run(positions)


class _Examiner:
    def __init__(
        self,
        player: Player,
        spec: str,
        conditions: MatchConditions,
        log: Path,
        progress: Callable[[str], None],
    ) -> None:
        self._player, self._spec, self._game = player, parse_spec(spec), conditions.game
        self._clock, self._tolerance = conditions.clock_of(spec), conditions.tolerance
        self._log, self._progress = log, progress
        self._found = Examination()
        self._noise: list[str] = []
        self._read = 0
        """Characters of the log in which noise was looked for."""

    @property
    def _protocol(self) -> Protocol:
        """The program's protocol; one without sides for a Python file, or where the protocol is not known."""
        name = self._found.protocol
        return next((one for one in protocols_of(self._game.name) if one.name == name), Protocol(name, ""))

    def run(self, positions: int) -> Examination:
        found = self._found
        self._player.log_to(self._log)
        self._progress("starting it")
        started = time.perf_counter()
        try:
            self._player.try_start(self._game)
        except PlayerError as error:
            found.protocol = protocol_of(self._player, self._spec, self._game) or ""
            kind = NO_START if error.kind is FaultKind.CRASH else _WORDS[error.kind]
            if error.kind is FaultKind.LATE and self._wrote_since_asked():
                kind = _FORMAT
            self._problem(kind, str(error), "at the start")
            return found
        found.protocol = protocol_of(self._player, self._spec, self._game) or ""
        found.ready = time.perf_counter() - started
        self._progress("asking it in positions")
        self._ask_in(positions_of(self._game, positions, _SEED))
        if not found.problems:
            self._progress("a game against random")
            self._play()
        if not found.problems:
            self._leave()
        self._tell_noise()
        return found

    def _ask_in(self, chosen: "Sequence[RandomPosition]") -> None:
        """Ask in all these positions, those of one player after those of the other, as two games."""
        answers: dict[int, int] = {}
        for seat in (0, 1):
            mine = [(number, one) for number, one in enumerate(chosen) if one.player == seat]
            before = self._process()
            if not mine or not self._begin(seat):
                continue
            if seat and before is not None and self._process() is not before and self._protocol.stays:
                self._note_ended(before)
            for number, one in mine:
                if len(self._found.problems) >= _MOST_PROBLEMS:
                    return
                answer = self._ask(one)
                if answer is not None:
                    answers[number] = answer
                elif not self._begin(seat):
                    return
            self._listen()
            self._player.end(0.0)
        if not self._found.problems and (self._found.protocol == PYTHON or self._protocol.stays):
            self._ask_again(chosen, answers)

    def _ask_again(self, chosen: "Sequence[RandomPosition]", answers: dict[int, int]) -> None:
        """The same seed and positions: are they the same answers?"""
        first = next(iter(answers), None)
        if first is None or not self._begin(chosen[first].player):
            return
        for number, before in answers.items():
            one = chosen[number]
            if one.player != chosen[first].player:
                break
            try:
                again = Answer.of(self._player.choose(one.state, self._clock)).action
            except PlayerError as error:
                if error.kind is not FaultKind.LATE:  # it was in time before: now the machine may be busy
                    self._problem(_WORDS[error.kind], str(error), one.where, one)
                return
            if again != before:
                names = [
                    self._game.action_to_string(one.state, one.player, action) for action in (before, again)
                ]
                self._found.notes.append(
                    f"asked twice with the same seed, in {one.where}, it answered {names[0]!r} and then {names[1]!r}: its games cannot be "
                    "repeated move for move unless random choices come from the seed"
                    + (", which `begin` of a class Player is given" if self._found.protocol == PYTHON else "")
                )
                break
        self._player.end(0.0)

    def _begin(self, seat: int) -> bool:
        try:
            self._tell_begin(seat)
        except PlayerError as error:
            self._problem(_WORDS[error.kind], str(error), f"at the beginning of a game as player {seat}")
            return False
        return True

    def _tell_begin(self, seat: int) -> None:
        """A new game begins, and with it a new log."""
        self._listen()
        self._read = 0
        self._player.begin(self._game, seat, _SEED)

    def _ask(self, one: "RandomPosition") -> int | None:
        """The answer in a position; None, and a problem, where there is no legal one in time."""
        self._found.asked += 1
        reply = self._once(one)
        if late := self._late(reply):
            dialogue = self._dialogue()
            if reply.answer is None and self._wrote_since_asked():
                self._problem(_FORMAT, late, one.where, one, dialogue)
                return None
            again = self._again(one)
            if again is None:
                kind, text = self._slow_or_silent(one, late) if reply.answer is None else (_SLOW, late)
                self._problem(kind, text, one.where, one, dialogue)
                return None
            self._found.notes.append(
                f"in {one.where}: {late}; asked again it was in time: it needs most of its time, or the machine is busy"
            )
            reply = again
        if reply.answer is None:
            assert reply.error is not None
            self._problem(_WORDS[reply.error.kind], str(reply.error), one.where, one)
            return None
        answer = reply.answer
        if answer.action not in self._game.choices(one.state, one.player):
            self._problem(
                _WORDS[FaultKind.ILLEGAL],
                answer.warning or f"its move {answer.action} is not legal",
                one.where,
                one,
            )
            return None
        if answer.warning and self._protocol.goes_on:
            self._found.notes.append(f"in {one.where}: {answer.warning}: it goes straight on")
        elif answer.warning:  # the player's side of the protocol has made the best of it
            self._problem("error", f"{answer.warning}: another move is played for it", one.where, one)
        self._found.seconds.append(reply.seconds)
        return answer.action

    def _once(self, one: "RandomPosition") -> "_Reply":
        watch = Stopwatch()
        try:
            answer, error = Answer.of(self._player.choose(one.state, self._clock)), None
        except PlayerError as why:
            answer, error = None, why
        return _Reply(answer, error, *watch.read(self._player.waited or 0.0))

    def _late(self, reply: "_Reply") -> str:
        """The lateness of an answer, in words; empty where it is in time."""
        if reply.error is not None:
            return str(reply.error) if reply.error.kind is FaultKind.LATE else ""
        is_late = self._clock.is_late(reply.seconds - self._tolerance, reply.passed - self._tolerance)
        words = f"it answered after {reply.seconds:.3f} s, and a move may take {self._clock.bank:.3f} s"
        return words if is_late else ""

    def _again(self, one: "RandomPosition") -> "_Reply | None":
        """The reply to the same question asked again, for the machine may be busy.

        None where every answer is late.
        """
        if self._found.problems:
            return None
        for _ in range(_MORE_TRIES):
            with suppress(PlayerError):
                self._tell_begin(one.player)
                reply = self._once(one)
                if not self._late(reply):
                    return reply
        return None

    def _slow_or_silent(self, one: "RandomPosition", text: str) -> tuple[str, str]:
        """(kind, text) of the problem of a program that did not answer in time.

        It is asked again and given longer.
        """
        longer = max(_LEAST_PATIENT, _PATIENT * self._clock.bank)
        if longer == float("inf"):
            return _WORDS[FaultKind.LATE], text
        if self._found.problems:
            return self._found.problems[0].kind, text
        with suppress(PlayerError):
            self._tell_begin(one.player)
            started = time.perf_counter()
            self._player.choose(one.state, Clock(longer, longer))
            used = time.perf_counter() - started
            compiles = (
                "; if a method of the game was compiled meanwhile, call it before the clock runs, in `begin` of a class Player"
                if self._found.protocol == PYTHON and not self._found.seconds
                else ""
            )
            return _SLOW, f"{text}; asked again with more time it answered after {used:.3f} s{compiles}"
        return _WORDS[FaultKind.LATE], (
            f"{text}; asked again it did not answer within {longer:g} s either: is the output flushed after every line?"
        )

    def _play(self) -> None:
        """One game against random, with the clock of the match; another one where it is late in the first, for a machine may be busy."""
        record, turns, last = self._one_game()
        for _ in range(_MORE_TRIES):
            fault = record.faults[0]
            if fault is None or fault.kind is not FaultKind.LATE:
                break
            self._found.notes.append(
                f"it lost a game against random, and another was played: {turns.fault_words(fault)}"
            )
            record, turns, last = self._one_game()
        self._found.steps = len(record.actions)
        fault = record.faults[0]
        if fault is None:
            self._listen()
            how = {1.0: "won", 0.5: "drawn", 0.0: "lost"}[points_of(self._game, record.result)]
            self._found.game = f"{how} after {turns.counted()}"
            return
        where = "a game against random, " + (
            "before its first move" if fault.step is None else turns.label(fault.step)
        )
        self._problem(_WORDS[fault.kind], fault.text, where, RandomPosition(last, 0, where))

    def _one_game(self) -> tuple[GameRecord, Turns, Any]:
        """The record, its turns, and the last position."""
        states = [self._game.from_text(own_starts(self._game)[0])]
        self._read = 0
        record = play_game(
            self._game,
            (self._player, RandomPlayer()),
            states[0],
            (self._clock, ENDLESS),
            _SEED,
            self._tolerance,
            lambda state, joint: states.append(state),
        )
        return record, Turns(self._game, states), states[-1]

    def _leave(self) -> None:
        """No more games follow: does it end by itself?"""
        process, program = self._process(), program_of(self._player)
        if process is None or not isinstance(program, ProgramPlayer) or not self._protocol.ending:
            return
        program.close(_GRACE)
        if not process.left:
            self._found.notes.append(
                f"it did not end within {_GRACE:g} s of {self._protocol.ending}, and was ended"
            )

    def _note_ended(self, process: LineProcess) -> None:
        if why := process.how_it_ended():
            self._problem(
                "ended early",
                f"{why}; it was told `end`, which it may ignore, and that a new game begins",
                "after a game",
            )
        else:
            self._found.notes.append(
                "it ends after each game, and is started for the next one, which takes time; it may stay until `quit`"
            )

    def _process(self) -> LineProcess | None:
        program = program_of(self._player)
        return program.process if isinstance(program, ProgramPlayer) else None

    def _problem(
        self,
        kind: str,
        text: str,
        where: str,
        one: "RandomPosition | None" = None,
        dialogue: tuple[str, ...] | None = None,
    ) -> None:
        self._listen()
        legal: tuple[str, ...] = ()
        if one is not None and one.player in self._game.players_to_act(one.state):
            legal = tuple(
                self._game.action_to_string(one.state, one.player, a)
                for a in self._game.legal_actions(one.state, one.player)
            )
        position = "" if one is None else self._game.to_text(one.state)
        if text.endswith("exited with code 0"):
            text += ": a program is asked many times, and reads its input until `quit` or its end"
        self._found.problems.append(
            Problem(kind, text, where, position, legal, self._dialogue() if dialogue is None else dialogue)
        )

    def _dialogue(self) -> tuple[str, ...]:
        """The log's last lines; the rows of positions, which are shown elsewhere, are only counted."""
        shown: list[str] = []
        rows = 0
        for line in self._logged().splitlines():
            if rows and line[10:].startswith(">"):
                rows -= 1
                continue
            shown.append(line)
            said = line[10:].removeprefix("> position ")
            rows = int(said) if said.isdigit() else 0
            if rows:
                shown.append(f"{line[:10]}> ... {rows} lines")
        return tuple(shown[-_DIALOGUE:])

    def _wrote_since_asked(self) -> bool:
        """Whether it wrote something, in lines, after the last question."""
        since = "".join(line[10:11] for line in self._logged().splitlines()).rpartition(">")[2]
        return "<" in since and (not self._found.protocol or bool(self._protocol.words))

    def _logged(self) -> str:
        with suppress(OSError):
            return self._log.read_text(encoding="utf-8")
        return ""

    def _listen(self) -> None:
        """Look for lines that are no part of the protocol in what was said since the last time."""
        words, text = self._protocol.words, self._logged()
        for line in text[self._read :].splitlines() if words else ():
            mark, _, said = line[10:].partition(" ")
            if mark == "<" and verb_of(said.removeprefix("\\ufeff"))[0] not in words:
                self._noise.append(said)
        self._read = len(text)

    def _tell_noise(self) -> None:
        if self._noise and not any(problem.kind == "prints too much" for problem in self._found.problems):
            count, first = len(self._noise), next((line for line in self._noise if line.strip()), "")
            self._found.notes.append(
                f"{count} line{'s' * (count > 1)} of its output {'are' if count > 1 else 'is'} no part of the protocol, such as "
                f"{first[:60]!r}: they are ignored, but more than {OUTPUT_LIMIT:,} characters a game lose it; standard error is the place"
            )


@dataclass(frozen=True)
class _Reply:
    answer: Answer | None
    error: PlayerError | None
    seconds: float
    """Of the player's own time."""
    passed: float
    """On the wall."""
