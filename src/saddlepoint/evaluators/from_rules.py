"""The evaluators for any game, which the rules are asked for: who has more legal actions, and what the result would be now."""

import functools
import random
from dataclasses import dataclass
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils

from ..compiled import Component, compiled_as, kernel
from ..compiled.endless_loops import Patience, TooLong
from ..compiled.states import as_machine_words
from ..game.base import TERMINAL, Game
from ..game.spec import name_of
from ..game.steps import random_step
from .network.inputs import random_positions

_SECONDS = 2.0
"""What one question may take."""

# Who has more legal actions. General game players call it mobility (Clune 2007).

_ROOM = 1024
"""Actions for which there is room; a game may have half as many."""
_GAMES, _POSITIONS = 20, 500


def _room_code(typingctx: Any) -> Any:
    kind = types.Array(types.int64, 1, "C")

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        with builder.goto_entry_block():
            memory = builder.alloca(ir.IntType(64), _ROOM)
        array = context.make_array(kind)(context, builder)
        size, width = (context.get_constant(types.intp, number) for number in (_ROOM, 8))
        array.data, array.nitems, array.itemsize = memory, size, width
        array.shape, array.strides = (cgutils.pack_array(builder, [one]) for one in (size, width))
        array.meminfo, array.parent = (
            cgutils.get_null_value(one.type) for one in (array.meminfo, array.parent)
        )
        return array._getvalue()

    return kind(), codegen


@compiled_as(_room_code)
def action_room() -> Any:
    """An array for actions on the stack of the function that calls this."""
    return np.zeros(_ROOM, np.int64)


@dataclass(frozen=True)
class ActionCounts(Component):
    """The difference of the numbers of legal actions by their sum, from -1 to 1, as a share of the range of results.

    The rules are also asked for the actions of the player who does not move, which not all rules answer: see `check_game`.
    """

    @kernel
    def evaluate(self, game, state):
        """Player 0's expected result."""
        room = action_room()
        own, other = game.legal_actions(state, 0, room), game.legal_actions(state, 1, room)
        middle, half = (
            (game.max_utility + game.min_utility) / 2.0,
            (game.max_utility - game.min_utility) / 2.0,
        )
        return middle + half * (own - other) / max(own + other, 1)

    def check_game(self, game: Game) -> None:
        """Raise ValueError, in one sentence, unless the rules give the actions of either player in the positions of some random games, and
        not always equally many.
        """
        if 2 * game.max_actions > _ROOM or not _answers_for_both(game):
            raise ValueError(f"the rules of {name_of(game)} do not tell who has more legal actions")


@functools.cache
def _answers_for_both(game: Game) -> bool:
    room, differ = np.zeros(_ROOM, np.int64), False
    try:
        with Patience(_SECONDS) as patience:
            for state in random_positions(game, _GAMES, _POSITIONS, random.Random(0)):
                counts = [
                    patience.call(game.plain.legal_actions, as_machine_words(state), player, room)
                    for player in (0, 1)
                ]
                if not all(0 <= count <= game.max_actions for count in counts):
                    return False
                differ |= counts[0] != counts[1]
    except (Exception, TooLong):  # the rules are asked for what nobody promises
        return False
    return differ


# What the result would be if the game were over now, in games in which one can be ahead.

_LONG_GAMES, _STEPS = 60, 6000
_LATE = 2 / 3
"""From where on in a random game the rules are asked who is ahead, as a share of its steps."""
_AGREES = 0.3
"""The least share of the final result that the mean of these answers has, over all games. What only says who moved last has nearly none,
since players take turns.
"""


@dataclass(frozen=True)
class ResultSoFar(Component):
    """What `returns` says of a position that is not over, within the range of results.

    Rules need not answer that: see `check_game`.
    """

    @kernel
    def evaluate(self, game, state):
        """Player 0's expected result."""
        return min(max(float(game.returns(state)), game.min_utility), game.max_utility)

    def check_game(self, game: Game) -> None:
        """Raise ValueError, in one sentence, unless who is ahead late in a random game by `returns` often wins it."""
        if not _tells_who_is_ahead(game):
            raise ValueError(f"the rules of {name_of(game)} do not tell who is ahead before the end")


@functools.cache
def _tells_who_is_ahead(game: Game) -> bool:
    draw, steps = random.Random(0), 0
    ahead, results = list[float](), list[float]()
    try:
        with Patience(_SECONDS) as patience:
            while len(ahead) < _LONG_GAMES and steps < _STEPS:
                states = [game.initial_state()]
                while game.current_player(states[-1]) != TERMINAL:
                    states.append(random_step(game, states[-1], draw))
                    steps += 1
                    if steps > 2 * _STEPS:  # nobody ends such games
                        return False
                late = states[int(_LATE * (len(states) - 1)) : -1]
                told = [patience.call(game.plain.returns, as_machine_words(state)) for state in late]
                ahead.append(float(np.mean(told)))
                results.append(game.returns(states[-1]))
    except (Exception, TooLong):  # the rules are asked for what nobody promises
        return False
    if len(ahead) < 2 or not np.isfinite(ahead).all():
        return False
    covariance = np.cov(ahead, results)
    return bool(covariance[0, 1] > _AGREES * covariance[1, 1])
