"""Searches with chance: all outcomes, some drawn ones, or none.

A search that does not expect chance plays another game: the same rules, positions and evaluators, with other outcomes. So this is one
piece of code for all searches, and a game without chance knows nothing of it.
"""

import functools
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..compiled import kernel, mix
from ..game.base import CHANCE, NO_ACTION, Game
from .algorithm import EXPECT, QUIET, SAMPLE, Algorithm
from .result import Line
from .turns.chance_nodes import sample_outcomes

_GOLDEN = 0x9E3779B97F4A7C15
_SEED_BITS = 63
"""A seed is read as a signed word."""


def leaves_out_chance(game: Game, algorithm: Algorithm) -> bool:
    """Whether a search does not look at all that chance may do: what it finds proves nothing of the game."""
    return algorithm.chance in (QUIET, SAMPLE) and game.has_chance


def without_chance(game: Game) -> Game:
    """The game in which chance does nothing, of the same positions; the game itself where it names no quiet outcome.

    A game's own form of it (`quiet`) may need no other compiled code.
    """
    if "quiet_outcome" not in type(game).kernels:
        return game
    own = getattr(game, "quiet", None)
    return own() if own is not None else _turned(game, _quiet_class(type(game)))


def passes_over_chance(game: Game) -> bool:
    """Whether this is a form of a game in which chance does nothing."""
    return not game.has_chance or game.max_chance_plies == 0


def searched_form(game: Game, algorithm: Algorithm, state: Any = None) -> Game:
    """The form of a game that a search looks at: without chance where there is one, unless its setting `chance` says how.

    It is the game itself, too, in a position in which chance is to move.
    """
    if algorithm.chance in (EXPECT, SAMPLE) or (state is not None and game.current_player(state) == CHANCE):
        return game
    return without_chance(game)


def searched_game(game: Game, algorithm: Algorithm, seed: int = 0) -> Game:
    """The game that the algorithm searches in the place of this one; it has the same positions.

    `seed` decides what is drawn.
    """
    if not leaves_out_chance(game, algorithm):
        return game
    if algorithm.chance == QUIET:
        return without_chance(game)
    return _turned(
        game,
        _sampled_class(type(game)),
        chance_samples=algorithm.chance_samples,
        chance_seed=seed % 2**_SEED_BITS,
    )


def past_chance(game: Game, state: Any) -> tuple[Any, list[tuple[int, int]]]:
    """(the first position without chance that the quiet outcomes lead to, these as joint actions)."""
    passed: list[tuple[int, int]] = []
    while game.current_player(state) == CHANCE:
        passed.append((int(game.quiet_outcome(state)), NO_ACTION))  # type: ignore[attr-defined]
        state = game.advance(state, *passed[-1])
    return state, passed


def with_quiet_outcomes(game: Game, state: Any, line: Line) -> Line:
    """A line of the game without chance as one of the game: the quiet outcomes put in."""
    whole: list[tuple[int, int]] = []
    for joint in line:
        state, passed = past_chance(game, state)
        whole += [*passed, joint]
        state = game.advance(state, *joint)
    return Line(whole)


def _turned(game: Game, kind: type[Game], **further: Any) -> Game:
    turned: Any = object.__new__(kind)
    turned.__dict__.update(game.__getstate__(), **further)
    return turned


# -- games that pass chance by, and games that draw ------------------------------------------------------------------------


@kernel
def _quiet_joint(self, state, action0, action1):
    """`next_state`, on to where chance is not to move."""
    child = self.loud_next_state(state, action0, action1)
    while self.current_player(child) == CHANCE:
        child = self.loud_next_state(child, self.quiet_outcome(child), NO_ACTION)
    return child


@kernel
def _quiet_turn(self, state, action):
    """`next_state` of a turn-based game, on to where chance is not to move."""
    child = self.loud_next_state(state, action)
    while self.current_player(child) == CHANCE:
        child = self.loud_next_state(child, self.quiet_outcome(child))
    return child


@functools.cache
def _quiet_class(cls: type[Game]) -> type[Game]:
    rules = _quiet_turn if cls.turn_based else _quiet_joint
    derived = _derived(cls, "Quiet", {"next_state": rules}, {"loud_next_state": "next_state"})
    derived.kernels["chance_outcomes"] = Game.kernels["chance_outcomes"]  # it has no chance nodes
    return derived


@kernel
def _drawn_outcomes(self, state, out, probabilities):
    """Outcomes that the game draws itself, each with its share of the draws."""
    word, count = self.hash(state) ^ np.uint64(self.chance_seed), 0
    for _ in range(self.chance_samples):
        word += np.uint64(_GOLDEN)
        outcome, place = self.drawn_outcome(state, mix(word)), 0
        while place < count and out[place] != outcome:
            place += 1
        if place == count:
            out[count], probabilities[count] = outcome, 0.0
            count += 1
        probabilities[place] += 1.0
    for place in range(count):
        probabilities[place] /= self.chance_samples
    return count


@kernel
def _listed_outcomes(self, state, out, probabilities):
    """Some outcomes of the game's list, where there are more."""
    count = self.all_chance_outcomes(state, out, probabilities)
    if count <= self.chance_samples:
        return count
    return sample_outcomes(
        out, probabilities, count, self.chance_samples, self.hash(state) ^ np.uint64(self.chance_seed)
    )


@functools.cache
def _sampled_class(cls: type[Game]) -> type[Game]:
    own: dict[str, Any] = {
        "__annotations__": {"chance_samples": int, "chance_seed": int},
        "chance_samples": 1,
        "chance_seed": 0,
        "chance_outcomes": _listed_outcomes,
    }
    if "drawn_outcome" in cls.kernels:
        own |= {
            "chance_outcomes": _drawn_outcomes,
            "max_outcomes": property(lambda self: self.chance_samples),
        }
    return dataclass(frozen=True)(_derived(cls, "Sampled", own, {"all_chance_outcomes": "chance_outcomes"}))


def _derived(cls: type[Game], name: str, own: dict[str, Any], kept: dict[str, str]) -> type[Game]:
    """A subclass of a game with some rules replaced.

    `kept` maps new names of kernels to the old ones that they call.
    """
    own |= {"__module__": cls.__module__, "__qualname__": f"{name}{cls.__qualname__}", "__doc__": cls.__doc__}
    derived = type(f"{name}{cls.__name__}", (cls,), own)
    derived.kernels |= {new: cls.kernels[old] for new, old in kept.items()}
    derived.kernels["bounds"] = Game.kernels["bounds"]  # the game's own are proven of the expectation
    return derived
