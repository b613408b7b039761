"""JSON that others wrote, decoded into declared types; whatever is wrong with it is one sentence with the field and its range."""

import json
import re
from collections.abc import Callable
from typing import Annotated, Any, NoReturn, TypeVar

import msgspec
from msgspec import Meta

Number = Annotated[float, Meta(ge=-1e15, le=1e15)]
"""A number of a file: finite, and not larger than any that is meant."""

T = TypeVar("T")
_WORDS = {
    "str": "a string",
    "int": "a whole number",
    "float": "a number",
    "array": "a list",
    "object": "an object",
    "bool": "true or false",
}


def json_object(text: bytes | str) -> dict[str, Any]:
    """The JSON object of a text; raises ValueError in a few words for any other text, and for numbers that are none."""
    try:
        data = json.loads(
            text.removeprefix("\ufeff") if isinstance(text, str) else text.decode("utf-8-sig"),
            parse_constant=_no_constant,
        )
    except (ValueError, RecursionError) as error:
        raise ValueError(f"no JSON: {str(error).splitlines()[0]}") from None
    if not isinstance(data, dict):
        raise ValueError("expected a JSON object")
    return data  # pyright: ignore[reportUnknownVariableType]


def _no_constant(text: str) -> NoReturn:
    raise ValueError(f"{text} is no number")


def converted(data: Any, kind: type[T], where: str = "", error: Callable[[str], Exception] = ValueError) -> T:
    """Plain data as a value of a declared type, like a msgspec.Struct; unknown fields are left out.

    Raises `error` for data that do not fit, in one sentence that begins with `where` and names the field.
    """
    try:
        return msgspec.convert(data, kind)
    except RecursionError:
        problem = "the object is nested too deep"
    except msgspec.ValidationError as found:
        problem = _sentence(str(found))
    raise error(f"{where}: {problem}" if where else problem)


def _sentence(error: str) -> str:
    """The message of a msgspec error, with the field first."""
    text, _, path = error.partition(" - at `$")
    field = path.rstrip("`").removeprefix(".")
    if missing := re.fullmatch(r"Object missing required field `(.*)`", text):
        return f"{missing[1]!r} is missing{f' in {field!r}' if field else ''}"
    text = re.sub(r"`([^`]*)`", _in_words, text).replace(", got", ", not")
    return f"{repr(field) if field else 'the object'} {text.replace('Expected', 'must be').replace('Invalid', 'has an invalid')}"


def _in_words(found: re.Match[str]) -> str:
    """The names of types, as people say them."""
    return " or ".join(_WORDS.get(kind, kind) for kind in found[1].split(" | "))
