"""The parts of Python with a translation of their own: functions, methods, regular expressions."""

import ast
import builtins
import collections
import dataclasses
import functools
import itertools
import json
import math
import operator
import re
import time
from re import _constants as sre, _parser as parser  # pyright: ignore[reportAttributeAccessIssue] (not in the stubs)
from typing import Any

import numpy as np

from ...compiled import popcount, trailing_zeros, with_item
from ...compiled.states import plain_values, state_from_values
from ...game.picture import _plain
from ..lowering import ExportError

_DIGIT, _BLANK, _LETTER = (
    r"\p{Nd}",
    r"\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000",
    r"\p{L}\p{N}_",
)
_ASCII = {"DIGIT": "0-9", "SPACE": r"\t-\r\x20", "WORD": "0-9A-Za-z_"}
_UNICODE = {"DIGIT": _DIGIT, "SPACE": _BLANK, "WORD": _LETTER}
_SPECIAL = frozenset("^$\\.*+?()[]{}|/")


def pattern_source(pattern: re.Pattern[str]) -> tuple[str, str]:
    """The source and the flags of the same pattern in JavaScript; raises ExportError for what it has no like of."""
    unknown = pattern.flags & ~(re.UNICODE | re.MULTILINE | re.IGNORECASE | re.DOTALL | re.ASCII | re.VERBOSE)
    if unknown:
        raise ExportError(
            f"the regular expression {pattern.pattern!r} cannot be translated to JavaScript: its flags"
        )
    names = {number: name for name, number in pattern.groupindex.items()}
    tree = parser.parse(
        pattern.pattern, pattern.flags & ~re.UNICODE if pattern.flags & re.ASCII else pattern.flags
    )
    return _Writer(pattern, names).sequence(tree), "ui" if pattern.flags & re.IGNORECASE else "u"


class _Writer:
    def __init__(self, pattern: re.Pattern[str], names: dict[int, str]) -> None:
        self.pattern, self.names, self.flags = pattern, names, pattern.flags
        self.kinds = _ASCII if pattern.flags & re.ASCII else _UNICODE

    def refuse(self, what: Any) -> ExportError:
        return ExportError(
            f"the regular expression {self.pattern.pattern!r} cannot be translated to JavaScript: {str(what).lower()}"
        )

    def sequence(self, items: Any) -> str:
        return "".join(self.item(*one) for one in items)

    def item(self, kind: Any, value: Any) -> str:
        match str(kind):
            case "LITERAL":
                return _sign(value)
            case "NOT_LITERAL":
                return f"[^{_member(value)}]"
            case "ANY":
                return "[^]" if self.flags & re.DOTALL else r"[^\n]"
            case "IN":
                return self.members(value)
            case "AT":
                return self.place(str(value))
            case "BRANCH":
                return f"(?:{'|'.join(self.sequence(one) for one in value[1])})"
            case "MAX_REPEAT" | "MIN_REPEAT" as name:
                return self.repeated(value, "?" if name == "MIN_REPEAT" else "")
            case "SUBPATTERN":
                number, added, removed, inner = value
                if added or removed:
                    raise self.refuse("flags of a part")
                start = "?:" if number is None else f"?<{self.names[number]}>" if number in self.names else ""
                return f"({start}{self.sequence(inner)})"
            case "ASSERT" | "ASSERT_NOT" as name:
                direction, inner = value
                sign = "=" if name == "ASSERT" else "!"
                return f"(?{'<' if direction < 0 else ''}{sign}{self.sequence(inner)})"
            case "GROUPREF":
                return f"(?:\\{value})"
            case _:
                raise self.refuse(kind)

    def members(self, items: Any) -> str:
        found, negated = "", ""
        for kind, value in items:
            match str(kind):
                case "NEGATE":
                    negated = "^"
                case "LITERAL":
                    found += _member(value)
                case "RANGE":
                    found += f"{_member(value[0])}-{_member(value[1])}"
                case _:
                    found += self.category(str(value).removeprefix("CATEGORY_"), alone=len(items) == 1)
        return f"[{negated}{found}]"

    def category(self, name: str, alone: bool) -> str:
        if not name.startswith("NOT_"):
            return self.kinds[name]
        if not alone:
            raise self.refuse("a class without a kind of characters")
        return f"^{self.kinds[name.removeprefix('NOT_')]}"

    def place(self, name: str) -> str:
        many = self.flags & re.MULTILINE
        word = f"[{self.kinds['WORD']}]"
        places = {
            "AT_BEGINNING": r"(?:^|(?<=\n))" if many else "^",
            "AT_BEGINNING_STRING": "^",
            "AT_END_STRING": "$",
            "AT_END": r"(?=\n|$)" if many else r"(?=\n?$)",
            "AT_BOUNDARY": f"(?:(?<={word})(?!{word})|(?<!{word})(?={word}))",
            "AT_NON_BOUNDARY": f"(?:(?<={word})(?={word})|(?<!{word})(?!{word}))",
        }
        return places[name]

    def repeated(self, value: Any, lazy: str) -> str:
        least, most, inner = value
        times = {(0, sre.MAXREPEAT): "*", (1, sre.MAXREPEAT): "+", (0, 1): "?"}.get((least, most))
        if times is None:
            times = (
                f"{{{least}}}" if least == most else f"{{{least},{'' if most == sre.MAXREPEAT else most}}}"
            )
        text = self.sequence(inner)
        return f"{text if len(inner) == 1 and str(inner[0][0]) not in ('AT', 'MAX_REPEAT', 'MIN_REPEAT') else f'(?:{text})'}{times}{lazy}"


def _sign(number: int) -> str:
    """A character, as it stands in a pattern."""
    mark = chr(number)
    if mark in _SPECIAL:
        return "\\" + mark
    return mark if mark.isascii() and mark.isprintable() else f"\\u{{{number:x}}}"


def _member(number: int) -> str:
    """The same in brackets, where a hyphen has a meaning."""
    return "\\-" if chr(number) == "-" else _sign(number)


# What stands in host/python.js for objects of Python, NumPy and this library; numbers and texts as JavaScript writes them.


def quoted(text: str) -> str:
    """A text in quotes, in ASCII."""
    return json.dumps(text)


def literal(value: Any) -> str | None:
    """A number, a text or None, in the form in which host/python.js computes with it; None for anything else."""
    if value is None:
        return "null"
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if type(value) is np.uint64:
        return f"$.word({int(value)}n)"
    if isinstance(value, (int, np.integer)):
        return f"{int(value)}n" if value >= 0 else f"(-{-int(value)}n)"
    if isinstance(value, (float, np.floating)):
        return _float(float(value))
    return quoted(value) if isinstance(value, str) else None


def _float(value: float) -> str:
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Infinity" if value > 0 else "(-Infinity)"
    text = repr(value).removesuffix(".0")
    return f"({text})" if value < 0 or text.startswith("-") else text


# What stands in host/python.js for objects of Python, NumPy and this library that are not translated themselves.

_SAME = (
    "Exception", "ValueError", "LookupError", "IndexError", "KeyError", "TypeError", "ArithmeticError", "OverflowError",
    "ZeroDivisionError", "SyntaxError", "MemoryError", "RecursionError", "AssertionError", "StopIteration", "AttributeError", "abs",
    "divmod", "range",
    "dict", "set", "list", "len", "bool", "enumerate", "zip", "map", "filter", "reversed", "sorted", "min", "max", "sum", "any", "all",
    "next", "chr", "ord", "isinstance", "type", "int", "float", "format", "round", "str", "repr",
)  # fmt: skip
_OTHERS: list[tuple[Any, str]] = [
    (builtins.tuple, "tupleOf"), (builtins.frozenset, "set"), (builtins.iter, "iterator"), (builtins.getattr, "attribute"),
    (builtins.hasattr, "hasAttribute"),
    (builtins.pow, "power"), (functools.reduce, "reduce"), (itertools.combinations, "combinations"), (itertools.pairwise, "pairwise"),
    (itertools.product, "product"), (itertools.chain, "chain"), (math.isqrt, "isqrt"), (math.comb, "comb"),
    (math.fsum, "fsum"), (time.perf_counter, "seconds"), (operator.or_, "or"),
    (operator.and_, "and"), (operator.xor, "xor"), (operator.add, "add"), (operator.sub, "sub"), (operator.mul, "mul"),
    (collections.Counter, "counter"), (dataclasses.replace, "replace"), (dataclasses.fields, "fieldsOf"), (np.uint64, "uint64"),
    (np.int64, "int"), (np.float64, "float"), (np.bool_, "bool"), (popcount, "popcount"), (trailing_zeros, "trailingZeros"),
    (with_item, "withItem"), (ast.literal_eval, "literal"), (plain_values, "plain"), (state_from_values, "stateFromValues"),
    (json.loads, "json"), (_plain, "told"),
    (np.generic, "Word"), (np.integer, "Word"),
]  # fmt: skip

NATIVE: dict[int, str] = {id(getattr(builtins, name)): name for name in _SAME} | {
    id(one): name for one, name in _OTHERS
}
"""By the identity of a live object the name that it has in host/python.js."""

METHODS = frozenset((
    "join", "split", "strip", "lstrip", "rstrip", "splitlines", "startswith", "endswith", "removeprefix", "removesuffix",
    "replace", "lower", "upper", "casefold", "capitalize", "title", "count", "find", "rfind", "index", "ljust", "rjust", "center",
    "zfill", "isdecimal", "isdigit", "isalpha", "isalnum", "isspace", "isascii", "isupper", "islower", "partition", "rpartition",
    "translate", "format", "append", "extend", "insert", "copy", "clear", "pop", "remove", "reverse", "sort", "tolist",
    "_replace", "_asdict", "get", "items", "keys", "values", "setdefault", "update", "add", "discard", "union", "intersection",
    "difference", "issubset", "issuperset", "isdisjoint", "bit_count", "bit_length", "item", "is_integer", "group", "groups",
    "groupdict", "start", "end", "search", "match", "fullmatch", "finditer", "findall", "sub",
))  # fmt: skip
"""Names of methods that host/python.js has for values of Python's own kinds."""

OF_BYTES = frozenset(dir(bytes)) - frozenset(dir(str))
"""Names of methods that bytes alone have, which do not occur."""

FIELDS = frozenset(("name", "default", "args", "_fields", "__name__"))
"""Names of attributes of these values, and of errors."""

PATTERN_FUNCTIONS = {
    id(getattr(re, name)): name
    for name in ("match", "fullmatch", "search", "findall", "finditer", "split", "sub")
}
"""Functions of `re` that take a pattern first: they become methods of that pattern."""


def native(value: Any) -> str | None:
    """The name of what stands for an object in host/python.js; None where it is to be translated."""
    if getattr(value, "__self__", None) is dict and getattr(value, "__name__", "") == "fromkeys":
        return "fromkeys"  # another object each time that it is asked for
    return NATIVE.get(id(value))


RESERVED = frozenset(
    (
        "arguments",
        "await",
        "break",
        "case",
        "catch",
        "class",
        "const",
        "continue",
        "debugger",
        "default",
        "delete",
        "do",
        "else",
        "enum",
        "eval",
        "export",
        "extends",
        "false",
        "finally",
        "for",
        "function",
        "if",
        "implements",
        "import",
        "in",
        "instanceof",
        "interface",
        "let",
        "new",
        "null",
        "package",
        "private",
        "protected",
        "public",
        "return",
        "static",
        "super",
        "switch",
        "this",
        "throw",
        "true",
        "try",
        "typeof",
        "undefined",
        "var",
        "void",
        "while",
        "with",
        "yield",
        "NaN",
        "Infinity",
        "host",
        "python",
    )
)


def mangled(name: str) -> str:
    """A Python name as one of JavaScript's."""
    if not name.isascii():
        raise ExportError(f"the name {name!r} cannot be translated to JavaScript: it is not ASCII")
    return f"{name}_" if name in RESERVED else name
