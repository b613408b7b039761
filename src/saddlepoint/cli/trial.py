"""A trial start of every program before the first game: one that cannot start is no evidence of how it plays."""

import shlex
import threading
from typing import TYPE_CHECKING

from ..console.terminal import warn

if TYPE_CHECKING:
    from ..game import Game
    from ..players.base import Player
    from ..programs.isolation import Isolation


_SILENCE = 5.0  # seconds, after which whoever waits is told why


def try_start(player: "Player", spec: str, game: "Game", isolation: "Isolation") -> None:
    """Raise PlayerError, in one sentence with the way out, for a player that does not come to play; a program is started and ended."""
    from ..players.base import PlayerError
    from ..players.fault import FaultKind
    from ..spec import parse_spec, starts_a_program

    waiting = threading.Timer(_SILENCE, warn, [f"{spec} has not answered yet; it is waited for {isolation.patience:g} s at most"])
    waiting.daemon = True
    waiting.start()
    try:
        player.try_start(game)
    except PlayerError as error:
        if not player.isolate(isolation) and not starts_a_program(parse_spec(spec)):
            raise
        if error.kind is FaultKind.LATE:
            out = f"`saddlepoint check {shlex.quote(spec)} --game {shlex.quote(game.name)}` shows what was said to it"
        else:
            out = way_out(spec, isolation)
        raise PlayerError(f"{spec} cannot be started, and no game was played: {error}; {out}", error.kind) from error
    finally:
        waiting.cancel()


def way_out(spec: str, isolation: "Isolation") -> str:
    """What to do about a program that ends when it is started: in the words of a sentence's tail."""
    from ..programs.python_file import misnamed_player, python_file_of
    from ..programs.supervision import containment
    from ..spec import parse_spec

    file = python_file_of(str(parse_spec(spec).options.get("command", "")))
    if file is not None and (tail := misnamed_player(file)):
        return tail
    means = containment(isolation).means
    if isolation.sandbox:
        return f"try it without --sandbox {isolation.sandbox!r}"
    if means in ("namespaces", "bubblewrap"):
        return (
            "in namespaces it sees only its own folder and the installation of its interpreter: name the real program instead of a "
            "link or a script that looks for it, or try --isolate=supervisor, which hides nothing"
        )
    return "it runs under a supervisor: see that its command works alone"
