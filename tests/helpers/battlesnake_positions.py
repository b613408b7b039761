"""Positions of random games of Battlesnake."""

import random
from typing import Any

import numpy as np

from saddlepoint import CHANCE, TERMINAL, Battlesnake


def random_positions(game: Battlesnake, number: int, seed: int) -> list[Any]:
    """So many positions in which both are to move, of games in which nobody dies at once if it can be helped."""
    drawn = random.Random(seed)
    found: list[Any] = []
    while len(found) < number:
        state = game.initial_state(drawn.randrange(99))
        while game.current_player(state) != TERMINAL and len(found) < number:
            if game.current_player(state) == CHANCE:
                state = game.next_state(
                    state, int(game.drawn_outcome(state, np.uint64(drawn.getrandbits(64))))
                )
                continue
            found.append(state)
            state = game.next_state(
                state, *(drawn.choice(game.search_actions(state, player)) for player in (0, 1))
            )
    return found
