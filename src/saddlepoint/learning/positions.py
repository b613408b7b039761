"""Positions as a game is played at random."""

import random
from typing import Any

from ..arena.openings import random_step
from ..game import TERMINAL, Game


def random_start(game: Game, draw: random.Random) -> Any:
    """One of the game's starts."""
    starts = getattr(game, "starts", None)
    return game.initial_state() if starts is None else draw.choice(starts())


def random_positions(game: Game, games: int, most: int, draw: random.Random) -> list[Any]:
    """Positions of so many random games that are not over, those among them in which chance moves; `most` at most."""
    found: list[Any] = []
    for _ in range(games):
        state = random_start(game, draw)
        while game.current_player(state) != TERMINAL and len(found) < most:
            found.append(state)
            state = random_step(game, state, draw)
    return found
