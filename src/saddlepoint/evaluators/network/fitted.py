"""The evaluator that `saddlepoint fit` makes: a small network over a state's own words, its weights in a file."""

import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from ...compiled import Component, kernel, parameter
from ...game.base import Game
from ..squashed import quick_tanh
from .code import ARRAYS, network_lead
from .file import (
    Coding,
    Weights,
    WeightsFileError,
    check_game,
    is_for,
    load_weights,
    load_weights_once,
    with_digest,
)


@dataclass(frozen=True)
class NetworkEvaluator(Component):
    """The expected result by a network that was fitted to one game, with its parameters and rules.

    Other weights of as many units need no other compilation. In a game in turn whose symmetries exchange the players a position is seen
    from the side of the player to move.
    """

    digest: str = parameter("", init=False, repr=False)
    """Of the weights: others are another evaluator."""
    words: int = field(default=0, init=False, repr=False)
    """The number of words read: the state, the game's features of both players, and the player to move."""
    units: int = field(default=0, init=False, repr=False)
    second_units: int = field(default=0, init=False, repr=False)
    exchanges: bool = field(default=False, init=False, repr=False)

    last_bias: ClassVar[Any]
    bound: ClassVar[float] = 0.0
    """No estimate leaves the range of the game's results."""

    def _take(self, weights: Weights, source: str) -> None:
        coding, network = weights.coding, weights.network
        units, second = network.second.shape
        layers = coding._asdict() | network._asdict()
        read = {
            "digest": weights.digest,
            "words": coding.words,
            "units": units,
            "second_units": second,
            "exchanges": weights.exchanges,
            "weights": weights,
            "source": source,
            **{name: layers[name] for name in (*ARRAYS, "last_bias", "unit")},
        }
        for name, value in read.items():
            object.__setattr__(self, name, value)

    def check_game(self, game: Game) -> None:
        """Raise WeightsFileError, in one sentence, for another game, other parameters, or rules that have changed since."""
        check_game(self.__dict__["weights"], game, self.__dict__["source"])

    def coding_of_view(self, view: int) -> Coding:
        """The coding of states in that view, as if it were the first one."""
        coding: Coding = self.__dict__["weights"].coding
        seen = ("bit_rows", "choice_rows", "scaled_rows", "scaled_signs")
        return coding._replace(**{name: getattr(coding, name)[[view]] for name in seen})

    @kernel
    def lead(self, game, state):
        """The network's output for player 0.

        Its hyperbolic tangent is the expected share of the range of results.
        """
        mover = game.current_player(state)
        own0, own1 = game.features(state, 0), game.features(state, 1)
        if self.exchanges and game.turn_based and mover == 1:
            return -(network_lead(self, state, mover, own0, own1, 1) + self.last_bias)
        return network_lead(self, state, mover, own0, own1, 0) + self.last_bias

    @kernel
    def evaluate(self, game, state):
        middle, half = (
            0.5 * (game.max_utility + game.min_utility),
            0.5 * (game.max_utility - game.min_utility),
        )
        return middle + half * quick_tanh(self.lead(game, state))


@dataclass(frozen=True)
class Fitted(NetworkEvaluator):
    """The expected result by a network that was fitted to the game: `fitted("mygame.weights")`, a file that `saddlepoint fit` writes.

    The file is read when the evaluator is made. Raises ValueError, in one sentence, for a file that holds no weights.
    """

    file: str = parameter("")
    is_from_file: ClassVar[bool] = True
    """It is made for the game that its file names, and for none without a file."""

    def __post_init__(self) -> None:
        if not self.file:
            raise WeightsFileError(
                'fitted takes the file that `saddlepoint fit` wrote: fitted("mygame.weights")'
            )
        weights = load_weights(self.file)
        if (whose := weights.evaluator) is not None:
            raise WeightsFileError(
                f"{self.file!r} is fitted to the features of {whose['class']}, which takes it: weights={self.file!r}"
            )
        self._take(weights, self.file)


@dataclass(frozen=True)
class ShippedNetwork(NetworkEvaluator):
    """A network that comes with a game. Its class is made of this one and lies in the game's folder, as its weights do:

    @dataclass(frozen=True)
    class MyNetwork(ShippedNetwork):
        weights_file: ClassVar[str] = "mine.weights"
    """

    weights_file: ClassVar[str] = ""
    """The name of the file."""

    def __post_init__(self) -> None:
        self._take(self._read(), self.weights_file)

    @classmethod
    def _read(cls) -> Weights:
        return load_weights_once(Path(str(sys.modules[cls.__module__].__file__)).with_name(cls.weights_file))

    @classmethod
    def is_made_for(cls, game: Game) -> bool:
        """Whether it is fitted to the game of this name with these parameters."""
        return is_for(cls._read(), game)


def fitted_in_memory(weights: Weights) -> Fitted:
    """The evaluator of weights that lie in no file."""
    made: Any = object.__new__(Fitted)
    object.__setattr__(made, "file", "")
    made._take(with_digest(weights), "")
    return made
