"""What `check_game` asks of a game's `planes`, which networks of other libraries look at."""

from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np

from ..game import Game


class Planes:
    """The planes of positions, held against `plane_shape` and `symmetries`.

    `plain` and `compiled` call a kernel: the former raises for what is written beyond the array.
    """

    def __init__(
        self, game: Game, plain: Callable[..., Any], compiled: Callable[..., Any], fail: Callable[[str, Any], NoReturn]
    ) -> None:
        self._game, self._plain, self._compiled, self._fail = game, plain, compiled, fail

    def check(self, state: Any) -> None:
        """Ask all of one position."""
        if not self._game.has_planes:
            return
        shape = self._game.plane_shape
        if not isinstance(shape, tuple) or len(shape) != 3 or not all(isinstance(size, (int, np.integer)) and size > 0 for size in shape):
            self._fail(f"plane_shape must be (planes, rows, columns), three whole numbers from 1, not {shape!r}", state)
        found = [self._of(state, player) for player in (0, 1)]
        for symmetry in self._game.symmetries(state):
            image = [self._of(symmetry.state, player) for player in (0, 1)]
            sums, other = ([board.sum(axis=(1, 2)).tolist() for board in boards] for boards in (found, image))
            if (sums[::-1] if symmetry.swap else sums) != other:
                rule = "the other player's" if symmetry.swap else "the same"
                self._fail(f"planes must be {rule}, but for places, in the image {symmetry.state!r}: {sums} and {other} in all", state)

    def _of(self, state: Any, player: int) -> Any:
        """One player's planes, the same compiled and as plain Python."""
        plain, compiled = (np.zeros(self._game.plane_shape, np.uint8) for _ in range(2))
        self._plain("planes", state, player, plain)
        self._compiled("planes", state, player, compiled)
        if (plain != compiled).any():
            self._fail(f"planes(state, {player}, out) must write the same compiled and plain", state)
        return plain
