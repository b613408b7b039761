"""The requests of the analysis, checked, and its results as JSON."""

from typing import Any, NamedTuple

from ..algorithms import Algorithm, Limits, UnsupportedGameError
from ..algorithms.algorithm import commits_first
from ..algorithms.analysis import (
    Alternatives,
    BestMove,
    Counters,
    FoundDepth,
    Standing,
    as_proven,
    searched_form,
)
from ..evaluators.overlays import overlay_names
from ..game.base import CHANCE, Game
from ..game.spec import SpecError
from ..games.catalogue.make import (
    ChosenSearch,
    described,
    review_search_of,
    search_of,
    stage_search_of,
)
from ..games.catalogue.searches import EVALUATORS
from ..play.replay import FinishedGame
from . import limits
from .catalogue import KnownGame, check_player, check_search
from .limits import Refused, refusing
from .messages import Examination, Review
from .service import Service

_USUAL_REVIEW_SECONDS = 0.3


class AnalysisRequest(NamedTuple):
    known: KnownGame
    search: ChosenSearch
    alternatives: ChosenSearch | None
    """The algorithm for the alternatives, if they are wanted."""
    limits: Limits
    """Of the analysis, or of each turn of a review."""

    def searched(self, state: Any = None) -> Game:
        """The game as it is searched, from this position if it is given: without chance where it has such a form."""
        return searched_form(self.known.game, self.search.algorithm, state)


def request_of(asked: Examination, service: Service) -> AnalysisRequest:
    """The request in a message; raises Refused in one sentence."""
    known = service.games.find(asked.game)
    game, evaluator = known.game, asked.evaluator
    with refusing(SpecError, UnsupportedGameError, ValueError):
        player = None if asked.algorithm is None else check_player(asked.algorithm, game, ())
        judge = evaluator
        if evaluator is not None and (refusal := service.weights.refusal(evaluator, game)):
            raise Refused(refusal)
        if evaluator is not None and evaluator not in (one.spec for one in service.weights.evaluators(game)):
            judge = check_search(evaluator, game, EVALUATORS.made_for(game), "evaluator")
        if isinstance(asked, Review):
            return _review_of(asked, known, review_search_of(game, player, judge))
        search = search_of(game, player, judge)
        stages = stage_search_of(game, player, judge) if asked.alternatives else None
    known_overlays = overlay_names(game)
    for name in asked.overlays:
        if name not in known_overlays:
            raise Refused(
                f"this game has no overlay {name[:40]!r}; it has: {', '.join(known_overlays) or 'none'}"
            )
    return AnalysisRequest(known, search, stages, Limits(seconds=asked.seconds))


def _review_of(asked: Review, known: KnownGame, search: ChosenSearch) -> AnalysisRequest:
    low, high = known.game.min_utility, known.game.max_utility
    if asked.result is not None and not low <= asked.result <= high:
        raise Refused(f"'result' must be {low:g} to {high:g}, not {asked.result:g}")
    nodes, seconds = asked.nodes_per_turn, asked.seconds_per_turn
    if seconds is None:
        seconds = _USUAL_REVIEW_SECONDS if nodes is None else limits.REVIEW_SECONDS
    return AnalysisRequest(known, search, None, Limits(nodes=nodes, seconds=seconds))


# What the analysis saw, as JSON.


def counters(found: Counters) -> dict[str, Any]:
    return {
        "depth": found.depth,
        "nodes": found.nodes,
        "nodes_per_second": round(found.nodes_per_second),
        "table_hits": found.table_hits,
        "leaves": found.leaves,
        "seconds": round(found.seconds, 3),
    }


def found_depth(
    game: Game, state: Any, found: FoundDepth, algorithm: Algorithm, without_chance: bool = False
) -> dict[str, Any]:
    """A finished depth; `bound` says whether its value is only a lower or upper bound of the equilibrium's.

    `without_chance`: it is of the form of a game in which chance does nothing, so that nothing is proven of the game.
    """
    line = {"line": found.line.names(game, state), "line_actions": found.line}
    return (
        counters(found.counters)
        | found.to_json()
        | line
        | {
            "bound": _bound(game, algorithm),
            "without_chance": without_chance,
            "search": described(game, algorithm),
            "strategies": [
                [
                    [a, _name(game, state, player, a), p]
                    for a, p in sorted(found.strategies[player].items(), key=lambda one: -one[1])
                ]
                for player in (0, 1)
            ],
        }
    )


def alternatives(
    game: Game,
    state: Any,
    found: Alternatives,
    algorithm: Algorithm,
    proof: FoundDepth | None = None,
    prover: Algorithm | None = None,
    without_chance: bool = False,
) -> dict[str, Any]:
    """The values of all alternatives.

    `bound` says whether they are only lower or upper bounds of the equilibrium's.

    The value, the strategies and the line are those of these values. Where the values are estimates and another search, `prover`,
    has proven the position's value, they are the `proof`'s, and of the values those are left that are proven.
    """
    if proof is not None and prover is not None and not found.is_proven:
        found, algorithm, proven, finished = as_proven(found, proof), prover, True, proof.depth
    else:
        proven, finished = found.is_proven, found.finished
    data = {
        "bound": _bound(game, algorithm),
        "without_chance": without_chance,
        "algorithm": algorithm.name,
        "search": described(game, algorithm),
        "depth": found.depth,
        "finished": finished,
        "value": found.value,
        "exact": found.exact if found.is_stage else [exact for _, _, exact in found.moves],
        "proven": proven and _bound(game, algorithm) is None,
        "line": found.line.names(game, state),
        "line_actions": found.line,
        "lines": [_line_json(game, state, one, _bound(game, algorithm)) for one in found.lines],
    }
    if found.is_stage:
        return data | {
            "rows": [[a, _name(game, state, 0, a)] for a in found.rows],
            "columns": [[a, _name(game, state, 1, a)] for a in found.columns],
            "values": found.values,
            "mixtures": found.mixtures,
        }
    return data | {
        "player": found.node,
        "moves": [[a, _name(game, state, found.node, a), v] for a, v, _ in found.moves],
    }


def _line_json(game: Game, state: Any, one: BestMove, bound: str | None) -> dict[str, Any]:
    """One of the best moves of a player; `bound` says whether its value is only a lower or upper bound."""
    bound = one.bound or bound
    return {
        "player": one.player,
        "action": one.action,
        "value": one.value,
        "exact": one.exact and bound is None,
        "bound": bound,
        "line": one.line.names(game, state),
        "line_actions": one.line,
    }


def reviewed_position(played: FinishedGame, one: Standing, done: int, expected: int) -> dict[str, Any]:
    """A position of a game that is reviewed, and how many searches are done, of how many at most."""
    return {
        "step": one.step,
        "turn": played.turns.number(one.step),
        "value": one.value,
        "depth": one.depth,
        "exact": one.exact,
        "played": [played.move(one.step, p) or None for p in (0, 1)],
        "done": done,
        "expected": expected,
    }


def _bound(game: Game, algorithm: Algorithm) -> str | None:
    """The bound of a serialised search's value, "lower" or "upper", where both move at once; else None."""
    first = commits_first(game, algorithm)
    return None if first is None else ("lower", "upper")[first]


def _name(game: Game, state: Any, player: int, action: int) -> str:
    return (
        game.outcome_to_string(state, action)
        if player == CHANCE
        else game.action_to_string(state, player, action)
    )
