"""Simultaneous perturbation: all parameters are moved at once, a pair of games says which way is better.

J. C. Spall, Implementation of the Simultaneous Perturbation Algorithm for Stochastic Optimization, IEEE Transactions on
Aerospace and Electronic Systems 34, 1998, for the method and its gain sequences; fishtest
(github.com/official-stockfish/fishtest) for its use on games: c and r are given as they are at the end, the player with
all parameters moved one way plays the one with all moved the other way, and wins less losses are the gradient.
"""

import math
import random
import re
from collections.abc import Sequence
from dataclasses import dataclass

_EXPECTED = "a text like 'c=0.05 r=0.02 A=0.1 alpha=0.602 gamma=0.101 pairs=1'"


@dataclass(frozen=True)
class Gains:
    """How far SPSA looks and how fast it learns, in shares of the parameters' ranges. Raises ValueError.

    After k of n pairs of games the parameters are moved by +-c_k, and then by r_k c_k times wins less losses, where
    c_k = c (n / k)^gamma, a_k = r c^2 ((A n + n) / (A n + k))^alpha and r_k = a_k / c_k^2.
    """

    c: float = 0.05
    """How far they are moved to be compared, at the end."""
    r: float | None = None
    """The rate of learning at the end; fishtest's 0.002 is for tens of thousands of games. None: see `rate`."""
    A: float = 0.1
    """Pairs by which the first steps are held back, as a share of all."""
    alpha: float = 0.602
    gamma: float = 0.101
    pairs: int = 1
    """Pairs of games between two steps: as many can be played at the same time."""

    def __post_init__(self) -> None:
        if not 0 < self.c <= 0.5:
            raise ValueError(f"SPSA's c is a share of the range above 0 and up to 0.5, not {self.c:g}")
        for name, value in (("r", 1.0 if self.r is None else self.r), ("alpha", self.alpha)):
            if not 0 < value < 10:
                raise ValueError(f"SPSA's {name} is above 0 and below 10, not {value:g}")
        for name, value in (("A", self.A), ("gamma", self.gamma)):
            if not 0 <= value < 10:
                raise ValueError(f"SPSA's {name} is 0 or more and below 10, not {value:g}")
        if self.pairs < 1:
            raise ValueError(f"SPSA plays one pair of games a step or more, not {self.pairs}")

    @classmethod
    def parse(cls, text: str) -> "Gains":
        """The gains that a text names: name=value with spaces or commas between; raises ValueError in one sentence."""
        settings: dict[str, float | int] = {}
        for word in re.split(r"[,\s]+", text.strip()):
            name, equals, value = word.partition("=")
            if not equals or name not in ("c", "r", "A", "alpha", "gamma", "pairs") or name in settings:
                raise ValueError(f"SPSA's gains are {_EXPECTED}, and {word!r} has no place in it")
            try:
                settings[name] = int(value) if name == "pairs" else float(value)
            except ValueError:
                raise ValueError(f"SPSA's gains are {_EXPECTED}, and {value!r} is no value of {name}") from None
        return cls(**settings)  # pyright: ignore[reportArgumentType]

    def rate(self, total: int) -> float:
        """r for `total` pairs of games: unless given, 1 / sqrt(total), but fishtest's at least.

        A parameter that makes no difference then strays by about c in all: wins less losses have a variance of 2 a pair,
        or less, and the rates of learning before the end are somewhat larger.
        """
        return self.r if self.r is not None else max(0.002, 1 / math.sqrt(total))

    def reach(self, played: int, total: int) -> float:
        """c_k, the share of the range that the parameters are moved by, after `played` of `total` pairs."""
        return self.c * (total / (played + 1)) ** self.gamma

    def step(self, played: int, total: int) -> float:
        """r_k c_k, the share of the range that a point moves them by."""
        held = self.A * total
        a = self.rate(total) * self.c**2 * ((held + total) / (held + played + 1)) ** self.alpha
        return a / self.reach(played, total)


def flips(seed: int, played: int, count: int) -> tuple[int, ...]:
    """Which way each of `count` parameters is moved, +1 or -1 with the same probability; the same for the same seed."""
    draw = random.Random(f"spsa {seed} {played}")
    return tuple(draw.choice((-1, 1)) for _ in range(count))


def moved(theta: Sequence[float], way: Sequence[int], by: float) -> tuple[float, ...]:
    """The parameters moved, and kept within 0 and 1."""
    return tuple(min(max(value + by * flip, 0.0), 1.0) for value, flip in zip(theta, way, strict=True))
