"""JSON that others wrote: its objects, and their fields, each taken with its kind and range checked."""

import json
from collections.abc import Callable
from typing import Any, ClassVar, NoReturn

_NEEDED: Any = object()
_KINDS = {
    str: "a string", int: "a whole number", float: "a number", list: "a list", dict: "an object", bool: "true or false",
    type(None): "null",
}  # fmt: skip
_LARGEST = 1e15


def json_object(text: bytes | str) -> dict[str, Any]:
    """The JSON object of a text; raises ValueError in a few words for any other text, and for numbers that are none."""
    try:
        data = json.loads(text.removeprefix("\ufeff") if isinstance(text, str) else text.decode("utf-8-sig"), parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"no JSON: {str(error).splitlines()[0]}") from None
    if not isinstance(data, dict):
        raise ValueError("expected a JSON object")
    return data  # pyright: ignore[reportUnknownVariableType]


def _no_constant(text: str) -> NoReturn:
    raise ValueError(f"{text} is no number")


class Fields:
    """An object's fields. What is wrong is told as an `error`, after `where` the object stands.

    With a `default` a field may be missing, or null.
    """

    error: ClassVar[Callable[[str], Exception]] = ValueError

    def __init__(self, data: dict[str, Any], where: str = "") -> None:
        self._data, self.where = data, where

    def __contains__(self, name: str) -> bool:
        return name in self._data

    def refuse(self, problem: str) -> NoReturn:
        """Raise the error."""
        raise type(self).error(f"{self.where}: {problem}" if self.where else problem)

    def take(self, name: str, *kinds: type, default: Any = _NEEDED) -> Any:
        """The value of a field of one of these kinds; a number is below 1e15."""
        value = self._taken(name, kinds, default)
        return value if value is default else self.checked(name, value, kinds)

    def checked(self, name: str, value: Any, kinds: tuple[type, ...]) -> Any:
        """The value of a field, or a part of it, if it is of one of these kinds."""
        self._check_kind(name, value, kinds)
        if isinstance(value, int | float) and not abs(value) < _LARGEST:
            self.refuse(f"{name!r} is too large")
        return value

    def pair(self, name: str, *kinds: type, most: int | None = None, default: Any = _NEEDED) -> Any:
        """Two values, one for each player; texts of so many characters at most."""
        values = self.take(name, list, default=default)
        if values is default:
            return default
        if len(values) != 2:
            self.refuse(f"{name!r} must have one entry for each player")
        for value in values:
            self.checked(name, value, kinds)
            if most is not None and len(value) > most:
                self.refuse(f"{name!r} is longer than {most} characters")
        return tuple(values)

    def text(self, name: str, most: int, default: Any = _NEEDED) -> Any:
        """A text of so many characters at most."""
        value = self._taken(name, (str,), default)
        if value is not default and len(value) > most:
            self.refuse(f"{name!r} is longer than {most} characters")
        return value

    def items(self, name: str, most: int, default: Any = _NEEDED) -> Any:
        """A list of so many entries at most."""
        value = self._taken(name, (list,), default)
        if value is not default and len(value) > most:
            self.refuse(f"{name!r} has more than {most} entries")
        return value

    def integer(self, name: str, low: int, high: int, default: Any = _NEEDED) -> Any:
        """A whole number in a range."""
        value = self._taken(name, (int,), default)
        if value is not default and not low <= value <= high:
            self.refuse(f"{name!r} must be {low} to {high}, not {json.dumps(value)[:40]}")
        return value

    def number(self, name: str, low: float, high: float, default: Any = _NEEDED) -> Any:
        """A number in a range."""
        value = self._taken(name, (int, float), default)
        if value is not default and not low <= value <= high:
            self.refuse(f"{name!r} must be {low:g} to {high:g}, not {json.dumps(value)[:40]}")
        return value

    def flag(self, name: str, default: bool = False) -> bool:
        """True or false."""
        return self._taken(name, (bool,), default)

    def _taken(self, name: str, kinds: tuple[type, ...], default: Any) -> Any:
        if default is not _NEEDED and self._data.get(name) is None:
            return default
        if name not in self._data:
            self.refuse(f"{name!r} is missing")
        self._check_kind(name, self._data[name], kinds)
        return self._data[name]

    def _check_kind(self, name: str, value: Any, kinds: tuple[type, ...]) -> None:
        # To Python true is a whole number; here it is not.
        if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
            self.refuse(f"{name!r} must be {' or '.join(_KINDS[kind] for kind in kinds)}, not {json.dumps(value)[:40]}")
