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


class OwnWeights:
    """The files, read once; raises WeightsFileError, in one sentence, for what holds none."""

    def __init__(self, files: Sequence[str]) -> None:
        self._read = [Fitted(str(Path(file).expanduser().resolve())) for file in files]

    def evaluators(self, game: Game) -> list[OwnEvaluator]:
        """Those that are fitted to this game, with these parameters and rules."""
        fitting = [one for one in self._read if _is_for(one, game)]
        return [OwnEvaluator(f"fitted ({Path(one.file).name})", str(Spec("fitted", {"file": one.file}))) for one in fitting]

    def levels(self, game: Game) -> tuple[Level, ...]:
        """The game's levels; before the last one, `best`, one for each file: a search to the same time."""
        *lower, best = levels_of(game)
        search, mixed = ("pvs", "") if game.turn_based else ("saddle", ", choice=mixture")
        own = [
            Level(one.name, f"{search}(evaluator={one.spec}{mixed})", seconds=STRONGEST.seconds) for one in self.evaluators(game)
        ]
        return (*lower, *own, best)


def _is_for(evaluator: Fitted, game: Game) -> bool:
    try:
        EVALUATORS.check(evaluator, game)
    except SpecError:
        return False
    return True
