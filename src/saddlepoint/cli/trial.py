"""A trial start of every program before the first game: one that cannot start is no evidence of how it plays."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..game import Game
    from ..players.base import Player
    from ..programs.isolation import Isolation


def try_start(player: "Player", spec: str, game: "Game", isolation: "Isolation") -> None:
    """Raise PlayerError, in one sentence with the way out, for a player that does not come to play; a program is started and ended."""
    import shlex

    from ..players.base import PlayerError
    from ..players.fault import FaultKind
    from ..programs.python_file import misnamed_player, python_file_of
    from ..programs.supervision import SUPERVISOR, containment
    from ..spec import parse_spec, starts_a_program

    try:
        player.try_start(game)
    except PlayerError as error:
        if not player.isolate(isolation) and not starts_a_program(parse_spec(spec)):
            raise
        means = containment(isolation).means
        file = python_file_of(str(parse_spec(spec).options.get("command", "")))
        if file is not None and (tail := misnamed_player(file)):
            way_out = tail
        elif error.kind is FaultKind.LATE:
            way_out = f"`saddlepoint check {shlex.quote(spec)} --game {shlex.quote(game.name)}` shows what was said to it"
        elif isolation.sandbox:
            way_out = f"try it without --sandbox {isolation.sandbox!r}"
        elif means in ("namespaces", "bubblewrap"):
            way_out = (
                "in namespaces it sees only its own folder and the installation of its interpreter: name the real program instead of a "
                "link or a script that looks for it, or try --isolate=supervisor, which hides nothing"
            )
        else:
            way_out = f"it runs {'under a supervisor' if means == SUPERVISOR else 'without a supervisor'}: see that its command works alone"
        raise PlayerError(f"{spec} cannot be started, and no game was played: {error}; {way_out}", error.kind) from error
