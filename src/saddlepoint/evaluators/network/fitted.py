"""The evaluator that `saddlepoint fit` makes: a small network over a state's own words, its weights in a file.

Its lead is straight machine code: the first layer is a sum of rows, the others are vectors of single precision.
"""

import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from llvmlite import ir
from numba import config, types
from numba.core import cgutils
from numba.core.errors import TypingError

from ...compiled import Component, compiled_as, kernel, parameter, put_words, word_count
from ...compiled.component import attribute_code
from ...compiled.words import words_code
from ...game.base import Game
from ..squashed import quick_tanh
from .file import (
    FURTHEST,
    HIGHEST,
    MISSING,
    SET_LANES,
    Coding,
    Weights,
    WeightsFileError,
    check_game,
    feature_words,
    input_rows,
    is_for,
    load_weights,
    load_weights_once,
    scaled_inputs,
    with_digest,
)


def lanes_at_once() -> int:
    """The number of sums that a processor's registers can hold while numbers are added to them.

    A processor of unknown kind has sixteen registers of four numbers; so has what runs WebAssembly. Others have longer ones.
    """
    return 16 if getattr(config, "CPU_NAME", None) == "generic" else 256


def constant(number: float, size: int) -> Any:
    return ir.Constant(ir.VectorType(_SINGLE, size), [number] * size)


def spread(builder: Any, number: Any, size: int) -> Any:
    empty = ir.Constant(ir.VectorType(number.type, size), ir.Undefined)
    one = builder.insert_element(empty, number, _INT(0))
    return builder.shuffle_vector(one, empty, ir.Constant(ir.VectorType(_INT, size), [0] * size))


def clipped(builder: Any, vector: Any, low: float, high: float) -> Any:
    """Each number cut off below and above."""
    least, most = (constant(number, vector.type.count) for number in (low, high))
    above = builder.select(builder.fcmp_ordered(">", vector, least), vector, least)
    return builder.select(builder.fcmp_ordered("<", above, most), above, most)


def added_up(builder: Any, vector: Any) -> Any:
    """The sum of a vector's numbers in double precision, added in halves; the upper one has zeros where it is shorter."""
    size = vector.type.count
    while size > 1:
        half = 1 << (size - 1).bit_length() - 1
        zeros = constant(0.0, size)
        halves = [
            builder.shuffle_vector(
                vector,
                zeros,
                ir.Constant(ir.VectorType(_INT, half), [min(start + k, size) for k in range(half)]),
            )
            for start in (0, half)
        ]
        vector, size = builder.fadd(*halves), half
    return builder.fpext(builder.extract_element(vector, _INT(0)), ir.DoubleType())


# A network's lead as straight machine code: the first layer is a sum of rows, of 16 bits each, in vector registers.
#
# The weights are read when it runs, so that other weights need no other compilation; only the numbers of units are part of the code.

_LONG, _INT, _SHORT, _BYTE = (ir.IntType(size) for size in (64, 32, 16, 8))
_SINGLE = ir.FloatType()
ARRAYS = (*Coding._fields, "first", "first_bias", "scaled_first", "second", "second_bias", "last")
"""The arrays that the code reads of an evaluator: how inputs are made, then the layers."""


class _Emitter:
    """Emits the code; `arrays` are the evaluator's, as Numba's views."""

    def __init__(self, builder: Any, arrays: dict[str, Any], evaluator: Any) -> None:
        self.builder, self.arrays = builder, arrays
        self.units, self.second, self.columns = evaluator.units, evaluator.second_units, evaluator.set_columns
        # LLVM 22 compiles longer vectors of bytes wrongly for WebAssembly.
        self.lanes = min(SET_LANES, lanes_at_once())
        if self.columns:
            with builder.goto_entry_block():
                self.sums = builder.alloca(ir.VectorType(_BYTE, self.lanes), self.columns // self.lanes)

    def length(self, name: str, axis: int = 0) -> Any:
        return cgutils.unpack_tuple(self.builder, self.arrays[name].shape)[axis]

    def item(self, name: str, place: Any) -> Any:
        return self.builder.load(self.builder.gep(self.arrays[name].data, [place]))

    def vector(self, name: str, row: Any, size: int, kind: Any) -> Any:
        """A row of a matrix of `size` columns."""
        place = self.builder.gep(self.arrays[name].data, [self.builder.mul(row, row.type(size))])
        return self.builder.load(
            self.builder.bitcast(place, ir.VectorType(kind, size).as_pointer()),
            align=2 if kind is _SHORT else 4,
        )

    def variable(self, value: Any) -> Any:
        with self.builder.goto_entry_block():
            place = self.builder.alloca(value.type)
        self.builder.store(value, place)
        return place

    def add_row(self, total: Any, row: Any) -> None:
        builder, row = self.builder, self.builder.sext(row, _LONG)
        builder.store(builder.add(builder.load(total), self.vector("first", row, self.units, _SHORT)), total)
        for sums, column in self.set_sums():
            added = self.bytes("set_rows", builder.add(builder.mul(row, _LONG(self.columns)), column))
            builder.store(builder.add(builder.load(sums), added), sums)

    def set_sums(self, first: int = 0, end: int | None = None) -> Iterator[tuple[Any, Any]]:
        """A loop over the sums of winning sets, some at once: where they are, and the first one's column."""
        if self.columns:
            low, high = (_LONG(one // self.lanes) for one in (first, self.columns if end is None else end))
            with cgutils.for_range_slice(self.builder, low, high, _LONG(1), intp=_LONG) as (block, _):
                yield self.builder.gep(self.sums, [block]), self.builder.mul(block, _LONG(self.lanes))

    def bytes(self, name: str, first: Any) -> Any:
        """Some numbers of 8 bits, as many as are added at once."""
        place = self.builder.gep(self.arrays[name].data, [first])
        return self.builder.load(
            self.builder.bitcast(place, ir.VectorType(_BYTE, self.lanes).as_pointer()), align=1
        )

    def begin_sets(self) -> None:
        for sums, column in self.set_sums():
            self.builder.store(self.bytes("set_starts", column), sums)

    def put_open_sets(self, words: Any) -> None:
        """Write the numbers of `open_sets` behind the other words."""
        builder, half = self.builder, self.columns // 2
        for k in range(2 * MISSING if self.columns else 0):
            player, missing = divmod(k, MISSING)
            wanted = ir.Constant(ir.VectorType(_BYTE, self.lanes), [-missing] * self.lanes)
            count = self.variable(_LONG(0))
            for sums, _ in self.set_sums(player * half, (player + 1) * half):
                found = builder.icmp_signed("==", builder.load(sums), wanted)
                bits = builder.zext(builder.bitcast(found, ir.IntType(self.lanes)), _LONG)
                builder.store(builder.add(builder.load(count), builder.ctpop(bits)), count)
            place = builder.add(self.length("masks"), _LONG(k))
            builder.store(builder.load(count), builder.gep(words, [place]))

    def add_bits(self, total: Any, words: Any, view: Any) -> None:
        """The rows of all set bits that are inputs."""
        builder, count = self.builder, self.length("masks")
        with cgutils.for_range(builder, count, intp=_LONG) as loop:
            word = builder.load(builder.gep(words, [loop.index]))
            left = self.variable(builder.and_(word, self.item("masks", loop.index)))
            base = builder.mul(builder.add(builder.mul(view, count), loop.index), _LONG(64))
            check, body, end = (
                builder.append_basic_block(name) for name in ("bits.check", "bits.body", "bits.end")
            )
            builder.branch(check)
            builder.position_at_end(check)
            builder.cbranch(builder.icmp_unsigned("!=", builder.load(left), _LONG(0)), body, end)
            builder.position_at_end(body)
            bits = builder.load(left)
            self.add_row(
                total, self.item("bit_rows", builder.add(base, builder.cttz(bits, ir.IntType(1)(1))))
            )
            builder.store(builder.and_(bits, builder.sub(bits, _LONG(1))), left)
            builder.branch(check)
            builder.position_at_end(end)

    def add_choices(self, total: Any, words: Any, view: Any) -> None:
        builder, values = self.builder, self.length("choice_rows", 1)
        with cgutils.for_range(builder, self.length("choices"), intp=_LONG) as loop:
            at = builder.mul(loop.index, _LONG(4))
            word, low, count, first = (self.item("choices", builder.add(at, _LONG(k))) for k in range(4))
            value, last = (
                builder.sub(builder.load(builder.gep(words, [word])), low),
                builder.sub(count, _LONG(1)),
            )
            value = builder.select(builder.icmp_signed("<", value, _LONG(0)), _LONG(0), value)
            value = builder.select(builder.icmp_signed(">", value, last), last, value)
            self.add_row(
                total,
                self.item("choice_rows", builder.add(builder.mul(view, values), builder.add(first, value))),
            )

    def add_scaled(self, hidden: Any, words: Any, view: Any) -> None:
        builder, count = self.builder, self.length("scaled")
        with cgutils.for_range(builder, count, intp=_LONG) as loop:
            at = builder.mul(loop.index, _LONG(2))
            word = builder.load(builder.gep(words, [self.item("scaled", at)]))
            is_float = builder.icmp_unsigned("!=", self.item("scaled", builder.add(at, _LONG(1))), _LONG(0))
            real = builder.fptrunc(builder.bitcast(word, ir.DoubleType()), _SINGLE)
            number = builder.select(is_float, real, builder.sitofp(word, _SINGLE))
            number = builder.fsub(number, self.item("scales", at))
            number = builder.fmul(number, self.item("scales", builder.add(at, _LONG(1))))
            number = builder.extract_element(
                clipped(builder, spread(builder, number, 1), -FURTHEST, FURTHEST), _INT(0)
            )
            seen = builder.add(builder.mul(view, count), loop.index)
            number = builder.fmul(number, self.item("scaled_signs", seen))
            weights = self.vector(
                "scaled_first", builder.sext(self.item("scaled_rows", seen), _LONG), self.units, _SINGLE
            )
            builder.store(
                builder.fadd(
                    builder.load(hidden), builder.fmul(spread(builder, number, self.units), weights)
                ),
                hidden,
            )

    def lead(self, words: Any, view: Any, unit: Any) -> Any:
        builder = self.builder
        total = self.variable(self.vector("first_bias", _LONG(0), self.units, _SHORT))
        self.begin_sets()
        self.add_bits(total, words, view)
        self.add_choices(total, words, view)
        self.put_open_sets(words)
        whole = builder.sitofp(builder.load(total), ir.VectorType(_SINGLE, self.units))
        hidden = self.variable(builder.fmul(whole, spread(builder, unit, self.units)))
        self.add_scaled(hidden, words, view)
        builder.store(clipped(builder, builder.load(hidden), 0.0, HIGHEST), hidden)
        outputs = self.variable(self.vector("second_bias", _LONG(0), self.second, _SINGLE))
        numbers = builder.bitcast(hidden, _SINGLE.as_pointer())
        with cgutils.for_range(builder, _LONG(self.units), intp=_LONG) as loop:
            number = spread(builder, builder.load(builder.gep(numbers, [loop.index])), self.second)
            weights = self.vector("second", loop.index, self.second, _SINGLE)
            builder.store(builder.fadd(builder.load(outputs), builder.fmul(number, weights)), outputs)
        last = self.vector("last", _LONG(0), self.second, _SINGLE)
        return added_up(builder, builder.fmul(clipped(builder, builder.load(outputs), 0.0, HIGHEST), last))


def are_numbers(kind: Any) -> bool:
    items: Any = kind
    return isinstance(kind, types.BaseTuple) and all(
        isinstance(one, types.Number | types.Boolean) for one in items
    )


def numbers_in(builder: Any, kinds: Any, tuples: Any) -> Iterator[tuple[Any, Any]]:
    """(type, number) of all that is in some tuples, whose types are `kinds`."""
    for kind, several in zip(kinds, tuples, strict=True):
        yield from zip(kind, cgutils.unpack_tuple(builder, several, len(kind)), strict=True)


def arrays_of(
    context: Any, builder: Any, evaluator: Any, pointer: Any, names: Iterable[str]
) -> dict[str, Any]:
    """An evaluator's arrays, as Numba's views."""
    read = {name: attribute_code(context, builder, evaluator, pointer, name) for name in names}
    return {name: context.make_array(kind)(context, builder, array) for name, (kind, array) in read.items()}


def _check_kind(evaluator: Any, word: int, is_set: bool) -> None:
    """Raise TypingError where a feature is a set when compiled and another number in plain Python, or the other way round."""
    masks, scaled = evaluator.masks, evaluator.scaled
    if word < len(masks) and (word in scaled[:, 0] if is_set else masks[word] != 0):
        here, there = ("compiled", "in plain Python") if is_set else ("in plain Python", "compiled")
        raise TypingError(
            f"one of the game's features is an np.uint64, a set, {here} and another number {there}: convert it in the rule"
        )


def _lead_code(
    typingctx: Any, evaluator: Any, state: Any, mover: Any, features0: Any, features1: Any, view: Any
) -> Any:
    for kind in (features0, features1):
        if not are_numbers(kind):
            raise TypingError(f"a game's features are a tuple of numbers, not {kind}")

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        pointer, value, who, own0, own1, seen = args
        found = [*words_code(context, builder, state, value)]
        for one, number in numbers_in(builder, (features0, features1), (own0, own1)):
            is_set = one == types.uint64
            _check_kind(evaluator.instance, len(found), is_set)
            found.append(
                number
                if is_set
                else builder.bitcast(context.cast(builder, number, one, types.float64), _LONG)
            )
        found.append(context.cast(builder, who, mover, types.int64))
        if len(found) != evaluator.instance.words:
            raise TypingError(
                f"the network is fitted to positions of {evaluator.instance.words - 1} numbers, not of {len(found) - 1}"
            )
        with builder.goto_entry_block():
            words = builder.alloca(_LONG, len(found) + 2 * MISSING)
        for k, word in enumerate(found):
            builder.store(word, builder.gep(words, [_LONG(k)]))
        arrays = arrays_of(context, builder, evaluator, pointer, ARRAYS)
        unit = builder.fptrunc(attribute_code(context, builder, evaluator, pointer, "unit")[1], _SINGLE)
        return _Emitter(builder, arrays, evaluator.instance).lead(
            words, context.cast(builder, seen, view, types.int64), unit
        )

    return types.float64(evaluator, state, mover, features0, features1, view), codegen


@compiled_as(_lead_code)
def network_lead(evaluator: Any, state: Any, mover: Any, features0: Any, features1: Any, view: Any) -> float:
    """The network's output for a state in which `mover` moves, in that view, without its last bias; with both players' features."""
    own = word_count(state)
    words = np.zeros((1, own + 1 + len(features0) + len(features1)), np.uint64)
    put_words(state, words[0])
    if words.shape[1] != evaluator.words:
        raise ValueError(
            f"the network is fitted to positions of {evaluator.words - 1} numbers, not of {words.shape[1] - 1}"
        )
    words[0, own:-1] = feature_words((*features0, *features1), evaluator.masks[own:-1] != 0)
    words[0, -1] = np.int64(mover).view(np.uint64)
    coding = evaluator.coding_of_view(int(view))
    rows, _ = input_rows(coding, words)
    total = evaluator.first_bias.astype(np.int32) + evaluator.first[rows].astype(np.int32).sum(axis=0)
    hidden = total.astype(np.float32) * np.float32(evaluator.unit)
    inputs = scaled_inputs(coding, words)[0] * coding.scaled_signs[0]
    for number, row in zip(inputs, coding.scaled_rows[0], strict=True):
        hidden = hidden + number * evaluator.scaled_first[row]
    outputs = np.clip(np.clip(hidden, 0, HIGHEST) @ evaluator.second + evaluator.second_bias, 0, HIGHEST)
    return float(outputs @ evaluator.last)


# The evaluator.


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
    set_columns: int = field(default=0, init=False, repr=False)
    """Of the winning sets in the coding."""
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
            "set_columns": len(coding.set_starts),
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

    >>> from saddlepoint.evaluators import Fitted
    >>> try:
    ...     Fitted()
    ... except ValueError as error:
    ...     print(error)
    fitted takes the file that `saddlepoint fit` wrote: fitted("mygame.weights")
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
