"""Positions of random games, from their beginnings to their ends, of both players."""

import random
from dataclasses import dataclass
from typing import Any

from ..game import CHANCE, NO_ACTION, Game
from ..play.turns import Turns
from .openings import own_starts

_LONGEST_GAME = 5000  # steps
_OF_A_GAME, _MOST_GAMES = 12, 200  # positions of one random game; games, where they are short


@dataclass(frozen=True)
class RandomPosition:
    """A position in which a player has to move."""

    state: Any
    player: int
    where: str
    """In words, for a report."""


def positions_of(game: Game, count: int, seed: int) -> list[RandomPosition]:
    """So many positions of random games, fewer where there are not so many: from their beginnings to their ends, of both players."""
    draw = random.Random(seed)
    chosen: list[RandomPosition] = []
    for number in range(1, _MOST_GAMES + 1):
        steps = _random_game(game, draw)
        wanted = min(_OF_A_GAME, count - len(chosen))
        found: dict[tuple[str, int], Any] = {}
        for k in range(wanted if steps else 0):
            at = k * (len(steps) - 1) / max(1, wanted - 1)
            # In a game in turn it is the nearest position in which that player moves.
            place = min(range(len(steps)), key=lambda n: (k % 2 not in game.players_to_act(steps[n][1]), abs(n - at)))
            label, state = steps[place]
            to_act = game.players_to_act(state)
            found[label, k % 2 if k % 2 in to_act else to_act[0]] = state
        for (label, player), state in found.items():
            where = f"position {len(chosen) + 1} (random game {number}, {label}, player {player})"
            chosen.append(RandomPosition(state, player, where))
        if len(chosen) >= count:
            break
    return chosen


def _random_game(game: Game, draw: random.Random) -> list[tuple[str, Any]]:
    """The positions of a game between random players in which somebody moves, each with its turn."""
    state = game.from_text(draw.choice(own_starts(game)))
    states = [state]
    for _ in range(_LONGEST_GAME):
        to_act = game.players_to_act(state)
        if to_act:
            state = game.advance(state, *(draw.choice(game.legal_actions(state, p)) if p in to_act else NO_ACTION for p in (0, 1)))
        elif game.current_player(state) == CHANCE:
            outcomes, weights = zip(*game.chance_outcomes(state), strict=True)
            state = game.next_state(state, draw.choices(outcomes, weights)[0])
        else:
            break
        states.append(state)
    turns = Turns(game, states)
    return [(turns.label(step), one) for step, one in enumerate(states) if game.players_to_act(one)]
