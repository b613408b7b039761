"""A position in the middle of a game, for the card of a game on the first page."""

import random

from ..game import CHANCE, NO_ACTION, TERMINAL, Game
from .references import Joint

_GAMES = 12
_MOST_STEPS = 200


def moves_to_middle(game: Game) -> tuple[Joint, ...]:
    """The moves of half of a random game, the longest of some: the same ones every time."""
    draw = random.Random(game.name)
    longest: list[Joint] = []
    for _ in range(_GAMES):
        moves = _random_game(game, draw)
        longest = max(longest, moves, key=len)
    return tuple(longest[: len(longest) // 2])


def _random_game(game: Game, draw: random.Random) -> list[Joint]:
    state, moves = game.initial_state(), list[Joint]()
    while (node := game.current_player(state)) != TERMINAL and len(moves) < _MOST_STEPS:
        if node == CHANCE:
            outcomes, weights = zip(*game.chance_outcomes(state), strict=True)
            joint = int(draw.choices(outcomes, weights)[0]), NO_ACTION
        else:
            to_act = game.players_to_act(state)
            one, two = (
                int(draw.choice(game.search_actions(state, p) or game.legal_actions(state, p))) if p in to_act else NO_ACTION
                for p in (0, 1)
            )  # fmt: skip
            joint = one, two
        moves.append(joint)
        state = game.advance(state, *joint)
    return moves
