"""What a fit names by specs: the search, the evaluator of the first games, the players that come of them."""

from pathlib import Path

from ..algorithms import Algorithm
from ..game import Game
from ..roster.algorithms import make_algorithm
from ..spec import Spec, parse_own, parse_spec


def evaluator_spec(text: str) -> Spec:
    """The spec of an evaluator, which may be a class in a file of somebody's own."""
    return parse_own(text) or parse_spec(text)


def fitted_spec(file: Path | str) -> Spec:
    """The evaluator of a file of weights."""
    return Spec("fitted", {"file": str(file)})


def search_of(search: str, start: str | None) -> Algorithm:
    """The search, with the evaluator of the first games or without one. Raises SpecError in one sentence."""
    spec = parse_spec(search)
    options = {key: value for key, value in spec.options.items() if key != "choice"}
    return make_algorithm(Spec(spec.name, options if start is None else options | {"evaluator": evaluator_spec(start)}))


def player_spec(game: Game, search: str, evaluator: Spec | None) -> str:
    """The player of a search with that evaluator: where both move at once it draws from its mixture."""
    spec = parse_spec(search)
    options = dict(spec.options)
    if evaluator is not None:
        options["evaluator"] = evaluator
    if not game.turn_based:
        options.setdefault("choice", "mixture")
    return str(Spec(spec.name, options))
