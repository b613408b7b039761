"""Rules and evaluators written as plain Python methods, compiled once per configuration.

A component is a frozen dataclass. Its methods marked `@kernel` are compiled. To Numba it is a type that names its class, a
fingerprint of its source and its constants. A generic search takes components as ordinary arguments, so it is specialised and
inlined per game, and the on-disk cache finds that specialisation again in the next process.

Inside kernels fields, properties and class attributes are constants, or values that compiled code reads when it runs, so that
another value needs no other compilation. The latter are a game's numbers, fields made by `weight` or `parameter`, and what follows
from any of these. `constant` makes a game's number a constant.
"""

import contextlib
import dataclasses
import functools
import hashlib
import inspect
from collections.abc import Callable, Generator
from typing import Any, ClassVar, Protocol, Self, TypeVar, cast, overload

import numba as nb
import numpy as np
from numba import types
from numba.core import cgutils
from numba.core.errors import TypingError
from numba.extending import (
    NativeValue,
    box,
    infer_getattr,
    lower_builtin,
    lower_getattr_generic,
    models,
    register_model,
    unbox,
)

from .cache import jit
from .call import run
from .compile_errors import RULE, USABLE, blame
from .errors import KernelError
from .identity import Captured, NoIdentity, identity, is_mutable
from .numba_private import AbstractTemplate, AttributeTemplate
from .rules import CONSTANTS, captured_of, in_package, is_constant, plain_class, source_fingerprint
from .run_time import (
    MADE,
    Block,
    can_be_read,
    describe,
    following,
    kind_of,
    load,
    own_array,
    run_time_fields,
    values_of,
)
from .sources import name_script
from .states import cast_items, refuse_fractions

_COUNTED = {
    "legal_actions": (0, "max_actions"),
    "search_actions": (1, "max_actions"),
    "chance_outcomes": (1, "max_outcomes"),
}
"""Kernels that count what they wrote: the least that they may, and the attribute that says the most."""
_BESIDE_A_STATE = {
    "canonical": (types.boolean, "whether the players are exchanged in it"),
    "without_score": (types.float64, "a number"),
}
"""Kernels that give a state and something else: its type, and what it is."""


class _NamedTuple(Protocol):
    """The protocol by which a type checker distinguishes a state from a plain tuple."""

    def _asdict(self) -> dict[str, Any]: ...


State = TypeVar("State", bound=_NamedTuple)

_instances: dict[str, "Component"] = {}
_classes: dict[str, type["Component"]] = {}


class ComponentType(types.Type):
    """Numba's type of a component.

    Its name holds the class, the fingerprint of its source and its parameters.
    """

    def __init__(self, name: str, class_key: str) -> None:
        self.class_key = class_key
        super().__init__(name=name)

    @property
    def instance(self) -> "Component":
        return _instances[self.name]


register_model(ComponentType)(models.OpaqueModel)


@infer_getattr
class _ConstantAttributes(AttributeTemplate):
    key = ComponentType

    def generic_resolve(self, typ: ComponentType, attr: str) -> Any:
        if attr in _classes[typ.class_key].kernels:
            return types.BoundFunction(_method(attr), typ)
        if not hasattr(typ.instance, attr):
            return None
        if inspect.isfunction(inspect.getattr_static(_classes[typ.class_key], attr, None)):
            raise TypingError(
                f"{RULE}'{attr}' is a method without @kernel, which compiled code cannot call; put @kernel above it"
            )
        values = typ.instance._run_time_values
        if attr in values:
            if not can_be_read(values[attr]):
                raise TypingError(
                    f"{RULE}it cannot read '{attr}', a {type(values[attr]).__name__} that is known when it runs only: read a number that "
                    "a property makes of it, or make the game's field a constant(...)"
                )
            return kind_of(values[attr])
        value = getattr(typ.instance, attr)
        if isinstance(value, Component):
            return value._numba_type_
        if not isinstance(value, CONSTANTS):
            raise TypingError(f"{RULE}'{attr}' is a {type(value).__name__}; {USABLE}")
        return nb.typeof(value)


@lower_getattr_generic(ComponentType)
def _lower_attribute(context: Any, builder: Any, typ: ComponentType, value: Any, attr: str) -> Any:
    component = typ.instance
    if attr in component._run_time_values:
        return load(
            context,
            builder,
            component._run_time_block.slots[attr],
            value,
            kind_of(component._run_time_values[attr]),
        )
    constant = getattr(component, attr)
    if isinstance(constant, Component):
        return context.get_dummy_value()
    return context.get_constant_generic(builder, nb.typeof(constant), constant)


def attribute_code(context: Any, builder: Any, typ: ComponentType, value: Any, name: str) -> tuple[Any, Any]:
    """Code that reads an attribute of a component, for intrinsics: its type, and the value."""
    values = typ.instance._run_time_values
    kind = kind_of(values[name] if name in values else getattr(typ.instance, name))
    return kind, _lower_attribute(context, builder, typ, value, name)


@unbox(ComponentType)
def _unbox(typ: ComponentType, obj: Any, c: Any) -> NativeValue:
    """A component is a pointer to its values, or to nothing."""
    if not typ.instance._run_time_values:
        return NativeValue(c.context.get_dummy_value())
    # Reading it runs Python, in which a signal's handler may raise: there is no number after Ctrl-C.
    number = c.pyapi.object_getattr_string(obj, "_block_address")
    is_missing = cgutils.is_null(c.builder, number)
    address = cgutils.alloca_once_value(c.builder, c.context.get_constant_null(types.voidptr))
    with c.builder.if_then(c.builder.not_(is_missing), likely=True):
        c.builder.store(c.pyapi.long_as_voidptr(number), address)
        c.pyapi.decref(number)
    return NativeValue(c.builder.load(address), is_error=is_missing)


@box(ComponentType)
def _box(typ: ComponentType, value: Any, c: Any) -> Any:
    raise TypeError("a component cannot be returned from compiled code")


@overload
def kernel(method: Callable[..., State]) -> Callable[..., State]: ...
@overload
def kernel(method: Callable[..., Any]) -> Any: ...
def kernel(method: Callable[..., Any]) -> Any:
    """Mark a method of a component to be compiled.

    To a type checker its arguments become untyped: Python calls a kernel with others than compiled code does. What it gives keeps its type
    if that is a state, and is untyped else, since Python gets a list where compiled code fills an array.

    - `method`: a rule of a game, or another component's method; it is given back, marked.

    >>> from saddlepoint import TicTacToe
    >>> game = TicTacToe()
    >>> game.current_player(game.initial_state())
    0
    """
    setattr(method, "is_kernel", True)  # noqa: B010 (functions declare no such attribute)
    return method


def kernel_inline(method: Callable[..., Any]) -> Any:
    """As `kernel`, for a rule that becomes part of every search's code whatever its size.

    For a state of many words: a call hands each over in memory, there and back.
    """
    setattr(method, "is_inline", True)  # noqa: B010
    return kernel(method)


@functools.cache
def _method(name: str) -> type[AbstractTemplate]:
    """The direct call of the kernel of that name in compiled code, for any component."""

    class Method(AbstractTemplate):
        key = (ComponentType, name)
        this: ComponentType

        def generic(self, args: tuple[Any, ...], kws: dict[str, Any]) -> Any:
            compiled: Any = _classes[self.this.class_key].kernels[name]
            with _fitting(compiled):
                parameters = inspect.signature(compiled.py_func)
                try:
                    parameters.bind(self.this, *args, **kws)
                except TypeError as error:
                    raise TypingError(f"{RULE}{compiled.py_func.__qualname__}{parameters}: {error}") from None
            signature = types.Dispatcher(compiled).get_call_type(self.context, (self.this, *args), kws)
            with _fitting(compiled):
                result = _result_type(self.this, name, signature)
            return signature.replace(return_type=result).as_method()

    @lower_builtin((ComponentType, name), ComponentType, types.VarArg(types.Any))
    def call(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        component = signature.args[0]
        compiled = _classes[component.class_key].kernels[name]
        function = types.Dispatcher(compiled)
        inner = function.get_call_type(context.typing_context, signature.args, {})
        implementation = context.get_function(function, inner)
        context.add_linking_libs(getattr(implementation, "libs", ()))
        result = implementation(builder, args)
        if name in _COUNTED and not in_package(_classes[component.class_key]):
            most = _lower_attribute(context, builder, component, args[0], _COUNTED[name][1])
            _check_count(context, builder, name, result, inner.return_type, most)
        with _fitting(compiled):
            return cast_items(context, builder, result, inner.return_type, signature.return_type)

    return Method


@contextlib.contextmanager
def _fitting(compiled: Any) -> Generator[None]:
    """An error in here is in how a kernel meets its caller."""
    try:
        yield
    except Exception:
        blame(compiled.py_func)
        raise


def _result_type(component: ComponentType, name: str, signature: Any) -> Any:
    """The type that callers get: rules may compute a state's field in another width, and searches rely on one type."""
    result = signature.return_type
    if name == "returns" and not isinstance(result, (types.Number, types.Boolean)):
        raise TypingError(f"{RULE}it must give one number, player 0's result: player 1's is its negative")
    if name in ("next_state", "relabelled"):
        refuse_fractions(result, signature.args[1])
        return signature.args[1]
    if name in _BESIDE_A_STATE:
        beside, what = _BESIDE_A_STATE[name]
        parts: tuple[Any, ...] = getattr(result, "types", ())
        if len(parts) != 2 or not isinstance(parts[0], types.BaseTuple):
            raise TypingError(f"{RULE}it must give a state and {what}")
        refuse_fractions(parts[0], signature.args[1])
        return types.Tuple([signature.args[1], beside])
    return result


def _check_count(context: Any, builder: Any, name: str, count: Any, kind: Any, most: Any) -> None:
    """Searches size their memory by these limits; the package's own games are tested for them."""
    least, limit = _COUNTED[name]
    number = context.cast(builder, count, kind, types.int64)
    too_few = builder.icmp_signed("<", number, number.type(least))
    too_many = builder.icmp_signed(">", number, most)
    with builder.if_then(builder.or_(too_few, too_many), likely=False):
        context.call_conv.return_user_exc(
            builder, ValueError, (f"{name} must give {least} to {limit} {limit.removeprefix('max_')}",)
        )


class Component:
    """Base of games, evaluators and whatever else brings compiled methods to a generic search."""

    kernels: ClassVar[dict[str, Callable[..., Any]]] = {}
    """The compiled kernels (plain functions under NUMBA_DISABLE_JIT=1), by name."""

    numbers_at_run_time: ClassVar[bool] = False
    """Whether fields annotated int, float or bool are read at run time unless they are marked `constant`."""

    _class_key: ClassVar[str]

    def __init_subclass__(cls, plain: bool = False, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if plain:
            return
        name_script(cls.__module__)
        cls._class_key = f"{cls.__qualname__}@{source_fingerprint(cls)}"
        bases = [(base, vars(base).get("kernels", {})) for base in reversed(cls.__mro__[1:])]
        cls.kernels = {name: known[name] for base, known in bases for name in known if name in vars(base)}
        for name, method in list(vars(cls).items()):
            if not getattr(method, "is_kernel", False):
                continue
            cls.kernels[name] = jit(method, getattr(method, "is_inline", False))
            setattr(cls, name, cls._python_face(name, method))
        _classes[cls._class_key] = cls

    @classmethod
    def _python_face(cls, name: str, method: Callable[..., Any]) -> Callable[..., Any]:
        """The function with the kernel's name that Python calls: by default a direct call of the compiled
        method.
        """

        def face(self: Component, *args: Any) -> Any:
            return run(self.kernels[name], self, *args)

        functools.update_wrapper(face, method)
        return face

    @property
    def type_name(self) -> str:
        """The name of its compiled type, which all have that share its compiled code."""
        self.refuse_changes()
        return self._numba_type_.name

    # Kept as a plain attribute: Numba's dispatcher reads it in C and forgets whatever Python raises there, Ctrl-C too.
    @functools.cached_property
    def _numba_type_(self) -> ComponentType:
        component_type = ComponentType(f"{self._class_key}({self._parameters()})", self._class_key)
        _instances[component_type.name] = self
        return component_type

    def make_callable(self) -> None:
        """Before compiled code is called with it: its type is known, and its constants are what they were."""
        _ = self._numba_type_
        self.refuse_changes()

    def refuse_changes(self) -> None:
        """Raise KernelError where a constant of its rules is another one than when it was first used: it is compiled for the former."""
        for captured in self._captured:
            if captured.has_changed():
                name = type(self).__name__
                raise KernelError(
                    f"{captured.change()}: make the {name} anew, {name}(...), for what it is now"
                )

    @functools.cached_property
    def _captured(self) -> tuple[Captured, ...]:
        """The constants that its rules, and those of components in it, have taken from modules and classes outside this package."""
        own = captured_of(type(self))
        kept = [value for name, value in vars(self).items() if name not in MADE]
        inner = [one for value in kept if isinstance(value, Component) for one in value._captured]
        return (*(() if own is None else (own,)), *inner)

    def _parameters(self) -> str:
        """Its constants, and the types of what is read at run time."""
        names = [field.name for field in dataclasses.fields(cast(Any, self))]
        captured, at_run_time = self._captured, self._run_time_values
        parts: list[str] = []
        for name in names:
            value = getattr(self, name)
            if isinstance(value, Component):
                parts.append(f"{name}={value._numba_type_.name}")
            elif name in at_run_time:
                parts += describe(at_run_time, [name])
            else:
                parts.append(f"{name}={self._constant(name, value)}")
        parts += describe(at_run_time, [name for name in at_run_time if name not in names])
        beside = [
            f"{name}={identity(value)}"
            for name, value in following(self, Component, all_of_them=bool(captured)).items()
            if name not in at_run_time and is_constant(value)
        ]
        if beside or captured:
            told = "".join((*beside, *(one.digest for one in captured)))
            parts.append(hashlib.blake2b(told.encode(), digest_size=6).hexdigest())
        return ",".join(parts)

    def _constant(self, name: str, value: Any) -> str:
        """The identity of a field's value; raises KernelError, in one sentence, for a value that has none."""
        field, kind = f"{type(self).__name__}.{name}", type(value).__name__
        if is_mutable(value):
            raise KernelError(
                f"{field} is a {kind}, which may change after the rules were compiled for it: use a tuple"
            )
        try:
            return identity(value)
        except NoIdentity:
            raise KernelError(
                f"{field} is a {kind}, and the rules are compiled for its value, which cannot be told from another one's: use numbers, "
                "texts, tuples, arrays, or an enum or a dataclass of these, or make the field a parameter(...)"
            ) from None

    @property
    def run_time_parameters(self) -> tuple[Any, ...]:
        """The values of the fields that its compiled code does not take for granted."""
        return tuple(getattr(self, name) for name in sorted(run_time_fields(type(self))))

    def is_run_time_value(self, name: str) -> bool:
        """Whether compiled code reads an attribute when it runs, so that components of one type may differ in it."""
        return name in self._run_time_values

    @functools.cached_property
    def _run_time_values(self) -> dict[str, Any]:
        """The values that compiled code reads at run time, by name."""
        self._keep_arrays()
        return values_of(self, Component)

    def _keep_arrays(self) -> None:
        """Make its arrays its own, and read-only: what is compiled, or found by a search, is true of the numbers that they had."""
        for name, value in vars(self).items():
            if isinstance(value, np.ndarray) and name not in MADE:
                object.__setattr__(self, name, own_array(value))

    @property
    def _run_time_block(self) -> Block:
        """The memory that holds its values."""
        try:
            return self.__dict__["_memory"]
        except KeyError:  # of two threads that get here at the same time, both must get the one that stays
            return self.__dict__.setdefault("_memory", Block(self._run_time_values))

    @property
    def _block_address(self) -> int:
        return self._run_time_block.address if self._run_time_values else 0

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name not in MADE}

    @property
    def plain(self) -> Self:
        """The same component with uncompiled, unchecked kernels: what a search calls under NUMBA_DISABLE_JIT=1."""
        self.refuse_changes()
        try:
            return self.__dict__["_plain"]
        except KeyError:
            self._keep_arrays()
            twin: Any = object.__new__(plain_class(type(self)))
            twin.__dict__.update(self.__getstate__())
            for name, value in twin.__dict__.items():
                if isinstance(value, Component):
                    twin.__dict__[name] = value.plain
            twin.__dict__["_plain"] = twin
            object.__setattr__(self, "_plain", twin)
            return twin
