"""Short names in the place of players' specs, for the page alone: the plain data keep the specs."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ..ledger import Entry


def renamed(data: Any, names: Mapping[str, str]) -> Any:
    """Plain data in which every text that is one of these specs is its name instead."""
    if isinstance(data, str):
        return names.get(data, data)
    if isinstance(data, dict):
        return {names.get(key, key): renamed(value, names) for key, value in data.items()}  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    if isinstance(data, (list, tuple)):
        return [renamed(value, names) for value in data]  # pyright: ignore[reportUnknownVariableType]
    return data


def renamed_entry(entry: Entry, names: Mapping[str, str]) -> Entry:
    """A game whose players have their names."""
    a, b = (names.get(spec, spec) for spec in entry.played.job.players)
    return replace(entry, played=replace(entry.played, job=replace(entry.played.job, players=(a, b))))
