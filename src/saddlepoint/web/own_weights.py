"""Weights from the command line (`saddlepoint fit` writes them): of their game they make a level, and an evaluator for the analysis."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from ..evaluators.network.fitted import Fitted
from ..game import Game
from ..players.levels import STRONGEST, Level
from ..roster.evaluators import EVALUATORS
from ..roster.levels import levels_of
from ..spec import Spec, SpecError


class OwnEvaluator(NamedTuple):
    """An evaluator of one game."""

    name: str
    spec: str
    refusal: str
    """Why it is not for the game as it is, with its parameters and rules; empty where it is."""


class OwnWeights:
    """The files; raises WeightsFileError, in one sentence, for what holds none. A player or an analysis reads its file when it is made."""

    def __init__(self, files: Sequence[str]) -> None:
        self._read = [Fitted(str(path)) for path in dict.fromkeys(Path(file).expanduser().resolve() for file in files)]
        names = [Path(one.file).name for one in self._read]
        self._names = [
            f"fitted ({name if names.count(name) == 1 else Path(*Path(one.file).parts[-2:])})"
            for one, name in zip(self._read, names, strict=True)
        ]

    def evaluators(self, game: Game) -> list[OwnEvaluator]:
        """Those of the game of this name; with other parameters than theirs they are refused when they are to be used."""
        return [
            OwnEvaluator(name, str(Spec("fitted", {"file": one.file})), _refusal(one, game))
            for one, name in zip(self._read, self._names, strict=True)
            if one.game_name == (game.name or type(game).__name__)
        ]

    def levels(self, game: Game) -> tuple[Level, ...]:
        """The game's levels; before the last one, `best`, one for each of the evaluators: a search to the same time."""
        *lower, best = levels_of(game)
        search, mixed = ("pvs", "") if game.turn_based else ("saddle", ", choice=mixture")
        own = [
            Level(one.name, f"{search}(evaluator={one.spec}{mixed})", seconds=STRONGEST.seconds) for one in self.evaluators(game)
        ]
        return (*lower, *own, best)

    def refusal(self, name: str, game: Game) -> str:
        """Why the evaluator or level of this name is not for the game; empty where it is, or none of them has the name."""
        return next((one.refusal for one in self.evaluators(game) if name in (one.name, one.spec)), "")


def _refusal(evaluator: Fitted, game: Game) -> str:
    try:
        EVALUATORS.check(evaluator, game)
    except SpecError as error:
        return str(error)
    return ""
