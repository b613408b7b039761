"""Our players in games over HTTP: what thinks about a question, the player or the look-ahead in its place."""

import asyncio
import threading
import time
from collections import deque
from collections.abc import Callable
from typing import NamedTuple

from ....nodes import GameError
from ....play.pool import PlayerPool, PooledPlayer
from ....play.timely import Question, Thinker
from ....spec import SpecError
from .compilation import Compilation, EndedError
from .crowd import Setting, state_of
from .fallback import looked_ahead, safe_move
from .games import SnakeGame
from .playing import Playing
from .seen import DIRECTIONS, Seen
from .timing import Machine, Moments

_LOOKING = 0.5
"""The share of the time that a look ahead takes at most, and seconds: what it finds later is seldom better."""
_LOOKING_MOST = 0.1
_BEGINNING = 60.0  # seconds
NOT_READY, NO_POSITION, LATE = "not ready yet", "no position by the rules", "no answer in time"


class FoundMove(NamedTuple):
    """A move, and why it is not the player's; empty if it is."""

    move: str
    why: str = ""
    seconds: float = 0.0
    """What the player had to think, where its time ended that; else 0."""


class MoveQuestion(Question):
    """A wanted move; `future` gets the answer, in the event loop."""

    def __init__(self, game: SnakeGame, seen: Seen, asked: float, moments: Moments, machine: Machine) -> None:
        search, answer = asked + moments.search, asked + moments.answer
        super().__init__(asked, search, search, answer)
        self.why = LATE
        self.game, self.seen, self.machine = game, seen, machine
        self._loop = asyncio.get_running_loop()
        self.future: asyncio.Future[FoundMove] = self._loop.create_future()
        self.safe = safe_move(seen)
        self.is_of_a_game = True
        """Whether the game was begun, or asked about before."""
        self.is_searched = False
        """Whether a player was asked."""

    def deliver(self, answer: FoundMove | None) -> None:
        """Send the move that was found; for None the one that is safe for now."""
        found = answer or FoundMove(self.safe, self.why)
        try:
            self._loop.call_soon_threadsafe(self._arrived, found, time.monotonic())
        except RuntimeError:  # the server has ended
            pass

    def _arrived(self, found: FoundMove, sent: float) -> None:
        self.machine.note_loop(time.monotonic() - sent)
        if not self.future.done():
            self.future.set_result(found)

    def look_ahead(self, why: str, waiting: int = 1) -> FoundMove:
        """The best move that is found in a part of the time that is left, which so many questions share."""
        now = time.monotonic()
        seconds = min(_LOOKING_MOST, _LOOKING * max(0.0, self.search_until - now)) / max(1, waiting)
        last = deque(looked_ahead(self.seen, now + seconds), maxlen=1)
        return FoundMove(last[0] if last else self.safe, why)

    def improve(self) -> None:
        """Look one round ahead for a better move than the safe one, should the player have none in time."""
        self.safe = next(looked_ahead(self.seen, self.search_until), self.safe)


class Beginning(Question):
    """A game begins: what its player has to do before the first move, it does now."""

    def __init__(self, game: SnakeGame) -> None:
        super().__init__(search_until=time.monotonic() + _BEGINNING)
        self.game = game


class LookAhead(Thinker):
    """Looks ahead in plain Python, in a thread of its own."""

    def __init__(self, tell: Callable[[str], None]) -> None:
        super().__init__(lambda: (self._look, lambda: None), lambda _, error: tell(f"the look-ahead failed: {error!r}"))

    def _look(self, question: MoveQuestion) -> FoundMove:
        return question.look_ahead(question.why, self.waiting)


class GamePlayer(PooledPlayer[Setting]):
    """The player of a setting, in one game at a time."""

    loading = threading.Lock()
    """One gets ready at a time: the other core is for games."""

    def __init__(self, compilation: Compilation, setting: Setting, pool: PlayerPool[Setting]) -> None:
        self._compilation = compilation
        super().__init__(setting, pool)

    @property
    def is_wanted(self) -> bool:
        """Whether a game has it, or has asked it something."""
        return self.match is not None or self.waiting > 0

    def failed_to(self, prepare: bool, error: Exception) -> None:
        if isinstance(error, EndedError):
            return
        # A solution of another board, say, is a player all the same, for its own.
        is_known = bool(self.pool.warmed) or isinstance(error.__cause__, GameError)
        if prepare and isinstance(error, SpecError) and not is_known:
            self.pool.refusal = str(error)
        elif prepare:
            self.pool.warn(f"{self.setting.player} cannot play {self.setting.rules}, a look-ahead does: {error}")
        else:
            self._playing.forget()
            self.pool.warn(f"{self.setting.player} failed, a safe move instead: {error}")

    def made(self) -> tuple[Callable[[MoveQuestion | Beginning], FoundMove | None], Callable[[], None]]:
        rules, spec = self.setting
        from ....players.clock import Clock

        make_player = self.pool.load()
        began, known = time.monotonic(), rules.compiled in self.pool.warmed
        playing = self._playing = Playing(make_player, spec, rules)
        if not known:
            self.pool.warn(f"preparing {spec} for {rules}; until then a look-ahead in plain Python moves")
            self._compilation.compile(rules, spec, lambda: self.is_wanted)
        with self.loading:
            if not known:
                playing.warm()
            playing.make_ready()
        if not known:
            self.pool.warmed.add(rules.compiled)
            self.pool.warn(f"{spec} is ready for {rules} ({time.monotonic() - began:.1f} s)")

        def think(question: MoveQuestion | Beginning) -> FoundMove | None:
            rules = question.game.rules
            is_able = playing.turn_to(question.game, rules)
            if isinstance(question, Beginning):
                return None
            if not is_able:
                return question.look_ahead(f"it cannot play {rules}")
            try:
                state = state_of(playing.game, question.seen)
            except ValueError:
                return question.look_ahead(NO_POSITION)
            if question.machine.is_slow:
                question.improve()
            began = time.monotonic()
            seconds = max(0.0, question.search_until - began)
            answer = question.put_to(playing.player, state, Clock(seconds, seconds, seconds, is_net=True))
            ended = time.monotonic()
            question.machine.overrun.note(ended - question.search_until)
            is_cut = not getattr(answer.findings, "complete", True)
            return FoundMove(DIRECTIONS[answer.action], seconds=ended - began if is_cut else 0.0)

        return think, playing.close
