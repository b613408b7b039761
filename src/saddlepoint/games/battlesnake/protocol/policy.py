"""What the official referee does about a snake that gives no valid move in time: its last move is made again."""

from collections.abc import Sequence
from typing import Any

from ....boards.grid import UP
from ....game import Game
from ....play.endings import fault_words
from ....play.game import FaultPolicy
from ....play.turns import Turns
from ....players.base import Answer
from ....players.fault import Fault, FaultKind

_FORGIVEN = (FaultKind.LATE, FaultKind.ILLEGAL)


class LastMoveAgain(FaultPolicy):
    """Where a snake's answer is late or no valid move, its last valid move is made again, before its first one `up`.

    So it is for every player of the game. Whatever else is wrong with a server costs it this move too; a player of another
    kind that fails, loses.
    """

    def __init__(self, servers: Sequence[int]) -> None:
        """`servers` are the numbers of the players that are servers."""
        self._servers = servers
        self._last = [UP, UP]
        self._silent = [0, 0]
        self._first: list[Fault | None] = [None, None]

    def judge(self, game: Game, state: Any, player: int, answer: Answer | None, fault: Fault | None) -> Answer | None:
        if fault is None and answer is not None:
            self._last[player] = answer.action
            return answer
        if fault is None or not (player in self._servers or fault.kind in _FORGIVEN):
            return None
        if not self._silent[player]:
            self._first[player] = fault
        self._silent[player] += 1
        return Answer(self._last[player], None, answer and answer.said, fault.text)

    def remark(self, turns: Turns) -> str:
        return "; ".join(
            f"player {player}'s last move was made again {times} time{'s' if times > 1 else ''} ({fault_words(first, turns)})"
            for player, (times, first) in enumerate(zip(self._silent, self._first, strict=True)) if first is not None
        )  # fmt: skip
