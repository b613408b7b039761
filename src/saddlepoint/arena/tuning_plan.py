"""The plan of a tuning: the numbers in a player's spec that are searched, in which ranges, and by how many games."""

import math
import re
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any

from ..algorithms.limits import Limits
from ..compiled import Component, is_run_time
from ..game.base import Game
from ..game.spec import Spec, SpecError, Value, parse_spec
from ..games.catalogue.make import make_player
from .statistics.sprt import Sprt

Values = dict[str, float | int]
"""A number for each parameter, by its path."""

_EXPECTED = "PATH=LOW..HIGH such as evaluator.k1=0..1, with :int or :log behind it where wanted"
_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_FORM = re.compile(
    rf"\s*([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)\s*=\s*({_NUMBER})\s*\.\.\s*({_NUMBER})\s*((?::\w+)*)\s*"
)
_DIGITS = 5  # of a value, counted from the range's first: nobody can measure more


@dataclass(frozen=True)
class Parameter:
    """A number of a player's spec: `evaluator.k1` is k1 of its evaluator. Raises ValueError for a range that is none."""

    path: str
    low: float
    high: float
    whole: bool = False
    log: bool = False
    """Whether ratios count rather than differences: a factor of 2 is as much at either end."""

    def __post_init__(self) -> None:
        if not (math.isfinite(self.low) and math.isfinite(self.high) and self.low < self.high):
            raise ValueError(
                f"the range of {self.path} goes from low to high, not from {self.low:g} to {self.high:g}"
            )
        if self.log and self.low <= 0:
            raise ValueError(
                f"the range of {self.path} begins above 0 where its scale is logarithmic, not at {self.low:g}"
            )
        if self.whole and not (float(self.low).is_integer() and float(self.high).is_integer()):
            raise ValueError(
                f"the range of {self.path} is between whole numbers, not {self.low:g} and {self.high:g}"
            )

    @classmethod
    def parse(cls, text: str) -> "Parameter":
        """The parameter given by a text like `depth=1..8:int`; raises ValueError in one sentence."""
        found = _FORM.fullmatch(text)
        kinds = found[4].split(":")[1:] if found else []
        if found is None or not set(kinds) <= {"int", "log"}:
            raise ValueError(f"a parameter is {_EXPECTED}, not {text!r}")
        return cls(found[1], float(found[2]), float(found[3]), "int" in kinds, "log" in kinds)

    def __str__(self) -> str:
        """The text that `parse` reads."""
        return f"{self.path}={self.low:g}..{self.high:g}{':int' if self.whole else ''}{':log' if self.log else ''}"

    def fitting(self, value: float) -> float | int:
        """The nearest value that may be tried: within the range, whole or rounded to what makes a difference."""
        value = min(max(value, self.low), self.high)
        if self.whole:
            return round(value)
        largest = abs(value) if self.log else self.high - self.low
        return min(max(round(value, _DIGITS - 1 - math.floor(math.log10(largest))), self.low), self.high)


def with_values(player: str, values: Mapping[str, float | int]) -> str:
    """The spec of a player with other numbers in it; raises SpecError for a path that leads nowhere."""
    spec = parse_spec(player)
    for path, value in values.items():
        spec = _placed(spec, path, path.split("."), value)
    return str(spec)


def _placed(spec: Spec, path: str, names: Sequence[str], value: float | int) -> Spec:
    options: dict[str, Value] = dict(spec.options)
    if len(names) == 1:
        options[names[0]] = value
        return Spec(spec.name, options)
    inner = options.get(names[0])
    if isinstance(inner, str):
        inner = Spec(inner)
    if not isinstance(inner, Spec):
        raise SpecError(
            f"{path} is a path into the player's spec, but {spec.name} has no {names[0]}(...) there"
        )
    options[names[0]] = _placed(inner, path, names[1:], value)
    return Spec(spec.name, options)


def check_parameters(
    player: str, parameters: Sequence[Parameter], game: Game, limits: Limits | None = None
) -> None:
    """Raise ValueError, in one sentence, unless the player can be made with both ends of every range."""
    paths = [one.path for one in parameters]
    if not paths:
        raise ValueError(f"a tuning needs a parameter: {_EXPECTED}")
    if len(set(paths)) < len(paths):
        raise ValueError(
            f"every parameter has one range, but {next(p for p in paths if paths.count(p) > 1)} has two"
        )
    for one in parameters:
        for end in (one.low, one.high):
            make_player(with_values(player, {one.path: one.fitting(end)}), game, limits).close()


def values_of(
    player: str, parameters: Sequence[Parameter], game: Game, limits: Limits | None = None
) -> Values:
    """The values a player has now, in its spec or by default; those that cannot be read are left out."""
    found = written_values(player, parameters)
    with closing(make_player(player, game, limits)) as made:
        for one in parameters:
            value = _attribute(made, ["algorithm", *one.path.split(".")])
            if one.path not in found and _is_number(value):
                found[one.path] = value
    return found


def written_values(player: str, parameters: Sequence[Parameter]) -> Values:
    """The values that stand in a player's spec."""
    spec = parse_spec(player)
    values = {one.path: _in_spec(spec, one.path.split(".")) for one in parameters}
    return {path: value for path, value in values.items() if _is_number(value)}  # type: ignore[misc]


def compiled_in(
    player: str, parameters: Sequence[Parameter], game: Game, limits: Limits | None = None
) -> list[str]:
    """The parameters that are constants of compiled code: each value of theirs costs seconds of compilation."""
    with closing(make_player(player, game, limits)) as made:
        ways = {one.path: ["algorithm", *one.path.split(".")] for one in parameters}
        owners = {path: _attribute(made, way[:-1]) for path, way in ways.items()}
        return [
            path
            for path, owner in owners.items()
            if isinstance(owner, Component) and not is_run_time(type(owner), ways[path][-1])
        ]


def _in_spec(spec: Spec, names: Sequence[str]) -> Value:
    value: Value = spec
    for name in names:
        value = value.options.get(name) if isinstance(value, Spec) else None
    return value


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _attribute(thing: Any, names: Sequence[str]) -> Any:
    for name in names:
        thing = getattr(thing, name, None)
    return thing


# How they are searched.

METHODS = ("tpe", "cmaes")
PRUNERS = ("median", "halving", "none")
_RUNGS = 4  # times that a trial's score is looked at


@dataclass(frozen=True)
class Tuning:
    """The settings of a tuning. Raises ValueError for settings that do not fit together."""

    start: str
    """The spec of the player as it is."""
    parameters: tuple[Parameter, ...]
    pool: tuple[str, ...] = ()
    """The players that trials play against; the start player if empty."""
    method: str = "tpe"
    games: int = 1000
    """In all trials; the finalists' and the test's come on top."""
    trial_games: int = 40
    """Of one trial against the whole pool."""
    pruner: str = "median"
    finalists: int = 4
    """The best trials, played again from other openings to find the one that was not only lucky."""
    finalist_games: int = 80
    test: Sprt = Sprt(0.0, 10.0)
    test_games: int = 1000
    """At most, of the tuned player against the start."""
    seed: int = 1

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            raise ValueError(f"a method of tuning is {', '.join(METHODS)}, not {self.method!r}")
        if self.pruner not in PRUNERS:
            raise ValueError(f"a pruner is {', '.join(PRUNERS)}, not {self.pruner!r}")
        if len(set(self.pool)) < len(self.pool):
            raise ValueError("every opponent is named once")
        if self.games < self.trial_pairs * 2 * len(self.opponents):
            raise ValueError(f"{self.games} games are not enough for one trial of {self.trial_games}")
        if self.method == "cmaes" and len(self.parameters) < 2:
            raise ValueError("cmaes tunes two parameters or more; use tpe for one")

    @property
    def opponents(self) -> tuple[str, ...]:
        """Whom trials play against."""
        return self.pool or (self.start,)

    @property
    def players(self) -> tuple[str, ...]:
        """The start, and the pool."""
        return (self.start, *self.pool)

    @property
    def trial_pairs(self) -> int:
        """Pairs of games of a trial against each opponent, and openings that all trials share."""
        return max(1, math.ceil(self.trial_games / (2 * len(self.opponents))))

    @property
    def finalist_pairs(self) -> int:
        """Pairs of games of a finalist against each opponent."""
        return max(1, math.ceil(self.finalist_games / (2 * len(self.opponents)))) if self.finalists else 0

    @property
    def rungs(self) -> tuple[int, ...]:
        """After how many pairs against each opponent a trial is looked at."""
        return tuple(sorted({math.ceil(self.trial_pairs * k / _RUNGS) for k in range(1, _RUNGS + 1)}))

    @property
    def openings_needed(self) -> int:
        """So that no stage plays an opening of another one, and none twice."""
        return self.trial_pairs + self.finalist_pairs + math.ceil(self.test_games / 2)

    @property
    def planned(self) -> int:
        """Games in all, if none is spared."""
        return self.games + self.finalists * self.finalist_pairs * 2 * len(self.opponents) + self.test_games

    def to_json(self) -> dict[str, Any]:
        """The settings as plain data; equal settings give equal data."""
        return {
            "parameters": [str(one) for one in self.parameters],
            "method": self.method,
            "games": self.games,
            "trial_games": self.trial_games,
            "pruner": self.pruner,
            "finalists": self.finalists,
            "finalist_games": self.finalist_games,
            "test": str(self.test),
            "test_games": self.test_games,
        }
