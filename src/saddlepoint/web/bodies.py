"""What a client sends, with its size, time and kinds checked."""

import json
import math
from typing import Any, NoReturn

import anyio
from starlette.requests import ClientDisconnect, Request

from . import limits
from .errors import Refused

_DEEPEST = 8
_MISSING: Any = object()
_KINDS = {str: "text", int: "a whole number", float: "a number", list: "a list", bool: "true or false"}


async def read_body(request: Request, most: int = limits.MESSAGE) -> bytes:
    """A request's body, of so many bytes at most."""
    length = request.headers.get("content-length", "")
    if length.isdigit() and int(length) > most:
        raise Refused(f"the request has more than {most} bytes", 413)
    parts: list[bytes] = []
    size = 0
    try:
        with anyio.fail_after(limits.BODY_SECONDS):
            async for part in request.stream():
                size += len(part)
                if size > most:
                    raise Refused(f"the request has more than {most} bytes", 413)
                parts.append(part)
    except TimeoutError:
        raise Refused("the request did not arrive in time", 408) from None
    except ClientDisconnect:
        raise Refused("the client is gone") from None
    return b"".join(parts)


async def read_json(request: Request) -> "Fields":
    """The JSON object that a request carries."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise Refused("expected JSON, with the content type application/json", 415)
    return parsed(await read_body(request))


def parsed(text: bytes | str) -> "Fields":
    """The JSON object of a body or message."""
    if len(text) > limits.MESSAGE:
        raise Refused(f"the message has more than {limits.MESSAGE} bytes", 413)
    try:
        data = json.loads(text, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise Refused("this is no JSON") from None
    if not isinstance(data, dict):
        raise Refused("expected a JSON object")
    _check_depth(data)  # pyright: ignore[reportUnknownArgumentType]
    return Fields(data)  # pyright: ignore[reportUnknownArgumentType]


def _no_constant(text: str) -> NoReturn:
    raise ValueError(text)


def _check_depth(data: Any) -> None:
    level = [data]
    for _ in range(_DEEPEST):
        level = [item for one in level for item in (one.values() if isinstance(one, dict) else one) if isinstance(item, (dict, list))]  # pyright: ignore[reportUnknownVariableType]
        if not level:
            return
    raise Refused("the JSON is nested too deep")


class Fields:
    """An object's fields, each taken with its kind and range checked."""

    def __init__(self, data: dict[str, Any]) -> None:
        self._data = data

    def __contains__(self, name: str) -> bool:
        return self._data.get(name) is not None

    def text(self, name: str, most: int, default: Any = _MISSING) -> Any:
        """A text of so many characters at most."""
        value = self._take(name, (str,), default)
        if isinstance(value, str) and len(value) > most:
            raise Refused(f"{name} is longer than {most} characters")
        return value

    def integer(self, name: str, low: int, high: int, default: Any = _MISSING) -> Any:
        """A whole number in a range."""
        value = self._take(name, (int,), default)
        if value is not default and not low <= value <= high:
            raise Refused(f"{name} must be {low} to {high}")
        return value

    def number(self, name: str, low: float, high: float, default: Any = _MISSING) -> Any:
        """A number in a range."""
        value = self._take(name, (int, float), default)
        if value is not default and not (low <= value <= high and math.isfinite(value)):
            raise Refused(f"{name} must be {low:g} to {high:g}")
        return value

    def flag(self, name: str, default: bool = False) -> bool:
        """True or false."""
        value = self._data.get(name, default)
        if not isinstance(value, bool):
            raise Refused(f"{name} must be true or false")
        return value

    def items(self, name: str, most: int, default: Any = _MISSING) -> Any:
        """A list of so many entries at most."""
        value = self._take(name, (list,), default)
        if isinstance(value, list) and len(value) > most:  # pyright: ignore[reportUnknownArgumentType]
            raise Refused(f"{name} has more than {most} entries")
        return value  # pyright: ignore[reportUnknownVariableType]

    def pair_of_texts(self, name: str, most: int, default: tuple[str, str]) -> tuple[str, str]:
        """Two texts, one for each player."""
        value = self.items(name, 2, None)
        if value is None:
            return default
        if len(value) != 2 or not all(isinstance(one, str) and len(one) <= most for one in value):
            raise Refused(f"{name} must be two texts of {most} characters at most")
        return value[0], value[1]

    def _take(self, name: str, kinds: tuple[type, ...], default: Any) -> Any:
        value = self._data.get(name)
        if value is None:
            if default is _MISSING:
                raise Refused(f"{name} is missing")
            return default
        if not isinstance(value, kinds) or isinstance(value, bool):
            raise Refused(f"{name} must be {_KINDS[kinds[0]]}")
        return value
