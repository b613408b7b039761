"""What a client asks of the analysis, checked."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from ..algorithms import Limits, UnsupportedGameError
from ..algorithms.analysis import searched_form
from ..evaluators.overlays import overlay_names
from ..game import TERMINAL, Game
from ..play.finished_game import FinishedGame
from ..roster.analysing import ChosenSearch, review_search_of, search_of, stage_search_of
from ..roster.evaluators import EVALUATORS
from ..spec import SpecError
from . import limits
from .bodies import BodyFields
from .errors import Refused, first_line
from .games import KnownGame
from .player_specs import check_player, check_search
from .references import Joint, Reference, reference_of
from .service import Service

REVIEW_SECONDS = 5.0
"""Most seconds for each turn of a review."""
_USUAL_SECONDS, _USUAL_REVIEW_SECONDS, _LEAST_SECONDS = 10.0, 0.3, 0.001
_OVERLAYS = 16

DOES = ("analyse", "review", "stop")


class AnalysisRequest(NamedTuple):
    """One analysis."""

    known: KnownGame
    reference: Reference
    review: bool
    """A whole game, not its last position."""
    search: ChosenSearch
    alternatives: ChosenSearch | None
    """What searches the alternatives, if they are wanted."""
    limits: Limits
    """Of the analysis, or of each turn of a review."""
    overlays: tuple[str, ...]
    players: tuple[str, str] = ("player 0", "player 1")
    """Their names, for what a review says."""
    told: tuple[float | None, tuple[str, str]] = (None, ("", ""))
    """The result of a game that its rules did not end, and the faults if such ended it: as the record of it has them."""

    def searched(self, state: Any = None) -> Game:
        """The game as it is searched, from this position if it is given: without chance where it has such a form."""
        return searched_form(self.known.game, self.search.algorithm, state)

    def finished(self, states: Sequence[Any], moves: Sequence[Joint]) -> FinishedGame:
        """The whole game; its result is that of the rules, or of the fault or the resignation that ended it."""
        game, (told, faults) = self.known.game, self.told
        over = game.current_player(states[-1]) == TERMINAL
        result = float(game.returns(states[-1])) if over else told
        return FinishedGame(game, self.players, states, [(a, b) for a, b in moves], result, faults=faults)

    def line(self, service: Service) -> tuple[list[Any], tuple[Joint, ...]]:
        """The game's positions, and the moves between them."""
        _, places = service.positions.line(self.reference)
        return [place.state for place in places], self.reference.moves


def request_of(data: BodyFields, service: Service) -> AnalysisRequest:
    """The request in a message; raises Refused in one sentence."""
    review = data.text("do", 20) == "review"
    reference = reference_of(data)
    known = service.games.find(reference.game)
    game = known.game
    algorithm, evaluator = data.text("algorithm", limits.SPEC, None), data.text("evaluator", limits.SPEC, None)
    try:
        player = None if algorithm is None else check_player(algorithm, game, ())
        judge = evaluator
        if evaluator is not None and (refusal := service.weights.refusal(evaluator, game)):
            raise Refused(refusal)
        if evaluator is not None and evaluator not in (one.spec for one in service.weights.evaluators(game)):
            judge = check_search(evaluator, game, EVALUATORS.made_for(game), "evaluator")
        search = (review_search_of if review else search_of)(game, player, judge)
        stages = stage_search_of(game, player, judge) if data.flag("alternatives") and not review else None
    except (SpecError, UnsupportedGameError, ValueError) as error:
        raise Refused(first_line(error)) from None
    overlays = data.items("overlays", _OVERLAYS, [])
    known_overlays = overlay_names(game)
    for name in overlays:
        if name not in known_overlays:
            raise Refused(f"this game has no overlay {str(name)[:40]!r}; it has: {', '.join(known_overlays) or 'none'}")
    asked = AnalysisRequest(known, reference, review, search, stages, _review_limits(data) if review else _limits(data), tuple(overlays))
    if not review:
        return asked
    result = data.number("result", game.min_utility, game.max_utility, None)
    faults = data.pair("faults", str, most=limits.SPEC, default=("", ""))
    return asked._replace(players=data.pair("players", str, most=limits.SPEC, default=asked.players), told=(result, faults))


def _limits(data: BodyFields) -> Limits:
    return Limits(seconds=float(data.number("seconds", _LEAST_SECONDS, limits.ANALYSIS_SECONDS, _USUAL_SECONDS)))


def _review_limits(data: BodyFields) -> Limits:
    nodes = data.integer("nodes_per_turn", 1, limits.NODES, None)
    seconds = data.number("seconds_per_turn", _LEAST_SECONDS, REVIEW_SECONDS, None)
    if seconds is None:
        seconds = _USUAL_REVIEW_SECONDS if nodes is None else REVIEW_SECONDS
    return Limits(nodes=nodes, seconds=float(seconds))
