"""What stationary strategies guarantee: bounds of the value from both sides that hold whatever the values are that they came from.

Player 0's strategy guarantees `w` where for every position and every reply the expected `w` after the move is no less than `w`, and
more by a factor where `w` is above 0, so that play cannot go on for ever above 0 (Everett 1957); an endless play is worth 0. Such a
`w` is found by lowering the values until a pass over all positions has nothing left to lower.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .order import Block
from .sweeps import Sweeper

_LASTING = 1e-11
"""The share of a good result that is lost with each move, which rules endless play out."""
_ROUNDING = 4e-16
"""What is lowered less in a pass, as a share of the largest result, is rounding; a good result loses four times that with each move."""
_FIRST_PASSES = 30
"""Passes after which what still falls is let fall further at once, by ever more: the slower it is, the less of it is left."""
_STRETCH = 4.0
_MOST_FALLS = 25


class Bounds(NamedTuple):
    """Guarantees by position: shape (positions,)."""

    lower: NDArray[np.float64]
    upper: NDArray[np.float64]


def guaranteed(sweeper: Sweeper, values: NDArray[np.float64], discount: float) -> Bounds:
    """What the strategies of `sweeper.mixtures` guarantee; `values`: an estimate to begin at, with what is behind it."""
    bounds = values.copy(), values.copy()
    for block in sweeper.blocks:
        # Where a position leads to another one with the players exchanged, each bound follows from the other player's.
        for players in ((0, 1),) if sweeper.graph.exchanges else ((0,), (1,)):
            _loosen_until_proven(sweeper, block, bounds, players, discount)
    least, largest = sweeper.range  # no strategy gets less
    count = len(sweeper.graph)
    return Bounds(np.maximum(bounds[0][:count], least), np.minimum(bounds[1][:count], largest))


def _loosen_until_proven(
    sweeper: Sweeper, block: Block, bounds: tuple[Any, Any], players: tuple[int, ...], discount: float
) -> None:
    """Make the bounds of a part hold, those of what it leads to being proven."""
    rounding, images = _ROUNDING * sweeper.scale, sweeper.graph.images
    is_wanted = 0 in players, 1 in players
    members = sweeper.order.positions[block.first : block.last]
    touched = np.concatenate([members, images + members]) if images else members

    def change(passes: int) -> float:
        return sweeper.reply(
            block, bounds, is_wanted, discount, 1.0 - _LASTING, 4 * rounding, passes, rounding
        )

    if not block.comes_back:
        change(1)
        return
    stretch = float(_FIRST_PASSES)
    for _ in range(_MOST_FALLS):
        if change(_FIRST_PASSES - 1) <= rounding:
            return
        before = [bounds[player][touched] for player in players]
        if change(1) <= rounding:
            return
        for player, old in zip(players, before, strict=True):
            bounds[player][touched] += stretch * (bounds[player][touched] - old)
        stretch *= _STRETCH
    for player in players:
        bounds[player][members] = sweeper.range[player]
        if images:
            bounds[1 - player][images + members] = -sweeper.range[player]
