"""Whether what a player chooses changes the game at all: a rule that drops an action is legal, and silent."""

from collections.abc import Callable
from typing import Any, NoReturn

from ..nodes import NO_ACTION, SIMULTANEOUS

_ENOUGH = 5  # positions with a choice, after which it is no accident that none mattered
_ACTIONS = 8


class ChoicesThatMatter:
    """Watches the positions of random games for each player's first choice that changed what came next."""

    def __init__(
        self, actions: Callable[[Any, int], list[int]], successor: Callable[[Any, int, int], Any], fail: Callable[..., NoReturn]
    ) -> None:
        self._actions, self._successor, self._fail = actions, successor, fail
        self._matters = [False, False]
        self._seen: list[set[Any]] = [set(), set()]

    def look_at(self, state: Any, node: int) -> None:
        """Try the actions of each player who has a choice here."""
        for player in (0, 1):
            if node in (player, SIMULTANEOUS) and not self._matters[player] and state not in self._seen[player]:
                self._try(state, node, player)

    def _try(self, state: Any, node: int, player: int) -> None:
        own = self._actions(state, player)[:_ACTIONS]
        others = self._actions(state, 1 - player)[:_ACTIONS] if node == SIMULTANEOUS else [NO_ACTION]
        if len(own) < 2:
            return
        for other in others:
            pairs = [(action, other) if player == 0 else (other, action) for action in own]
            if len({self._successor(state, *pair) for pair in pairs}) > 1:
                self._matters[player] = True
                return
        self._seen[player].add(state)

    def check(self) -> None:
        """Fail for a player whose choices never mattered."""
        for player, seen in enumerate(self._seen):
            if not self._matters[player] and len(seen) >= _ENOUGH:
                what = f"it gives the same whatever player {player} chooses, in {len(seen)} positions"
                self._fail("next_state", f"must make use of player {player}'s action: {what}; use action{player}", None)
