"""The parts of a program that a translation has reached: classes, functions and constants, with JavaScript
names.
"""

import dataclasses
import re
import sys
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from enum import Enum
from types import FunctionType, MethodDescriptorType
from typing import Any

from ...game.base import Game
from ..lowering import ExportError
from .known import literal, mangled, native, pattern_source, quoted
from .scope import Source, held, is_data, is_kept, plain_function

RULES = (
    "initial_state",
    "current_player",
    "players_to_act",
    "legal_actions",
    "choices",
    "search_actions",
    "chance_outcomes",
    "advance",
    "returns",
)
"""What is asked of the host."""

_NOT_OURS = frozenset((*sys.stdlib_module_names, "numpy", "numba")) - {"__main__"}
"""Modules whose functions are not looked into: what of them has a translation is written by hand."""


class Reached:
    """The parts reached so far.

    `game` is known beforehand, `given` and `attributes` are passed when the script runs.
    """

    def __init__(
        self, game: Any, given: Sequence[tuple[Any, str]] = (), attributes: Collection[str] = ()
    ) -> None:
        self.game = game
        self._given = {id(one): name for one, name in given}
        self._given_attributes = frozenset(attributes)
        self.classes: dict[type, str] = {}
        """The classes, each with its name, in the order in which they were met."""
        self._shells: set[type] = set()
        """Those of them that are only asked about."""
        self._lines: list[str] = []
        """Constants and classes."""
        self._functions: dict[tuple[Any, bool], str] = {}
        self._waiting: list[tuple[str, FunctionType]] = []
        self._written: list[str] = []
        """Functions."""
        self._members: dict[type, dict[str, str]] = {}
        self._constants: dict[Any, tuple[str, Any]] = {}
        """With the objects, which must live as long as they are known by their identity."""
        self._names: set[str] = {"$", "$game"}
        self._attributes: dict[str, None] = dict.fromkeys(("to_json", "__init__", "__post_init__", "__str__"))
        self._asked: dict[tuple[str, bool], tuple[Source, Any]] = {}
        """The attributes that are read, and those that are called, of objects that are known when it runs; with the first place."""
        self.assigned: set[str] = set()
        """The attributes that are assigned to."""

    def native(self, value: Any) -> str | None:
        """The name of what stands for an object when it runs; None where it is to be translated."""
        return self._given.get(id(value)) or native(value)

    def reach(self, name: str) -> None:
        """An attribute of that name is asked of some object."""
        self._attributes.setdefault(name)

    def ask(self, name: str, source: Source, node: Any, called: bool = False) -> None:
        """An attribute of an object that is not known before is read, or called: some class must have it in the end."""
        self._asked.setdefault((name, called), (source, node))

    def read(self, name: str) -> str:
        """The name under which an attribute is read; which one is decided when all classes are known."""
        return f"\1{name}\2"

    def is_game(self, cls: Any) -> bool:
        """Whether a class is one that the game is an object of, so that its objects are this one."""
        return isinstance(cls, type) and issubclass(cls, Game) and isinstance(self.game, cls)

    def is_kernel(self, name: str) -> bool:
        """Whether the game compiles a method of that name, and Python calls it directly."""
        return name in type(self.game).kernels and name != "next_state"

    def methods_called(self, name: str) -> Iterator[FunctionType]:
        """Methods of that name, of the classes that are known."""
        for cls in self.classes:
            method = held(cls, name)
            if isinstance(method, FunctionType) and name not in ("_replace", "_asdict"):
                yield method

    # -- objects ---------------------------------------------------------------------------------------------------------

    def reference(self, value: Any, source: Source, node: Any, called: bool = False) -> str:
        """A live object, as an expression."""
        known = self.native(value)
        if known is not None:
            return f"$.{known}"
        if value is self.game:
            return "$game"
        if isinstance(value, type):
            return self.class_(value, source, node, called)
        if isinstance(value, MethodDescriptorType):
            return f"$.method({quoted(value.__name__)})"
        if isinstance(value, re.Pattern) or is_data(value):
            return self.data(value, source, node)
        function = plain_function(value)
        is_function = (
            called
            or isinstance(value, FunctionType)
            or hasattr(value, "py_func")
            or hasattr(value, "_plain")
            or is_kept(value)
        )
        if function is None or not is_function or function.__module__.partition(".")[0] in _NOT_OURS:
            raise source.refuse(node, f"{_told(value)} has no translation")
        return self.function(value, function, function.__name__)

    def data(self, value: Any, source: Source | None = None, node: Any = None) -> str:
        """Plain data as an expression; what is more than a number or a text has a name."""
        if (plain := literal(value)) is not None:
            return plain
        place: Any = id(value)
        if isinstance(value, re.Pattern):
            place = type(value), value.pattern, value.flags
        elif isinstance(value, tuple) or dataclasses.is_dataclass(value):
            with suppress(TypeError):
                hash(value)
                place = type(value), value, repr(value)
        if place not in self._constants:
            text = self._data_text(value, source, node)
            name = self.named(_hint(node) or type(value).__name__.lower())
            self._constants[place] = name, value
            self._lines.append(f"const {name} = {text};")
        return self._constants[place][0]

    def _data_text(self, value: Any, source: Source | None, node: Any) -> str:
        def all_of(values: Any) -> str:
            return ", ".join(self._data_text(one, source, node) for one in values)

        if (plain := literal(value)) is not None:
            return plain
        match value:
            case re.Pattern():
                pattern, flags = pattern_source(value)
                return f"$.pattern({quoted(pattern)}, {quoted(flags)})"
            case set() | frozenset():
                return f"$.set([{all_of(sorted(value, key=lambda one: (str(type(one)), one)))}])"
            case dict():
                return f"$.dict([{', '.join(f'[{all_of(pair)}]' for pair in value.items())}])"
            case list():
                return f"[{all_of(value)}]"
            case tuple() if not hasattr(value, "_fields"):
                return f"$.t({all_of(value)})"
            case tuple():
                fields: Any = value
            case _ if hasattr(value, "dtype"):
                return f"$.table({self._nested(value, source, node)})"
            case _:
                fields = [getattr(value, one.name) for one in dataclasses.fields(value)]
        return f"{self.class_(type(value), source, node)}({all_of(fields)})"

    def _nested(self, array: Any, source: Source | None, node: Any) -> str:
        text = self._nested if array.ndim > 1 else self._data_text
        return f"[{', '.join(text(one, source, node) for one in array)}]"

    def class_(self, cls: type, source: Source | None = None, node: Any = None, called: bool = True) -> str:
        """A class, by its name. One that is not called may be what has no translation: nothing is an object of it."""
        known = self.native(cls)
        if known is not None:
            return f"$.{known}"
        if cls not in self.classes:
            if self.is_game(cls):
                return self.classes[type(self.game)]
            refused = refusal(cls, source, node)
            if refused is not None:
                if called:
                    raise refused
                self._shells.add(cls)
            text = f"$.plainClass({quoted(cls.__name__)})" if refused else class_text(self, cls, source, node)
            self.classes[cls] = self.named(cls.__name__)
            self._lines.append(f"const {self.classes[cls]} = {text};")
        elif called and cls in self._shells:
            raise refusal(cls, source, node) or AssertionError
        return self.classes[cls]

    def inherited(self, cls: type, base: type, name: str, method: FunctionType) -> str:
        """The method of a base class under a name of its own, which is translated."""
        raise NotImplementedError

    def function(self, value: Any, function: FunctionType, hint: str) -> str:
        """A function, by its name; it is translated when its turn comes."""
        place = (function, is_kept(value))
        if place not in self._functions:
            name = self.named(hint)
            self._functions[place] = name
            if is_kept(value):
                inner = self.function(function, function, hint)
                self._lines.append(f"const {name} = $.kept({inner});")
            else:
                self._waiting.append((name, function))
        return self._functions[place]

    def named(self, hint: str) -> str:
        """A name that nothing else has."""
        base = f"${mangled(hint).strip('_') or 'x'}"
        name, number = base, 1
        while name in self._names:
            number += 1
            name = f"{base}{number}"
        self._names.add(name)
        return name


_REFUSED = (
    "__getattr__", "__getitem__", "__setitem__", "__contains__", "__iter__", "__len__", "__bool__", "__call__", "__eq__", "__lt__",
    "__add__",
    "__sub__", "__mul__", "__or__", "__and__", "__xor__", "__invert__", "__hash__", "__format__", "__new__", "__setattr__",
)  # fmt: skip
_LIBRARY = ("builtins", "typing", "abc", "collections.abc")


def class_text(program: Reached, cls: type, source: Source | None, node: Any) -> str:
    """A class, as what makes it; its methods are added later."""
    name = quoted(cls.__name__)
    if issubclass(cls, BaseException):
        return f"$.error({name}, {program.class_(cls.__bases__[0], source, node)})"
    if hasattr(cls, "_fields") and issubclass(cls, tuple):
        usual = {one: program.data(value, source, node) for one, value in cls._field_defaults.items()}  # type: ignore[attr-defined]
        return f"$.namedTuple({name}, {names_text(cls._fields)}{_usual(usual)})"  # type: ignore[attr-defined]
    if dataclasses.is_dataclass(cls):
        fields = dataclasses.fields(cls)
        usual = {}
        for one in fields:
            if one.default is not dataclasses.MISSING:
                usual[one.name] = program.data(one.default, source, node)
            elif one.default_factory is not dataclasses.MISSING:
                usual[one.name] = f"$.made({program.class_(one.default_factory)})"  # type: ignore[arg-type]
        return f"$.record({name}, {names_text(one.name for one in fields)}{_usual(usual)})"
    return f"$.plainClass({name})"


def refusal(cls: type, source: Source | None, node: Any) -> ExportError | None:
    """The reason why objects of a class have no translation; None where they have one."""
    if issubclass(cls, BaseException) or (hasattr(cls, "_fields") and issubclass(cls, tuple)):
        return None
    if cls.__module__ in ("builtins", "typing", "collections.abc") or issubclass(cls, Enum):
        return _refused(cls, source, node, "it")
    own = [base for base in cls.__mro__ if base is not object and base.__module__ not in _LIBRARY]
    special = next((one for base in own for one in _REFUSED if is_written(vars(base).get(one))), None)
    if special is not None:
        return _refused(cls, source, node, f"its {special}")
    for one in dataclasses.fields(cls) if dataclasses.is_dataclass(cls) else ():
        if not one.init:
            return _refused(cls, source, node, f"its field {one.name}, which is not given,")
        factory: Any = one.default_factory
        if factory is not dataclasses.MISSING and factory not in (list, dict, set, tuple):
            return _refused(cls, source, node, f"the default of {one.name}")
    return None


def is_written(method: Any) -> bool:
    """Whether it is a function that somebody wrote, and not a decorator."""
    return isinstance(method, FunctionType) and not method.__code__.co_filename.startswith("<")


def names_text(names: Iterable[str]) -> str:
    """A list of names."""
    return f"[{', '.join(map(quoted, names))}]"


def _usual(values: dict[str, str]) -> str:
    return f", {{ {', '.join(f'{name}: {text}' for name, text in values.items())} }}" if values else ""


def _refused(cls: type, source: Source | None, node: Any, what: str) -> ExportError:
    words = f"the class {cls.__name__}: {what} has no translation"
    return ExportError(f"{words[0].upper()}{words[1:]}") if source is None else source.refuse(node, words)


def _hint(node: Any) -> str:
    """A name for a constant: that of the variable or attribute."""
    name = getattr(node, "attr", None) or getattr(node, "id", None) or ""
    return name if isinstance(name, str) and name.isascii() else ""


def _told(value: Any) -> str:
    """An object in words, without its address."""
    name = getattr(value, "__qualname__", None) or getattr(value, "__name__", None)
    return (
        f"{getattr(value, '__module__', None) or 'builtins'}.{name}" if name else f"a {type(value).__name__}"
    )
