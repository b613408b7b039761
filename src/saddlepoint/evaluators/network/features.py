"""Evaluators that compute numbers of their own, which a small network weighs, and that network as machine code."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.errors import TypingError

from ...compiled import (
    Component,
    compiled_as,
    jit,
    kernel,
    kernel_inline,
    parameter,
    put_words,
    run,
    state_from_words,
    word_count,
)
from ...compiled.rules import rules_digest
from ...compiled.states import as_machine_words
from ...game.base import Game
from ..squashed import quick_tanh
from .file import HIGHEST, Weights, WeightsFileError, load_weights, load_weights_once, with_digest
from .fitted import added_up, are_numbers, arrays_of, clipped, constant, lanes_at_once, numbers_in, spread

# A network over an evaluator's own features as straight machine code: numbers of either player and of both, two layers, one output.
#
# As in `fitted.py` the weights are read when it runs, and only the numbers of inputs and units are part of the code.

ARRAYS = ("first", "first_bias", "second", "second_bias", "last", "folded")
"""The arrays that the code reads of an evaluator, all float32: rows of inputs, then the layers."""
_INT, _SINGLE = ir.IntType(32), ir.FloatType()
_LANES = 64
"""How many sums at once keep a processor busy: fewer units have several sums each."""
_SECOND_SUMS = 4


class _Emitter:
    def __init__(self, builder: Any, arrays: dict[str, Any]) -> None:
        self.builder, self.arrays = builder, arrays

    def row(self, name: str, place: int, size: int, columns: range) -> Any:
        """These columns of a row of a matrix of `size` columns."""
        first = self.builder.gep(self.arrays[name].data, [_INT(place * size + columns.start)], inbounds=True)
        return self.builder.load(
            self.builder.bitcast(first, ir.VectorType(_SINGLE, len(columns)).as_pointer()), align=4
        )

    def layer(self, name: str, numbers: list[Any], size: int, units: range, sums: int) -> Any:
        """The sums of these units of `size`, before they are cut off, each added up in `sums` parts."""
        builder, lanes = self.builder, len(units)
        parts = [self.row(f"{name}_bias", 0, size, units), *[constant(0.0, lanes)] * (sums - 1)]
        for place, number in enumerate(numbers):
            # `contract` lets a processor that can multiply and add at once do so.
            product = builder.fmul(
                spread(builder, number, lanes), self.row(name, place, size, units), flags=("contract",)
            )
            parts[place % sums] = builder.fadd(parts[place % sums], product, flags=("contract",))
        while len(parts) > 1:
            parts = [builder.fadd(one, other) for one, other in zip(parts[::2], parts[1::2], strict=True)]
        return parts[0]

    def lead(self, numbers: list[Any], units: int, second: int, steps: int) -> Any:
        """The output; with `steps` the second layer is the ladder of `ladder_of`, and `folded` is what it adds up."""
        builder, passed, total = self.builder, list[Any](), ir.Constant(ir.DoubleType(), 0.0)
        sums = max(1, min(4, _LANES // units))
        width = max(4, lanes_at_once() // sums)
        for first in range(0, units, width):
            some = range(first, min(first + width, units))
            hidden = clipped(builder, self.layer("first", numbers, units, some, sums), 0.0, HIGHEST)
            if steps:
                total = builder.fadd(
                    total, added_up(builder, builder.fmul(hidden, self.row("folded", 0, units, some)))
                )
            else:
                passed += [builder.extract_element(hidden, _INT(k)) for k in range(len(some))]
        if steps:
            most, least = (ir.Constant(total.type, sign * steps * HIGHEST) for sign in (1, -1))
            total = builder.select(builder.fcmp_ordered("<", total, most), total, most)
            return builder.select(builder.fcmp_ordered(">", total, least), total, least)
        every = range(second)
        outputs = clipped(builder, self.layer("second", passed, second, every, _SECOND_SUMS), 0.0, HIGHEST)
        return added_up(builder, builder.fmul(outputs, self.row("last", 0, second, every)))


def _wrong_count(evaluator: Any, numbers: int) -> str:
    return f"the network is fitted to {evaluator.inputs} numbers, not to {numbers}, which the features are"


def _lead_code(typingctx: Any, evaluator: Any, features0: Any, features1: Any, shared: Any) -> Any:
    given = (features0, features1, shared)
    for kind in given:
        if not are_numbers(kind):
            raise TypingError(
                f"an evaluator's features are three tuples of numbers: of player 0, of player 1, of both; not {kind}"
            )
    if len(features0) != len(features1):
        raise TypingError(
            f"an evaluator's features must be as many of either player, not {len(features0)} and {len(features1)}"
        )
    count, known = sum(map(len, given)), evaluator.instance
    if known.inputs not in (0, count):
        raise TypingError(_wrong_count(known, count))

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        if not known.inputs:  # nothing is learnt yet
            return ir.DoubleType()(0.0)
        numbers = [
            context.cast(builder, number, one, types.float32)
            for one, number in numbers_in(builder, given, args[1:])
        ]
        arrays = arrays_of(context, builder, evaluator, args[0], ARRAYS)
        return _Emitter(builder, arrays).lead(numbers, known.units, known.second_units, known.steps)

    return types.float64(evaluator, *given), codegen


@compiled_as(_lead_code)
def feature_lead(evaluator: Any, features0: Any, features1: Any, shared: Any) -> float:
    """The network's output for these numbers of player 0, of player 1 and of both, without its last bias; 0 where nothing is learnt."""
    numbers = np.array((*features0, *features1, *shared), np.float32)
    if not evaluator.inputs:
        return 0.0
    if len(numbers) != evaluator.inputs:
        raise ValueError(_wrong_count(evaluator, len(numbers)))
    hidden = np.clip(evaluator.first_bias + numbers @ evaluator.first, 0, HIGHEST)
    return float(np.clip(hidden @ evaluator.second + evaluator.second_bias, 0, HIGHEST) @ evaluator.last)


def _put_code(typingctx: Any, several: Any, out: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        data = context.make_array(out)(context, builder, args[1]).data
        tuples = cgutils.unpack_tuple(builder, args[0], len(several))
        for place, (one, number) in enumerate(numbers_in(builder, several, tuples)):
            builder.store(context.cast(builder, number, one, types.float64), builder.gep(data, [_INT(place)]))
        return context.get_dummy_value()

    return types.none(several, out), codegen


@compiled_as(_put_code)
def put_numbers(several: Any, out: Any) -> None:
    """Write tuples of numbers, one after the other, to a contiguous array of floats that has room for them."""
    out[:] = [number for numbers in several for number in numbers]


# Evaluators that compute numbers of their own, which a small network weighs: `saddlepoint fit --evaluator` fits it.


@dataclass(frozen=True)
class FeatureNetwork(Component):
    """Base of evaluators with a fitted network over features: `prospects(weights="x.weights")`.

    A subclass has the kernel `features(game, state)`: the numbers of player 0, as many of player 1, and those of both, three tuples.
    Exchanging the players must exchange the first two; the fit learns each position from both sides. It computes them for both players at
    once; `lead` and `evaluate` are here. A subclass that has the features at hand passes them to `compared`.

    Positions of which `is_decided` says that the evaluator knows better are not fitted to.

    Without `weights` it has those of the file beside its module that `weights_file` names; without that too it says nothing, 0.
    Other weights of as many units need no other compilation.
    """

    weights: str = parameter("", kw_only=True)
    """A file that `saddlepoint fit` wrote."""
    digest: str = parameter("", init=False, repr=False)
    inputs: int = field(default=0, init=False, repr=False)
    """The numbers of both players and those of both together; 0: nothing is learnt."""
    units: int = field(default=0, init=False, repr=False)
    second_units: int = field(default=0, init=False, repr=False)
    steps: int = field(default=0, init=False, repr=False)
    """Of a second layer that only adds up, see `ladder_of`; else 0."""

    weights_file: ClassVar[str] = ""
    is_shipped: ClassVar[bool]
    """Whether its weights are those that come with it; compiled code reads it when it runs."""
    last_bias: ClassVar[Any]
    features: ClassVar[Any]

    def __post_init__(self) -> None:
        if self.weights:
            self._take(load_weights(self.weights), repr(self.weights))
        elif self.weights_file:
            beside = Path(str(sys.modules[_home(type(self), "weights_file").__module__].__file__)).with_name(
                self.weights_file
            )
            self._take(load_weights_once(beside), repr(self.weights_file), is_shipped=True)
        else:
            self._learn(0, 0, 0, "", {"last_bias": 0.0, "is_shipped": False})

    @property
    def is_fitted(self) -> bool:
        return self.inputs > 0

    def with_weights(self, weights: Weights) -> Self:
        """This evaluator with weights that lie in no file."""
        made: Any = object.__new__(type(self))
        made.__dict__.update(self.__getstate__() | {"weights": ""})
        made._take(with_digest(weights), "what is learnt")
        return made

    def _take(self, weights: Weights, name: str, is_shipped: bool = False) -> None:
        if weights.evaluator != described_evaluator(type(self)):
            own, known = described_evaluator(type(self))["class"], (weights.evaluator or {}).get("class")
            owner = (
                f"features of {known}{', as it was' if known == own else ''}"
                if known
                else "the states of a game, for fitted"
            )
            raise WeightsFileError(
                f"{name} is fitted to {owner}, not to features of {own}{' as it is' if known == own else ''}"
            )
        coding, network = weights.coding, weights.network
        if (
            coding.rows
            or len(coding.choices)
            or not coding.scaled[:, 1].all()
            or (coding.scaled[:, 0] >= coding.words - 1).any()
        ):
            raise WeightsFileError(f"{name} holds no weights of an evaluator's features")
        inputs, (units, second) = coding.words - 1, network.second.shape
        # Numbers are scaled where they are fitted; here the scales are part of the weights.
        rows = (
            network.scaled_first[coding.scaled_rows[0]].astype(np.float64)
            * (coding.scaled_signs[0] * coding.scales[:, 1])[:, None]
        )
        first = np.zeros((inputs, units))
        np.add.at(first, coding.scaled[:, 0], rows)
        bias = network.first_bias * network.unit - coding.scales[:, 0].astype(np.float64) @ rows
        read = {
            "first": first.astype(np.float32),
            "first_bias": bias.astype(np.float32),
            "second": network.second,
            "second_bias": network.second_bias,
            "last": network.last,
            "last_bias": network.last_bias,
            "is_shipped": is_shipped,
        }
        self._learn(inputs, units, second, weights.digest, read)

    def _learn(self, inputs: int, units: int, second: int, digest: str, read: dict[str, Any]) -> None:
        steps, folded = (
            ladder_of(read["second"], read["second_bias"], read["last"]) if inputs else (0, _NOTHING)
        )
        kinds = {
            "inputs": inputs,
            "units": units,
            "second_units": second,
            "steps": steps,
            "digest": digest,
            "folded": folded,
        }
        for name, value in (kinds | read).items():
            object.__setattr__(self, name, _aligned(value) if isinstance(value, np.ndarray) else value)

    def check_fit(self, game: Game) -> None:
        """Raise ValueError, in one sentence, for a game that it values without its weights: nothing can be fitted there."""

    @kernel
    def is_decided(self, game, state):
        """Whether the value of a position is known without the network."""
        return False

    @kernel_inline
    def compared(self, game, state, features0, features1, shared):
        """The network's output for player 0.

        Its hyperbolic tangent is the expected share of the range of results.

        In a turn-based game it is computed from the side of the player to move.
        """
        if game.turn_based and game.current_player(state) == 1:
            return -(feature_lead(self, features1, features0, shared) + self.last_bias)
        return feature_lead(self, features0, features1, shared) + self.last_bias

    @kernel
    def lead(self, game, state):
        """`compared` of the evaluator's features."""
        features0, features1, shared = self.features(game, state)
        return self.compared(game, state, features0, features1, shared)

    @kernel
    def evaluate(self, game, state):
        return game.max_utility * quick_tanh(self.lead(game, state))


def _aligned(array: Any) -> Any:
    """A copy as 32-bit floats whose rows do not lie across two lines of a processor's cache more often than they must."""
    room = np.zeros(array.size + 16, np.float32)
    first = -room.ctypes.data % 64 // 4
    made = room[first : first + array.size].reshape(array.shape)
    made[:] = array
    return made


_NOTHING = np.zeros(0, np.float32)


def ladder_of(second: Any, second_bias: Any, last: Any) -> tuple[int, Any]:
    """How many steps a second layer has that only adds up the first one, and by which weights, float32 (units,); 0 and none for others.

    Such a layer is what a network with one layer becomes in a file: units that see the same sum, each cut off where the next one begins,
    added up, and as many that see the negative sum, taken away. Together they are the sum itself, as far as the steps reach.
    """
    steps, odd = divmod(len(last), 2)
    if odd or steps == 0 or not np.array_equal(second_bias, np.tile(-HIGHEST * np.arange(steps), 2)):
        return 0, _NOTHING
    signs = np.repeat(np.array([1, -1], np.float32), steps)
    folded = second[:, 0].copy()
    return (
        (steps, folded)
        if np.array_equal(last, signs) and np.array_equal(second, np.outer(folded, signs))
        else (0, _NOTHING)
    )


def described_evaluator(kind: type[FeatureNetwork]) -> dict[str, str]:
    """The record of an evaluator in a weights file: its class and, for one outside this library, a digest of
    its file.
    """
    whose = _home(kind, "features")
    return {"class": whose.__name__, "digest": rules_digest(whose)}


def _home(cls: type, name: str) -> type:
    """The class that an attribute comes from."""
    return next(base for base in cls.__mro__ if name in vars(base))


@jit
def _width(evaluator, game, state):
    """The numbers of features: of player 0, of player 1, of both."""
    features0, features1, shared = evaluator.features(game, state)
    return len(features0), len(features1), len(shared)


@jit
def _describe(evaluator, game, like, states, out, decided):
    for k in range(len(states)):
        state = state_from_words(states[k], like)
        decided[k] = evaluator.is_decided(game, state)
        put_numbers(evaluator.features(game, state), out[k])


def feature_count(evaluator: Component, game: Game) -> tuple[int, int]:
    """(numbers that the evaluator computes of each player, those of both).

    Raises ValueError where players have unequally many.
    """
    one, other, shared = map(int, run(_width, evaluator, game, as_machine_words(game.initial_state())))
    if one != other:
        raise ValueError(
            f"{type(evaluator).__name__}.features must give as many numbers of either player, not {one} and {other}"
        )
    return one, shared


def feature_words(evaluator: Component, game: Game, states: Sequence[Any]) -> tuple[Any, Any]:
    """(the inputs of a network over features, uint64 (states, words): the bits of floats and, last, the player to move; whether each
    position is decided, bool (states,)).
    """
    count, shared = feature_count(evaluator, game)
    own = np.zeros((len(states), int(word_count(states[0]))), np.uint64)
    for row, state in zip(own, map(as_machine_words, states), strict=True):
        put_words(state, row)
    numbers, decided = np.zeros((len(states), 2 * count + shared)), np.zeros(len(states), np.bool_)
    run(_describe, evaluator, game, as_machine_words(states[0]), own, numbers, decided)
    movers = np.array([game.current_player(state) for state in states], np.int64)
    return np.concatenate([numbers.view(np.uint64), movers.view(np.uint64)[:, None]], axis=1), decided
