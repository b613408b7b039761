"""Random games of the literature: both choose at once a number of times; the results are drawn, and depend on the whole path."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from ..interface import (
    SIMULTANEOUS,
    TERMINAL,
    Component,
    Game,
    Mark,
    Number,
    Picture,
    Ranges,
    kernel,
    mix,
    parameter,
)

_UNIT = 2.0**-53
_UNITS_SHIFT = 11
_STRIDE = 0x9E3779B97F4A7C15
_MOST_DRAWN = 12
"""With more actions their results are not drawn: the cells of the matrix would be too small to read."""


class State(NamedTuple):
    """A position, which is its path: no position is reached in two ways."""

    path: np.uint64
    """A hash of the seed and of all actions so far."""
    stage: int
    """The number of stages played."""
    sum: int
    """The sum of the joint actions' worths for player 0 so far."""


@dataclass(frozen=True)
class RandomGame(Game):
    """`actions` for each player, `depth` stages. `utility` is "uniform" (0 to 1, drawn for each end) or "sums".

    With "sums" each joint action of each position is worth -1, 0 or 1, equally likely, and the result is the sum of the path.

    >>> from saddlepoint import RandomGame, solve
    >>> round(solve(RandomGame(actions=2, depth=3, seed=1)).value, 6)
    0.61523
    """

    actions: int = 3
    depth: int = 4
    utility: str = parameter("uniform")
    seed: int = 0

    name: ClassVar[str] = "random_game"
    summary: ClassVar[str] = "both choose at once, a fixed number of times; every path has a random result"
    group: ClassVar[str] = "Laboratory"
    how_to_play: ClassVar[Sequence[str]] = (
        "Both players choose one of a few actions at the same time, a fixed number of times.",
        "Every sequence of choices leads to a result that was drawn at random beforehand.",
        "A game to study searches and equilibria with; nobody can see where a choice leads.",
        "Option: with uniform payoffs each end is worth 0 to 1; with sums each stage is worth -1, 0 or 1, and the result is their sum.",
    )
    ranges: ClassVar[Ranges] = {
        "actions": (1, 16),
        "depth": (1, 100),
        "utility": ("uniform", "sums"),
        "seed": (0, 1_000_000),
    }
    parameter_titles: ClassVar[Mapping[str, str]] = {
        "depth": "Rounds",
        "utility": "Payoffs",
    }

    def __post_init__(self) -> None:
        self.check_parameters(
            actions=(1, 100), depth=(1, 100), utility=("uniform", "sums"), seed=(0, (1 << 63) - 1)
        )

    @property
    def max_actions(self) -> int:
        return self.actions

    @property
    def max_depth(self) -> int:
        return self.depth

    @property
    def by_sums(self) -> bool:
        return self.utility == "sums"

    @property
    def max_utility(self) -> float:
        return float(self.depth) if self.by_sums else 1.0

    @property
    def min_utility(self) -> float:
        return -float(self.depth) if self.by_sums else 0.0

    def initial_state(self) -> State:
        return State(np.uint64(self.seed), 0, 0)

    @kernel
    def current_player(self, state):
        return SIMULTANEOUS if state.stage < self.depth else TERMINAL

    @kernel
    def legal_actions(self, state, player, out):
        for action in range(self.actions):
            out[action] = action
        return self.actions

    @kernel
    def next_state(self, state, action0, action1):
        joint = np.uint64(action0 * self.actions + action1 + 1)
        path = mix(state.path * np.uint64(3) + joint * np.uint64(_STRIDE))
        worth = int(path % np.uint64(3)) - 1 if self.by_sums else 0
        return State(path, state.stage + 1, state.sum + worth)

    @kernel
    def returns(self, state):
        return float(state.sum) if self.by_sums else float(state.path >> np.uint64(_UNITS_SHIFT)) * _UNIT

    @kernel
    def bounds(self, state):
        """Each stage that is left adds at most one."""
        if self.by_sums:
            left = self.depth - state.stage
            return float(state.sum - left), float(state.sum + left)
        return 0.0, 1.0

    @kernel
    def hash(self, state):
        return state.path

    def why_over(self, state: State) -> str:
        return f"All {self.depth} stages are played." if self.depth > 1 else "The only stage is played."

    def from_text(self, text: str) -> State:
        state = super().from_text(text)
        start = self.initial_state()
        self.refuse(
            (
                not (0 <= state.stage <= self.depth and abs(state.sum) <= state.stage),
                f"no position of a random game of {self.depth} stages: {text.strip()!r}",
            ),
            (state.stage == 0 and state != start, f"before the first stage there is only {start}"),
        )
        return state

    def render(self, state: State) -> str:
        return f"stage {state.stage} of {self.depth}   path {int(state.path):016x}   sum {state.sum:+d}"

    def picture(self, state: State) -> Picture:
        """The matrix of player 0's worths of joint actions, its own in rows.

        Of "uniform" known at the last stage alone.
        """
        numbers = [Number("stage", int(state.stage), most=self.depth)]
        if self.by_sums:
            numbers.append(
                Number("lead", abs(int(state.sum)), None if state.sum == 0 else int(state.sum < 0))
            )
        moves = self.pictured_moves(state)
        if not moves and not self.by_sums:
            numbers.append(Number("result", float(self.returns(state))))
        if self.actions > _MOST_DRAWN:
            return Picture(numbers=tuple(numbers), moves=moves, text=self.render(state))
        names = tuple(str(action) for action in range(self.actions))
        joint = [(a, b) for a in range(self.actions) for b in range(self.actions)] if moves else []
        return Picture(
            self.actions,
            self.actions,
            marks=tuple(self._worth(state, *both) for both in joint),
            numbers=tuple(numbers),
            moves=moves,
            column_names=names,
            row_names=names,
            text=self.render(state),
        )

    def _worth(self, state: State, action0: int, action1: int) -> Mark:
        """The cell of two actions: what they are worth to player 0, or a question mark."""
        after = self.advance(state, action0, action1)
        label, told = "?", "the game goes on"
        if self.by_sums:
            worth = int(after.sum) - int(state.sum)
            label, told = f"{worth:+d}" if worth else "0", f"worth {worth} to player 0"
        elif after.stage == self.depth:
            result = float(self.returns(after))
            label, told = f"{result:.2f}"[1:] if result < 0.995 else "1", f"player 0 gets {result:.2f}"
        return Mark(
            action1,
            action0,
            "worth",
            label=label,
            title=f"player 0 plays {action0}, player 1 plays {action1}: {told}",
        )


@dataclass(frozen=True)
class Sums(Component):
    """The middle of the results that are still possible: with "sums" the sum so far, as what comes is as often good as bad."""

    @kernel
    def evaluate(self, game, state):
        """The middle of the bounds."""
        low, high = game.bounds(state)
        return 0.5 * (low + high)
