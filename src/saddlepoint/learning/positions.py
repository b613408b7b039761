"""Positions as a game is played at random."""

import random
from typing import Any

from ..game import CHANCE, NO_ACTION, TERMINAL, Game


def random_start(game: Game, draw: random.Random) -> Any:
    """One of the game's starts."""
    starts = getattr(game, "starts", None)
    return game.initial_state() if starts is None else draw.choice(starts())


def random_step(game: Game, state: Any, draw: random.Random) -> Any:
    """The next position, where players choose among the actions that are worth searching, and chance by its probabilities."""
    if game.current_player(state) == CHANCE:
        outcomes, weights = zip(*game.chance_outcomes(state), strict=True)
        return game.next_state(state, draw.choices(outcomes, weights)[0])
    actions = [NO_ACTION, NO_ACTION]
    for player in game.players_to_act(state):
        actions[player] = draw.choice(game.search_actions(state, player) or game.legal_actions(state, player))
    return game.advance(state, *actions)


def random_positions(game: Game, games: int, most: int, draw: random.Random) -> list[Any]:
    """Positions of so many random games that are not over, those among them in which chance moves; `most` at most."""
    found: list[Any] = []
    for _ in range(games):
        state = random_start(game, draw)
        while game.current_player(state) != TERMINAL and len(found) < most:
            found.append(state)
            state = random_step(game, state, draw)
    return found
