"""The rules of a game as Python code sees them: lists in place of arrays, and errors in place of moves that are not legal."""

from collections.abc import Callable
from typing import Any

import numpy as np

from ..compiled import jit, run
from .nodes import CHANCE, NO_ACTION, SIMULTANEOUS, TERMINAL, GameError, IllegalActionError


@jit
def _search_actions(game: Any, state: Any, player: int, out: Any) -> int:
    return game.search_actions(state, player, out)


@jit
def _chance_outcomes(game: Any, state: Any, out: Any, probabilities: Any) -> int:
    return game.chance_outcomes(state, out, probabilities)


def _acts(game: Any, state: Any, player: int) -> bool:
    if player not in (
        0,
        1,
        CHANCE,
        TERMINAL,
    ):  # so `current_player` may be asked for, where one moves at most
        raise GameError(f"a player is 0 or 1, not {player!r}")
    return player in game.players_to_act(state)


def checked_legal_actions(game: Any, state: Any, player: int) -> list[int]:
    """The player's legal actions as a list; empty where the player has no choice.

    Raises GameError for what is no player; CHANCE and TERMINAL have no choice.
    """
    return game.choices(state, player) if _acts(game, state, player) else []


def checked_search_actions(game: Any, state: Any, player: int) -> list[int]:
    """The player's actions that a search looks at, as a list; else as `legal_actions`."""
    if not _acts(game, state, player):
        return []
    out = np.zeros(game.max_actions, np.int64)
    return out[: run(_search_actions, game, state, player, out)].tolist()


def checked_chance_outcomes(game: Any, state: Any) -> list[tuple[int, float]]:
    """(outcome, probability) pairs; empty where it is not chance's turn."""
    if game.current_player(state) != CHANCE:
        return []
    out, probabilities = np.zeros(game.max_outcomes, np.int64), np.zeros(game.max_outcomes)
    count = run(_chance_outcomes, game, state, out, probabilities)
    return list(zip(out[:count].tolist(), probabilities[:count].tolist(), strict=True))


def checked_next_state(game: Any, state: Any, *actions: int) -> Any:
    """The state after a joint action (or one action where one player, or chance, moves).

    Raises IllegalActionError where an action is not legal, and GameError where the rule would drop one.
    """
    node = game.current_player(state)
    if node == SIMULTANEOUS and game.turn_based:
        raise GameError(
            f"{type(game).__name__}.next_state takes one action, and both players move here: "
            "write def next_state(self, state, action0, action1)"
        )
    if node == TERMINAL:
        raise IllegalActionError(f"the game is over; nobody moves any more\n{game.render(state)}")
    if node == SIMULTANEOUS:
        if len(actions) != 2:
            raise IllegalActionError(f"both players move here: expected two actions, got {len(actions)}")
        chosen = (int(actions[0]), int(actions[1]))
    else:
        given = [a for a in actions if a != NO_ACTION]
        if len(given) != 1:
            raise IllegalActionError(f"one action is expected here, got {len(given)}")
        chosen = (NO_ACTION, int(given[0])) if node == 1 else (int(given[0]), NO_ACTION)
    if node == CHANCE:
        if chosen[0] not in [outcome for outcome, _ in game.chance_outcomes(state)]:
            raise IllegalActionError(f"{chosen[0]} is no possible outcome here")
    else:
        for player in (0, 1) if node == SIMULTANEOUS else (node,):
            if chosen[player] not in game.choices(state, player):
                raise game.illegal(state, player, chosen[player])
    return game.advance(state, *chosen)


CHECKED_RULES: dict[str, Callable[..., Any]] = {
    "legal_actions": checked_legal_actions,
    "search_actions": checked_search_actions,
    "chance_outcomes": checked_chance_outcomes,
    "next_state": checked_next_state,
}
"""By the name of the kernel: what stands in its place for Python code."""
for _name, _function in CHECKED_RULES.items():
    _function.__qualname__ = f"Game.{_name}"  # what Python says of a call with too many arguments
