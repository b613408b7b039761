"""A wanted move of the protocol `csl 1`."""

import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from ...._text import value_text
from ....play.timely import Question
from .board import Position

if TYPE_CHECKING:
    from ....algorithms.result import SearchResult

    Found = tuple[tuple[int, int], SearchResult | None]
    """A move, a (column, shape) pair, and what the search found."""

_SEARCH_RESERVE, _ANSWER_RESERVE = (0.045, 0.03), (0.04, 0.02)
"""Seconds, and the least share, that is left of the budget when the search is to be over, and when an answer goes out anyway."""
_PATIENCE = 0.5  # the share of the budget in which a player may yet become ready
_PLIES, _PLIES_AHEAD = 2, 5
_LOOKING = 0.01  # seconds for the quick move, and at most this share of the budget:
_LOOKING_SHARE = 1 / 40
_LOOKING_AHEAD = 0.7  # of the budget, where there is no player yet
_LONG_LOOK = 2.0  # seconds: five plies never take longer on the usual board
_SHAPES = "rs"


class ThinkRequest(Question):
    """One `think`. `budget` in seconds; `send` takes lines without the last one's end.

    `reserve` is what a busy engine holds back besides, in seconds. A short budget keeps more than half of itself.
    """

    def __init__(
        self, gid: str, rid: str, position: Position, board: str, budget: float, asked: float, send: Callable[[str], None],
        reserve: float = 0.0, warn: Callable[[str], None] | None = None,
    ) -> None:  # fmt: skip
        self.gid, self.rid, self.position, self.board, self.budget = gid, rid, position, board, budget
        reserves = [max(held, share * budget) for held, share in (_SEARCH_RESERVE, _ANSWER_RESERVE)]
        search, answer = (asked + budget - min(held + reserve, 0.4 * budget) for held in reserves)
        super().__init__(asked, asked + _PATIENCE * budget, search, answer)
        self._send, self._warn = send, warn
        self._looking = self._given_up = False
        self.match: object = None
        """Whose it is: another match is another game to its player."""
        self._find(0, asked)

    def look(self) -> None:
        """Find the quick move: it is the answer should the player have none in time."""
        self._find(_PLIES, time.monotonic() + min(_LOOKING, _LOOKING_SHARE * self.budget))

    def look_ahead(self, seconds: float = _LONG_LOOK) -> None:
        """Find a better one: what wins or loses by force within five plies, as far as there is time."""
        self._find(_PLIES_AHEAD, min(time.monotonic() + seconds, self.asked + _LOOKING_AHEAD * self.budget))

    def _find(self, plies: int, until: float) -> None:
        for move in self.position.looked_ahead(plies, until):
            self.quick = move

    def look_ahead_meanwhile(self) -> None:
        """Look ahead in a thread of its own; who gives up the player waits for what is found."""
        self._looking = True
        threading.Thread(target=self._look_to_the_end, name="looking ahead", daemon=True).start()

    def _look_to_the_end(self) -> None:
        self.look_ahead()
        self._looking = False
        if self._given_up:
            super().give_up()

    def give_up(self) -> None:
        self._given_up = True
        if not self._looking:
            super().give_up()

    def deliver(self, answer: "Found | None") -> None:
        """Send a move and what was found; the quick move for None."""
        move, found = answer or (self.quick, None)
        info = "" if found is None else f"info {self.gid} {self.rid} depth {found.depth} value {value_text(found.value, '+.3f')}\n"
        self._send(f"{info}move {self.gid} {self.rid} {move[0]} {_SHAPES[move[1]]}")
        if answer is None and self._warn is not None:  # after the answer: whoever reads the log may be slow
            self._warn(f"{self.gid[:40]} {self.rid[:40]}: the quick move was played, not the player's: {self.why}")

    def report_stopped(self) -> None:
        """Tell that the search has ended, if the request is void."""
        if self.void:
            self._send(f"info {self.gid} {self.rid} stopped")
