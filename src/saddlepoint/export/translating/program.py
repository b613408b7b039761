"""A game's texts and pictures as JavaScript: from a few functions to all that they reach."""

import dataclasses
import re
import sys
from collections.abc import Iterator
from functools import cached_property
from types import FunctionType, MethodDescriptorType
from typing import Any

from ...compiled.cache import _EnteredDispatcher
from ...game.base import Game
from ..lowering import ExportError
from .calls import class_text, refusal
from .known import FIELDS, METHODS, OF_BYTES, literal, mangled, native, pattern_source, quoted
from .roots import ROOTS, layout_text
from .scope import (
    Source,
    attribute_of,
    held,
    is_data,
    is_kept,
    is_method,
    is_property,
    plain_function,
    source_of,
)
from .statements import Statements

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

_READ = re.compile("\1(\\w+)\2")


def translated(game: Game) -> str:
    """A script that defines `makeTexts(host)`, to stand after engine.js and python.js; raises ExportError in one sentence.

    The same text every time, without a path of this machine.
    """
    return Program(game).text()


class Program:
    """What was reached so far, and what is written of it."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.classes: dict[type, str] = {}
        """The classes, each with its name, in the order in which they were met."""
        self._shells: set[type] = set()
        """Those of them that are only asked about."""
        self._lines: list[str] = []
        """Constants and classes."""
        self._functions: dict[tuple[Any, bool], str] = {}
        self._waiting: list[tuple[str, FunctionType]] = []
        self._written: list[str] = []
        self._members: dict[type, dict[str, str]] = {}
        self._constants: dict[Any, str] = {}
        self._kept_alive: list[Any] = []
        self._names: set[str] = {"$", "$game"}
        self._attributes: dict[str, None] = dict.fromkeys(("to_json", "__init__", "__post_init__", "__str__"))
        self._done: set[tuple[type, str]] = set()
        self._asked: dict[tuple[str, bool], tuple[Source, Any]] = {}
        """The attributes that are read, and those that are called, of objects that are known when it runs; with the first place."""
        self.assigned: set[str] = set()
        """The attributes that are assigned to."""

    def text(self) -> str:
        """The script."""
        self.classes[type(self.game)] = self._named(type(self.game).__name__)
        like = layout_text(self, self.game.initial_state())
        roots = self.reached(ROOTS)
        game = self.classes[type(self.game)]
        lines = [
            "function makeTexts(host) {",
            "const $ = python;",
            f"const {game} = $.plainClass({quoted(type(self.game).__name__)});",
            f"const $game = Object.create({game}.prototype);",
            *self.parts(),
            f"return $.texts(host, $game, {like}, {roots});",
            "}",
        ]
        return self.finished(lines)

    def reached(self, functions: dict[str, FunctionType]) -> str:
        """Translate functions with all that they reach; an object with them, by their names in JavaScript."""
        roots = [
            f"{name}: {self._function(function, function, name)}" for name, function in functions.items()
        ]
        while self._waiting or any(self._missing()):
            while self._waiting:
                name, function = self._waiting.pop(0)
                self._written.append(Statements(self, source_of(function), None, kernel=False).function(name))
            for cls, name in list(self._missing()):
                self._done.add((cls, name))
                self._try_member(cls, name)
        self._check_asked()
        return f"{{ {', '.join(roots)} }}"

    def parts(self) -> list[str]:
        """Constants, classes and functions, as lines."""
        bound = self._bound()
        binding = [f"$.bind({', '.join(map(quoted, sorted(bound)))});"] if bound else []
        return [*binding, *self._lines, *self._written, *self._definitions()]

    def finished(self, lines: list[str]) -> str:
        """The script of these lines, in which each attribute is read under the name that it has in the end."""
        bound = self._bound()
        return _READ.sub(
            lambda found: f"{'bound' if found[1] in bound else ''}${found[1]}", "\n".join(lines) + "\n"
        )

    def _bound(self) -> set[str]:
        """The attributes that are methods of some class and are read: these stay with their objects."""
        written = "\n".join(
            [*self._lines, *self._written, *(text for one in self._members.values() for text in one.values())]
        )
        return {name for name in _READ.findall(written) if self._is_called(name)}

    def native(self, value: Any) -> str | None:
        """The name of what stands for an object when it runs; None where it is to be translated."""
        return native(value)

    # -- what is reached -------------------------------------------------------------------------------------------------

    def reach(self, name: str) -> None:
        """An attribute of that name is asked of some object."""
        self._attributes.setdefault(name)

    def ask(self, name: str, source: Source, node: Any, called: bool = False) -> None:
        """An attribute of an object that is not known before is read, or called: some class must have it in the end."""
        self._asked.setdefault((name, called), (source, node))

    def is_known(self, name: str) -> bool:
        """Whether objects that are handed in when it runs have an attribute of that name."""
        return False

    def _check_asked(self) -> None:
        for (name, called), (source, node) in self._asked.items():
            known = (
                self.is_known(name)
                or name in self.assigned
                or name in (METHODS | OF_BYTES if called else FIELDS)
                or name in RULES
            )
            if not known and not any(
                _is_field(cls, name) or held(cls, name) is not None for cls in self.classes
            ):
                raise source.refuse(
                    node, f"no class that is met here has {'a method' if called else 'an attribute'} {name!r}"
                )

    def read(self, name: str) -> str:
        """The name under which an attribute is read; which one is decided when all classes are known."""
        return f"\1{name}\2"

    def is_game(self, cls: Any) -> bool:
        """Whether a class is one that the game is an object of, so that its objects are this one."""
        return isinstance(cls, type) and issubclass(cls, Game) and isinstance(self.game, cls)

    def is_rule(self, name: str) -> bool:
        """Whether the host answers it."""
        return name in RULES

    def is_kernel(self, name: str) -> bool:
        """Whether the game compiles a method of that name, and Python calls it directly."""
        return name in type(self.game).kernels and name != "next_state"

    def kernel(self, name: str) -> Any:
        """A compiled method."""
        return type(self.game).kernels[name]

    def needs_face(self, value: Any) -> bool:
        """Whether Python hands a function's arguments over as machine words."""
        return type(value) is _EnteredDispatcher

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
        if function is not None and function.__module__.partition(".")[0] in _NOT_OURS:
            raise source.refuse(node, f"{_told(value)} has no translation")
        is_function = (
            called
            or isinstance(value, FunctionType)
            or hasattr(value, "py_func")
            or hasattr(value, "_plain")
            or is_kept(value)
        )
        if function is not None and is_function:
            return self._function(value, function, function.__name__)
        raise source.refuse(node, f"{_told(value)} has no translation")

    def data(self, value: Any, source: Source | None = None, node: Any = None) -> str:
        """Plain data as an expression; what is more than a number or a text has a name."""
        try:
            return literal(value)
        except TypeError:
            pass
        place = (type(value), value.pattern, value.flags) if isinstance(value, re.Pattern) else id(value)
        try:
            place = (
                (type(value), value, repr(value))
                if isinstance(value, tuple) or dataclasses.is_dataclass(value)
                else place
            )
            hash(place)
        except TypeError:
            place = id(value)
        if place not in self._constants:
            text = self._data_text(value, source, node)
            name = self._named(_hint(node) or type(value).__name__.lower())
            self._kept_alive.append(value)
            self._constants[place] = name
            self._lines.append(f"const {name} = {text};")
        return self._constants[place]

    def _data_text(self, value: Any, source: Source | None, node: Any) -> str:
        def all_of(values: Any) -> str:
            return ", ".join(self._data_text(one, source, node) for one in values)

        try:
            return literal(value)
        except TypeError:
            pass
        if isinstance(value, re.Pattern):
            pattern, flags = pattern_source(value)
            return f"$.pattern({quoted(pattern)}, {quoted(flags)})"
        if isinstance(value, (set, frozenset)):
            return f"$.set([{all_of(sorted(value, key=lambda one: (str(type(one)), one)))}])"
        if isinstance(value, dict):
            pairs = ", ".join(f"[{all_of(pair)}]" for pair in value.items())
            return f"$.dict([{pairs}])"
        if isinstance(value, list):
            return f"[{all_of(value)}]"
        if isinstance(value, tuple) and hasattr(value, "_fields"):
            return f"{self.class_(type(value), source, node)}({all_of(value)})"
        if isinstance(value, tuple):
            return f"$.t({all_of(value)})"
        if hasattr(value, "dtype"):
            return f"$.table({self._nested(value, source, node)})"
        if dataclasses.is_dataclass(value):
            return f"{self.class_(type(value), source, node)}({all_of(getattr(value, one.name) for one in dataclasses.fields(value))})"
        raise TypeError(type(value))

    def _nested(self, array: Any, source: Source | None, node: Any) -> str:
        if array.ndim > 1:
            return f"[{', '.join(self._nested(one, source, node) for one in array)}]"
        return f"[{', '.join(self._data_text(one, source, node) for one in array)}]"

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
            self.classes[cls] = self._named(cls.__name__)
            self._lines.append(f"const {self.classes[cls]} = {text};")
        elif called and cls in self._shells:
            raise refusal(cls, source, node) or AssertionError
        return self.classes[cls]

    def _function(self, value: Any, function: FunctionType, hint: str) -> str:
        place = (function, is_kept(value))
        if place not in self._functions:
            name = self._named(hint)
            self._functions[place] = name
            if is_kept(value):
                inner = self._function(function, function, hint)
                self._lines.append(f"const {name} = $.kept({inner});")
            else:
                self._waiting.append((name, function))
        return self._functions[place]

    def _named(self, hint: str) -> str:
        """A name that nothing else has."""
        base = f"${mangled(hint).strip('_') or 'x'}"
        name, number = base, 1
        while name in self._names:
            number += 1
            name = f"{base}{number}"
        self._names.add(name)
        return name

    # -- what classes have -----------------------------------------------------------------------------------------------

    def _missing(self) -> Iterator[tuple[type, str]]:
        for cls in list(self.classes):
            yield from ((cls, name) for name in sorted(self._attributes) if (cls, name) not in self._done)

    def inherited(self, cls: type, base: type, name: str, method: FunctionType) -> str:
        """The method of a base class under a name of its own."""
        there = f"{mangled(base.__name__)}${name}"
        members = self._members.setdefault(cls, {})
        if there not in members:
            members[there] = ""
            members[there] = Statements(self, source_of(method), cls, kernel=False).method(there)
        return there

    def _try_member(self, cls: type, name: str) -> None:
        """The same; where only the name of a method of Python's own kinds is why it is looked at, it may be refused when it is called."""
        try:
            self._add_member(cls, name)
        except ExportError as error:
            if name not in METHODS:
                raise
            self._members[cls][name] = f"${name}() {{ return $.fail($.TypeError, {quoted(str(error))}); }}"

    def _add_member(self, cls: type, name: str) -> None:
        """What a class has under a name, if it has something that is not a field."""
        value = held(cls, name)
        members = self._members.setdefault(cls, {})
        is_game = cls is type(self.game)
        if is_game and self._add_game_member(members, name, value):
            return
        if (
            value is None
            or name in ("_replace", "_asdict", "_fields")
            or cls in self._shells
            or _is_field(cls, name)
        ):
            return
        if name.startswith("__") and not _own_special(cls, name):
            return
        if is_property(value):
            function = getattr(value, "fget", None) or getattr(value, "func", None)
            if isinstance(function, FunctionType) and isinstance(value, cached_property):
                members[f"once${name}"] = Statements(self, source_of(function), cls, kernel=False).method(
                    f"once${name}"
                )
                members[name] = f'get ${name}() {{ return $.once(this, "${name}", this.once${name}()); }}'
            elif isinstance(function, FunctionType):
                members[name] = Statements(self, source_of(function), cls, kernel=False).method(
                    f"${name}", is_property=True
                )
        elif isinstance(value, staticmethod) or (is_method(value) and plain_function(value) is not None):
            function = plain_function(value)
            if function is not None and not isinstance(value, classmethod):
                text = Statements(self, source_of(function), cls, kernel=False)
                members[name] = text.method(f"${name}", is_static=isinstance(value, staticmethod))
        elif is_data(value):
            members[name] = f"get ${name}() {{ return {self.data(value)}; }}"

    def _add_game_member(self, members: dict[str, str], name: str, value: Any) -> bool:
        """A rule, a kernel, or what is known of the game's data; whether it was one of these."""
        if self.is_rule(name) or (name.startswith("__") and name != "__str__"):
            return True
        if is_method(value) or (value is None and not _is_field(type(self.game), name)):
            if value is None or not self.is_kernel(name):
                return value is None
            members[name] = f"${name}(...given) {{ return $.face(this, {quoted(f'K${name}')}, given); }}"
            function = plain_function(self.kernel(name))
            assert function is not None
            members[f"K${name}"] = Statements(self, source_of(function), type(self.game), kernel=True).method(
                f"K${name}"
            )
            return True
        known = attribute_of(self.game, name)
        if known is not None:
            members[name] = f"get ${name}() {{ return {self.data(known.value)}; }}"
        return known is not None

    def _definitions(self) -> list[str]:
        """The methods and properties of all classes."""
        found: list[str] = []
        for cls in self.classes:
            members = self._members.get(cls, {})
            texts = [text for text in members.values() if text]
            if texts:
                listed = ",\n".join(texts)
                found.append(f"$.define({self.classes[cls]}, {{\n{listed}\n}});")
        for cls, name in self.classes.items():
            bases = [self.classes[base] for base in cls.__mro__[1:] if base in self.classes]
            if bases and not issubclass(cls, BaseException):
                found.append(f"{name}.bases = [{', '.join(bases)}];")
        return found

    def _is_called(self, name: str) -> bool:
        """Whether some class has a method of that name: where it is read, it is bound to its object."""
        texts = [members.get(name, "") for members in self._members.values()]
        return name in RULES or any(text and not text.startswith("get ") for text in texts)


def _own_special(cls: type, name: str) -> bool:
    """Whether a class writes a method with a special name itself: dataclasses get some that are made."""
    method = held(cls, name)
    return (
        isinstance(method, FunctionType)
        and not method.__code__.co_filename.startswith("<")
        and not issubclass(cls, BaseException)
    )


def _is_field(cls: type, name: str) -> bool:
    if dataclasses.is_dataclass(cls):
        return any(one.name == name for one in dataclasses.fields(cls))
    return name in getattr(cls, "_fields", ())


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
