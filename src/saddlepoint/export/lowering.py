"""From compiled functions to LLVM's intermediate language, with functions around them that a host of WebAssembly can call.

Numba compiles for this machine, whose pointers have 64 bits, and a module of WebAssembly has pointers of 32. That is the same code as
long as LLVM has not been at it: it names the fields of a structure by their numbers and not by where they lie. So nothing may be
optimised on the way, nor come from the cache of machine code: `process.py` starts a process in which that is so.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core.errors import NumbaError

from ..compiled import Component
from ..compiled.compile_errors import explain, is_compile_error
from ..compiled.numba_private import unoptimised_text
from ..compiled.run_time import can_be_read, words_of
from ..compiled.states import is_state, register_state
from ..compiled.words import array_at, load_state, store_words

WORD, HALF, BYTE = ir.IntType(64), ir.IntType(32), ir.IntType(8)
_ADDRESS = BYTE.as_pointer()


@dataclass(frozen=True)
class Words:
    """A parameter: the address of a position's words; `like` is any position of the game."""

    like: Any


@dataclass(frozen=True)
class Record:
    """A parameter of an exported function: the address of a record of the same type."""

    like: Any


@dataclass(frozen=True)
class Items:
    """Two parameters: the address of an array of that type of items, and how many there are; with `count` only the address."""

    like: Any
    count: int | None = None


@dataclass(frozen=True)
class Number:
    """A parameter: a number of 64 bits, whole or not."""

    kind: Any


@dataclass(frozen=True)
class Address:
    """A parameter: an address as a number of 64 bits, as compiled code hands it to another function by hand."""

    kind: Any


class ExportError(ValueError):
    """The error for a game or player that cannot be exported, in one sentence."""


class Unit:
    """The source of one module: functions by the names for a host, and the values of components."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        """Modules of LLVM's, as text."""
        self.exported: list[str] = []
        self._known: dict[Any, Any] = {}
        self._module: Any = ir.Module("interface")
        self._blocks: dict[int, tuple[Any, Any]] = {}

    def add(self, name: str, function: Any, *arguments: Any, writes: Any = None) -> None:
        """Export a function made by `jit`, or a kernel, with these arguments: components and numbers as they are, the rest as above.

        Its result is a number; a position that it gives is written, as words, to one more address.
        """
        compiled = self._compiled(function, tuple(map(_type_of, arguments)))
        context = compiled.target_context
        result = compiled.signature.return_type
        is_position = isinstance(result, types.BaseTuple)
        parameters: list[Any] = [kind for argument in arguments for kind in _parameters(argument)]
        gives = ir.VoidType() if is_position else ir.DoubleType() if isinstance(result, types.Float) else WORD
        exported = ir.Function(
            self._module, ir.FunctionType(gives, [*parameters, *([_ADDRESS] if is_position else ())]), name
        )
        builder = ir.IRBuilder(exported.append_basic_block())
        given = iter(exported.args)
        values = [
            self._value(context, builder, kind, argument, given)
            for kind, argument in zip(compiled.signature.args, arguments, strict=True)
        ]
        inner = context.declare_function(self._module, compiled.fndesc)
        status, value = context.call_conv.call_function(
            builder, inner, result, compiled.signature.args, values
        )
        with builder.if_then(status.is_error, likely=False):
            builder.call(
                self._module.declare_intrinsic("llvm.trap", fnty=ir.FunctionType(ir.VoidType(), [])), []
            )
            builder.unreachable()
        if is_position:
            store_words(context, builder, result, value, builder.bitcast(next(given), WORD.as_pointer()))
            builder.ret_void()
        else:
            wide = types.float64 if gives == ir.DoubleType() else types.int64
            if isinstance(result, types.Integer) and not getattr(result, "signed"):  # noqa: B009 (Numba declares no such attribute)
                wide = types.uint64
            builder.ret(context.cast(builder, value, result, wide))
        self.exported.append(name)

    def finished(self) -> list[str]:
        """All modules, as text."""
        return [str(self._module), *self.texts]  # the linker leaves out what nobody has asked for yet

    def address_of(self, name: str, exported: str) -> None:
        """Export a function that gives the address of an exported one: where it stands in the table of functions."""
        function = ir.Function(self._module, ir.FunctionType(WORD, []), name)
        builder = ir.IRBuilder(function.append_basic_block())
        builder.ret(builder.ptrtoint(self._module.get_global(exported), WORD))
        self.exported.append(name)

    def _compiled(self, function: Any, kinds: tuple[Any, ...]) -> Any:
        key = function, kinds
        if key not in self._known:
            try:
                function.compile(kinds)
            except Exception as error:
                if isinstance(error, NumbaError) or is_compile_error(error):
                    raise explain(error) from None
                raise
            compiled = function.overloads[kinds]
            self.texts.append(unoptimised_text(compiled))
            self._known[key] = compiled
        return self._known[key]

    def _value(self, context: Any, builder: Any, kind: Any, argument: Any, given: Iterator[Any]) -> Any:
        match argument:
            case Component():
                block = self._block(argument)
                return context.get_dummy_value() if block is None else builder.bitcast(block, _ADDRESS)
            case None:
                return context.get_dummy_value()
            case Words():
                return load_state(context, builder, kind, builder.bitcast(next(given), WORD.as_pointer()))
            case Record():
                return builder.bitcast(next(given), context.get_value_type(kind))
            case Items():
                place = next(given)
                count = WORD(argument.count) if argument.count else builder.zext(next(given), WORD)
                return array_at(context, builder, kind, place, [count])
            case Number():
                return next(given)
            case Address():
                return builder.inttoptr(next(given), context.get_value_type(kind))
            case _:
                return context.get_constant(kind, argument)

    def _block(self, component: Any) -> Any:
        """The memory of a component's values, as `run_time.Block` lays it out; None where it has none."""
        if not component._block_address:
            return None
        if id(component) not in self._blocks:
            halves: list[Any] = []
            for value in component._run_time_values.values():
                for word in words_of(value, self._place) if can_be_read(value) else ():
                    halves += (
                        [word, HALF(0)]
                        if isinstance(word, ir.Constant)
                        else [HALF(word & 0xFFFFFFFF), HALF(word >> 32)]
                    )
            self._blocks[id(component)] = component, self._data("block", ir.Constant.literal_struct(halves))
        return self._blocks[id(component)][1]

    def _place(self, value: Any) -> Any:
        """The 32-bit pointer that a block holds for an array or for a component inside."""
        if isinstance(value, np.ndarray):
            whole = np.ascontiguousarray(value)
            held = self._data(
                "numbers", ir.Constant(ir.ArrayType(BYTE, whole.nbytes), bytearray(whole.tobytes()))
            )
        else:
            held = self._block(value)
        return HALF(0) if held is None else held.ptrtoint(HALF)

    def _data(self, name: str, value: Any) -> Any:
        held = ir.GlobalVariable(self._module, value.type, self._module.get_unique_name(name))
        held.initializer, held.global_constant, held.linkage = value, True, "internal"
        setattr(held, "align", 16)  # noqa: B010 (llvmlite declares it as None)
        return held


def _type_of(argument: Any) -> Any:
    """The type for which a function is compiled."""
    if isinstance(argument, (Words, Record, Items)):
        if is_state(argument.like):
            register_state(type(argument.like))
        return numba.typeof(argument.like)
    return argument.kind if isinstance(argument, (Number, Address)) else numba.typeof(argument)


def _parameters(argument: Any) -> Sequence[Any]:
    """The types of the parameters for an argument, as a host passes them."""
    match argument:
        case Items():
            return (_ADDRESS,) if argument.count else (_ADDRESS, HALF)
        case Words() | Record():
            return (_ADDRESS,)
        case Number() if isinstance(argument.kind, types.Float):
            return (ir.DoubleType(),)
        case Number() | Address():
            return (WORD,)
        case _:
            return ()


# -- the text of modules --------------------------------------------------------------------------------------------------

_PICKLED = re.compile(
    r'^(@"?[^ ="]*\.const\.pickle(?:buf|data)\.[^ ="]*"?) = (.*?)constant (\[\d+ x i8\]) c".*?"(.*)$', re.M
)
_ATTRIBUTES = re.compile(r'"(?:target-cpu|target-features|tune-cpu)"="[^"]*"')


def retargeted(text: str, triple: str, layout: str) -> str:
    """A module for another machine, without Numba's messages for Python, which contain paths of files."""
    text = re.sub(r'^target triple = ".*"$', f'target triple = "{triple}"', text, flags=re.M)
    text = re.sub(r'^target datalayout = ".*"$', f'target datalayout = "{layout}"', text, flags=re.M)
    text = _PICKLED.sub(r"\1 = \2constant [1 x i8] zeroinitializer\4", text)
    return _ATTRIBUTES.sub("", text).replace("= common ", "= linkonce_odr ")
