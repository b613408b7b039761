"""Games that are played at random."""

import random
from typing import Any

from saddlepoint.game.base import CHANCE, NO_ACTION, TERMINAL, Game


def random_game(game: Game, draw: random.Random, most: int = 400) -> tuple[list[Any], list[tuple[int, int]]]:
    """The positions of a random game, and the joint actions between them."""
    states, joints = [game.initial_state()], list[tuple[int, int]]()
    while (node := game.current_player(states[-1])) != TERMINAL and len(joints) < most:
        state = states[-1]
        if node == CHANCE:
            joint = draw.choice(game.chance_outcomes(state))[0], NO_ACTION
        else:
            acting = game.players_to_act(state)
            a, b = (draw.choice(game.legal_actions(state, p)) if p in acting else NO_ACTION for p in (0, 1))
            joint = a, b
        joints.append(joint)
        states.append(game.advance(state, *joint))
    return states, joints
