"""What stands in host/python.js for objects of Python, NumPy and this library that are not translated themselves."""

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
from typing import Any

import numpy as np

from ...compiled import popcount, trailing_zeros, with_item
from ...compiled.states import plain_values, state_from_values
from ...picture import _plain
from ..lowering import ExportError

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

NATIVE: dict[int, str] = {id(getattr(builtins, name)): name for name in _SAME} | {id(one): name for one, name in _OTHERS}
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
"""Names of attributes that such values, and errors, have."""

PATTERN_FUNCTIONS = {id(getattr(re, name)): name for name in ("match", "fullmatch", "search", "findall", "finditer", "split", "sub")}
"""Functions of `re` that take a pattern first: they become methods of that pattern."""


def native(value: Any) -> str | None:
    """The name of what stands for an object in host/python.js; None where it is to be translated."""
    if getattr(value, "__self__", None) is dict and getattr(value, "__name__", "") == "fromkeys":
        return "fromkeys"  # another object each time that it is asked for
    return NATIVE.get(id(value))


RESERVED = frozenset(
    ("arguments", "await", "break", "case", "catch", "class", "const", "continue", "debugger", "default", "delete", "do",
     "else", "enum", "eval", "export", "extends", "false", "finally", "for", "function", "if", "implements", "import", "in",
     "instanceof", "interface", "let", "new", "null", "package", "private", "protected", "public", "return", "static",
     "super", "switch", "this", "throw", "true", "try", "typeof", "undefined", "var", "void", "while", "with", "yield", "NaN",
     "Infinity", "host", "python")
)


def mangled(name: str) -> str:
    """A Python name as one of JavaScript's."""
    if not name.isascii():
        raise ExportError(f"the name {name!r} cannot be translated to JavaScript: it is not ASCII")
    return f"{name}_" if name in RESERVED else name
