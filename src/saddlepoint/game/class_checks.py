"""Checks of a game's class when it is made: methods of the wrong kind, wrong parameters, paths without a
return.

Nothing runs and nothing is compiled for it. Every mistake is reported with the method, the line and the way out.
"""

import ast
import difflib
import inspect
import textwrap
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NoReturn

from ..compiled import KernelError
from ..compiled.errors import place_of
from .nodes import SIMULTANEOUS

_RULES = {
    "current_player": ("(self, state)",),
    "legal_actions": ("(self, state, player, out)",),
    "next_state": ("(self, state, action0, action1)", "(self, state, action)"),
    "returns": ("(self, state)",),
}
"""The kernels that every game brings, and how they are written."""
_NUMBERS = (
    "max_actions",
    "max_depth",
    "max_outcomes",
    "distinct_actions",
    "max_chance_plies",
    "min_utility",
    "max_utility",
)
_NOT_COMPILED = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR


def check_class(cls: type, base: type, kernels: Mapping[str, Any]) -> None:
    """Raise KernelError for a mistake in the own methods of `cls`, a subclass of `base` with the given
    kernels.
    """
    for name, thing in vars(cls).items():
        if name in _NUMBERS and inspect.isfunction(thing):
            _refuse(
                cls,
                name,
                thing,
                f"is a method and must be a number: write {name} = ..., or put @property above it",
            )
        if name in kernels or name in _RULES:
            _check_rule(cls, name, thing, _forms(name, kernels))
        elif _is_kernel(thing) and inspect.isfunction(vars(base).get(name)):
            _refuse(cls, name, thing, "is called by Python and is not compiled: take @kernel away from it")
        if _is_kernel(thing) and inspect.isfunction(thing):
            _check_body(cls, name, thing)
    _check_actions(cls)


def missing_rule(kernels: Mapping[str, Any]) -> tuple[str, str]:
    """The first rule that a game lacks, and how it is written, with the kernel that may be meant; empty if there is none."""
    for name, forms in _RULES.items():
        if name not in kernels:
            close = difflib.get_close_matches(name, kernels, 1, 0.8)
            meant = f"; is {close[0]} meant to be it?" if close else ""
            return name, f"write @kernel above def {name}{forms[0]}{meant}"
    return "", ""


def _is_kernel(thing: Any) -> bool:
    return bool(
        getattr(thing, "is_kernel", False) or getattr(getattr(thing, "__func__", None), "is_kernel", False)
    )


def _forms(name: str, kernels: Mapping[str, Any]) -> tuple[str, ...]:
    if name in _RULES:
        return _RULES[name]
    method = kernels[name]
    names = inspect.signature(getattr(method, "py_func", method)).parameters
    return (f"({', '.join(names)})",)


def _refuse(cls: type, name: str, thing: Any, what: str, line: int | None = None) -> NoReturn:
    function = inspect.unwrap(getattr(thing, "__func__", getattr(thing, "fget", thing)))
    raise KernelError(f"{cls.__qualname__}.{name} {what}{place_of(function, line)}")


def _check_rule(cls: type, name: str, thing: Any, forms: tuple[str, ...]) -> None:
    wanted = " or ".join(f"def {name}{form}" for form in forms)
    if isinstance(thing, (staticmethod, classmethod, property)):
        _refuse(
            cls, name, thing, f"is a {type(thing).__name__} and must be a rule: write @kernel above {wanted}"
        )
    if not inspect.isfunction(thing):
        return
    if thing.__name__ == "<lambda>":
        _refuse(cls, name, thing, f"is a lambda and must be a method: write @kernel above {wanted}")
    parameters = inspect.signature(thing).parameters
    own = any(p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD, p.KEYWORD_ONLY) for p in parameters.values())
    counts = {form.count(",") + 1 for form in forms}
    if not _is_kernel(thing):  # Python code may put another face over a rule
        if len(parameters) in counts and not own:
            _refuse(
                cls,
                name,
                thing,
                "is a rule without @kernel, which compiled code cannot call; put @kernel above it",
            )
    elif own or len(parameters) not in counts:
        _refuse(
            cls,
            name,
            thing,
            f"takes ({', '.join(map(str, parameters.values()))}) and must be written {wanted}",
        )


def _check_body(cls: type, name: str, method: Callable[..., Any]) -> None:
    """Refuse what cannot be compiled, what makes a rule's answer depend on something else than the state, and ways without a value."""
    tree, value = _tree(method), _VALUES.get(name)
    if method.__code__.co_flags & _NOT_COMPILED:
        line = next(
            (node.lineno for node in _own_nodes(tree) if isinstance(node, (ast.Yield, ast.YieldFrom))), None
        )
        what = "returns how many it wrote" if name == "legal_actions" else "returns its result"
        _refuse(
            cls,
            name,
            method,
            f"uses yield, which a kernel cannot: a kernel fills its arrays and {what}",
            line,
        )
    for node in _own_nodes(tree):
        match node:
            case ast.Global() | ast.Nonlocal():
                what = f"changes the module's {', '.join(node.names)}, which a rule cannot: keep what changes in the state"
            case ast.Attribute() if _is_random(node.value, method.__globals__):
                what = (
                    "draws random numbers, and a rule must always give the same: "
                    "let current_player say CHANCE, and write chance_outcomes"
                )
            case ast.Return(value=None | ast.Constant(value=None)) if value:
                what = f"returns nothing in this line, and must return {value} on every way"
            case _:
                continue
        _refuse(cls, name, method, what, node.lineno)
    if tree and value and not _ends(tree.body):
        _refuse(
            cls, name, method, f"has a way to its end without a value: add a last line that returns {value}"
        )


def _is_random(node: ast.expr, scope: Mapping[str, Any]) -> bool:
    """Whether an expression is the module `random`, or NumPy's."""
    if isinstance(node, ast.Attribute):
        return (
            node.attr == "random"
            and isinstance(node.value, ast.Name)
            and getattr(scope.get(node.value.id), "__name__", "") == "numpy"
        )
    return isinstance(node, ast.Name) and getattr(scope.get(node.id), "__name__", "") in (
        "random",
        "numpy.random",
    )


_VALUES = {
    "current_player": "the player",
    "legal_actions": "how many actions it wrote into out",
    "next_state": "the state after the move",
    "returns": "player 0's result",
    "chance_outcomes": "how many outcomes it wrote into out",
    "search_actions": "how many actions it wrote into out",
    "features": "a tuple of numbers",
}
"""The result of each rule, in words."""


def _tree(method: Callable[..., Any]) -> ast.FunctionDef | None:
    """A method's source, with the line numbers of its file; None where there is none."""
    try:
        lines, first = inspect.getsourcelines(method)
        tree = ast.parse(textwrap.dedent("".join(lines)))
    except (OSError, SyntaxError, TypeError, IndexError):
        return None
    ast.increment_lineno(tree, first - 1)
    found = tree.body[0] if tree.body else None
    return found if isinstance(found, ast.FunctionDef) else None


def _own_nodes(tree: ast.FunctionDef | None) -> Iterator[ast.AST]:
    """The nodes of a method, without those of functions inside it."""
    waiting: list[ast.AST] = list(tree.body) if tree else []
    while waiting:
        node = waiting.pop(0)
        yield node
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
            waiting += ast.iter_child_nodes(node)


def _ends(body: list[ast.stmt]) -> bool:
    """Whether no way leads past the last of these statements."""
    return any(_stops(statement) for statement in body)


def _stops(node: ast.stmt) -> bool:
    match node:
        case ast.Return() | ast.Raise():
            return True
        case ast.Assert(test=ast.Constant(value=value)):
            return not value
        case ast.If():
            return _ends(node.body) and _ends(node.orelse)
        case ast.While(test=ast.Constant(value=value)):
            return bool(value) and not _breaks(node)
        case ast.For():
            return _ends(node.orelse) and not _breaks(node)
        case ast.With():
            return _ends(node.body)
        case ast.Try():
            return _ends(node.finalbody) or (
                _ends(node.body + node.orelse) and all(_ends(handler.body) for handler in node.handlers)
            )
        case ast.Match():
            is_whole = any(
                isinstance(case.pattern, ast.MatchAs) and not case.pattern.pattern and not case.guard
                for case in node.cases
            )
            return is_whole and all(_ends(case.body) for case in node.cases)
        case _:
            return False


def _breaks(loop: ast.stmt) -> bool:
    return any(isinstance(node, ast.Break) for node in ast.walk(loop))


def _check_actions(cls: type) -> None:
    """Refuse a rule for one action in a game whose players move at once: the other player's would be dropped."""
    method, player = (
        _plain(inspect.getattr_static(cls, name, None)) for name in ("next_state", "current_player")
    )
    if (
        method is None
        or player is None
        or len(inspect.signature(method).parameters) != 3
        or vars(cls).keys().isdisjoint(("next_state", "current_player"))
    ):
        return
    scope = player.__globals__
    if any(
        name == "SIMULTANEOUS" and scope.get(name, SIMULTANEOUS) == SIMULTANEOUS
        for name in player.__code__.co_names
    ):
        _refuse(
            cls,
            "next_state",
            method,
            "takes one action, and current_player says SIMULTANEOUS: write def next_state(self, state, action0, action1)",
        )


def _plain(method: Any) -> Any:
    return inspect.unwrap(method) if inspect.isfunction(method) and _is_kernel(method) else None
