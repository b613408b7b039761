"""Searches and evaluators made from specs: those of this library by name, and classes in a user's file."""

import ast
import functools
import inspect
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, cast, get_args

from ...algorithms import ALGORITHMS, Algorithm
from ...algorithms.sampling.selections import SELECTIONS, Selection
from ...compiled import Component
from ...game.base import Game
from ...game.own_games import load_class
from ...game.spec import COMMAND, Spec, SpecError, Value, name_of, parse_own, parse_spec, suggestion
from ...system.foreign import path_of
from ...system.lazy import homes_of
from .games import GAMES

_SHARED = Path(__file__).parents[2] / "evaluators"
_PACKAGE = __name__.rsplit(".", 3)[0] + ".evaluators"


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
        """Whether an evaluator for kinds of games fits this game; never for one that has to look at the game first."""
        return not hasattr(kind, "check_game") and all(
            hasattr(type(game), one) for one in getattr(kind, "needs", ())
        )

    def check(self, evaluator: Component, game: Game) -> None:
        """Raise SpecError, in one sentence, for an evaluator of this library that is made for other games."""
        if (check_game := getattr(evaluator, "check_game", None)) is not None:
            try:
                check_game(game)
            except ValueError as error:
                raise SpecError(str(error)) from error
            return
        name = spec_name(type(evaluator).__name__)
        # A user's own is left out: only the user knows its purpose.
        if name not in self or self[name] is not type(evaluator):
            return
        if name in self._shared:
            fits = self._is_for(type(evaluator), game)
        else:
            fits = any(
                isinstance(game, entry.game_class)
                for entry in GAMES.values()
                if name in _names_of(entry.description.evaluators)
            )
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


# Searches and evaluators in somebody's own file: `./mine.py:Mine(scale=10)` where a spec names one.


def own_class(spec: Spec, kind: type) -> Any:
    """The class that a spec names in a file, which is run; raises SpecError in one sentence."""
    try:
        file, _, name = spec.name.rpartition(":")
        return load_class(file, name, kind)
    except ValueError as error:
        raise SpecError(str(error)) from error


def player_spec(spec: str | Spec) -> Spec:
    """The spec of a player; a search in a file, which is written as a program is, is the search."""
    parsed = parse_spec(spec) if isinstance(spec, str) else spec
    return own_search(parsed) or parsed


def own_search(spec: Spec) -> Spec | None:
    """The search in a file that a spec names where programs are named, too; None for a program.

    The file is read for that and not run: a search is a class that is made of one of the library's.
    """
    command = spec.options.get("command")
    own = (
        parse_own(command)
        if spec.name == COMMAND and len(spec.options) == 1 and isinstance(command, str)
        else None
    )
    return own if own is not None and _is_search(own) else None


def _is_search(spec: Spec) -> bool:
    file, _, name = spec.name.rpartition(":")
    try:
        tree = ast.parse(path_of(file).read_bytes())
    except (OSError, ValueError, SyntaxError):
        return False
    known = {kind.__name__ for algorithm in ALGORITHMS.values() for kind in algorithm.__mro__[:-1]}
    return any(
        isinstance(node, ast.ClassDef)
        and node.name == name
        and known & {ast.unparse(base).rpartition(".")[2] for base in node.bases}
        for node in tree.body
    )


# From a spec's options to what takes them: `alphabeta(evaluator=voronoi(scale=10), table=false)` is an algorithm's settings.

_COMPONENTS = ("evaluator", "decided")
_KINDS = {bool: "true or false", int: "a whole number", float: "a number", str: "a word"}


def make_algorithm(spec: Spec, besides: Iterable[str] = ()) -> Algorithm:
    """The algorithm that a spec describes; raises SpecError in one sentence, which names the options `besides` too."""
    kind = own_class(spec, Algorithm) if spec.is_own else _known("algorithm", ALGORITHMS, spec)
    return built(kind, spec, besides=besides)


def check_search_of(algorithm: Algorithm, game: Game) -> None:
    """Raise UnsupportedGameError or SpecError, in one sentence, where the algorithm or its evaluator is not made for this game."""
    for part in vars(algorithm).values():
        if isinstance(part, Component):
            EVALUATORS.check(part, game)
    algorithm.check(game)


def make_evaluator(spec: Spec) -> Component:
    """The evaluator that a spec describes; raises SpecError in one sentence."""
    return built(own_class(spec, Component) if spec.is_own else _known("evaluator", EVALUATORS, spec), spec)


def make_selection(spec: Spec) -> Component:
    """The selection of a sampled tree that a spec describes; raises SpecError in one sentence."""
    return built(own_class(spec, Selection) if spec.is_own else _known("selection", SELECTIONS, spec), spec)


def _known(what: str, catalogue: Mapping[str, Any], spec: Spec) -> Any:
    chosen = catalogue.get(spec.name)
    if chosen is None:
        raise SpecError(f"no {what} is called {spec.name!r}{suggestion(spec.name, catalogue)}")
    return chosen


def built(make: Callable[..., Any], spec: Spec, *first: Any, besides: Iterable[str] = ()) -> Any:
    """The result of `make` with `first` and a spec's options, its further parameters.

    Raises SpecError in one sentence.
    """
    parameters = dict(list(inspect.signature(make).parameters.items())[len(first) :])
    check_options(spec, spec.options, [*besides, *parameters])
    options = {key: _fitting(spec, key, value, parameters[key]) for key, value in spec.options.items()}
    try:
        return make(*first, **options)
    except (TypeError, ValueError) as error:
        raise SpecError(f"{spec}: {error}") from error


def check_options(spec: Spec, given: Iterable[str], known: Iterable[str]) -> None:
    """Raise SpecError, which lists those there are, for an option that is not known."""
    names = list(known)
    for key in given:
        if key not in names:
            raise SpecError(
                f"{spec.name} has no option {key!r}{suggestion(key, names)}"
                if names
                else f"{spec.name} has no options"
            )


def _fitting(spec: Spec, key: str, value: Value, parameter: inspect.Parameter) -> Any:
    """The value as the option takes it: its kind follows from the option's default, or its type."""
    default = None if parameter.default is parameter.empty else parameter.default
    is_selection = key == "selection"
    if is_selection or ((key in _COMPONENTS or isinstance(default, Component)) and value is not None):
        if not isinstance(value, (str, Spec)):
            taken = "one such as rm or ./mine.py:Mine" if is_selection else "an evaluator such as voronoi"
            raise SpecError(f"{spec.name}: {key} takes {taken}, not {value!r}")
        make = make_selection if is_selection else make_evaluator
        return make(Spec(value) if isinstance(value, str) else value)
    if isinstance(default, float) and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if type(default) is int and isinstance(value, float) and value.is_integer():
        return int(value)
    switch = default is None and value is not None and bool in get_args(parameter.annotation)
    wanted: type = bool if switch else type(value if default is None else default)
    if type(value) is not wanted:
        shown = value if isinstance(value, Spec) else repr(value)
        raise SpecError(f"{spec.name}: {key} takes {_KINDS.get(wanted, 'nothing')}, not {shown}")
    return cast(Any, value)
