"""The evaluators by their names in specs: those for kinds of games, as `evaluators/__init__.pyi` lists them, and those of each game."""

import functools
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib import import_module
from pathlib import Path

from ..compiled import Component
from ..game import Game
from ..lazy import homes_of
from ..spec import SpecError, name_of
from .games import GAMES

_SHARED = Path(__file__).parents[1] / "evaluators"
_PACKAGE = __name__.rsplit(".", 2)[0] + ".evaluators"


def spec_name(class_name: str) -> str:
    """A class's name in specs: VoronoiEdges is `voronoi_edges`."""
    return re.sub(r"(?<=.)(?=[A-Z])", "_", class_name).lower()


def _names_of(places: Iterable[str]) -> list[str]:
    return [spec_name(place.partition(":")[2]) for place in places]


class _ByName(Mapping[str, type[Component]]):
    """The classes, each imported when it is asked for."""

    @functools.cached_property
    def _shared(self) -> dict[str, tuple[str, str]]:
        return {spec_name(name): (name, home) for name, home in homes_of(_SHARED).items()}

    @functools.cached_property
    def _of_games(self) -> dict[str, Callable[[], type[Component]]]:
        return {
            spec_name(place.partition(":")[2]): functools.partial(entry.load, place)
            for entry in GAMES.values()
            for place in entry.description.evaluators
        }

    def __getitem__(self, name: str) -> type[Component]:
        if name not in self._shared:
            return self._of_games[name]()
        class_name, home = self._shared[name]
        return getattr(import_module(f"{_PACKAGE}.{home}"), class_name)

    def __iter__(self) -> Iterator[str]:
        yield from self._shared
        yield from (name for name in self._of_games if name not in self._shared)

    def __len__(self) -> int:
        return len(set(self))

    def made_for(self, game: Game) -> list[str]:
        """The evaluators of this game, and those for kinds of games where it has what they need."""
        return [*(name for name in self._shared if self._is_for(self[name], game)), *self.own_of(game)]

    def own_of(self, game: Game) -> list[str]:
        """The evaluators of this game alone."""
        entry = GAMES.get(game.name)
        names = [] if entry is None else _names_of(entry.description.evaluators)
        return [name for name in names if _is_made_for(self[name], game)]

    @staticmethod
    def _is_for(kind: type[Component], game: Game) -> bool:
        """Whether an evaluator for kinds of games is made for this one; one that a file tells of is made for none without it."""
        return not getattr(kind, "is_from_file", False) and all(hasattr(type(game), one) for one in getattr(kind, "needs", ()))

    def check(self, evaluator: Component, game: Game) -> None:
        """Raise SpecError, in one sentence, for an evaluator of this library that is made for other games."""
        if (check_game := getattr(evaluator, "check_game", None)) is not None:
            try:
                check_game(game)
            except ValueError as error:
                raise SpecError(str(error)) from error
            return
        name = spec_name(type(evaluator).__name__)
        if name not in self or self[name] is not type(evaluator):  # somebody's own, who knows what it is for
            return
        if name in self._shared:
            fits = self._is_for(type(evaluator), game)
        else:
            fits = any(isinstance(game, entry.game_class) for entry in GAMES.values() if name in _names_of(entry.description.evaluators))
            fits = fits and _is_made_for(evaluator, game)
        if not fits:
            known = ", ".join(self.made_for(game)) or "none"
            raise SpecError(f"the evaluator {name} is not made for {name_of(game)}; made for it: {known}")


def _is_made_for(evaluator: Component | type[Component], game: Game) -> bool:
    """Whether an evaluator holds for the game's parameters; one that does not say holds for all."""
    holds = getattr(evaluator, "is_made_for", None)
    return holds is None or holds(game)


EVALUATORS = _ByName()
"""Evaluators by their names in specs."""
