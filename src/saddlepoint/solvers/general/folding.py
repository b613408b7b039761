"""Positions that are worth the same, or the same but for a score or a sign, are kept once: which one is kept, and what tells the rest.

A game's own rules say which: `canonical` of images, `without_score` of equal positions with other scores, `relabelled` of those
whose actions merely have other numbers. Where its `bounds` are equal a position is decided, and none is kept. Nor is a choice
that follows chance, where the game says that no other position of chance leads there (`chance_is_told`): it is solved within chance's.
"""

from typing import TYPE_CHECKING, Any, NamedTuple

from ...compiled import jit, jit_part
from ...compiled.call import run

if TYPE_CHECKING:
    from ...game import Game


class Folded(NamedTuple):
    """A position as it is kept: the one asked for is worth score + value, or score - value where the players are exchanged."""

    state: Any
    exchanged: bool
    score: float

    def worth(self, value: float) -> float:
        """What the position asked for is worth, by the value of the one that is kept."""
        return self.score - value if self.exchanged else self.score + value


def can_fold(game: "Game") -> bool:
    """Whether a game says which of its positions are worth the same, or what some are worth."""
    return game.has_canonical or game.has_score or game.has_relabelled or game.has_bounds or tells_chance(game)


def folds_images_alone(game: "Game") -> bool:
    """Whether images are all that a game folds, as games with cycles need it.

    There scores would grow for ever, a discount counts the moves to a decided result, and every position is a state of its own.
    """
    return game.has_canonical and not (game.has_score or game.has_bounds or tells_chance(game))


def tells_chance(game: "Game") -> bool:
    """Whether a choice that follows chance is solved within chance's position, where positions are folded."""
    return bool(game.has_chance and game.chance_is_told)


@jit_part
def fold(game, state):
    """(position that is kept, whether the players are exchanged in it, score)."""
    bare, score = game.without_score(state)
    image, exchanged = game.canonical(game.relabelled(bare))
    return image, exchanged, score


@jit
def _fold(game, state):
    return fold(game, state)


def folded(game: "Game", state: Any) -> Folded:
    """The position that is kept for this one."""
    image, exchanged, score = run(_fold, game, state)
    return Folded(image, bool(exchanged), float(score))


def decided(game: "Game", state: Any) -> float | None:
    """What a position that is not ended is worth in any case, by the game's bounds; None where play may matter."""
    if not game.has_bounds:
        return None
    low, high = run(game.kernels["bounds"], game, state)
    return float(low) if low == high else None
