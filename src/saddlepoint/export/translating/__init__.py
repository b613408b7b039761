"""The translation of a game's texts and pictures from Python to JavaScript: from live objects and the sources of their functions.

Here is what a page asks of them, how a state lies in machine words, and all that these functions reach. What a game's own texts are
translated with knows the game beforehand. Python that is the same for every game is handed one, and asks it as an object: so one script
serves all games.
"""

import dataclasses
import re
from collections.abc import Collection, Sequence
from functools import cached_property
from itertools import product
from types import FunctionType, SimpleNamespace
from typing import Any

import numpy as np

from ...compiled.states import _hints, annotated_items, as_machine_words
from ...game.base import Ending, Game
from ...game.picture import shown_from
from ...play.position_text import position_of_text
from ...play.record import Turns, endings_json, reasons
from ..lowering import ExportError
from .known import FIELDS, METHODS, OF_BYTES, mangled, quoted
from .reached import RULES, Reached, is_written
from .scope import attribute_of, held, is_data, is_method, is_property, plain_function, source_of
from .statements import Statements

_LETTERS: tuple[tuple[Any, str], ...] = (
    (bool, "b"),
    (int, "i"),
    (np.unsignedinteger, "U"),
    (np.integer, "I"),
    (np.bool_, "B"),
    (np.floating, "F"),
    (float, "f"),
)
"""The kinds of numbers, the first that fits."""


def layout(program: Reached, value: Any, annotation: Any) -> str:
    """The layout of a game's states, with the class of each NamedTuple and the annotations by which a text is read.

    A number's kind is a letter: unsigned, signed, a bool, a float; a capital where the annotation is one of NumPy's.
    """
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        hints = _hints(type(value))
        names: Any = value._fields  # pyright: ignore[reportAttributeAccessIssue]
        inner = [layout(program, one, hints[name]) for name, one in zip(names, value, strict=True)]
        return f"[{program.class_(type(value))}, {', '.join(inner)}]"
    if isinstance(value, tuple):
        inner = [layout(program, one, kind) for kind, one in annotated_items(annotation, value)]
        return f"[null, {', '.join(inner)}]"
    for kind, letter in _LETTERS:
        if isinstance(value, kind):
            return quoted(letter)
    raise ExportError(f"a state with a {type(value).__name__} cannot be translated to JavaScript")


# What a page asks of a game's texts and pictures. These functions are translated, with all that they call.


def picture(game: Game, state: Any) -> dict[str, Any]:
    """The picture of a position, as plain data."""
    return game.picture(state).to_json()


def pictures(game: Game, states: Sequence[Any], first: int) -> list[dict[str, Any]]:
    """The pictures of a game's positions from `first` on, each continued from the one before."""
    return [
        one.to_json()
        for one in shown_from(first, len(states) - 1, lambda number: game.picture(states[number]))
    ]


def action_name(game: Game, state: Any, player: int, action: int) -> str:
    """The name of an action."""
    return game.action_to_string(state, player, action)


def outcome_name(game: Game, state: Any, outcome: int) -> str:
    """The name of an outcome of chance."""
    return game.outcome_to_string(state, outcome)


def text(game: Game, state: Any) -> str:
    """A position in the game's own text."""
    return game.to_text(state)


def render(game: Game, state: Any) -> str:
    """A position as lines."""
    return game.render(state)


def slowly(game: Game, states: Sequence[Any]) -> list[bool]:
    """Whether each player's ending had a slow cause, like hunger."""
    return [isinstance(one, Ending) and one.since is not None for one in game.ending(states)]


def turns(game: Game, states: Sequence[Any]) -> dict[str, Any]:
    """The game's word for a turn, and the number of turns done at each position."""
    counted = Turns(game, states)
    return {"word": counted.word, "done": [counted.done(step) for step in range(len(states))]}


def images(game: Game, state: Any) -> list[tuple[Any, tuple[int, ...], tuple[int, ...], bool]]:
    """The images of a position: each with the names of both players' actions there, and whether the players are exchanged."""
    return [(one.state, one.actions0, one.actions1, one.swap) for one in game.symmetries(state)]


ROOTS = {
    "picture": picture, "pictures": pictures, "actionName": action_name, "outcomeName": outcome_name, "text": text, "render": render,
    "fromText": position_of_text, "endings": endings_json, "reasons": reasons, "turns": turns, "slowly": slowly,
}  # fmt: skip
"""By the name in JavaScript."""


# All that they reach.

_READ = re.compile("\1(\\w+)\2")


def translated(game: Game, has_images: bool = False) -> str:
    """A script that defines `makeTexts(host)`, to stand after engine.js and python.js; raises ExportError in one sentence.

    The same text every time, without a path of this machine. With `has_images` it knows a position's `symmetries`, too.
    """
    program = Program(game)
    cls = program.classes[type(game)] = program.named(type(game).__name__)
    start = game.initial_state()
    like = layout(program, as_machine_words(start), type(start))
    roots = program.reached(ROOTS | ({"images": images} if has_images else {}))
    begin = (
        "function makeTexts(host) {",
        "const $ = python;",
        f"const {cls} = $.plainClass({quoted(type(game).__name__)});",
        f"const $game = Object.create({cls}.prototype);",
    )
    return program.script(begin, f"$.texts(host, $game, {like}, {roots})")


def translated_functions(
    name: str,
    functions: dict[str, FunctionType],
    given: Sequence[tuple[Any, str]],
    attributes: Collection[str],
) -> str:
    """A script that defines `name(given)`, to stand after python.js: it gives the functions, by their names
    in JavaScript.

    `given` are the objects of Python that are not translated: the script gets a substitute for each, by these
    names. `attributes` are those of objects passed when it runs, for example a game. Raises ExportError in
    one sentence.
    """
    program = Program(SimpleNamespace(), given, attributes)  # no game is known beforehand
    roots = program.reached(functions)
    return program.script((f"function {name}(given) {{", "const $ = { ...python, ...given };"), roots)


class Program(Reached):
    """Translates what is reached, and writes the script."""

    def reached(self, functions: dict[str, FunctionType]) -> str:
        """Translate functions with all that they reach; an object with them, by their names in JavaScript."""
        roots = [f"{name}: {self.function(function, function, name)}" for name, function in functions.items()]
        done, missing = set[tuple[type, str]](), [(type, "")]
        while missing:
            while self._waiting:
                name, function = self._waiting.pop(0)
                self._written.append(Statements(self, source_of(function), None, kernel=False).function(name))
            missing = [one for one in product(self.classes, sorted(self._attributes)) if one not in done]
            for cls, name in missing:
                done.add((cls, name))
                self._try_member(cls, name)
        self._check_asked()
        return f"{{ {', '.join(roots)} }}"

    def script(self, begin: Sequence[str], result: str) -> str:
        """The script that begins with these lines and returns this, in which each attribute is read under the name that it has in the end.

        The attributes that are methods of some class and are read stay with their objects: they are bound to them.
        """
        text = "\n".join([*self._lines, *self._written, *self._definitions()])
        bound = {name for name in _READ.findall(text) if self._is_called(name)}
        binding = [f"$.bind({', '.join(map(quoted, sorted(bound)))});"] if bound else []
        lines = "\n".join([*begin, *binding, text, f"return {result};", "}\n"])
        return _READ.sub(lambda found: f"{'bound' if found[1] in bound else ''}${found[1]}", lines)

    def _check_asked(self) -> None:
        for (name, called), (source, node) in self._asked.items():
            known = (
                name in self._given_attributes
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

    # -- what classes have -----------------------------------------------------------------------------------------------

    def inherited(self, cls: type, base: type, name: str, method: FunctionType) -> str:
        there = f"{mangled(base.__name__)}${name}"
        members = self._members.setdefault(cls, {})
        if there not in members:
            members[there] = ""
            members[there] = self._method(cls, method, there)
        return there

    def _method(self, cls: type, function: FunctionType, name: str, kernel: bool = False, **how: bool) -> str:
        return Statements(self, source_of(function), cls, kernel).method(name, **how)

    def _try_member(self, cls: type, name: str) -> None:
        """The same; where only the name of a method of Python's own kinds is why it is looked at, it may be refused when it is called."""
        try:
            self._add_member(cls, name)
        except ExportError as error:
            if name not in METHODS:
                raise
            self._members[cls][name] = f"${name}() {{ return $.fail($.TypeError, {quoted(str(error))}); }}"

    def _add_member(self, cls: type, name: str) -> None:
        """Add a class's member of that name, unless it is a field."""
        value = held(cls, name)
        members = self._members.setdefault(cls, {})
        if cls is type(self.game) and self._add_game_member(members, name, value):
            return
        if (
            value is None
            or name in ("_replace", "_asdict", "_fields")
            or cls in self._shells
            or _is_field(cls, name)
        ):
            return
        if name.startswith("__") and (issubclass(cls, BaseException) or not is_written(value)):
            return
        if is_property(value):
            function = getattr(value, "fget", None) or getattr(value, "func", None)
            if isinstance(function, FunctionType) and isinstance(value, cached_property):
                members[f"once${name}"] = self._method(cls, function, f"once${name}")
                members[name] = f'get ${name}() {{ return $.once(this, "${name}", this.once${name}()); }}'
            elif isinstance(function, FunctionType):
                members[name] = self._method(cls, function, f"${name}", is_property=True)
        elif isinstance(value, staticmethod) or (is_method(value) and plain_function(value) is not None):
            function = plain_function(value)
            if function is not None and not isinstance(value, classmethod):
                members[name] = self._method(
                    cls, function, f"${name}", is_static=isinstance(value, staticmethod)
                )
        elif is_data(value):
            members[name] = f"get ${name}() {{ return {self.data(value)}; }}"

    def _add_game_member(self, members: dict[str, str], name: str, value: Any) -> bool:
        """A rule, a kernel, or what is known of the game's data; whether it was one of these."""
        if name in RULES or (name.startswith("__") and name != "__str__"):
            return True
        if is_method(value) or (value is None and not _is_field(type(self.game), name)):
            if value is None or not self.is_kernel(name):
                return value is None
            members[name] = f"${name}(...given) {{ return $.face(this, {quoted(f'K${name}')}, given); }}"
            function = plain_function(type(self.game).kernels[name])
            assert function is not None
            members[f"K${name}"] = self._method(type(self.game), function, f"K${name}", kernel=True)
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


def _is_field(cls: type, name: str) -> bool:
    if dataclasses.is_dataclass(cls):
        return any(one.name == name for one in dataclasses.fields(cls))
    return name in getattr(cls, "_fields", ())
