"""The evaluators by their names in specs, as `__init__.pyi` lists them."""

import re
from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path

from ..compiled import Component
from ..lazy import homes_of


def spec_name(class_name: str) -> str:
    """A class's name in specs: VoronoiEdges is `voronoi_edges`."""
    return re.sub(r"(?<=.)(?=[A-Z])", "_", class_name).lower()


class _ByName(Mapping[str, type[Component]]):
    """The classes, each imported when it is asked for."""

    def __init__(self) -> None:
        self._homes = {spec_name(name): (name, home) for name, home in homes_of(Path(__file__).parent).items()}

    def __getitem__(self, name: str) -> type[Component]:
        class_name, home = self._homes[name]
        return getattr(import_module(f".{home}", __package__), class_name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._homes)

    def __len__(self) -> int:
        return len(self._homes)


EVALUATORS: Mapping[str, type[Component]] = _ByName()
"""Evaluators by their names in specs."""
