"""From a spec to a player."""

import inspect
from collections.abc import Sequence
from dataclasses import fields, replace

from ..algorithms import ALGORITHMS, Limits, UnsupportedGameError
from ..game import Game
from ..players.base import Player
from ..players.searching import SearchPlayer, choice_of
from ..programs.isolation import Isolation
from ..spec import COMMAND, HUMAN, Spec, SpecError, parse_spec, suggestion
from .algorithms import current_options, make_algorithm
from .catalogue import ROSTER, entries_of
from .commands import command_player
from .isolated import IsolatedPlayer

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
    parsed = parse_spec(spec) if isinstance(spec, str) else spec
    if parsed.name == COMMAND:
        return command_player(parsed, game, isolation)
    if isolation is not None and not isolation.programs_only and parsed.name != HUMAN:
        make_player(parsed, game, limits).close()  # what cannot be made is refused here, not in the other process
        return IsolatedPlayer(parsed, game, limits, isolation)
    if parsed.name == HUMAN:
        _check_options(parsed, ())
        from ..players.human import HumanPlayer

        best = next((one for one in entries_of("best") if one.game == game.name), None)
        return HumanPlayer(adviser=None if best is None else lambda: best.factory(game, None))
    entries = entries_of(parsed.name)
    if not entries and parsed.name in ALGORITHMS:
        return _search(parsed, game, limits)
    if not entries:
        known = [*dict.fromkeys(entry.name for entry in ROSTER), HUMAN, *ALGORITHMS]
        raise SpecError(f"no player is called {parsed.name!r}{suggestion(parsed.name, known)}")
    entry = next((one for one in entries if one.game in ("", game.name)), None)
    if entry is None:
        raise SpecError(f"{parsed.name} plays {' and '.join(one.game for one in entries)}, not {game.name}")
    parameters = list(inspect.signature(entry.factory).parameters.values())[2:]
    if not any(p.kind is p.VAR_KEYWORD for p in parameters):
        _check_options(parsed, [p.name for p in parameters])
    for p in parameters:
        _check_kind(parsed, p.name, p.default)
    try:
        return entry.factory(game, limits, **parsed.options)
    except (TypeError, ValueError) as error:
        raise SpecError(f"{parsed}: {error}") from error


def _check_options(spec: Spec, names: Sequence[str]) -> None:
    for key in spec.options:
        if key not in names:
            raise SpecError(
                f"{spec.name} has no option {key!r}{suggestion(key, names)}" if names else f"{spec.name} has no options"
            )


def _check_kind(spec: Spec, key: str, default: object) -> None:
    """A number where the option's default is a number."""
    value = spec.options.get(key, default)
    if isinstance(default, (int, float)) and not isinstance(default, bool):
        if not isinstance(value, (int, float)) or isinstance(value, bool) or (isinstance(default, int) and value != int(value)):
            kind = "a whole number" if isinstance(default, int) else "a number"
            raise SpecError(f"{spec.name}: {key} takes {kind}, not {value if isinstance(value, Spec) else repr(value)}")


def _search(spec: Spec, game: Game, limits: Limits | None) -> Player:
    """An algorithm as a player: the algorithm's own options, and depth, nodes and choice of the player."""
    options = current_options(ALGORITHMS[spec.name], spec)
    _check_options(Spec(spec.name, options), [*_OF_THE_PLAYER, *(field.name for field in fields(ALGORITHMS[spec.name]))])
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
        algorithm = make_algorithm(Spec(spec.name, options))
        algorithm.check(game)
    except UnsupportedGameError as error:
        raise SpecError(f"{spec.name}: {error}") from error
    except SpecError:
        raise
    except ValueError as error:
        raise SpecError(f"{spec}: {error}") from error
    return SearchPlayer(algorithm, limits=bounds, choice=chosen)
