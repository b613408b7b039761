"""Formulas over sets of bits of any size: one source, computed by Python's ints, compiled to straight-line code.

A formula is an ordinary function of a component (which has the property `words`, the number of 64-bit words of a set)
and of sets, ints and bools. Its annotations say which is which: `Bits`, `int`, `bool`. As plain Python it is called with
ints. Compiled, it is called once while code is generated, with values that write down each operation as one machine
instruction: its loops and its choices by the component are gone by then. A set of one word is one register; a larger one
is a vector of its words, with the bits that a shift moves from word to word carried over.

Left shifts and `~` set bits beyond the last word in Python that are cut off in machine words, so a set that is returned
must have been `&`-ed with known cells.
"""

import functools
import inspect
import operator
import typing
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils

from ..compiled import compiled_as
from .grid import int_of, words_of

__all__ = ["Bits", "formula"]


def _instruction(name: str) -> Callable[["_Emitted", Any], "_Emitted"]:
    """The operation of a value being generated that is one instruction."""
    return lambda one, other: one._of(getattr(one.builder, name)(one.value, one.constant(other)))


class _Emitted:
    """An integer, or several in lanes, of the code being generated; operations on it add instructions."""

    def __init__(self, context: Any, builder: Any, value: Any) -> None:
        self.context, self.builder, self.value = context, builder, value

    def _of(self, value: Any) -> "_Emitted":
        return _Emitted(self.context, self.builder, value)

    def constant(self, other: Any) -> Any:
        """The other operand as a value of this one's type."""
        if isinstance(other, _Emitted):
            return other.value
        value = int(other) & ((1 << self.width) - 1)
        kind = self.value.type
        return ir.Constant(kind, [value] * kind.count if isinstance(kind, ir.VectorType) else value)

    @property
    def width(self) -> int:
        """Bits of the integer, or of each lane."""
        kind = self.value.type
        return kind.element.width if isinstance(kind, ir.VectorType) else kind.width

    __and__, __or__, __xor__ = _instruction("and_"), _instruction("or_"), _instruction("xor")
    __add__, __sub__, __mul__ = _instruction("add"), _instruction("sub"), _instruction("mul")
    __rand__, __ror__, __rxor__, __radd__ = __and__, __or__, __xor__, __add__

    def __invert__(self) -> "_Emitted":
        return self ^ -1

    def __lshift__(self, places: int) -> "_Emitted":
        return self._shifted(self.builder.shl, places)

    def __rshift__(self, places: int) -> "_Emitted":
        return self._shifted(self.builder.lshr, places)

    def _shifted(self, shift: Callable[[Any, Any], Any], places: int) -> "_Emitted":
        if operator.index(places) >= self.width:  # undefined in LLVM
            return self._of(self.constant(0))
        return self._of(shift(self.value, self.constant(places)))

    def __bool__(self) -> bool:
        raise TypeError("a formula cannot branch on what is known only when it runs; use Bits.choose()")


class _EmittedWords(_Emitted):
    """A set of several words, as a vector of them: each operation takes a few instructions for all."""

    def constant(self, other: Any) -> Any:
        if isinstance(other, _Emitted):
            return other.value
        kind = self.value.type
        return ir.Constant(kind, [int(other) >> 64 * k & (1 << 64) - 1 for k in range(kind.count)])

    def _of(self, value: Any) -> "_Emitted":
        return _EmittedWords(self.context, self.builder, value)

    def __add__(self, other: Any) -> "_Emitted":
        return self._as_integers(self.builder.add, other)

    def __sub__(self, other: Any) -> "_Emitted":
        return self._as_integers(self.builder.sub, other)

    __radd__ = __add__

    def _as_integers(self, operation: Callable[[Any, Any], Any], other: Any) -> "_Emitted":
        """With carries from word to word."""
        kind = self.value.type
        sides = (
            self.builder.bitcast(side, ir.IntType(64 * kind.count))
            for side in (self.value, self.constant(other))
        )
        return self._of(self.builder.bitcast(operation(*sides), kind))

    def __lshift__(self, places: int) -> "_Emitted":
        return self._moved(-(places // 64), self.builder.shl, self.builder.lshr, places % 64)

    def __rshift__(self, places: int) -> "_Emitted":
        return self._moved(places // 64, self.builder.lshr, self.builder.shl, places % 64)

    def _moved(self, words: int, there: Any, back: Any, places: int) -> "_Emitted":
        """Whole words moved down, then bits shifted one way, and those of the next word that come over from it."""
        result = self._words_from(words)
        if places:
            neighbour = self._words_from(words + (1 if there == self.builder.lshr else -1))
            splat = [ir.Constant(result.type, [by] * result.type.count) for by in (places, 64 - places)]
            result = self.builder.or_(there(result, splat[0]), back(neighbour, splat[1]))
        return self._of(result)

    def _words_from(self, start: int) -> Any:
        """The words moved down by `start` (up where negative), zeros following."""
        kind = self.value.type
        places = [k + start if 0 <= k + start < kind.count else kind.count for k in range(kind.count)]
        return self.builder.shuffle_vector(
            self.value,
            ir.Constant(kind, None),
            ir.Constant(ir.VectorType(ir.IntType(32), kind.count), places),
        )


def _on_each(operation: Callable[[Any, Any], Any]) -> Callable[["_SideBySide", Any], "_SideBySide"]:
    def applied(sets: "_SideBySide", other: Any) -> "_SideBySide":
        others = other.items if isinstance(other, _SideBySide) else [other] * len(sets.items)
        return _SideBySide([operation(*pair) for pair in zip(sets.items, others, strict=True)])

    return applied


class _SideBySide:
    """Several sets that every operation applies to; another operand may be one set for all."""

    def __init__(self, items: list[Any]) -> None:
        self.items = items

    __and__, __or__, __add__ = _on_each(operator.and_), _on_each(operator.or_), _on_each(operator.add)
    __lshift__, __rshift__ = _on_each(operator.lshift), _on_each(operator.rshift)
    __rand__, __ror__, __radd__ = __and__, __or__, __add__


def _split(builder: Any, value: Any) -> list[Any]:
    """The 64-bit words of a set, lowest first."""
    if not isinstance(value.type, ir.VectorType):
        return [value]
    return [builder.extract_element(value, ir.IntType(32)(k)) for k in range(value.type.count)]


class Bits:
    """Annotation of a set of bits; outside formulas it is a tuple of 64-bit words, lowest first."""

    if TYPE_CHECKING:

        def _operation(self, other: Any) -> Any: ...

        __and__ = __or__ = __xor__ = __add__ = __lshift__ = __rshift__ = _operation

        def __invert__(self) -> Any: ...

    @staticmethod
    def nonzero(bits: Any) -> Any:
        """Whether the set has a member."""
        if isinstance(bits, _Emitted):
            integer = ir.IntType(64 * len(_split(bits.builder, bits.value)))
            value = bits.builder.bitcast(bits.value, integer)
            return _Emitted(bits.context, bits.builder, bits.builder.icmp_unsigned("!=", value, integer(0)))
        return bits != 0

    @staticmethod
    def choose(condition: Any, yes: Any, no: Any) -> Any:
        """`yes` or `no`, at least one of which is no constant; both are computed."""
        if isinstance(condition, _Emitted):
            known = yes if isinstance(yes, _Emitted) else no
            return known._of(
                condition.builder.select(condition.value, known.constant(yes), known.constant(no))
            )
        return yes if condition else no

    @staticmethod
    def size(bits: Any) -> Any:
        """Number of members; of each set where several lie side by side."""
        if isinstance(bits, _SideBySide):
            return _SideBySide([Bits.size(item) for item in bits.items])
        if not isinstance(bits, _Emitted):
            return int(bits).bit_count()
        builder, kind = bits.builder, bits.value.type
        if not isinstance(kind, ir.VectorType):
            return bits._of(builder.ctpop(bits.value))
        name = f"llvm.ctpop.v{kind.count}i64"  # llvmlite's own method takes no vectors
        counter = cgutils.get_or_insert_function(builder.module, ir.FunctionType(kind, [kind]), name)
        counts = builder.call(counter, [bits.value])
        if not isinstance(bits, _EmittedWords):
            return bits._of(counts)
        total = ir.IntType(64)(0)
        for count in _split(builder, counts):
            total = builder.add(total, count)
        return _Emitted(bits.context, builder, total)

    @staticmethod
    def side_by_side(*sets: Any) -> Any:
        """Several sets as one value, to which `&`, `|`, `+`, shifts and `size` apply at once; `split` takes it apart.

        Sets of one word become the lanes of a vector register.
        """
        first = sets[0]
        if not isinstance(first, _Emitted) or isinstance(first, _EmittedWords):
            return _SideBySide(list(sets))
        vector, index = ir.VectorType(first.value.type, len(sets)), ir.IntType(32)
        packed: Any = ir.Constant(vector, ir.Undefined)
        for k, one in enumerate(sets):
            packed = first.builder.insert_element(packed, one.value, index(k))
        return first._of(packed)

    @staticmethod
    def split(together: Any) -> list[Any]:
        """The sets, or sizes, that lie side by side."""
        if isinstance(together, _SideBySide):
            return together.items
        return [together._of(item) for item in _split(together.builder, together.value)]

    @staticmethod
    def pick(sets: tuple[int, ...], index: Any, like: Any) -> Any:
        """One of several constant sets, of the size of the set `like`: a load from a table."""
        if not isinstance(index, _Emitted):
            return sets[index]
        builder, kind = index.builder, like.value.type
        table = ir.Constant(ir.ArrayType(kind, len(sets)), [like.constant(one) for one in sets])
        place = cgutils.global_constant(builder, "sets", table)
        return like._of(builder.load(cgutils.gep_inbounds(builder, place, 0, index.value)))


def _machine_type(annotation: Any, words: int) -> Any:
    if annotation is Bits:
        return types.UniTuple(types.uint64, words)
    if typing.get_origin(annotation) is tuple:
        return types.Tuple([_machine_type(part, words) for part in typing.get_args(annotation)])
    return {int: types.int64, bool: types.boolean}[annotation]


def _entered(context: Any, builder: Any, annotation: Any, value: Any) -> _Emitted:
    if annotation is Bits:
        words = cgutils.unpack_tuple(builder, value)
        if len(words) == 1:
            return _Emitted(context, builder, words[0])
        packed: Any = ir.Constant(ir.VectorType(ir.IntType(64), len(words)), ir.Undefined)
        for k, word in enumerate(words):
            packed = builder.insert_element(packed, word, ir.IntType(32)(k))
        return _EmittedWords(context, builder, packed)
    if annotation is bool:
        value = builder.trunc(value, ir.IntType(1)) if value.type.width > 1 else value
    return _Emitted(context, builder, value)


def _left(context: Any, builder: Any, annotation: Any, kind: Any, result: Any) -> Any:
    if typing.get_origin(annotation) is tuple:
        parts = zip(typing.get_args(annotation), kind, result, strict=True)
        return context.make_tuple(builder, kind, [_left(context, builder, *part) for part in parts])
    if not isinstance(result, _Emitted):  # known before it runs
        known = words_of(result, len(kind)) if annotation is Bits else result
        return context.get_constant_generic(builder, kind, known)
    if annotation is Bits:
        return context.make_tuple(builder, kind, _split(builder, result.value))
    return result.value


def _plain_result(annotation: Any) -> Callable[[Any, int], Any]:
    """A function that converts the result of a function of ints to plain values, sets having the given number
    of words.
    """
    if typing.get_origin(annotation) is tuple:
        parts = [_plain_result(part) for part in typing.get_args(annotation)]
        return lambda result, words: tuple(
            [part(value, words) for part, value in zip(parts, result, strict=True)]
        )
    if annotation is Bits:
        return lambda result, words: tuple(map(np.uint64, words_of(result, words)))
    return lambda result, words: annotation(result)


def formula(function: Callable[..., Any]) -> Callable[..., Any]:
    """Let kernels call the function with sets as tuples of words; `.on_ints` is the function itself.

    The first parameter is a component with the property `words`; all others, and the result, are annotated.
    """
    hints = typing.get_type_hints(function)
    returned = hints["return"]
    signature = inspect.signature(function)
    kinds = [hints[name] for name in list(signature.parameters)[1:]]
    plain = _plain_result(returned)

    def typed(typingctx: Any, component: Any, *args: Any) -> Any:
        words = component.instance.words
        result = _machine_type(returned, words)

        def codegen(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            entered = [_entered(context, builder, *pair) for pair in zip(kinds, values[1:], strict=True)]
            return _left(context, builder, returned, result, function(component.instance, *entered))

        return result(component, *(_machine_type(kind, words) for kind in kinds)), codegen

    # Numba packs the arguments of an intrinsic by its signature, and one of *args would come as a tuple.
    context = inspect.Parameter("typingctx", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    setattr(typed, "__signature__", signature.replace(parameters=[context, *signature.parameters.values()]))  # noqa: B010

    @functools.wraps(function)
    def computed(component: Any, *args: Any) -> Any:
        ints = (int_of(value) if kind is Bits else value for kind, value in zip(kinds, args, strict=True))
        return plain(function(component, *ints), component.words)

    made: Any = compiled_as(typed)(computed)
    made.on_ints = function
    return made
