"""The name of a step of a game, for people: the players' moves, or the outcome of chance."""

from typing import Any

from .base import CHANCE, NO_ACTION, Game

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
