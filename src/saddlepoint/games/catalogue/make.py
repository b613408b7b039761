"""From a spec to a player, the search that analyses a game, and the strengths of an opponent."""

from contextlib import closing
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from ...game.base import Game
from ...game.spec import COMMAND, HUMAN, SNAKE, Spec, SpecError, name_of, parse_spec, suggestion
from ...players.named import STRONGEST, Level
from .games import GAMES
from .players import entries_of, player_of, roster
from .searches import (
    EVALUATORS,
    built,
    check_options,
    check_search_of,
    make_algorithm,
    make_evaluator,
    own_search,
)

if TYPE_CHECKING:
    from ...algorithms import Algorithm, Limits
    from ...players.base import Player
    from ...players.programs.isolation import Isolation


_OF_THE_PLAYER = ("depth", "nodes", "choice")
"""Options of a player that searches which are not its algorithm's."""


def make_player(
    spec: str | Spec, game: "Game", limits: "Limits | None" = None, isolation: "Isolation | None" = None
) -> "Player":
    """The player that a spec describes, for this game.

    `limits` bounds each move of a searching player besides its clock. With `isolation` every player but a person plays
    in a process of its own, within those bounds, unless it is for programs only; programs and Python files always do.
    Raises SpecError in one sentence.
    """
    parsed = parse_spec(spec) if isinstance(spec, str) else spec
    if (search := own_search(parsed)) is not None:
        parsed = search
    if parsed.name == COMMAND:
        from .commands import command_player

        return command_player(parsed, game, isolation)
    if parsed.name == SNAKE:
        from .commands import server_player

        return server_player(parsed, game, isolation)
    made = _player_of_this_library(parsed, game, limits)
    if isolation is None or made.isolate(isolation) or isolation.programs_only or parsed.name == HUMAN:
        return made
    made.close()  # what cannot be made was refused here, not in the other process
    from .isolated import IsolatedPlayer

    isolated = IsolatedPlayer(parsed, game, limits, isolation)
    isolated.threads = made.threads
    return isolated


def algorithm_of(spec: str, game: "Game") -> "Algorithm | None":
    """What the player of a spec searches this game with; None where it does not search. Raises SpecError as `make_player` does."""
    with closing(make_player(spec, game)) as player:
        return getattr(player, "algorithm", None)


def _player_of_this_library(parsed: Spec, game: "Game", limits: "Limits | None") -> "Player":
    if parsed.name == HUMAN:
        check_options(parsed, parsed.options, ())
        from ...players.human import HumanPlayer

        best = player_of("best", game.name)
        return HumanPlayer(adviser=None if best is None else lambda: best.factory(game, None))
    if parsed.is_own:
        return _search(parsed, game, limits)
    entry = player_of(parsed.name, game.name)
    if entry is None:
        from ...algorithms import ALGORITHMS

        if parsed.name in ALGORITHMS:
            return _search(parsed, game, limits)
        if entries := entries_of(parsed.name):
            raise SpecError(
                f"{parsed.name} plays {' and '.join(one.game for one in entries)}, not {name_of(game)}"
            )
        known = [*dict.fromkeys(one.name for one in roster()), HUMAN, *ALGORITHMS]
        raise SpecError(f"no player is called {parsed.name!r}{suggestion(parsed.name, known)}")
    return built(entry.factory, parsed, game, limits)


def _search(spec: Spec, game: "Game", limits: "Limits | None") -> "Player":
    """An algorithm as a player: the algorithm's own options, and depth, nodes and choice of the player."""
    from ...algorithms import Limits, UnsupportedGameError
    from ...players.searching import SearchPlayer, choice_of

    options = dict(spec.options)
    depth, nodes, choice = (
        options.pop("depth", None),
        options.pop("nodes", None),
        options.pop("choice", "best"),
    )
    for key, number in (("depth", depth), ("nodes", nodes)):
        if number is not None and (not isinstance(number, int) or isinstance(number, bool)):
            raise SpecError(f"{spec.name}: {key} takes a whole number, not {number!r}")
    try:
        chosen = choice_of(str(choice))
    except ValueError as error:
        raise SpecError(f"{spec.name}: {error}") from error
    try:
        bounds = (
            Limits(depth, nodes)  # type: ignore[arg-type]
            if limits is None
            else replace(  # type: ignore[arg-type]
                limits,
                depth=limits.depth if depth is None else depth,
                nodes=limits.nodes if nodes is None else nodes,
            )
        )
        algorithm = make_algorithm(Spec(spec.name, options), _OF_THE_PLAYER)
        check_search_of(algorithm, game)
    except UnsupportedGameError as error:
        raise SpecError(f"{spec.name}: {error}") from error
    except SpecError:
        raise
    except ValueError as error:
        raise SpecError(f"{spec}: {error}") from error
    return SearchPlayer(algorithm, limits=bounds, choice=chosen)


# Which search analyses a game, unless somebody says so.


class ChosenSearch(NamedTuple):
    """A search, and the spec of a player that compiles it; None where no spec says it."""

    algorithm: "Algorithm"
    player: str | None


def search_of(game: "Game", player: str | None = None, evaluator: str | None = None) -> ChosenSearch:
    """The search of a player that is given as a spec, with another evaluator if wanted.

    Without a player it is the search of `best`; where that does not search, or samples, or there is none, an equilibrium search if
    both players may move at once, else principal-variation search: their values can be proven. Raises SpecError in one sentence.
    """
    from ...algorithms import DoubleOracleBounds, PrincipalVariation

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
    from ...algorithms import DoubleOracleBounds, PrincipalVariation

    chosen = search_of(game, player, evaluator)
    found = chosen.algorithm
    if not game.turn_based and player is None:
        found = DoubleOracleBounds(found.evaluator)
    elif not found.goes_by_depth:
        found = (
            PrincipalVariation(found.evaluator) if game.turn_based else DoubleOracleBounds(found.evaluator)
        )
    if found.evaluator is not None and "evaluate_for" in found.evaluator.kernels:
        found = replace(
            found, evaluator=None
        )  # what the root's player thinks is another thing after every move
    return chosen if found is chosen.algorithm else ChosenSearch(found, _spec_of(found))


def analysis_of(
    game: "Game", state: Any, player: str | None = None
) -> "tuple[list[Any] | None, Algorithm | None]":
    """(every turn's value, None) where the player's database knows it, else (None, the search for an analysis).

    Without a player an equilibrium search with the evaluator of `best` where both move at once; else the search of `best`, or
    principal-variation search where it does not search. Raises SpecError in one sentence.
    """
    from ...algorithms import PrincipalVariation

    if player is None and not game.turn_based:
        return None, stage_search_of(game).algorithm
    with closing(make_player(player or "best", game)) as made:
        algorithm: Algorithm | None = getattr(made, "algorithm", None)
        look_up: Any = getattr(made, "turns", None)
        turns = None if look_up is None else look_up(state)
    if turns is not None:
        return turns, None
    if algorithm is None and player is not None:
        solving = " ".join(["saddlepoint solve", game.name, *_options_of(game)])
        raise SpecError(
            f"{player} does not search; choose another of `saddlepoint players`"
            if look_up is None
            else f"{player} finds no database of this game; solve first: {solving}"
        )
    return None, algorithm or PrincipalVariation()


def _options_of(game: "Game") -> list[str]:
    """The parameters that are not the usual ones, as options of `solve`."""
    return [
        f"--{field.name.replace('_', '-')} {getattr(game, field.name)}"
        for field in fields(game)  # type: ignore[arg-type]
        if getattr(game, field.name) != field.default
    ]


def searches_of_best(game: "Game", analysed: "Algorithm") -> "list[tuple[int | None, Algorithm]]":
    """What `best` itself searches with, where that is another search than the one that analyses; empty where it is the same.

    Beside it which player it searches for: a serialised search lets that player commit first, and so reads a bound of the value.
    None: it is the same for both.
    """
    from ...algorithms import SerialisedAlphaBeta

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
    judge = (
        "no evaluator" if algorithm.evaluator is None else f"evaluator {type(algorithm.evaluator).__name__}"
    )
    first = commits_first(game, algorithm)
    if first is not None:
        bound = "an upper" if first else "a lower"
        kind = f"player {first} commits first: the value is {bound} bound of the equilibrium's at the same depth by the same evaluator"
    else:
        of_stages = (
            "Nash equilibrium search"
            if getattr(algorithm, "solves_stages", False)
            else "search of simultaneous moves"
        )
        kind = "turn-based search" if game.turn_based else of_stages
    return f"{algorithm.title or algorithm.name}, {judge} ({algorithm.name}, {kind})"


def commits_first(game: "Game", algorithm: "Algorithm") -> int | None:
    """Who commits first in a serialised search; None where the search is none, or nobody chooses at the same time."""
    from ...algorithms import SerialisedAlphaBeta

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


# The strengths of an opponent that a game offers.


def levels_of(game: Game) -> tuple[Level, ...]:
    """The levels of a game, weakest first: its own, or searches without an evaluator to a small depth; the last one is `best`."""
    entry = GAMES.get(game.name)
    own = () if entry is None else tuple(entry.description.levels)
    search, mixed = ("pvs", "") if game.turn_based else ("saddle", ", choice=mixture")
    usual = (
        Level("gentle", "random", nodes=100),
        Level("club", f"{search}(depth=2{mixed})", nodes=10_000),
        Level("strong", f"{search}(depth=4{mixed})", nodes=200_000),
    )
    return (*(own or usual), STRONGEST)
