"""Classes and calls: of functions, classes and methods that are known, and of those that are found while a program is translated."""

import ast
import dataclasses
import inspect
import re
import typing
from enum import Enum
from types import FunctionType
from typing import Any

from ..lowering import ExportError
from .known import METHODS, PATTERN_FUNCTIONS, quoted
from .scope import Place, Reached, Source, held, is_method, plain_function

_REFUSED = (
    "__getattr__", "__getitem__", "__setitem__", "__contains__", "__iter__", "__len__", "__bool__", "__call__", "__eq__", "__lt__",
    "__add__",
    "__sub__", "__mul__", "__or__", "__and__", "__xor__", "__invert__", "__hash__", "__format__", "__new__", "__setattr__",
)  # fmt: skip


def class_text(program: Reached, cls: type, source: Source | None, node: Any) -> str:
    """A class, as what makes it; its methods are added later."""
    name = quoted(cls.__name__)
    if issubclass(cls, BaseException):
        return f"$.error({name}, {program.class_(cls.__bases__[0], source, node)})"
    if hasattr(cls, "_fields") and issubclass(cls, tuple):
        usual = {one: program.data(value, source, node) for one, value in cls._field_defaults.items()}  # type: ignore[attr-defined]
        return f"$.namedTuple({name}, {_names(cls._fields)}{_usual(usual)})"  # type: ignore[attr-defined]
    if dataclasses.is_dataclass(cls):
        fields = dataclasses.fields(cls)
        usual = {}
        for one in fields:
            if one.default is not dataclasses.MISSING:
                usual[one.name] = program.data(one.default, source, node)
            elif one.default_factory is not dataclasses.MISSING:
                usual[one.name] = f"$.made({program.class_(one.default_factory)})"  # type: ignore[arg-type]
        return f"$.record({name}, {_names([one.name for one in fields])}{_usual(usual)})"
    return f"$.plainClass({name})"


def refusal(cls: type, source: Source | None, node: Any) -> ExportError | None:
    """Why objects of a class have no translation; None where they have one."""
    if issubclass(cls, BaseException) or (hasattr(cls, "_fields") and issubclass(cls, tuple)):
        return None
    if cls.__module__ in ("builtins", "typing", "collections.abc") or issubclass(cls, Enum):
        return _refused(cls, source, node, "it")
    own = [base for base in cls.__mro__ if base is not object and not _is_library(base)]
    written = (
        one
        for base in own
        for one in _REFUSED
        if isinstance(vars(base).get(one), FunctionType) and not _is_made(vars(base)[one])
    )
    special = next(written, None)
    if special is not None:
        return _refused(cls, source, node, f"its {special}")
    for one in dataclasses.fields(cls) if dataclasses.is_dataclass(cls) else ():
        if not one.init:
            return _refused(cls, source, node, f"its field {one.name}, which is not given,")
        factory: Any = one.default_factory
        if factory is not dataclasses.MISSING and factory not in (list, dict, set, tuple):
            return _refused(cls, source, node, f"the default of {one.name}")
    return None


def _is_library(base: type) -> bool:
    return base.__module__ in ("builtins", "typing", "abc", "collections.abc")


def _is_made(method: FunctionType) -> bool:
    """Whether a decorator wrote it."""
    return method.__code__.co_filename.startswith("<")


def _names(fields: Any) -> str:
    return f"[{', '.join(map(quoted, fields))}]"


def _usual(values: dict[str, str]) -> str:
    return f", {{ {', '.join(f'{name}: {text}' for name, text in values.items())} }}" if values else ""


def _refused(cls: type, source: Source | None, node: Any, what: str) -> ExportError:
    words = f"the class {cls.__name__}: {what} has no translation"
    return ExportError(f"{words[0].upper()}{words[1:]}") if source is None else source.refuse(node, words)


# Calls: of functions, classes and methods that are known, and of those that are found when it runs.


def call(of: Place, node: ast.Call) -> str:
    """A call."""
    if isinstance(node.func, ast.Attribute):
        if _is_super(of, node.func.value):
            return _super_call(of, node, node.func.attr)
        base = of.static(node.func.value)
        if base is not None and base.value is of.program.game:
            return _game_call(of, node, node.func)
    known = of.static(node.func)
    if known is not None:
        return _known_call(of, node, known.value)
    if isinstance(node.func, ast.Attribute):
        return _method_call(of, node, node.func)
    return f"{of.expr(node.func)}({_local_arguments(of, node)})"


def _local_arguments(of: Place, node: ast.Call) -> str:
    """What is handed over to a function that a variable holds: by name only where it stands in this function."""
    if not node.keywords:
        return of.items(node.args)
    names = of.inner.get(node.func.id) if isinstance(node.func, ast.Name) else None
    if names is None:
        raise of.source.refuse(
            node, "arguments by name for a function that is not known before have no translation"
        )
    return _by_names(of, node, names, "the function")


def _is_super(of: Place, node: ast.expr) -> bool:
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "super"
        and not of.is_local("super")
    )


def _super_call(of: Place, node: ast.Call, name: str) -> str:
    """The method of a base class, which the class has under another name."""
    function, cls = of.source.function, of.owner
    if cls is None or of.own is None:
        raise of.source.refuse(node, "super() outside of a method has no translation")
    here = next(
        k
        for k, base in enumerate(cls.__mro__)
        if any(plain_function(one) is function for one in vars(base).values())
    )
    for base in cls.__mro__[here + 1 :]:
        if name in vars(base) and base is not object:
            method = plain_function(vars(base)[name])
            if method is None:
                break
            there = of.program.inherited(cls, base, name, method)
            return f"{of.own_text}.{there}({_bound(of, node, method, skip=1)})"
    if name == "__init__" and not node.args:
        return "null"
    raise of.source.refuse(node, f"super().{name} is no method that can be translated")


def _game_call(of: Place, node: ast.Call, func: ast.Attribute) -> str:
    """A method of the game: a rule of the host's, a kernel, or any other."""
    game, name, base = of.program.game, func.attr, of.expr(func.value)
    method = held(game, name)
    if method is None or not is_method(method):
        known = of.static(func)
        if known is None:
            raise of.source.refuse(node, f"{name!r} is no method of the game")
        return _known_call(of, node, known.value)
    of.program.reach(name)
    if of.program.is_rule(name):
        if of.kernel and name in ("legal_actions", "search_actions", "chance_outcomes"):
            raise of.source.refuse(node, f"{name} fills an array, which has no translation")
        return f"{base}.${name}({_arguments(of, node)})"
    is_kernel = of.program.is_kernel(name)
    function = plain_function(of.program.kernel(name) if is_kernel else method)
    if function is None:
        raise of.source.refuse(node, f"{name!r} is no method that can be translated")
    skip = 0 if isinstance(method, staticmethod) else 1
    return f"{base}.{'K' if is_kernel and of.kernel else ''}${name}({_bound(of, node, function, skip)})"


def _known_call(of: Place, node: ast.Call, value: Any) -> str:
    """A call of a live object."""
    if value is typing.cast:
        return of.expr(node.args[1])
    if id(value) in PATTERN_FUNCTIONS:
        return _pattern_call(of, node, PATTERN_FUNCTIONS[id(value)])
    reference = of.program.reference(value, of.source, node.func, called=True)
    if of.program.native(value) is None and not isinstance(value, type):
        function = plain_function(value)
        if function is None:
            raise of.source.refuse(node, f"what is called is a {type(value).__name__}")
        if of.program.needs_face(value) and not of.kernel:
            return f"$.faced({reference})({_bound(of, node, function, skip=0)})"
        return f"{reference}({_bound(of, node, function, skip=0)})"
    begin = (
        held(value, "__init__") if isinstance(value, type) and not dataclasses.is_dataclass(value) else None
    )
    if of.program.native(value) is None and isinstance(begin, FunctionType):
        return f"{reference}({_bound(of, node, begin, skip=1)})"
    return f"{reference}({_arguments(of, node)})"


def _pattern_call(of: Place, node: ast.Call, name: str) -> str:
    pattern = of.static(node.args[0])
    if (
        pattern is None
        or not isinstance(pattern.value, (str, re.Pattern))
        or len(node.args) < 2
        or node.keywords
    ):
        raise of.source.refuse(node, f"re.{name} with a pattern that is not known before has no translation")
    compiled = re.compile(pattern.value) if isinstance(pattern.value, str) else pattern.value
    return f"{of.program.reference(compiled, of.source, node)}.{name}({of.items(node.args[1:])})"


def _method_call(of: Place, node: ast.Call, func: ast.Attribute) -> str:
    """A method of an object that is known when it runs only."""
    name = func.attr
    kinds = of.static(func.value)
    if kinds is not None and isinstance(kinds.value, type) and of.program.native(kinds.value) is not None:
        return f"$.method({quoted(name)})({_arguments(of, node)})"
    of.program.reach(name)
    base = of.expr(func.value)
    if of.owner is not None and isinstance(func.value, ast.Name) and func.value.id == of.own:
        method = held(of.owner, name)
        if isinstance(method, FunctionType):
            return f"{base}.${name}({_bound(of, node, method, skip=1)})"
    arguments = None
    if node.keywords:
        arguments = next((_bound(of, node, one, skip=1) for one in of.program.methods_called(name)), None)
    arguments = _arguments(of, node) if arguments is None else arguments
    of.program.ask(name, of.source, node, called=True)
    if name in METHODS:
        return f"$.call({', '.join([base, quoted(name), *([arguments] if arguments else [])])})"
    return f"{base}.${name}({arguments})"


def _arguments(of: Place, node: ast.Call) -> str:
    """What is handed over: in order, then what has names as an object of options."""
    return ", ".join(filter(None, (of.items(node.args), _options(of, node.keywords))))


def _options(of: Place, keywords: list[ast.keyword]) -> str:
    if not keywords:
        return ""
    parts = [
        f"...$.named({of.expr(one.value)})" if one.arg is None else f"{one.arg}: {of.expr(one.value)}"
        for one in keywords
    ]
    return f"{{ {', '.join(parts)} }}"


def _bound(of: Place, node: ast.Call, function: FunctionType, skip: int) -> str:
    """What is handed over to a function whose parameters are known, all in their order; `skip`: the first of them is the object's."""
    if not node.keywords:
        return of.items(node.args)
    kinds = (
        inspect.Parameter.POSITIONAL_ONLY,
        inspect.Parameter.POSITIONAL_OR_KEYWORD,
        inspect.Parameter.KEYWORD_ONLY,
    )
    names = [one.name for one in inspect.signature(function).parameters.values() if one.kind in kinds][skip:]
    return _by_names(of, node, names, function.__qualname__)


def _by_names(of: Place, node: ast.Call, names: list[str], what: str) -> str:
    """What is handed over, in the order of the parameters with these names."""
    if any(one.arg is None for one in node.keywords) or any(
        isinstance(one, ast.Starred) for one in node.args
    ):
        return f"...$.ordered({names_text(names)}, [{of.items(node.args)}], {_options(of, node.keywords)})"
    texts = [of.expr(one) for one in node.args]
    given = {one.arg: of.expr(one.value) for one in node.keywords}
    unknown = set(given) - set(names[len(texts) :])
    if unknown:
        raise of.source.refuse(node, f"{what} has no parameter {min(map(str, unknown))}")
    last = max(names.index(str(name)) for name in given)
    return ", ".join([*texts, *(given.get(name, "undefined") for name in names[len(texts) : last + 1])])


def names_text(names: list[str]) -> str:
    """A list of names."""
    return f"[{', '.join(map(quoted, names))}]"
