"""Weights from the command line (`saddlepoint fit` writes them): of their game they make a level, and an evaluator for the analysis."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from ..compiled import Component
from ..evaluators.network.features import FeatureNetwork, described_evaluator
from ..evaluators.network.file import WeightsFileError, load_weights
from ..game.base import Game
from ..game.spec import Spec, SpecError, name_of
from ..games.catalogue.make import levels_of
from ..games.catalogue.searches import EVALUATORS, make_evaluator
from ..players.named import STRONGEST, Level
from ..system.foreign import path_of


class OwnEvaluator(NamedTuple):
    """A file, with the evaluator that reads it."""

    file: Path
    game: str
    """The game that it was fitted to."""
    made: Component
    spec: str
    kind: str
    """The evaluator's name in specs."""
    name: str = ""
    """Under which the page offers it."""

    def refusal(self, game: Game) -> str:
        """The reason why it does not fit the game with its parameters and rules; empty where it does."""
        try:
            EVALUATORS.check(self.made, game)
        except SpecError as error:
            return str(error)
        return ""


class OwnWeights:
    """The files; raises WeightsFileError, in one sentence, for what holds none. A player or an analysis reads its file when it is made."""

    def __init__(self, files: Sequence[str]) -> None:
        read = [_weights_in(path) for path in dict.fromkeys(path_of(file).resolve() for file in files)]
        names = [one.file.name for one in read]
        self._evaluators = [
            one._replace(
                name=f"{one.kind} ({name if names.count(name) == 1 else Path(*one.file.parts[-2:])})"
            )
            for one, name in zip(read, names, strict=True)
        ]

    def evaluators(self, game: Game) -> list[OwnEvaluator]:
        """The weights for the game of this name; those for other parameters are refused when they are used."""
        return [one for one in self._evaluators if one.game == name_of(game)]

    def levels(self, game: Game) -> tuple[Level, ...]:
        """The game's levels; before the last one, `best`, one for each of the evaluators: a search to the same time."""
        *lower, best = levels_of(game)
        search, mixed = ("pvs", "") if game.turn_based else ("saddle", ", choice=mixture")
        own = [
            Level(one.name, f"{search}(evaluator={one.spec}{mixed})", seconds=STRONGEST.seconds)
            for one in self.evaluators(game)
        ]
        return (*lower, *own, best)

    def refusal(self, name: str, game: Game) -> str:
        """The reason why the evaluator or level of this name does not fit the game.

        Empty where it does, or is not known.
        """
        return next((one.refusal(game) for one in self.evaluators(game) if name in (one.name, one.spec)), "")


def _weights_in(file: Path) -> OwnEvaluator:
    weights = load_weights(file)
    spec = Spec("fitted", {"file": str(file)})
    if weights.evaluator is not None:
        name = next(
            (
                name
                for name, kind in EVALUATORS.items()
                if issubclass(kind, FeatureNetwork) and described_evaluator(kind) == weights.evaluator
            ),
            None,
        )
        if name is None:
            raise WeightsFileError(
                f"{str(file)!r} is fitted to features of {weights.evaluator['class']}, which the page does not have"
            )
        spec = Spec(name, {"weights": str(file)})
    return OwnEvaluator(file, weights.game["name"], make_evaluator(spec), str(spec), spec.name)
