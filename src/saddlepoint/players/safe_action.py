"""A safe action by the rules as plain Python: while nothing is compiled yet, and where a player has no answer in time."""

import math
import time
from collections.abc import Iterator
from typing import Any

from ..game.nodes import CHANCE, NO_ACTION, SIMULTANEOUS, TERMINAL


def safe_action(game: Any, state: Any, player: int, until: float = math.inf) -> int:
    """An action that does not lose at once if there is one, for a player that has a choice.

    It wins at once where it can, and avoids actions that a reply makes lose. Where both move at once it then
    takes the one that leaves the most actions worth searching. At `until`, a moment of time.monotonic(), it
    looks no further.
    """
    look = _OnePly(game, player)
    actions = look.actions("search_actions", state, player)
    best, chosen = None, actions[0]
    for action in actions if len(actions) > 1 else ():
        if time.monotonic() >= until:
            break
        worths = list(look.replied(state, action))
        worth = min(worths), sum(result for result, _ in worths) / len(worths)
        if best is None or worth > best:
            best, chosen = worth, action
    return chosen


class _OnePly:
    """An action and the reply to it, in a game's rules, uncompiled."""

    def __init__(self, game: Any, player: int) -> None:
        self._rules, self._player, self._max_outcomes = game.plain, player, game.max_outcomes
        self._out = [0] * game.max_actions

    def actions(self, kernel: str, state: Any, player: int) -> list[int]:
        return [
            int(action) for action in self._out[: getattr(self._rules, kernel)(state, player, self._out)]
        ]  # some are NumPy's

    def replied(self, state: Any, action: int) -> Iterator[tuple[float, int]]:
        """(result, actions left) after each reply to an action.

        Twice the result where it ends the game before one.
        """
        other = 1 - self._player
        if self._rules.current_player(state) != SIMULTANEOUS:
            state, action = self._after(state, action, NO_ACTION), NO_ACTION
            if self._rules.current_player(state) != other:
                result, left = self._worth(state)
                yield 2 * result, left
                return
        replies = self.actions("legal_actions", state, other)
        yield from (self._worth(self._after(state, action, reply)) for reply in replies)

    def _after(self, state: Any, own: int, others: int) -> Any:
        """The state after both; of what chance then does, the first outcome."""
        state = self._rules.successor(state, *((others, own) if self._player else (own, others)))
        while self._rules.current_player(state) == CHANCE:
            outcomes, shares = [0] * self._max_outcomes, [0.0] * self._max_outcomes
            self._rules.chance_outcomes(state, outcomes, shares)
            state = self._rules.successor(state, int(outcomes[0]), NO_ACTION)
        return state

    def _worth(self, state: Any) -> tuple[float, int]:
        """The player's result, and how many actions it has next: -1 after the end, so that to go on is better than a draw."""
        node = self._rules.current_player(state)
        if node == TERMINAL:
            return (1 - 2 * self._player) * self._rules.returns(state), -1
        return 0.0, len(self.actions("search_actions", state, self._player)) if node == SIMULTANEOUS else 0
