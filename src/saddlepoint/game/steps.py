"""A step of a game: its name, for people, and one at random, where nobody thinks."""

import random
from typing import Any

from .base import CHANCE, NO_ACTION, TERMINAL, Game

Names = tuple[str | None, str | None]


def names_of(game: Game, state: Any, joint: tuple[int, int]) -> Names:
    """The moves of a step by name; None for a player without a choice, and for both where chance moves."""
    act = game.players_to_act(state)
    a, b = (
        game.action_to_string(state, p, joint[p]) if p in act and joint[p] != NO_ACTION else None
        for p in (0, 1)
    )
    return a, b


def drawn_by(game: Game, state: Any, joint: tuple[int, int]) -> str:
    """The name of chance's outcome in a step; empty where chance had no turn."""
    return game.outcome_to_string(state, joint[0]) if game.current_player(state) == CHANCE else ""


def step_in_words(game: Game, state: Any, joint: tuple[int, int]) -> str:
    """A step in a line of several: `left right`, `d4`, `chance: food 5,5`."""
    drawn = drawn_by(game, state, joint)
    return f"chance: {drawn}" if drawn else " ".join(filter(None, names_of(game, state, joint)))


def random_outcome(game: Game, state: Any, draw: random.Random) -> int:
    """An outcome of chance, by the rules' probabilities."""
    outcomes, weights = zip(*game.chance_outcomes(state), strict=True)
    return int(draw.choices(outcomes, weights)[0])


def after_random_steps(game: Game, state: Any, count: int, draw: random.Random) -> Any:
    """The position after so many random steps, or the last one before the game is over."""
    for _ in range(count):
        after = random_step(game, state, draw)
        if game.current_player(after) == TERMINAL:
            break
        state = after
    return state


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
        return random_outcome(game, state, draw), NO_ACTION
    to_act = game.players_to_act(state)
    one, two = (
        int(draw.choice(game.search_actions(state, player) or game.legal_actions(state, player)))
        if player in to_act
        else NO_ACTION
        for player in (0, 1)
    )
    return one, two
