"""Random play: what a game does when nobody thinks."""

import random
from typing import Any

from .base import CHANCE, NO_ACTION, Game


def random_step(game: Game, state: Any, draw: random.Random) -> Any:
    """The next position, by `random_joint`."""
    return game.next_state(
        state, *(action for action in random_joint(game, state, draw) if action != NO_ACTION)
    )


def random_joint(game: Game, state: Any, draw: random.Random) -> tuple[int, int]:
    """A random joint action: players choose among the actions worth searching, chance by its probabilities.

    NO_ACTION for a player that does not act.
    """
    if game.current_player(state) == CHANCE:
        outcomes = game.chance_outcomes(state)
        return int(draw.choices([o for o, _ in outcomes], [p for _, p in outcomes])[0]), NO_ACTION
    to_act = game.players_to_act(state)
    one, two = (
        int(draw.choice(game.search_actions(state, player) or game.legal_actions(state, player)))
        if player in to_act
        else NO_ACTION
        for player in (0, 1)
    )
    return one, two
