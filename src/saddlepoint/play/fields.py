"""The fields of an object from a file that is not trusted, taken with their types checked."""

import json
import math
from typing import Any, NoReturn


class ReplayError(ValueError):
    """A file that is no replay; the message says where, and what was expected."""


def fail(where: str, problem: str) -> NoReturn:
    """Refuse a file."""
    raise ReplayError(f"{where}: {problem}")


class Fields:
    """An object's fields, each taken with its type checked."""

    def __init__(self, data: dict[str, Any], where: str) -> None:
        self._data, self.where = data, where

    def __contains__(self, name: str) -> bool:
        return name in self._data

    def take(self, name: str, *kinds: type) -> Any:
        """The value of a field that must be there."""
        if name not in self._data:
            fail(self.where, f"{name!r} is missing")
        return self.checked(name, self._data[name], kinds)

    def pair(self, name: str, *kinds: type) -> Any:
        """Two values, one for each player."""
        values = self.take(name, list)
        if len(values) != 2:
            fail(self.where, f"{name!r} must have one entry for each player")
        return tuple(self.checked(name, value, kinds) for value in values)

    def checked(self, name: str, value: Any, kinds: tuple[type, ...]) -> Any:
        """The value, if it is of one of these kinds."""
        # To Python true is a whole number; to a replay it is not.
        if not isinstance(value, kinds) or isinstance(value, bool):
            wanted = " or ".join(_KIND_NAMES[kind] for kind in kinds)
            fail(self.where, f"{name!r} must be {wanted}, not {json.dumps(value)[:40]}")
        if isinstance(value, (int, float)) and not (math.isfinite(value) and abs(value) < 1e15):
            fail(self.where, f"{name!r} is too large")
        return value


_KIND_NAMES = {
    str: "a string", int: "a whole number", float: "a number", list: "a list", dict: "an object", type(None): "null"
}
