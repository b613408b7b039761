"""A game's rules as functions of the module."""

from typing import Any

import numpy as np
from numba import types

from ..checked_rules import _chance_outcomes, _search_actions
from ..compiled.words import words_of_state
from ..game import Game, _legal_actions, _next_state
from .lowering import Items, Number, Unit, Words


def add_rules(unit: Unit, game: Game) -> dict[str, Any]:
    """Add the rules to what is exported; what a host must know of them."""
    start = game.initial_state()
    position, number = Words(start), Number(types.int64)
    room, outcomes = int(game.max_actions), int(game.max_outcomes) if game.has_chance else 1
    actions = Items(np.zeros(room, np.int64), room)
    unit.add("current_player", game.kernels["current_player"], game, position)
    unit.add("legal_actions", _legal_actions, game, position, number, actions)
    unit.add("search_actions", _search_actions, game, position, number, actions)
    unit.add("successor", _next_state, game, position, number, number)
    unit.add("returns", game.kernels["returns"], game, position)
    unit.add("hash", game.kernels["hash"], game, position)
    if game.has_chance:
        drawn, odds = Items(np.zeros(outcomes, np.int64), outcomes), Items(np.zeros(outcomes), outcomes)
        unit.add("chance_outcomes", _chance_outcomes, game, position, drawn, odds)
    if "quiet_outcome" in type(game).kernels:
        unit.add("quiet_outcome", game.kernels["quiet_outcome"], game, position)
    words = words_of_state(start)
    return {
        "words": len(words), "start": [f"{word:x}" for word in words], "max_actions": room, "max_outcomes": outcomes,
        "max_depth": int(game.max_depth), "turn_based": game.turn_based, "has_chance": game.has_chance,
        "utilities": [float(game.min_utility), float(game.max_utility)], "first_turn": game.first_turn,
    }  # fmt: skip
