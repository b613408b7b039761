"""A state as words: its numbers one after the other, 64 bits each; the state made from words.

And a hash of them.

All three follow from the state's NamedTuple, so every game has them. Whole numbers are extended with their sign, a float is its bits;
-0.0, which equals 0.0, has the same ones.
"""

import itertools
from collections.abc import Iterator
from typing import Any, cast

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.errors import TypingError

from .rules import compiled_as
from .states import as_machine_words

_WORD = ir.IntType(64)
_ONES = (1 << 64) - 1
_MULTIPLIER = 0x9E3779B97F4A7C15
_FINAL_MULTIPLIER = 0xBF58476D1CE4E5B9


# -- plain Python -----------------------------------------------------------------------------------------------------


def numbers_of(value: Any) -> Iterator[Any]:
    """A state's numbers one after the other."""
    if isinstance(value, tuple):
        for item in cast(tuple[Any, ...], value):
            yield from numbers_of(item)
    else:
        yield value


def _word(number: Any) -> int:
    if isinstance(number, (float, np.floating)):
        return int((np.float64(number) + 0.0).view(np.uint64))
    return int(number) & _ONES


def words_of_state(state: Any) -> list[int]:
    """A state's words, for Python: each of 64 bits, not negative."""
    return [_word(number) for number in numbers_of(as_machine_words(state))]


def rebuilt(like: Any, words: Iterator[int]) -> Any:
    """The state that has these words, of the class and the types of `like`, whose numbers are of their annotated types."""
    if isinstance(like, tuple):
        items = [rebuilt(item, words) for item in cast(tuple[Any, ...], like)]
        return type(like)(*items) if hasattr(like, "_fields") else tuple(items)
    word = next(words)
    if isinstance(like, (float, np.floating)):
        return type(like)(np.uint64(word).view(np.float64))
    signed = isinstance(like, int) or np.issubdtype(type(like), np.signedinteger)
    return type(like)(word - (1 << 64) if signed and word >> 63 else word)


# -- compiled code ----------------------------------------------------------------------------------------------------


def _leaves(kind: Any) -> Iterator[Any]:
    if isinstance(kind, types.BaseTuple):
        items: Any = kind
        for item in items:
            yield from _leaves(item)
    elif isinstance(kind, (types.Integer, types.Boolean, types.Float)):
        yield kind
    else:
        raise TypingError(f"a state holds numbers and tuples of them, not {kind}")


def _unpacked(builder: Any, kind: Any, value: Any) -> Iterator[tuple[Any, Any]]:
    if isinstance(kind, types.BaseTuple):
        items: Any = kind
        for item, inner in zip(items, cgutils.unpack_tuple(builder, value, len(kind)), strict=True):
            yield from _unpacked(builder, item, inner)
    else:
        yield kind, value


def _as_word(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    if isinstance(kind, types.Float):
        number = context.cast(builder, value, kind, types.float64)
        return builder.bitcast(builder.fadd(number, ir.Constant(ir.DoubleType(), 0.0)), _WORD)
    if isinstance(kind, types.Boolean):
        return builder.zext(value, _WORD)
    if value.type.width == 64:
        return value
    return (builder.sext if kind.signed else builder.zext)(value, _WORD)


def from_words(context: Any, builder: Any, kind: Any, words: Iterator[Any]) -> Any:
    """Code that makes a value of that type of its words: an array of its address and its shape, the rest as in a state."""
    if isinstance(kind, types.BaseTuple):
        items: Any = kind
        return context.make_tuple(
            builder, kind, [from_words(context, builder, item, words) for item in items]
        )
    if isinstance(kind, types.Array):
        place, *shape = itertools.islice(words, 1 + kind.ndim)
        return array_at(context, builder, kind, builder.inttoptr(place, ir.IntType(8).as_pointer()), shape)
    word, machine = next(words), context.get_value_type(kind)
    if isinstance(kind, types.Float):
        return context.cast(builder, builder.bitcast(word, ir.DoubleType()), types.float64, kind)
    if isinstance(kind, (types.Integer, types.Boolean)):
        return word if machine == word.type else builder.trunc(word, machine)
    return builder.inttoptr(word, machine)


def array_at(context: Any, builder: Any, kind: Any, place: Any, shape: list[Any]) -> Any:
    """An array of that shape, row by row, at an address, which nobody counts references of."""
    array = context.make_array(kind)(context, builder)
    size = context.get_abi_sizeof(context.get_data_type(kind.dtype))
    steps = [_WORD(size)]
    for length in reversed(shape[1:]):
        steps.insert(0, builder.mul(steps[0], length))
    item = context.get_constant(types.intp, size)
    data = builder.bitcast(place, array.data.type)
    context.populate_array(
        array, data=data, shape=shape, strides=steps[: kind.ndim], itemsize=item, meminfo=None
    )
    return array._getvalue()


def words_code(context: Any, builder: Any, kind: Any, value: Any) -> list[Any]:
    """Code that gives a state's words, for intrinsics; raises TypingError for what is no state."""
    list(_leaves(kind))
    return [_as_word(context, builder, one, number) for one, number in _unpacked(builder, kind, value)]


def store_words(context: Any, builder: Any, kind: Any, value: Any, place: Any) -> None:
    """Code that writes a state's words to an address of words."""
    for k, word in enumerate(words_code(context, builder, kind, value)):
        builder.store(word, builder.gep(place, [_WORD(k)]), align=8)


def load_state(context: Any, builder: Any, kind: Any, place: Any) -> Any:
    """Code that reads a state of that type from its words at an address."""
    loaded = (
        builder.load(builder.gep(place, [_WORD(k)]), align=8) for k in range(sum(1 for _ in _leaves(kind)))
    )
    return from_words(context, builder, kind, loaded)


def _count_code(typingctx: Any, state: Any) -> Any:
    count = sum(1 for _ in _leaves(state))
    return types.int64(state), lambda context, builder, signature, args: _WORD(count)


def _put_code(typingctx: Any, state: Any, out: Any) -> Any:
    list(_leaves(state))

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        store_words(context, builder, state, args[0], context.make_array(out)(context, builder, args[1]).data)
        return context.get_dummy_value()

    return types.none(state, out), codegen


def _from_code(typingctx: Any, words: Any, like: Any) -> Any:
    list(_leaves(like))

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return load_state(context, builder, like, context.make_array(words)(context, builder, args[0]).data)

    return like(words, like), codegen


def _hash_code(typingctx: Any, state: Any) -> Any:
    list(_leaves(state))

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        found: Any = _WORD(_MULTIPLIER)
        for word in words_code(context, builder, state, args[0]):
            found = builder.mul(builder.xor(found, word), _WORD(_MULTIPLIER))
            found = builder.xor(found, builder.lshr(found, _WORD(32)))
        found = builder.mul(found, _WORD(_FINAL_MULTIPLIER))
        return builder.xor(found, builder.lshr(found, _WORD(29)))

    return types.uint64(state), codegen


# -- both -------------------------------------------------------------------------------------------------------------


@compiled_as(_count_code)
def word_count(state: Any) -> int:
    """The number of words of a state: one for each of its numbers."""
    return sum(1 for _ in numbers_of(state))


@compiled_as(_put_code)
def put_words(state: Any, out: Any) -> None:
    """Write a state's words to a contiguous uint64 array that has room for them."""
    for k, number in enumerate(numbers_of(state)):
        out[k] = _word(number)


@compiled_as(_from_code)
def state_from_words(words: Any, like: Any) -> Any:
    """The state that has these words, of the class and the types of the state `like`; the inverse of `put_words`."""
    return rebuilt(as_machine_words(like), map(int, words))


@compiled_as(_hash_code)
def hash_of_words(state: Any) -> np.uint64:
    """A 64-bit hash of all that a state holds: equal states have the same one, others another but for chance."""
    found = _MULTIPLIER
    for number in numbers_of(state):
        found = (found ^ _word(number)) * _MULTIPLIER & _ONES
        found ^= found >> 32
    found = found * _FINAL_MULTIPLIER & _ONES
    return np.uint64(found ^ found >> 29)
