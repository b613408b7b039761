"""From a spec to an algorithm's settings: `alphabeta(evaluator=voronoi(scale=10), table=false)`."""

from dataclasses import MISSING, fields
from typing import Any, cast, get_args

from ..algorithms import ALGORITHMS, Algorithm
from ..compiled import Component
from ..evaluators.catalogue import EVALUATORS
from ..spec import Spec, SpecError, Value, suggestion

_COMPONENTS = ("evaluator", "decided")


def make_algorithm(spec: Spec) -> Algorithm:
    """The algorithm that a spec describes; raises SpecError in one sentence."""
    chosen = ALGORITHMS.get(spec.name)
    if chosen is None:
        raise SpecError(f"no algorithm is called {spec.name!r}{suggestion(spec.name, ALGORITHMS)}")
    return _built(chosen, spec)


def make_evaluator(spec: Spec) -> Component:
    """The evaluator that a spec describes; raises SpecError in one sentence."""
    chosen = EVALUATORS.get(spec.name)
    if chosen is None:
        raise SpecError(f"no evaluator is called {spec.name!r}{suggestion(spec.name, EVALUATORS)}")
    return _built(chosen, spec)


def current_options(cls: Any, spec: Spec) -> dict[str, Value]:
    """The options by the names they have today: those of a class's `former_options` may be there by the names they once had."""
    former: dict[str, str] = getattr(cls, "former_options", {})
    for old in spec.options:
        if old in former and former[old] in spec.options:
            raise SpecError(f"{spec.name} has {old} and {former[old]}, two names of one option; expected one of them")
    return {former.get(key, key): value for key, value in spec.options.items()}


def _built(cls: Any, spec: Spec) -> Any:
    known = {field.name: None if field.default is MISSING else field.default for field in fields(cls)}
    switches = {field.name for field in fields(cls) if bool in get_args(field.type)}
    options: dict[str, Any] = {}
    for key, value in current_options(cls, spec).items():
        if key not in known:
            if not known:
                raise SpecError(f"{spec.name} has no options")
            raise SpecError(f"{spec.name} has no option {key!r}{suggestion(key, known)}")
        options[key] = _fitting(spec, key, value, known[key])
        if key in switches and not isinstance(value, bool | None):
            raise SpecError(f"{spec.name}: {key} takes true or false, not {value!r}")
    try:
        return cls(**options)
    except (TypeError, ValueError) as error:
        raise SpecError(f"{spec}: {error}") from error


def _fitting(spec: Spec, key: str, value: Value, default: Any) -> Any:
    """The value as the option takes it: its kind is told by the option's default."""
    if (key in _COMPONENTS or isinstance(default, Component)) and value is not None:
        if not isinstance(value, (str, Spec)):
            raise SpecError(f"{spec.name}: {key} takes an evaluator such as voronoi, not {value!r}")
        return make_evaluator(Spec(value) if isinstance(value, str) else value)
    if isinstance(default, float) and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if default is not None and type(value) is not type(default):
        kind = {bool: "true or false", int: "a whole number", float: "a number", str: "a word"}.get(cast(Any, type(default)), "nothing")
        raise SpecError(f"{spec.name}: {key} takes {kind}, not {value if isinstance(value, Spec) else repr(value)}")
    return cast(Any, value)
