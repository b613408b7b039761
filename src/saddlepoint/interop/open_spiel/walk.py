"""OpenSpiel's compiled module, and all positions of one of its games, walked from its start into tables."""

import random
import time
from array import array
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ...game.base import CHANCE, SIMULTANEOUS, TERMINAL, GameError
from .. import library
from ..table_game import Tables

pyspiel: Any = library("pyspiel", "open_spiel")
"""The module; it has no type stubs."""


# All positions of a game of OpenSpiel, walked from its start into tables.
#
# **When two positions are one.** OpenSpiel's states hold their whole history and tell no key of the position alone, so there are two ways:
#
# - `merge="history"`: never. Every sequence of moves is a position of its own: right for any game of perfect information, and large.
# - `merge="text"`: two states after equally many moves, as many of them chance's, are one position where all of this is the same:
#   `str(state)`, the observation of both players, who moves, the legal actions, and the returns so far. In a game of perfect information
# the
#   players see all that matters for the play, and OpenSpiel writes it there. What is left out of the texts, in games that we know of, is
#   covered: a limit of moves (their numbers count), the steps that both chose before chance says whose is first (a position of
#   chance is known by what follows from it, never by its text), and rewards that add up (the returns). Some texts tell less than the rules
#   know, such as earlier positions, where one that comes back ends the game. So states that are taken for one are tried: both are
#   played on with the same random moves to the end, and wherever they differ `NotOnePosition` is raised. That is a test of many, no proof.

MERGES = ("text", "history")
_TRIED = 2
"""How many of the states that are taken for a position are played on beside its first one."""
_ALL_TRIED = 36
"""Where a move has at most this many joint actions, all are tried besides."""
_BETWEEN = 0.1
"""Seconds between two words on how far it is."""


class NotOnePosition(GameError):
    """The error for two states that have the same text and play differently."""


def check_walkable(game: Any) -> None:
    """Raise GameError, in one sentence with the way out, for a game of OpenSpiel that is none of this library's kind."""
    kinds, about = pyspiel.GameType, game.get_type()
    for is_other, why in (
        (
            game.num_players() != 2,
            f"has {game.num_players()} players, and games here have two: give players=2 where it takes that",
        ),
        (
            about.dynamics not in (kinds.Dynamics.SEQUENTIAL, kinds.Dynamics.SIMULTANEOUS),
            "is a mean field game, and games here have two players",
        ),
        (
            about.information not in (kinds.Information.PERFECT_INFORMATION, kinds.Information.ONE_SHOT),
            "hides something from a player, and games here hide nothing: "
            "give imp_info=False where it takes that, or solve it there",
        ),
        (
            about.utility != kinds.Utility.ZERO_SUM,
            "is not zero-sum, and games here are: give zero_sum=True where it takes that, or solve it there",
        ),
        (
            about.chance_mode == kinds.ChanceMode.SAMPLED_STOCHASTIC,
            "draws chance's outcomes without telling their probabilities, which games here must tell; play it there",
        ),
    ):
        if is_other:
            raise GameError(f"{about.short_name} {why}")


def node_of(state: Any) -> int:
    """Whose turn it is, in this library's numbers."""
    if state.is_terminal():
        return TERMINAL
    if state.is_chance_node():
        return CHANCE
    return SIMULTANEOUS if state.is_simultaneous_node() else int(state.current_player())


def after(state: Any, joint: tuple[int, int]) -> Any:
    """The state after a joint action, -1 for a player without a choice; an outcome in the first place."""
    made = state.clone()
    if state.is_simultaneous_node():
        made.apply_actions(list(joint))
    else:
        made.apply_action(joint[1] if joint[0] < 0 else joint[0])
    return made


def actions_of(state: Any, player: int) -> list[int]:
    """The legal actions in ascending order; [0] for a player without any where both move at once."""
    return sorted(state.legal_actions(player)) or [0]


class _Met:
    """A state that was met: what identifies it, and, once they are needed, the states after it."""

    __slots__ = (
        "_key",
        "_next",
        "came_by",
        "came_from",
        "chances",
        "node",
        "number",
        "sees",
        "state",
        "tried",
    )

    def __init__(self, state: Any, before: "_Met | None" = None, came_by: tuple[int, int] = (-1, -1)) -> None:
        self.state, self.came_by = state, came_by
        self.came_from = -1 if before is None else before.number
        self.node = node_of(state)
        self.chances = 0 if before is None else before.chances + (before.node == CHANCE)
        """How many of the moves so far were chance's."""
        self.sees: bool = (
            state.get_game().get_type().provides_observation_string if before is None else before.sees
        )
        """Whether its players' observations are given; asked once, since it takes long."""
        self.number, self.tried = -1, 0
        self._key: Any = None
        self._next: list[_Met] | None = None

    def joint_actions(self) -> Iterator[tuple[int, int]]:
        """The joint actions in the order of the tables; -1 for a player without a choice."""
        if self.node == CHANCE:
            yield from ((outcome, -1) for outcome, _ in self.outcomes())
        elif self.node == SIMULTANEOUS:
            second = actions_of(self.state, 1)
            yield from ((a, b) for a in actions_of(self.state, 0) for b in second)
        elif self.node != TERMINAL:
            yield from (
                (action, -1) if self.node == 0 else (-1, action)
                for action in sorted(self.state.legal_actions())
            )

    def outcomes(self) -> list[tuple[int, float]]:
        """Chance's, those that can come about."""
        return sorted((int(one), float(share)) for one, share in self.state.chance_outcomes() if share > 0)

    def next(self) -> "list[_Met]":
        """The states after it, one for each joint action."""
        if self._next is None:
            self._next = [_Met(after(self.state, joint), self, joint) for joint in self.joint_actions()]
        return self._next

    def key(self) -> Any:
        """The key that distinguishes it from other states after as many moves."""
        if self._key is None:
            state = self.state
            if self.node == CHANCE:
                self._key = (
                    CHANCE,
                    tuple((*one, met.key()) for one, met in zip(self.outcomes(), self.next(), strict=True)),
                )
            else:
                legal = (
                    ()
                    if self.node == TERMINAL
                    else tuple(tuple(state.legal_actions(player)) for player in (0, 1))
                )
                seen = tuple(map(state.observation_string, (0, 1))) if self.sees else ()
                self._key = self.node, self.chances, str(state), seen, legal, float(state.returns()[0])
        return self._key

    def shows(self) -> Any:
        """The part of `key` that does not depend on the positions after it."""
        return (CHANCE, self.outcomes()) if self.node == CHANCE else self.key()


def walk(game: Any, most: int, merge: str, on_progress: Callable[[int], None] | None = None) -> Tables:
    """The tables of a game of OpenSpiel, which `check_walkable` has let through.

    most: of positions; beyond GameError is raised. merge: "text" or "history", see above. `on_progress` is called with how many
    positions were met. Raises NotOnePosition where states with the same texts play differently.
    """
    draw = random.Random(0)
    start = _Met(game.new_initial_state())
    start.number = 0
    count, layer, longest = 1, [start], 0
    made = _Made()
    told = 0.0

    def tell() -> None:
        nonlocal told
        if on_progress is not None and time.monotonic() - told > _BETWEEN:
            told = time.monotonic()
            on_progress(count)

    alike: list[tuple[_Met, _Met]] = []  # those of a layer that were taken for one
    while layer:
        met: dict[Any, _Met] = {}
        alike_after: list[tuple[_Met, _Met]] = []
        for one in layer:
            numbers: list[int] = []
            for place, child in enumerate(one.next()):
                key = child.key() if merge == "text" else (one.number, place)
                known = met.get(key)
                if known is None:
                    if count >= most:
                        raise GameError(
                            f"{game} has more than {most:,} positions: take a smaller one by its parameters, or allow more with most=..., "
                            "as far as memory goes"
                        )
                    child.number, child.came_from = count, one.number
                    met[key] = known = child
                    count += 1
                elif known.tried < _TRIED:
                    known.tried += 1
                    alike_after.append((known, child))
                numbers.append(known.number)
            made.add(one, numbers)
            one._next, one._key = None, None  # they are many
            tell()
        # As late as can be: playing on takes far longer than to see that there are too many positions.
        for known, child in alike:
            _try_both(known, child, draw)
            tell()
        for one in layer:
            one.state = None
        alike = alike_after
        layer = list(met.values())
        longest += bool(layer)
    return made.tables(longest)


def _try_both(first: _Met, second: _Met, draw: random.Random) -> None:
    """Play both on with the same random moves: they must stay the same."""
    at_first = True
    while True:
        joint = list(first.joint_actions())
        if not joint:
            return
        places = range(len(joint)) if at_first and len(joint) <= _ALL_TRIED else [draw.randrange(len(joint))]
        for place in places:
            one, other = (
                _Met(after(side.state, joint[place]), side, joint[place]) for side in (first, second)
            )
            # The key of a position of chance is made of all that may follow: too much at every step of a long game.
            if one.key() != other.key() if at_first else one.shows() != other.shows():
                raise NotOnePosition(
                    f"two positions of {first.state.get_game()} have the same text and play differently, as after the moves "
                    f"{first.state.history()} and {second.state.history()}: walk it with merge='history'"
                )
        place = draw.choice(places)
        at_first = False
        first, second = (
            _Met(after(side.state, joint[place]), side, joint[place]) for side in (first, second)
        )


class _Made:
    """The tables while they grow, in the order of the positions' numbers."""

    def __init__(self) -> None:
        # Arrays: a list keeps an object for each number.
        self.node, self.actions0, self.actions1, self.after = array("q"), array("q"), array("q"), array("q")
        self.first0, self.first1, self.first_after = array("q", [0]), array("q", [0]), array("q", [0])
        self.came_from, self.came_by = array("q"), array("q")
        self.result, self.shares = array("d"), array("d")

    def add(self, one: _Met, numbers: list[int]) -> None:
        """Add the next position; its number is the count of those before."""
        state, node = one.state, one.node
        own: list[int] = []
        shares: list[float] = []
        if node == CHANCE:
            own, shares = map(list, zip(*one.outcomes(), strict=True))
        elif node == SIMULTANEOUS:
            own = actions_of(state, 0)
            self.actions1.extend(actions_of(state, 1))
        elif node != TERMINAL:
            own = sorted(state.legal_actions())
        self.node.append(node)
        self.result.append(float(state.returns()[0]) if node == TERMINAL else 0.0)
        self.actions0.extend(own)
        self.shares.extend(shares or [0.0] * len(own))
        self.after.extend(numbers)
        self.came_from.append(one.came_from)
        self.came_by.extend(one.came_by)
        self.first0.append(len(self.actions0))
        self.first1.append(len(self.actions1))
        self.first_after.append(len(self.after))

    def tables(self, longest: int) -> Tables:
        return Tables(
            np.array(self.node),
            np.array(self.first0),
            np.array(self.first1),
            np.array(self.first_after),
            np.array(self.actions0),
            np.array(self.actions1),
            np.array(self.shares),
            np.array(self.after),
            np.array(self.result),
            np.array(self.came_from),
            np.array(self.came_by).reshape(-1, 2),
            longest,
        )
