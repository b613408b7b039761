"""Which search analyses a game, unless somebody says so."""

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from ..spec import Spec, SpecError, parse_spec
from .algorithms import check_search_of, make_evaluator
from .evaluators import EVALUATORS
from .make import algorithm_of

if TYPE_CHECKING:
    from ..algorithms import Algorithm
    from ..game import Game


class ChosenSearch(NamedTuple):
    """A search, and the spec of a player that compiles it; None where no spec says it."""

    algorithm: "Algorithm"
    player: str | None


def search_of(game: "Game", player: str | None = None, evaluator: str | None = None) -> ChosenSearch:
    """The search of a player that is given as a spec, with another evaluator if wanted.

    Without a player it is the search of `best`; where that does not search, or samples, or there is none, an equilibrium search if
    both players may move at once, else principal-variation search: their values can be proven. Raises SpecError in one sentence.
    """
    from ..algorithms import DoubleOracleBounds, PrincipalVariation

    name = player or "best"
    found = algorithm_of(name, game)
    if found is None and player is not None:
        raise SpecError(f"{player} does not search; choose another of `saddlepoint players`")
    if found is None or (player is None and not found.goes_by_depth):
        name, found = None, PrincipalVariation() if game.turn_based else DoubleOracleBounds()
    if evaluator is not None:
        name, found = None, replace(found, evaluator=make_evaluator(parse_spec(evaluator)))
        check_search_of(found, game)
    return ChosenSearch(found, name or _spec_of(found))


def stage_search_of(game: "Game", player: str | None = None, evaluator: str | None = None) -> ChosenSearch:
    """The search for the values of alternatives: as `search_of`, but one that goes by depth.

    Where both players may move at once it is an equilibrium search with the evaluator of `best`, unless `player` says another.
    """
    from ..algorithms import DoubleOracleBounds, PrincipalVariation

    chosen = search_of(game, player, evaluator)
    found = chosen.algorithm
    if not game.turn_based and player is None:
        found = DoubleOracleBounds(found.evaluator)
    elif not found.goes_by_depth:
        found = PrincipalVariation(found.evaluator) if game.turn_based else DoubleOracleBounds(found.evaluator)
    if found.evaluator is not None and "evaluate_for" in found.evaluator.kernels:
        found = replace(found, evaluator=None)  # what the root's player thinks is another thing after every move
    return chosen if found is chosen.algorithm else ChosenSearch(found, _spec_of(found))


def searches_of_best(game: "Game", analysed: "Algorithm") -> "list[tuple[int | None, Algorithm]]":
    """What `best` itself searches with, where that is another search than the one that analyses; empty where it is the same.

    Beside it which player it searches for: a serialised search lets that player commit first, and so reads a bound of the value.
    None: it is the same for both.
    """
    from ..algorithms import SerialisedAlphaBeta

    own = search_of(game).algorithm
    if isinstance(own, SerialisedAlphaBeta) and not game.turn_based:
        return [(player, replace(own, first=player)) for player in (0, 1)]
    return [] if own == analysed else [(None, own)]


def review_search_of(game: "Game", player: str | None = None, evaluator: str | None = None) -> ChosenSearch:
    """The search for the positions of a whole game: that of `best` as it is, if it goes by depth, else as `stage_search_of`."""
    chosen = search_of(game, player, evaluator)
    judge = chosen.algorithm.evaluator
    if not chosen.algorithm.goes_by_depth or (judge is not None and "evaluate_for" in judge.kernels):
        return stage_search_of(game, player, evaluator)
    return chosen


def described(game: "Game", algorithm: "Algorithm") -> str:
    """What searches, and for what."""
    judge = "no evaluator" if algorithm.evaluator is None else f"evaluator {type(algorithm.evaluator).__name__}"
    first = commits_first(game, algorithm)
    if first is not None:
        bound = "an upper" if first else "a lower"
        kind = f"player {first} commits first: the value is {bound} bound of the equilibrium's at the same depth by the same evaluator"
    else:
        of_stages = "Nash equilibrium search" if getattr(algorithm, "solves_stages", False) else "search of simultaneous moves"
        kind = "turn-based search" if game.turn_based else of_stages
    return f"{algorithm.title or algorithm.name}, {judge} ({algorithm.name}, {kind})"


def commits_first(game: "Game", algorithm: "Algorithm") -> int | None:
    """Who commits first in a serialised search; None where the search is none, or nobody chooses at the same time."""
    from ..algorithms import SerialisedAlphaBeta

    return algorithm.first if isinstance(algorithm, SerialisedAlphaBeta) and not game.turn_based else None


def _spec_of(algorithm: "Algorithm") -> str | None:
    """The spec of an algorithm with its usual settings and an evaluator with its usual ones; None for another."""
    evaluator = algorithm.evaluator
    name = next((name for name, kind in EVALUATORS.items() if type(evaluator) is kind), None)
    if algorithm != type(algorithm)(evaluator):
        return None
    if evaluator is None:
        return algorithm.name
    file = {"file": str(getattr(evaluator, "file", ""))} if getattr(evaluator, "is_from_file", False) else {}
    if name is None or evaluator != EVALUATORS[name](**file):
        return None
    return str(Spec(algorithm.name, {"evaluator": Spec(name, file) if file else name}))
