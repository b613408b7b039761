"""The review of the game on the screen, in a thread of its own: who lost it, where and of what, and the moments that mattered."""

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...algorithms.limits import Limits, StopToken

if TYPE_CHECKING:
    from ...algorithms.analysis import Standing
    from ...play.finished_game import FinishedGame

_SECONDS = 0.3
"""Of search for each turn, as for the command `review`."""


@dataclass(frozen=True)
class Reviewed:
    """What is known of the whole game so far."""

    doing: str = ""
    """What is done just now; nothing when it is over."""
    says: tuple[str, ...] = ()
    """The verdict, sentence by sentence."""
    moments: tuple[tuple[int, str], ...] = ()
    """The moments that mattered: which position of the game, and what happened there."""


class Reviewer:
    """Reviews one game when it is asked, once; `wake` is called from its thread at all news."""

    def __init__(self, played: "FinishedGame", wake: Callable[[], None]) -> None:
        self.found = Reviewed()
        self._played, self._wake = played, wake
        self._token = StopToken()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Begin, unless it has begun."""
        if self._thread is None:
            self._tell(Reviewed("compiling; the first time takes a while"), self._token)
            self._thread = threading.Thread(target=self._run, args=(self._token,), name="saddlepoint review", daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """End it; what is not finished is begun anew by the next `start`."""
        self._token.stop()
        if self.found.doing:
            self._thread, self._token = None, StopToken()
            self.found = Reviewed()

    def _run(self, token: StopToken) -> None:
        try:
            found = self._review(token)
        except Exception as error:  # of the rules, or of a search that is not made for the game
            found = Reviewed(says=((str(error).splitlines() or [""])[0] or type(error).__name__,))
        if found is not None:
            self._tell(found, token)

    def _review(self, token: StopToken) -> Reviewed | None:
        from ...algorithms.analysis import searched_form
        from ...algorithms.searcher import search
        from ...play.review import review_finished
        from ...play.review_words import moment_words, verdict_words
        from ...roster.analysing import review_search_of

        played = self._played
        if not played.actions:
            return Reviewed(says=("nobody made a move in this game",))
        algorithm = review_search_of(played.game).algorithm
        search(
            searched_form(played.game, algorithm), played.states[0], algorithm, Limits(depth=1, nodes=1000), stop=token, variation=False
        )

        def note(one: "Standing", done: int, expected: int) -> None:
            self._tell(Reviewed(f"{played.turns.label(one.step)}: {done} of at most {expected} searches"), token)

        found = review_finished(played, algorithm, Limits(seconds=_SECONDS), stop=token, on_standing=note)
        if found is None:
            return None
        moments = tuple((one.step, moment_words(played, found, one)) for one in found.moments)
        return Reviewed("", tuple(verdict_words(played, found)), moments)

    def _tell(self, found: Reviewed, token: StopToken) -> None:
        if not token.stopped:
            self.found = found
            self._wake()
