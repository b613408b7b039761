"""Calls: of functions, classes and methods that are known, and of those that are found when it runs."""

import ast
import dataclasses
import inspect
import re
import typing
from types import FunctionType
from typing import Any

from ...compiled.cache import _EnteredDispatcher
from .expressions import Expressions
from .known import METHODS, PATTERN_FUNCTIONS, quoted
from .reached import RULES, names_text
from .scope import held, is_method, plain_function


class Calls(Expressions):
    """Translates the expressions of one function, the calls among them."""

    def _call(self, node: ast.Call) -> str:
        """A call."""
        if isinstance(node.func, ast.Attribute):
            if self._is_super(node.func.value):
                return self._super_call(node, node.func.attr)
            base = self.static(node.func.value)
            if base is not None and base.value is self.program.game:
                return self._game_call(node, node.func)
        known = self.static(node.func)
        if known is not None:
            return self._known_call(node, known.value)
        if isinstance(node.func, ast.Attribute):
            return self._method_call(node, node.func)
        return f"{self.expr(node.func)}({self._local_arguments(node)})"

    def _local_arguments(self, node: ast.Call) -> str:
        """The arguments of a call of a function in a variable.

        By name only where it is defined in this function.
        """
        if not node.keywords:
            return self.items(node.args)
        names = self.inner.get(node.func.id) if isinstance(node.func, ast.Name) else None
        if names is None:
            raise self.source.refuse(
                node, "arguments by name for a function that is not known before have no translation"
            )
        return self._by_names(node, names, "the function")

    def _is_super(self, node: ast.expr) -> bool:
        return (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id == "super"
            and not self.is_local("super")
        )

    def _super_call(self, node: ast.Call, name: str) -> str:
        """The method of a base class, which the class has under another name."""
        function, cls = self.source.function, self.owner
        if cls is None or self.own is None:
            raise self.source.refuse(node, "super() outside of a method has no translation")
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
                there = self.program.inherited(cls, base, name, method)
                return f"{self.own_text}.{there}({self._bound(node, method, skip=1)})"
        if name == "__init__" and not node.args:
            return "null"
        raise self.source.refuse(node, f"super().{name} is no method that can be translated")

    def _game_call(self, node: ast.Call, func: ast.Attribute) -> str:
        """A method of the game: a rule of the host's, a kernel, or any other."""
        game, name, base = self.program.game, func.attr, self.expr(func.value)
        method = held(game, name)
        if method is None or not is_method(method):
            known = self.static(func)
            if known is None:
                raise self.source.refuse(node, f"{name!r} is no method of the game")
            return self._known_call(node, known.value)
        self.program.reach(name)
        if name in RULES:
            if self.kernel and name in ("legal_actions", "search_actions", "chance_outcomes"):
                raise self.source.refuse(node, f"{name} fills an array, which has no translation")
            return f"{base}.${name}({self._arguments(node)})"
        is_kernel = self.program.is_kernel(name)
        function = plain_function(type(game).kernels[name] if is_kernel else method)
        if function is None:
            raise self.source.refuse(node, f"{name!r} is no method that can be translated")
        skip = 0 if isinstance(method, staticmethod) else 1
        return (
            f"{base}.{'K' if is_kernel and self.kernel else ''}${name}({self._bound(node, function, skip)})"
        )

    def _known_call(self, node: ast.Call, value: Any) -> str:
        """A call of a live object."""
        if value is typing.cast:
            return self.expr(node.args[1])
        if id(value) in PATTERN_FUNCTIONS:
            return self._pattern_call(node, PATTERN_FUNCTIONS[id(value)])
        reference = self.program.reference(value, self.source, node.func, called=True)
        if self.program.native(value) is None and not isinstance(value, type):
            function = plain_function(value)
            if function is None:
                raise self.source.refuse(node, f"what is called is a {type(value).__name__}")
            if type(value) is _EnteredDispatcher and not self.kernel:
                return f"$.faced({reference})({self._bound(node, function, skip=0)})"
            return f"{reference}({self._bound(node, function, skip=0)})"
        begin = (
            held(value, "__init__")
            if isinstance(value, type) and not dataclasses.is_dataclass(value)
            else None
        )
        if self.program.native(value) is None and isinstance(begin, FunctionType):
            return f"{reference}({self._bound(node, begin, skip=1)})"
        return f"{reference}({self._arguments(node)})"

    def _pattern_call(self, node: ast.Call, name: str) -> str:
        pattern = self.static(node.args[0])
        if (
            pattern is None
            or not isinstance(pattern.value, (str, re.Pattern))
            or len(node.args) < 2
            or node.keywords
        ):
            raise self.source.refuse(
                node, f"re.{name} with a pattern that is not known before has no translation"
            )
        compiled = re.compile(pattern.value) if isinstance(pattern.value, str) else pattern.value
        return f"{self.program.reference(compiled, self.source, node)}.{name}({self.items(node.args[1:])})"

    def _method_call(self, node: ast.Call, func: ast.Attribute) -> str:
        """A method of an object that is known when it runs only."""
        name = func.attr
        kinds = self.static(func.value)
        if (
            kinds is not None
            and isinstance(kinds.value, type)
            and self.program.native(kinds.value) is not None
        ):
            return f"$.method({quoted(name)})({self._arguments(node)})"
        self.program.reach(name)
        base = self.expr(func.value)
        if self.owner is not None and isinstance(func.value, ast.Name) and func.value.id == self.own:
            method = held(self.owner, name)
            if isinstance(method, FunctionType):
                return f"{base}.${name}({self._bound(node, method, skip=1)})"
        arguments = None
        if node.keywords:
            arguments = next(
                (self._bound(node, one, skip=1) for one in self.program.methods_called(name)), None
            )
        arguments = self._arguments(node) if arguments is None else arguments
        self.program.ask(name, self.source, node, called=True)
        if name in METHODS:
            return f"$.call({', '.join([base, quoted(name), *([arguments] if arguments else [])])})"
        return f"{base}.${name}({arguments})"

    def _arguments(self, node: ast.Call) -> str:
        """The arguments of a call: in order, then those with names as an object of options."""
        return ", ".join(filter(None, (self.items(node.args), self._options(node.keywords))))

    def _options(self, keywords: list[ast.keyword]) -> str:
        if not keywords:
            return ""
        parts = [
            f"...$.named({self.expr(one.value)})" if one.arg is None else f"{one.arg}: {self.expr(one.value)}"
            for one in keywords
        ]
        return f"{{ {', '.join(parts)} }}"

    def _bound(self, node: ast.Call, function: FunctionType, skip: int) -> str:
        """The arguments of a call of a function with known parameters, in their order.

        `skip` leading ones are the object's.
        """
        if not node.keywords:
            return self.items(node.args)
        kinds = (
            inspect.Parameter.POSITIONAL_ONLY,
            inspect.Parameter.POSITIONAL_OR_KEYWORD,
            inspect.Parameter.KEYWORD_ONLY,
        )
        names = [one.name for one in inspect.signature(function).parameters.values() if one.kind in kinds][
            skip:
        ]
        return self._by_names(node, names, function.__qualname__)

    def _by_names(self, node: ast.Call, names: list[str], what: str) -> str:
        """The arguments of a call, in the order of the parameters with these names."""
        if any(one.arg is None for one in node.keywords) or any(
            isinstance(one, ast.Starred) for one in node.args
        ):
            return f"...$.ordered({names_text(names)}, [{self.items(node.args)}], {self._options(node.keywords)})"
        texts = [self.expr(one) for one in node.args]
        given = {one.arg: self.expr(one.value) for one in node.keywords}
        unknown = set(given) - set(names[len(texts) :])
        if unknown:
            raise self.source.refuse(node, f"{what} has no parameter {min(map(str, unknown))}")
        last = max(names.index(str(name)) for name in given)
        return ", ".join([*texts, *(given.get(name, "undefined") for name in names[len(texts) : last + 1])])
