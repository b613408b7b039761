"""From a spec to a player."""

import inspect

from ..game import Game
from ..search.limits import Limits
from .base import Player
from .roster import ROSTER
from .spec import COMMAND, Spec, SpecError, parse_spec, suggestion

HUMAN = "human"


def make_player(spec: str | Spec, game: Game, limits: Limits | None = None) -> Player:
    """The player that a spec describes, for this game.

    `limits` bounds each move of a searching player besides its clock. Raises SpecError in one sentence.
    """
    parsed = parse_spec(spec) if isinstance(spec, str) else spec
    if parsed.name == COMMAND:
        return _command(parsed, game)
    if parsed.name == HUMAN:
        from .human import HumanPlayer

        return HumanPlayer()
    entry = ROSTER.get(parsed.name)
    if entry is None:
        raise SpecError(f"no player is called {parsed.name!r}{suggestion(parsed.name, [*ROSTER, HUMAN])}")
    if entry.game not in ("", game.name):
        raise SpecError(f"{entry.name} plays {entry.game}, not {game.name}")
    _check_options(parsed, entry.factory)
    try:
        return entry.factory(game, limits, **parsed.options)
    except (TypeError, ValueError) as error:
        raise SpecError(f"{parsed}: {error}") from error


def _check_options(spec: Spec, factory: object) -> None:
    parameters = list(inspect.signature(factory).parameters.values())[2:]  # type: ignore[arg-type]
    if any(p.kind is p.VAR_KEYWORD for p in parameters):
        return
    names = [p.name for p in parameters]
    for key in spec.options:
        if key not in names:
            raise SpecError(
                f"{spec.name} has no option {key!r}{suggestion(key, names)}" if names else f"{spec.name} has no options"
            )


def _command(spec: Spec, game: Game) -> Player:
    from .process import ProcessPlayer

    command = spec.options.get("command")
    if not isinstance(command, str) or len(spec.options) != 1:
        raise SpecError("cmd takes one option, the command: cmd:java -jar bot.jar")
    return ProcessPlayer(command, game)
