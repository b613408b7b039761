"""The principal variation: the line that a search noted, continued by the most probable joint actions."""

from collections.abc import Callable
from typing import Any

from ..game import CHANCE, NO_ACTION, TERMINAL, Game

Joint = tuple[int, int]
Strategies = tuple[dict[int, float], dict[int, float]]


def most_probable(strategies: Strategies) -> Joint:
    """Each player's likeliest action, the first of equals; -1 for who has none."""
    first, second = (max(mixture, key=lambda action: mixture[action]) if mixture else NO_ACTION for mixture in strategies)
    return first, second


def continued(
    game: Game, state: Any, line: tuple[Joint, ...], strategies: Strategies, depth: int,
    look: Callable[[Any, int], Strategies | None], longest: int | None = None,
) -> tuple[Joint, ...]:  # fmt: skip
    """A line from `state`, where these are the strategies, as joint actions until it is `depth` deep or the game is over.

    `look(state, depth)` gives the strategies of a later position, and how deep the line still is to go from there; None, or
    strategies without an action, end it.
    Chance's likeliest outcome is followed, and counts as no depth, as in every search.
    """
    found = list(line)
    for joint in line:
        depth -= game.current_player(state) != CHANCE
        state = game.next_state(state, *joint)
    while depth > 0 and (longest is None or len(found) < longest):
        node = game.current_player(state)
        if node == TERMINAL:
            break
        if node == CHANCE:
            joint = max(game.chance_outcomes(state), key=lambda pair: pair[1])[0], NO_ACTION
        else:
            told = look(state, depth) if found else strategies
            if told is None:
                break
            joint = most_probable(told)
            if joint == (NO_ACTION, NO_ACTION):  # a value came from the table, and no action with it
                break
            depth -= 1
        found.append(joint)
        state = game.next_state(state, *joint)
    return tuple(found)
