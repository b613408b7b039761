"""What `check_game` asks of a game's `features`, which a fit learns from."""

import math
from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np

from ..evaluators.network.coding import feature_sets
from ..game import TERMINAL, Game

_TOLERANCE = 1e-9


class Features:
    """The features of positions, held against each other and against `symmetries`; `call` gives a kernel's answer."""

    def __init__(self, game: Game, call: Callable[..., Any], fail: Callable[[str, Any], NoReturn]) -> None:
        self._game, self._call, self._fail = game, call, fail
        self._count: int | None = None
        self._sets: tuple[bool, ...] | None = None

    def check(self, state: Any) -> None:
        """Ask all of one position."""
        if not self._game.has_features or self._game.current_player(state) == TERMINAL:
            return
        found = [self._invariant(state, player) for player in (0, 1)]
        for symmetry in self._game.symmetries(state):
            image = [self._invariant(symmetry.state, player) for player in (0, 1)]
            if not np.allclose(found[::-1] if symmetry.swap else found, image, rtol=_TOLERANCE, atol=_TOLERANCE):
                rule = "the other player's" if symmetry.swap else "the same"
                self._fail(f"features must be {rule} in the image {symmetry.state!r}: {found} and {image}", state)

    def _invariant(self, state: Any, player: int) -> list[Any]:
        """The features that an image must have too: of a set how many bits."""
        found = self._of(state, player)
        if self._sets is None:
            self._sets = feature_sets(self._game, state)
        return [int(number).bit_count() if is_set else number for number, is_set in zip(found, self._sets, strict=True)]

    def _of(self, state: Any, player: int) -> Any:
        found = self._call("features", state, player)
        if not isinstance(found, tuple) or not all(math.isfinite(number) for number in found):
            self._fail(f"features must give a tuple of finite numbers, not {found!r}", state)
        if self._count is None:
            self._count = len(found)
        if len(found) != self._count:
            self._fail(f"features must give equally many numbers in each state: {self._count} and {len(found)}", state)
        return found
