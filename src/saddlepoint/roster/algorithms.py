"""From a spec's options to what takes them: `alphabeta(evaluator=voronoi(scale=10), table=false)` is an algorithm's settings."""

import inspect
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, cast, get_args

from ..compiled import Component
from ..spec import Spec, SpecError, Value, suggestion
from .evaluators import EVALUATORS
from .own_classes import own_algorithm, own_class

if TYPE_CHECKING:  # a named player needs one of them, and starts the sooner without the others
    from ..algorithms import Algorithm
    from ..game import Game

_COMPONENTS = ("evaluator", "decided")
_KINDS = {bool: "true or false", int: "a whole number", float: "a number", str: "a word"}


def make_algorithm(spec: Spec, besides: Iterable[str] = ()) -> "Algorithm":
    """The algorithm that a spec describes; raises SpecError in one sentence, which names the options `besides` too."""
    from ..algorithms import ALGORITHMS

    kind = own_algorithm(spec) if spec.is_own else _known("algorithm", ALGORITHMS, spec)
    return built(kind, spec, besides=besides)


def check_search_of(algorithm: "Algorithm", game: "Game") -> None:
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
    from ..algorithms.sampling.selections import SELECTIONS, Selection

    return built(own_class(spec, Selection) if spec.is_own else _known("selection", SELECTIONS, spec), spec)


def _known(what: str, catalogue: Mapping[str, Any], spec: Spec) -> Any:
    chosen = catalogue.get(spec.name)
    if chosen is None:
        raise SpecError(f"no {what} is called {spec.name!r}{suggestion(spec.name, catalogue)}")
    return chosen


def built(make: Callable[..., Any], spec: Spec, *first: Any, besides: Iterable[str] = ()) -> Any:
    """What `make` makes of `first` and a spec's options, which are its further parameters; raises SpecError in one sentence."""
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
            raise SpecError(f"{spec.name} has no option {key!r}{suggestion(key, names)}" if names else f"{spec.name} has no options")


def _fitting(spec: Spec, key: str, value: Value, parameter: inspect.Parameter) -> Any:
    """The value as the option takes it: its kind is told by the option's default, or its type."""
    default = None if parameter.default is parameter.empty else parameter.default
    if key == "selection":
        if not isinstance(value, (str, Spec)):
            raise SpecError(f"{spec.name}: selection takes one such as rm or ./mine.py:Mine, not {value!r}")
        return make_selection(Spec(value) if isinstance(value, str) else value)
    if (key in _COMPONENTS or isinstance(default, Component)) and value is not None:
        if not isinstance(value, (str, Spec)):
            raise SpecError(f"{spec.name}: {key} takes an evaluator such as voronoi, not {value!r}")
        return make_evaluator(Spec(value) if isinstance(value, str) else value)
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
