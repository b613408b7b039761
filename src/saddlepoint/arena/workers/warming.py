"""Compile, or load from disk, everything that a game needs before any clock runs."""

import random
from typing import Any

from ...game import CHANCE, Game

_MOST_STEPS = 3000


def warm_rules(game: Game, start: Any) -> dict[int, Any]:
    """Play one game at random with all that the arena and simple players ask of the rules.

    Returns a position in which each player, 0 or 1, chooses; without those who never got to.
    """
    draw = random.Random(0)
    asked: dict[int, Any] = {}
    state = start
    game.from_text(game.to_text(state))
    for _ in range(_MOST_STEPS):
        if game.current_player(state) == CHANCE:
            state = game.next_state(state, draw.choice(game.chance_outcomes(state))[0])
            continue
        to_act = game.players_to_act(state)
        if not to_act:
            game.returns(state)
            break
        chosen: list[int] = []
        for player in to_act:
            asked.setdefault(player, state)
            actions = game.legal_actions(state, player)
            game.search_actions(state, player)
            game.choices(state, player)
            game.action_to_string(state, player, actions[0])
            chosen.append(draw.choice(actions))
        state = game.next_state(state, *chosen)
    return asked
