"""From an address, or a command that starts a server, to the player that asks it."""

from ..game import Game
from ..players.base import Player
from ..programs.isolation import Isolation
from ..spec import SNAKE, Spec, SpecError, name_of, suggestion
from .protocols import protocols

_OPTIONS = ("url", "command")
_FORM = f"{SNAKE} takes the address of a server or the command that starts one: http://127.0.0.1:8000, " + (
    f'{SNAKE}(command="./mysnake --port {{port}}")'
)


def server_player(spec: Spec, game: Game, isolation: Isolation | None = None) -> Player:
    """The player of `snake(url=...)` or `snake(command=...)`. Raises SpecError."""
    for key in spec.options:
        if key not in _OPTIONS:
            raise SpecError(f"{SNAKE} has no option {key!r}{suggestion(key, _OPTIONS)}")
    given = {key: value for key, value in spec.options.items() if isinstance(value, str) and value.strip()}
    if len(given) != 1 or len(spec.options) != 1:
        raise SpecError(_FORM)
    protocol = next(one for one in protocols() if one.client)
    if protocol.game != game.name:
        raise SpecError(f"{spec} plays {protocol.game}, not {name_of(game)}")
    return protocol.load(protocol.client)(game, isolation, **given)
