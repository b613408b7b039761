"""What the page needs of a game when there is no server: the players of its levels, and the searches of the analysis."""

from typing import Any

from ..algorithms.algorithm import Algorithm, commits_first
from ..algorithms.chance import searched_form
from ..algorithms.limits import Limits
from ..game.base import Game
from ..game.spec import Spec
from ..games.catalogue.make import (
    described,
    levels_of,
    make_player,
    review_search_of,
    search_of,
    stage_search_of,
)
from ..players.base import Player, RandomPlayer
from ..players.named import Level
from ..players.searching import SearchPlayer, turned_to
from .lowering import ExportError, Unit
from .player import Plan, Searches, planned, player_of

_MOST_SECONDS = 10.0
"""Of a level whose limit is a number of nodes."""


def add_page(unit: Unit, game: Game) -> dict[str, Any]:
    """Add what the page needs; returns it: `searches`, `players`, `levels` (each with the number of its player, none for one that
    plays at random), `analyses` (what searches a position, and what searches its alternatives) and `review` (what searches a whole game).
    """
    searches, players, levels = Searches(unit, game), list[dict[str, Any]](), list[dict[str, Any]]()
    whole, stages = search_of(game).algorithm, stage_search_of(game).algorithm
    form = searched_form(game, whole)
    analyses = [_analysis(game, searches, one, form) for one in (whole, stages)]
    for place, level in enumerate(levels_of(game)):
        made = make_player(level.spec, game, _limits(level))
        plan = None if isinstance(made, RandomPlayer) else _plan(game, made, level, place, (whole, stages))
        row: dict[str, Any] = {**level.to_json(), "player": None}
        if plan is not None:
            row["player"] = len(players)
            players.append(player_of(plan, searches.number(plan.seats, form), level.spec))
            if plan.left_out:
                row["left_out"] = plan.left_out
            if plan.player is not made:
                depth = plan.player.limits.depth
                row["instead"] = str(
                    Spec(plan.player.algorithm.name, {} if depth is None else {"depth": depth})
                )
        levels.append(row)
    return {
        "searches": searches.about,
        "players": players,
        "levels": levels,
        "analyses": analyses,
        "review": _review(game, searches),
    }


def _plan(game: Game, made: Player, level: Level, place: int, known: tuple[Algorithm, Algorithm]) -> Plan:
    """The player of a level; where it cannot be exported, or has a search that nothing else here has, a search that is here anyway.

    Every search is tens of thousands of bytes of code. It looks as deep as the player whose place it takes; where that knows no depth the
    lower levels, `place` 0 and 1, look one and two moves ahead, so that each looks further than the one before.
    """
    try:
        plan = planned(game, made, level.spec)
        if any(_seats(one) == plan.seats for one in known):
            return plan
    except ExportError:
        plan = None
    whole, stages = known
    mixes = not game.turn_based and (plan is None or plan.player.choice == "mixture")
    algorithm = stages if mixes else whole
    depth = made.limits.depth if isinstance(made, SearchPlayer) else getattr(made, "depth", None)
    if depth is None and level.nodes is not None and not _searches(made):
        depth = (1, 2, None)[min(place, 2)]
    limits = Limits(depth, level.nodes, None if level.nodes is None else _MOST_SECONDS)
    return Plan(
        game, SearchPlayer(algorithm, limits=limits, choice="mixture" if mixes else "best"), _seats(algorithm)
    )


def _limits(level: Level) -> Limits | None:
    """The limits of a level of nodes; a level of seconds has a clock."""
    return None if level.nodes is None else Limits(nodes=level.nodes, seconds=_MOST_SECONDS)


def _searches(made: Player) -> bool:
    """Whether a player's nodes are those of a search that goes by depth."""
    return isinstance(made, SearchPlayer) and made.algorithm.goes_by_depth


def _seats(algorithm: Algorithm) -> tuple[Algorithm, Algorithm]:
    return turned_to(algorithm, 0), turned_to(algorithm, 1)


def _analysis(game: Game, searches: Searches, algorithm: Algorithm, form: Game) -> dict[str, Any]:
    """Which search it is, from which player's side, and what is said of its values; `form` is what is searched in the game's place."""
    seats = _seats(algorithm)
    first = commits_first(game, algorithm)
    return {
        "search": searches.number(seats, form),
        "seat": seats.index(algorithm) if algorithm in seats else 0,
        "name": algorithm.name,
        "said": described(game, algorithm),
        "bound": None if first is None else "upper" if first else "lower",
        "quiet": form is not game,
    }


def _review(game: Game, searches: Searches) -> dict[str, Any]:
    """Which search reviews a whole game, and what of the game's chance it looks at: in the game, and in the form that it searches."""
    algorithm = review_search_of(game).algorithm
    form = searched_form(game, algorithm)
    return {
        "search": searches.number(_seats(algorithm), form),
        "quiet": form is not game,
        "max_depth": form.max_depth,
        "chance": [[one.has_chance, int(one.max_chance_plies)] for one in (game, form)],
    }
