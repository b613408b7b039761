"""A wanted move of the protocol `csl 1`: its position, uncompiled, the request, and the players that find it, each in a thread."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from ... import (
    SearchResult,
)
from ..interface import (
    Clock,
    Deadline,
    PooledPlayer,
    Question,
    safe_action,
)
from .game import Simplexity
from .state import SHAPES, State, action_of

if TYPE_CHECKING:
    Found = tuple[tuple[int, int], SearchResult | None]
    """A move, a (column, shape) pair, and what the search found."""


class Parameters(Simplexity):
    """A match's parameters: the game, on boards too that are too large for its players.

    Raises ValueError, in one sentence, where no game can be played with them.
    """

    max_side: ClassVar[int] = 64

    def __str__(self) -> str:
        return f"{self.rows}x{self.cols}, {self.win} in a row, {self.round} round and {self.square} square"


def replay(parameters: Parameters, moves: str) -> State:
    """The state after moves like `3r,3s,0r`, `-` for none; raises ValueError where one of them is illegal."""
    state = parameters.initial_state()
    for number, word in enumerate(() if moves == "-" else moves.split(",")):
        action = action_of(word)
        if action is None:
            raise ValueError(f"move {number}, {word[:12]!r}, is none: expected a column, then r or s")
        if why := parameters.why_illegal(state, *divmod(action, 2)):
            raise ValueError(f"move {number}, {word[:12]}: {why}")
        state = parameters.plain.next_state(state, action)
    return state


def quick_move(parameters: Parameters, state: State, until: float) -> tuple[int, int]:
    """A (column, shape) that wins at once, or that no reply wins against, where there is one and it is found in time."""
    return divmod(safe_action(parameters, state, state.moves & 1, until), 2)


_SEARCH_RESERVE, _ANSWER_RESERVE = (0.045, 0.03), (0.04, 0.02)
"""Seconds, and the least share, that is left of the budget when the search is to be over, and when an answer goes out anyway."""
_READY_SHARE = 0.5  # the share of the budget in which a player may yet become ready
_LOOKING = 0.01  # seconds for the quick move, and at most this share of the budget:
_LOOKING_SHARE = 1 / 40


class ThinkRequest(Question):
    """One `think`. `budget` in seconds; `send` takes lines without the last one's end.

    `reserve` is what a busy engine holds back besides, in seconds. A short budget keeps more than half of itself.
    """

    def __init__(
        self,
        gid: str,
        rid: str,
        parameters: Parameters,
        state: State,
        budget: float,
        asked: float,
        send: Callable[[str], None],
        reserve: float = 0.0,
        warn: Callable[[str], None] | None = None,
    ) -> None:
        self.gid, self.rid, self.parameters, self.state, self.budget = gid, rid, parameters, state, budget
        reserves = [max(held, share * budget) for held, share in (_SEARCH_RESERVE, _ANSWER_RESERVE)]
        search, answer = (budget - min(held + reserve, 0.4 * budget) for held in reserves)
        super().__init__(Deadline(search, answer=answer, ready=_READY_SHARE * budget), asked)
        self._send, self._warn = send, warn
        self.match: object = None
        """Whose it is: another match is another game to its player."""
        self.quick = quick_move(parameters, state, asked)

    def look(self) -> None:
        """Find the quick move: it is the answer should the player have none in time."""
        until = time.monotonic() + min(_LOOKING, _LOOKING_SHARE * self.budget)
        self.quick = quick_move(self.parameters, self.state, until)

    def deliver(self, answer: "Found | None") -> None:
        """Send a move and what was found; the quick move for None."""
        move, found = answer or (self.quick, None)
        info = (
            ""
            if found is None
            else f"info {self.gid} {self.rid} depth {found.depth} value {found.value:+z.3f}\n"
        )
        self._send(f"{info}move {self.gid} {self.rid} {move[0]} {SHAPES[move[1]]}")
        if answer is None and self._warn is not None:  # after the answer: whoever reads the log may be slow
            self._warn(
                f"{self.gid[:40]} {self.rid[:40]}: the quick move was played, not the player's: {self.why}"
            )

    def report_stopped(self) -> None:
        """Tell that the search has ended, if the request is void."""
        if self.void:
            self._send(f"info {self.gid} {self.rid} stopped")


_NEW_GAME = (None, 0)
"""White's, begun before anybody's match is known: no time of its first move goes into that."""


@dataclass(frozen=True)
class MatchSetting:
    """The parameters of a match and the player's spec."""

    parameters: Parameters
    player: str


class Match:
    """A match of the framework, known by its GID."""

    def __init__(self, setting: MatchSetting, budget: float | None = None) -> None:
        self.setting, self.budget = setting, budget
        self.request: ThinkRequest | None = None


class MatchPlayer(PooledPlayer[MatchSetting]):
    """The player of a setting; `match` is the one it plays in."""

    def failed_to(self, prepare: bool, error: Exception) -> None:
        if prepare:
            self.pool.warn(
                f"{self.setting.player} cannot play {self.setting.parameters}, quick moves do: {error}"
            )
        else:
            self._playing = None
            self.pool.warn(f"{self.setting.player} failed, a quick move instead: {error}")

    def made(self) -> tuple[Callable[[ThinkRequest], "Found"], Callable[[], None]]:
        began, warn, warmed = time.monotonic(), self.pool.warn, self.setting in self.pool.warmed
        given = self.setting.parameters
        if not warmed:
            warn(f"preparing {self.setting.player} for {given}")

        game = Simplexity(given.rows, given.cols, given.win, given.round, given.square)
        player = self.pool.load()(self.setting.player, game)
        if not warmed:
            player.warm(game, game.initial_state())
        player.begin(game, 0)
        self._playing: tuple[object, int] | None = _NEW_GAME
        if not warmed:
            self.pool.warmed.add(self.setting)
            warn(f"ready for {given} ({time.monotonic() - began:.1f} s)")

        def think(request: ThinkRequest) -> "Found":
            seat = (request.match, request.state.moves & 1)
            if self._playing != seat and not (self._playing == _NEW_GAME and seat[1] == 0):
                player.begin(game, seat[1])
            self._playing = seat
            seconds = max(0.0, request.search_until - time.monotonic())
            answer = request.answer_of(player, request.state, Clock(seconds, seconds, seconds))
            request.report_stopped()
            move = (answer.action >> 1, answer.action & 1)
            if why := given.why_illegal(request.state, *move):
                raise ValueError(f"the move {move} is not legal: {why}")
            return move, answer.findings if isinstance(answer.findings, SearchResult) else None

        return think, player.close
