"""A position in the middle of a game: for the card of a game on the first page, and for the round that its rules draw."""

import random

from ..arena.openings import random_joint
from ..game import CHANCE, TERMINAL, Game
from .references import Joint

_GAMES = 12
_MOST_STEPS = 200


def moves_to_middle(game: Game) -> tuple[tuple[Joint, ...], Joint | None]:
    """The moves of half of a random game, the longest of some, the same ones every time; and what the players choose next in it.

    They lead to a position in which players choose, where one follows.
    """
    draw = random.Random(game.name)
    longest = max((_random_game(game, draw) for _ in range(_GAMES)), key=len)
    half = len(longest) // 2
    state = game.initial_state()
    for at, joint in enumerate(longest):
        if at >= half and game.current_player(state) != CHANCE:
            return tuple(longest[:at]), joint
        state = game.advance(state, *joint)
    return tuple(longest[:half]), None


def _random_game(game: Game, draw: random.Random) -> list[Joint]:
    state, moves = game.initial_state(), list[Joint]()
    while game.current_player(state) != TERMINAL and len(moves) < _MOST_STEPS:
        moves.append(random_joint(game, state, draw))
        state = game.advance(state, *moves[-1])
    return moves
