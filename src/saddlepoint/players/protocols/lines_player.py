"""A player that is another process speaking the library's line protocol (docs/protocol.md), any game."""

import math
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NoReturn

from ...game.base import Game
from ...system.text import words_in
from ..base import Answer, FaultKind, MachineFault, PlayerError, next_choice
from ..clock import ENDLESS, Clock
from ..programs.isolation import Isolation
from ..programs.player import ProgramPlayer
from ..programs.process import LineProcess, Reply
from ..programs.streams import quoted
from . import lines_bot as words
from .protocol import Opening

_LATE = 0.25  # seconds an answer is awaited after the bank is empty: the arena may forgive them
_GRACE = 0.5  # seconds for a program to leave by itself
_SHOWN = 200


def lines_player(command: str, game: Game, isolation: Isolation | None = None) -> "LinesPlayer":
    """The player of a command, for any game."""
    return LinesPlayer(command, isolation)


def opening(game: Game) -> Opening:
    """A new game: a bot answers that it is ready."""
    lines = (f"saddlepoint {words.VERSION}", *words.game_lines(game, 0, 0))
    return Opening(
        lines,
        lambda line: words_in(line) == ["ready"],
        "`ready` after `begin`",
        lambda line: words.verb_of(line)[0] == "error",
    )


class LinesPlayer(ProgramPlayer):
    """Starts `command` for its first game and keeps it from game to game; after a fault it is started afresh.

    Raises PlayerError, after all processes of the player were ended, where it has no legal move to offer in time.
    """

    _ILLEGAL: str | None = None
    """The verb with which a process that is not the player's own says that the player's answer is no legal move."""
    _MACHINE: str | None = None
    """The verb with which a trusted player's process says that the machine failed."""

    def __init__(
        self,
        command: str | Sequence[str],
        isolation: Isolation | None = None,
        environment: Mapping[str, str] | None = None,
        reads: Iterable[Path] = (),
    ) -> None:
        super().__init__()
        self.command = command
        self.isolation = isolation or Isolation()
        self._environment, self._reads = environment, tuple(reads)
        self._preparing = self.isolation.patience
        self._info = self._passed_over = ""
        self._compiled_for: Game | None = None
        self._wants_words = False
        """Whether the program asked for positions as words, too."""

    def begin(self, game: Game, player: int, seed: int | None = None) -> None:
        super().begin(game, player, seed)
        if game != self._compiled_for:
            self._compiled_for = game
            if (state := next_choice(game, game.initial_state(), player)) is not None:
                self._question(state, ENDLESS)
        self._begin_transcript()
        if self.process is not None and (text := self.process.escape):
            self._fail(text, FaultKind.ESCAPE)
        if self.process is not None and not self.process.has_ended:
            with suppress(PlayerError):  # what it did after its last game costs it nothing in this one
                self.process.begin_again()
                self._introduce(self.process)
                return
        self._end()
        self._start(LineProcess(self.command, self.isolation, self._environment, self._reads))
        assert self.process is not None
        self.process.send([f"saddlepoint {words.VERSION}"])
        self._introduce(self.process)

    def choose(self, state: Any, clock: Clock) -> Answer:
        self._info = self._passed_over = ""
        process = self.process
        if process is None:
            raise PlayerError("the program was ended before", FaultKind.CRASH)
        question, actions = self._question(state, clock)
        if any(words.verb_of(line)[0] == "move" for line in process.discard()):
            self._fail("it moved before it was asked")
        limit = self.isolation.patience if clock.bank == math.inf else clock.bank + _LATE
        reply = process.ask(question, limit, answers=self._is_answer)
        word = self._said(reply, min(clock.bank, limit), "move", actions)
        action = actions.get(word)
        statistics = words.statistics_from(self._info, reply.seconds) if self._info else None
        return Answer(self._named(state, word) if action is None else action, statistics)

    def end(self, result: float) -> None:
        if self.process is not None:
            self.process.send([f"end {result:g}"])

    def close(self, grace: float = _GRACE) -> None:
        if self.process is not None:
            self.process.send(["quit"])
        super().close(grace)

    def _introduce(self, process: LineProcess) -> None:
        """Tell what is played, and wait until the player is ready."""
        self._passed_over, self._wants_words = "", False
        question = words.game_lines(self.game, self.player, self.seed)
        self._said(process.ask(question, self._preparing, answers=self._is_ready), self._preparing, "ready")

    def _said(self, reply: Reply, seconds: float, expected: str, actions: Iterable[str] = ()) -> str:
        """The text after the verb of an answer.

        Raises PlayerError, or MachineFault, for a wrong or a missing one.
        """
        if reply.line is None:
            kind = reply.error and reply.error.kind
            why = f"no answer within {seconds:.3f} s" if kind is FaultKind.LATE else str(reply.error)
            self._fail(why + self._instead(expected, kind, actions), kind)
        verb, rest = words.verb_of(reply.line)
        if verb == self._MACHINE:
            raise MachineFault(rest)
        if verb == self._ILLEGAL:
            self._fail(rest, FaultKind.ILLEGAL)
        if verb == "error":
            self._fail(rest or "an error it did not explain")
        return rest

    def _question(self, state: Any, clock: Clock) -> tuple[list[str], dict[str, int]]:
        """The lines of a question, and the legal actions by their words."""
        game, player = self.game, self.player
        actions = {
            words.word_of(game.action_to_string(state, player, a)): a
            for a in game.legal_actions(state, player)
        }
        lines = [*words.position_lines(game.to_text(state)), f"legal {' '.join(actions)}"]
        if self._wants_words:
            lines += words.word_lines(state, actions.values())
        return [*lines, words.clock_line(clock), "go"], actions

    def _is_answer(self, line: str) -> bool:
        verb, _ = words.verb_of(line)
        if verb == "info":
            self._info = line
            return False
        return self._noted(line, verb in ("move", "error", self._ILLEGAL, self._MACHINE))

    def _is_ready(self, line: str) -> bool:
        if words_in(line) == words.WANTS_WORDS:
            self._wants_words = True
            return False
        return self._noted(line, words.verb_of(line)[0] in ("ready", "error", self._MACHINE))

    def _noted(self, line: str, is_answer: bool) -> bool:
        """Keep the last line that is none, for the reason of a loss."""
        if not is_answer:
            self._passed_over = line if words_in(line) else self._passed_over
        return is_answer

    def _instead(self, expected: str, kind: FaultKind | None, actions: Iterable[str] = ()) -> str:
        """The text that was written instead of the expected answer; empty where there was none."""
        if kind is not FaultKind.LATE:
            return ""
        if self.process is not None and (text := self.process.unfinished):
            return text
        if not self._passed_over:
            return ""
        word = words_in(self._passed_over)[-1]
        wanted = (
            f"'move {word}'" if word in actions else "'move WORD'" if expected == "move" else f"'{expected}'"
        )
        return f": it wrote {quoted(self._passed_over)} where {wanted} is expected"

    def _named(self, state: Any, word: str) -> int:
        """The action of a name that is not written as it was sent."""
        try:
            return self.game.string_to_action(state, self.player, words.name_of(word))
        except (ValueError, LookupError):  # a GameError, or what a game's own reading trips over
            self._fail(f"{word[:40]!r} is not a legal move", FaultKind.ILLEGAL)

    def _fail(self, why: str, kind: FaultKind | None = None) -> NoReturn:
        """End the player's processes and say why it is at fault; without a kind it broke the protocol, or says so itself."""
        process, self.process = self.process, None
        last_words = ""
        if process is not None:
            last_words = process.last_words() if kind is FaultKind.CRASH else ""
            process.close()
            self._transcript.write("#", why)
        text = (why + last_words)[:_SHOWN]
        raise PlayerError(
            "".join(mark if mark.isprintable() else "?" for mark in text), kind or FaultKind.ERROR
        )
