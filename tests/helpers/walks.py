"""What can come about in a game, by the checked interface alone."""

from typing import Any

from saddlepoint.game.base import NO_ACTION, TERMINAL, Game


def after_one_step(game: Game, state: Any) -> list[Any]:
    """The positions that may follow, one of each joint action or outcome; none of an ended game."""
    if game.current_player(state) == TERMINAL:
        return []
    outcomes = [(outcome, NO_ACTION) for outcome, _ in game.chance_outcomes(state)]
    own = [game.legal_actions(state, player) or [NO_ACTION] for player in (0, 1)]
    return [game.advance(state, a, b) for a, b in outcomes or [(a, b) for a in own[0] for b in own[1]]]


def reachable(game: Game, state: Any, most: int = 10**9) -> set[Any]:
    """The positions that are not ended and can come about from this one on; some more than `most` where there are more."""
    found, waiting = set[Any](), [state]
    while waiting and len(found) <= most:
        one = waiting.pop()
        if one not in found and game.current_player(one) != TERMINAL:
            found.add(one)
            waiting += after_one_step(game, one)
    return found
