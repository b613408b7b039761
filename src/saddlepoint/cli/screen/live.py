"""A game that is played in a thread of its own, and what a screen sees of it and does to it."""

import threading
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from ...algorithms.limits import StopToken
from ...game.base import TERMINAL, Game
from ...game.steps import Names, drawn_by, names_of
from ...play.record import GameRecord
from ...players.base import Player, TakeBack
from ...players.clock import Clock
from ...players.human import HumanPlayer, Left
from ...players.searching import SearchPlayer


class ShownPosition(NamedTuple):
    """A position of the game, and how it came about."""

    state: Any
    names: Names | None
    """The moves that led there, None for a player without one; None at the start."""
    drawn: str = ""
    """The outcome of chance that led there."""


class PersonsTurn(NamedTuple):
    """Whose move it is, where a person is asked."""

    player: int
    state: Any


class LiveGame:
    """The state shared by a game's thread and the screen.

    `wake` is called, from the game's thread, when something has changed.
    """

    def __init__(self, game: Game, start: Any, delay: float = 0.0) -> None:
        self.game, self.delay = game, delay
        self.seen: list[ShownPosition] = [ShownPosition(start, None)]
        self.question: PersonsTurn | None = None
        self.said = ""
        """A hint for the person, or what the last key changed."""
        self.record: GameRecord | None = None
        self.error: BaseException | None = None
        self.wake: Callable[[], None] = lambda: None
        self._changed = threading.Condition()
        self._answer: int | str | None = None
        self.paused = False
        """Whether the game waits for `pause(False)` or `single_step`."""
        self._leaving = False
        self._steps = self._held = 0
        self._resting = False
        self._searches = StopToken()
        self._thread: threading.Thread | None = None

    # -- for the screen ------------------------------------------------------------------------------------------

    def start(self, play: Callable[[], GameRecord], players: Sequence[Player]) -> None:
        """Let `play` run in a thread, with this as its `on_step` and `on_undo`."""
        for player in players:
            if isinstance(player, SearchPlayer) and player.stop is None:
                player.stop = self._searches
        self._thread = threading.Thread(target=self._run, args=(play,), name="saddlepoint game", daemon=True)
        self._thread.start()

    @property
    def is_over(self) -> bool:
        return self.record is not None or self.error is not None

    def answer(self, what: int | str) -> None:
        """The person's action, or `undo` or `hint`; nothing where nobody is asked."""
        with self._changed:
            if self.question is not None:
                self._answer = what
                self._changed.notify_all()

    def pause(self, paused: bool) -> None:
        """Hold the game before its next step, or let it go on."""
        with self._changed:
            self.paused, self._steps = paused, 0
            self._changed.notify_all()

    def wait_between(self, seconds: float) -> None:
        """Wait this number of seconds after each step, the last one included."""
        with self._changed:
            self.delay = seconds
            self._changed.notify_all()

    def single_step(self) -> None:
        """Let a game that is paused make one step."""
        with self._changed:
            self._steps += 1
            self._changed.notify_all()

    def leave(self) -> None:
        """End the game as soon as its players let it; a player that goes on for more than a second is left alone."""
        with self._changed:
            self._leaving = True
            self._changed.notify_all()
        self._searches.stop()
        if self._thread is not None:
            self._thread.join(1.0)

    @contextmanager
    def held(self) -> Generator[None]:
        """Meanwhile no player's clock runs: for what would take the processor, or Python's lock, from a player."""
        with self._changed:
            self._held += 1
            self._changed.wait_for(lambda: self._resting or self._leaving or self.is_over)
        try:
            yield
        finally:
            with self._changed:
                self._held -= 1
                self._changed.notify_all()

    # -- for the game's thread -----------------------------------------------------------------------------------

    def on_step(self, after: Any, joint: tuple[int, int]) -> None:
        """A step was made; returns when the next may be."""
        before = self.seen[-1].state
        self.seen.append(
            ShownPosition(after, names_of(self.game, before, joint), drawn_by(self.game, before, joint))
        )
        self.said = ""
        self.wake()
        if self.game.current_player(after) == TERMINAL:
            return
        with self._changed:
            self._rest_until(lambda: self._held == 0, self.delay)
            self._rest_until(lambda: self._held == 0 and (not self.paused or self._steps > 0))
            self._steps = max(self._steps - 1, 0)

    def on_undo(self, back: Any, steps: int) -> None:
        del self.seen[steps + 1 :]
        self.said = ""
        self.wake()

    def asked(self, player: int, state: Any) -> int | str:
        """The person's answer; raises Left."""
        with self._changed:
            self.question, self._answer = PersonsTurn(player, state), None
            self.wake()
            try:
                self._rest_until(lambda: self._answer is not None and self._held == 0)
                assert self._answer is not None
                return self._answer
            finally:
                self.question = None
                self.said = ""

    def say(self, text: str) -> None:
        """Show this until the next step."""
        self.said = text
        self.wake()

    def _rest_until(self, ready: Callable[[], bool], at_least: float = 0.0) -> None:
        """Wait without a clock that runs; `delay` may change meanwhile."""
        self._resting = True
        self._changed.notify_all()
        began = time.monotonic()
        try:
            while not self._leaving:
                left = began + min(at_least, self.delay) - time.monotonic() if at_least else 0.0
                if left <= 0 and ready():
                    return
                self._changed.wait(left if left > 0 else None)
            raise Left
        finally:
            self._resting = False

    def _run(self, play: Callable[[], GameRecord]) -> None:
        try:
            self.record = play()
        except BaseException as error:  # raised again where the screen was opened
            self.error = error
        with self._changed:
            self._changed.notify_all()
        self.wake()


class SeatedPlayer(HumanPlayer):
    """A person playing by the screen's keys."""

    def __init__(self, person: HumanPlayer, live: LiveGame) -> None:
        super().__init__(adviser=person.adviser)
        self._live = live

    def choose(self, state: Any, clock: Clock) -> int:
        while True:
            answer = self._live.asked(self.player, state)
            if answer == "undo":
                raise TakeBack
            if isinstance(answer, int):
                return answer
            self._live.say(self.hint(state))
