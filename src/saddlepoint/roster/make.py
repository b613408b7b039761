"""From a spec to a player."""

from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING

from ..spec import COMMAND, HUMAN, SNAKE, Spec, SpecError, name_of, parse_spec, suggestion
from .algorithms import built, check_options, check_search_of, make_algorithm
from .catalogue import entries_of, player_of, roster
from .own_classes import own_search

if TYPE_CHECKING:  # a bot waits for what is imported here
    from ..algorithms import Algorithm, Limits
    from ..game import Game
    from ..players.base import Player
    from ..programs.isolation import Isolation

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
        from .servers import server_player

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
        from ..players.human import HumanPlayer

        best = player_of("best", game.name)
        return HumanPlayer(adviser=None if best is None else lambda: best.factory(game, None))
    if parsed.is_own:
        return _search(parsed, game, limits)
    entry = player_of(parsed.name, game.name)
    if entry is None:
        from ..algorithms import ALGORITHMS

        if parsed.name in ALGORITHMS:
            return _search(parsed, game, limits)
        if entries := entries_of(parsed.name):
            raise SpecError(f"{parsed.name} plays {' and '.join(one.game for one in entries)}, not {name_of(game)}")
        known = [*dict.fromkeys(one.name for one in roster()), HUMAN, *ALGORITHMS]
        raise SpecError(f"no player is called {parsed.name!r}{suggestion(parsed.name, known)}")
    return built(entry.factory, parsed, game, limits)


def _search(spec: Spec, game: "Game", limits: "Limits | None") -> "Player":
    """An algorithm as a player: the algorithm's own options, and depth, nodes and choice of the player."""
    from ..algorithms import Limits, UnsupportedGameError
    from ..players.searching import SearchPlayer, choice_of

    options = dict(spec.options)
    depth, nodes, choice = options.pop("depth", None), options.pop("nodes", None), options.pop("choice", "best")
    for key, number in (("depth", depth), ("nodes", nodes)):
        if number is not None and (not isinstance(number, int) or isinstance(number, bool)):
            raise SpecError(f"{spec.name}: {key} takes a whole number, not {number!r}")
    try:
        chosen = choice_of(str(choice))
    except ValueError as error:
        raise SpecError(f"{spec.name}: {error}") from error
    try:
        bounds = Limits(depth, nodes) if limits is None else replace(  # type: ignore[arg-type]
            limits, depth=limits.depth if depth is None else depth, nodes=limits.nodes if nodes is None else nodes
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
