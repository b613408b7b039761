"""A look-ahead in plain Python, for the time in which nothing is compiled: it walks the rules of any game, uncompiled."""

import math
import time
from collections.abc import Callable, Iterator
from typing import Any

from ..nodes import CHANCE, NO_ACTION, SIMULTANEOUS, TERMINAL

DECIDED = 1e6
"""What a return of 1 counts for, less 1 for each ply until then: more than any estimate."""
_DEEPEST = 64


class _TooLateError(Exception):
    """The time to look is over."""


class PlainSearch:
    """What a player can get from a position if the other always knows its next action before it is made.

    Iterative deepening with alpha-beta: a ply is an action of one player, or of both where they move at once; chance takes none.
    `estimate(game, state)` says what a position is worth to player 0 where the looking ends (0 without it), and is given the rules
    uncompiled; `draw` is what a draw is worth to `player`.
    """

    def __init__(
        self, game: Any, player: int, until: float = math.inf, estimate: Callable[[Any, Any], float] | None = None, draw: float = 0.0,
        choosing: int = 1,
    ) -> None:  # fmt: skip
        """`game` is a `Game`, or what has rules like one; `until` is a moment of time.monotonic(). With fewer plies left than `choosing`
        all legal actions are looked at, not `search_actions`, where these cost more than they spare."""
        self._game = game.plain
        self._player, self._sign, self._until, self._draw = player, 1 - 2 * player, until, draw
        self._estimate, self._choosing = estimate, choosing
        self._out = [0] * game.max_actions
        self._first: dict[tuple[int, int], int] = {}
        self._is_cut = False
        self.value = 0.0
        """What the last of `moves` is worth to the player, as far as it was looked."""

    def moves(self, state: Any, deepest: int = _DEEPEST) -> Iterator[int]:
        """Better and better actions in a position where the player has a choice, looking one ply farther each.

        The first one is there at once. It ends when the time is over, or when looking farther is of no use.
        """
        order = self._actions(state, self._player, 0, deepest + self._choosing)
        yield order[0]
        try:
            for plies in range(1, deepest + 1):
                self._is_cut, best, lost = False, -math.inf, 0
                for action in list(order):
                    worth = self._replied(state, action, plies, 0, best, math.inf)
                    lost += worth < -DECIDED / 2
                    if worth > best:
                        best = worth
                        order.remove(action)
                        order.insert(0, action)
                self.value = best
                yield order[0]
                if best > DECIDED / 2 or lost >= len(order) - 1 or not self._is_cut:
                    return
        except _TooLateError:
            return

    def _actions(self, state: Any, player: int, ply: int, plies: int) -> list[int]:
        """What there is to look at, what was best last at that ply first."""
        actions = self._game.legal_actions if plies < self._choosing else self._game.search_actions
        found = [int(action) for action in self._out[: actions(state, player, self._out)]]  # some are NumPy's
        first = self._first.get((ply, player))
        if first in found:
            found.remove(first)
            found.insert(0, first)
        return found

    def _searched(self, state: Any, plies: int, ply: int, alpha: float, beta: float) -> float:
        """What the position is worth to the player; exact between `alpha` and `beta`."""
        node = self._game.current_player(state)
        if node == TERMINAL:
            result = self._sign * self._game.returns(state)
            return result * DECIDED - math.copysign(ply, result) if result else self._draw
        if node == CHANCE:
            return self._expected(state, plies, ply)
        if plies == 0:
            self._is_cut = True
            return self._sign * self._estimate(self._game, state) if self._estimate else 0.0
        if node not in (SIMULTANEOUS, self._player):
            return self._answered(state, NO_ACTION, plies, ply, alpha, beta)
        best = -math.inf
        for action in self._actions(state, self._player, ply, plies):
            worth = self._replied(state, action, plies, ply, max(alpha, best), beta)
            if worth > best:
                best, self._first[ply, self._player] = worth, action
                if best >= beta:
                    break
        return best

    def _replied(self, state: Any, action: int, plies: int, ply: int, alpha: float, beta: float) -> float:
        """What an action is worth, whatever the other does at the same time."""
        if self._game.current_player(state) == SIMULTANEOUS:
            return self._answered(state, action, plies, ply, alpha, beta)
        return self._searched(self._after(state, action, NO_ACTION), plies - 1, ply + 1, alpha, beta)

    def _answered(self, state: Any, action: int, plies: int, ply: int, alpha: float, beta: float) -> float:
        """The worst that the other can do, knowing the player's action where there is one."""
        other, worst = 1 - self._player, math.inf
        for answer in self._actions(state, other, ply, plies):
            worth = self._searched(self._after(state, action, answer), plies - 1, ply + 1, alpha, min(beta, worst))
            if worth < worst:
                worst, self._first[ply, other] = worth, answer
                if worst <= alpha:
                    break
        return worst

    def _after(self, state: Any, own: int, others: int) -> Any:
        if time.monotonic() >= self._until:
            raise _TooLateError
        if self._game.turn_based:
            return self._game.next_state(state, others if own == NO_ACTION else own)
        return self._game.next_state(state, *((others, own) if self._player else (own, others)))

    def _expected(self, state: Any, plies: int, ply: int) -> float:
        outcomes, shares = [0] * self._game.max_outcomes, [0.0] * self._game.max_outcomes
        worth = 0.0
        for k in range(self._game.chance_outcomes(state, outcomes, shares)):
            outcome = int(outcomes[k])
            after = self._after(state, *((NO_ACTION, outcome) if self._player else (outcome, NO_ACTION)))
            worth += float(shares[k]) * self._searched(after, plies, ply, -math.inf, math.inf)
        return worth
