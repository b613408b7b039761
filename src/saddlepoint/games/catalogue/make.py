"""Players made from specs, the search that analyses a game, and the strengths of an opponent."""

from contextlib import closing
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from ... import algorithms
from ...algorithms import ALGORITHMS, Algorithm, Limits, UnsupportedGameError
from ...algorithms.algorithm import both_ways, commits_first
from ...game.base import Game
from ...game.spec import COMMAND, HUMAN, SNAKE, Spec, SpecError, name_of, parse_spec, suggestion
from ...players.base import Player
from ...players.human import HumanPlayer
from ...players.named import STRONGEST, File, Level, choice_of
from ...players.programs.isolation import Isolation
from ...players.searching import SearchPlayer
from .commands import command_player, server_player
from .games import GAMES, make_game
from .isolated import IsolatedPlayer
from .players import entries_of, player_of, roster
from .searches import (
    EVALUATORS,
    built,
    check_options,
    check_search_of,
    make_algorithm,
    make_evaluator,
    player_spec,
)

if TYPE_CHECKING:
    from ...players.solving import TakeGifts

_AT_A_PRICE = ("risk", "habits", "of")
"""Options of `best` in every game that is solved before it is played."""
_OF_THE_PLAYER = ("depth", "nodes", "choice")
"""Options of a player that searches which are not its algorithm's."""


def make_player(
    spec: str | Spec, game: Game, limits: Limits | None = None, isolation: Isolation | None = None
) -> Player:
    """The player that a spec describes, for this game.

    `limits` bounds each move of a searching player besides its clock. With `isolation` every player but a person plays
    in a process of its own, within those bounds, unless it is for programs only; programs and Python files always do.
    Raises SpecError in one sentence.
    """
    parsed = player_spec(spec)
    if parsed.name == COMMAND:
        return command_player(parsed, game, isolation)
    if parsed.name == SNAKE:
        return server_player(parsed, game, isolation)
    made = _player_of_this_library(parsed, game, limits)
    if isolation is None or made.isolate(isolation) or isolation.programs_only or parsed.name == HUMAN:
        return made
    made.close()  # what cannot be made was refused here, not in the other process

    isolated = IsolatedPlayer(parsed, game, limits, isolation)
    isolated.threads = made.threads
    return isolated


def algorithm_of(spec: str, game: Game) -> Algorithm | None:
    """The algorithm of a spec's player in this game; None where it does not search.

    Raises SpecError as `make_player` does.
    """
    if (known := _search_alone(spec, game)) is not None:
        return known
    with closing(make_player(spec, game)) as player:
        return getattr(player, "algorithm", None)


def _search_alone(spec: str, game: Game) -> Algorithm | None:
    """The algorithm of a spec's player, where it is known without making the player; else None."""
    parsed = player_spec(spec)
    entry = None if parsed.is_own else player_of(parsed.name, game.name)
    if entry is not None:
        return None if entry.search is None or parsed.options else entry.search(game)

    return _settings_of(parsed, game, None)[0] if parsed.is_own or parsed.name in ALGORITHMS else None


def _player_of_this_library(parsed: Spec, game: Game, limits: Limits | None) -> Player:
    if parsed.name == HUMAN:
        check_options(parsed, parsed.options, ())

        best = player_of("best", game.name)
        return HumanPlayer(adviser=None if best is None else lambda: best.factory(game, None))
    entry = None if parsed.is_own else player_of(parsed.name, game.name)
    if entry is None:
        if parsed.is_own or parsed.name in ALGORITHMS:
            algorithm, bounds, choice = _settings_of(parsed, game, limits)
            return SearchPlayer(algorithm, limits=bounds, choice=choice)
        if entries := entries_of(parsed.name):
            raise SpecError(
                f"{parsed.name} plays {' and '.join(one.game for one in entries)}, not {name_of(game)}"
            )
        known = [*dict.fromkeys(one.name for one in roster()), HUMAN, *ALGORITHMS]
        raise SpecError(f"no player is called {parsed.name!r}{suggestion(parsed.name, known)}")
    given = {key: value for key, value in parsed.options.items() if key in _AT_A_PRICE}
    if parsed.name != "best" or not given:
        return built(entry.factory, parsed, game, limits)
    rest = {key: value for key, value in parsed.options.items() if key not in given}
    made = built(entry.factory, Spec(parsed.name, rest), game, limits)
    if not hasattr(made, "plans"):
        raise SpecError(f"best of {name_of(game)} plays from a database, and takes no {next(iter(given))}")
    made.plans = (built(_taking_gifts, Spec(parsed.name, given), game), *made.plans)
    return made


def _taking_gifts(game: "Game", risk: float = 0.0, habits: File = "", of: str = "") -> "TakeGifts":
    """The plan that takes what the other gives away, at the price `risk`; what is known of the other comes from the games in a file."""
    from ...play.reading import ReplayError, choices_in
    from ...players.solving import TakeGifts

    if of and not habits:
        raise SpecError('best: of= says whose games of a file count: give habits="FILE", too')
    try:
        games = list(choices_in(habits, game, of, make_game)) if habits else []
        if habits and not games:
            raise SpecError(f"best: {habits!r} has no game{f' of {of}' if of else ''} by these rules")
        return TakeGifts(risk, (seen for one in games for seen in one))
    except ReplayError as error:
        raise SpecError(f"best: {error}") from None


def _settings_of(
    spec: Spec, game: Game, limits: Limits | None
) -> tuple[Algorithm, Limits, Literal["best", "mixture"]]:
    """(algorithm, limits, choice) of an algorithm's spec: the options depth, nodes and choice, the others its
    settings.
    """
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
    return algorithm, bounds, chosen


# Which search analyses a game, unless somebody says so.


class ChosenSearch(NamedTuple):
    """A search, and the spec of a player that compiles it; None where no spec says it."""

    algorithm: Algorithm
    player: str | None


def search_of(game: Game, player: str | None = None, evaluator: str | None = None) -> ChosenSearch:
    """The search of a player that is given as a spec, with another evaluator if wanted.

    Without a player it is the search of `best`; where that does not search, or samples, or there is none, an equilibrium search if
    both players may move at once, else principal-variation search: their values can be proven. Raises SpecError in one sentence.
    """
    name = player or "best"
    found = algorithm_of(name, game)
    if found is None and player is not None:
        raise SpecError(f"{player} does not search; choose another of `saddlepoint players`")
    if found is None or (player is None and not found.goes_by_depth):
        name, found = None, _by_depth(game)
    if evaluator is not None:
        name, found = None, replace(found, evaluator=make_evaluator(parse_spec(evaluator)))
        check_search_of(found, game)
    return ChosenSearch(found, name or _spec_of(found))


def _by_depth(game: Game, evaluator: Any = None) -> Algorithm:
    """A search whose values can be proven: principal-variation search, or an equilibrium search for
    simultaneous moves.
    """
    return (
        algorithms.PrincipalVariation(evaluator)
        if game.turn_based
        else algorithms.DoubleOracleBounds(evaluator)
    )


def stage_search_of(game: Game, player: str | None = None, evaluator: str | None = None) -> ChosenSearch:
    """The search for the values of alternatives: as `search_of`, but one that goes by depth.

    Where both players may move at once it is an equilibrium search with the evaluator of `best`, unless `player` says another.
    """
    chosen = search_of(game, player, evaluator)
    found = chosen.algorithm
    if not found.goes_by_depth or (player is None and not game.turn_based):
        found = _by_depth(game, found.evaluator)
    if found.evaluator is not None and "evaluate_for" in found.evaluator.kernels:
        found = replace(
            found, evaluator=None
        )  # what the root's player thinks is another thing after every move
    return chosen if found is chosen.algorithm else ChosenSearch(found, _spec_of(found))


def analysis_of(
    game: Game, state: Any, player: str | None = None
) -> tuple[list[Any] | None, Algorithm | None]:
    """(every turn's value, None) where the player's database knows it, else (None, the search for an analysis).

    Without a player an equilibrium search with the evaluator of `best` where both move at once; else the search of `best`, or
    principal-variation search where it does not search, or nobody knows yet by what. Raises SpecError in one sentence.
    """
    if player is None and not game.turn_based:
        return None, stage_search_of(game).algorithm
    if (known := _search_alone(player or "best", game)) is not None:
        return None, known if player is not None or _plays_by(known, game) else _by_depth(game)
    with closing(make_player(player or "best", game)) as made:
        algorithm: Algorithm | None = getattr(made, "algorithm", None)
        look_up: Any = getattr(made, "turns", None)
        turns = None if look_up is None else look_up(state)
    if turns is not None:
        return turns, None
    if algorithm is None and player is not None:
        options = [
            f"--{field.name.replace('_', '-')} {getattr(game, field.name)}"
            for field in fields(game)  # type: ignore[arg-type]
            if getattr(game, field.name) != field.default
        ]
        solving = " ".join(["saddlepoint solve", game.name, *options])
        raise SpecError(
            f"{player} does not search; choose another of `saddlepoint players`"
            if look_up is None
            else f"{player} finds no database of this game; solve first: {solving}"
        )
    return None, algorithm or _by_depth(game)


def _plays_by(known: Algorithm, game: Game) -> bool:
    """Whether `best` plays by the search that is known for it: one that samples is a guess until it was measured, and none is needed
    where the game is solved.
    """
    from .measured import kept_choice

    return known.goes_by_depth or kept_choice(game) is not None


def searches_of_best(game: Game, analysed: Algorithm) -> list[tuple[int | None, Algorithm]]:
    """(player, search) of `best`, where it differs from the search that analyses; empty where it is the same.

    The player is the one that it searches for: a serialised search lets that player commit first, and so
    finds a bound of the value.
    None: it is the same for both.
    """
    known = _search_alone("best", game)
    own = known if known is not None and _plays_by(known, game) else search_of(game).algorithm
    ways = both_ways(game, own)
    if len(ways) > 1:
        return list(enumerate(ways))
    return [] if own == analysed else [(None, own)]


def review_search_of(game: Game, player: str | None = None, evaluator: str | None = None) -> ChosenSearch:
    """The search for the positions of a whole game: that of `best` as it is, if it goes by depth, else as `stage_search_of`."""
    chosen = search_of(game, player, evaluator)
    judge = chosen.algorithm.evaluator
    if not chosen.algorithm.goes_by_depth or (judge is not None and "evaluate_for" in judge.kernels):
        return stage_search_of(game, player, evaluator)
    return chosen


def described(game: Game, algorithm: Algorithm) -> str:
    """An algorithm in words: its title, its evaluator, its name and kind."""
    judge = (
        "no evaluator" if algorithm.evaluator is None else f"evaluator {type(algorithm.evaluator).__name__}"
    )

    first = commits_first(game, algorithm)
    if first is not None:
        kind = (
            f"player {first} commits first: the value is {'an upper' if first else 'a lower'} bound of the equilibrium's at the same "
            "depth by the same evaluator"
        )
    elif game.turn_based:
        kind = "turn-based search"
    elif getattr(algorithm, "solves_stages", False):
        kind = "Nash equilibrium search"
    else:
        kind = "search of simultaneous moves"
    return f"{algorithm.title or algorithm.name}, {judge} ({algorithm.name}, {kind})"


def _spec_of(algorithm: Algorithm) -> str | None:
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
