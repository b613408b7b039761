"""The fields of an object from a replay's file."""

from typing import NoReturn

from ..json_fields import Fields


class ReplayError(ValueError):
    """A file that is no replay; the message says where, and what was expected."""


def fail(where: str, problem: str) -> NoReturn:
    """Refuse a file."""
    raise ReplayError(f"{where}: {problem}")


class ReplayFields(Fields):
    """Those of a replay."""

    error = ReplayError
