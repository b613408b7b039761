"""Short names in the place of players' specs, where people read: in a ledger and in plain data the specs stay."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from .job import PlayedGame


def renamed(data: Any, name_of: Callable[[str], str]) -> Any:
    """Plain data with the name of every text in its place."""
    if isinstance(data, str):
        return name_of(data)
    if isinstance(data, dict):
        return {name_of(str(key)): renamed(value, name_of) for key, value in data.items()}  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    if isinstance(data, (list, tuple)):
        return [renamed(value, name_of) for value in data]  # pyright: ignore[reportUnknownVariableType]
    return data


def with_names(played: PlayedGame, names: Mapping[str, str]) -> PlayedGame:
    """The game with its players' names in the place of their specs."""
    a, b = (names.get(spec, spec) for spec in played.job.players)
    return played if (a, b) == played.job.players else replace(played, job=replace(played.job, players=(a, b)))
