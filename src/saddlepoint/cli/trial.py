"""A trial start of every program before the first game: one that cannot start is no evidence of how it plays."""

import os
import shlex
import threading
from typing import TYPE_CHECKING

from ..game.spec import parse_spec, starts_a_program
from ..system.terminal import warn

if TYPE_CHECKING:
    from ..game.base import Game
    from ..players.base import Player
    from ..players.programs.isolation import Isolation


_SILENCE = 5.0  # seconds, after which whoever waits is told why


def try_start(player: "Player", spec: str, game: "Game", isolation: "Isolation") -> None:
    """Raise PlayerError, in one sentence with the way out, for a player that does not come to play; a program is started and ended."""
    from ..players.base import FaultKind, PlayerError

    for sentence in what_is_unseen(spec, isolation):
        warn(sentence)
    waiting = threading.Timer(
        _SILENCE, warn, [f"{spec} has not answered yet; it is waited for {isolation.patience:g} s at most"]
    )
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
        raise PlayerError(
            f"{spec} cannot be started, and no game was played: {error}; {out}", error.kind
        ) from error
    finally:
        waiting.cancel()


def what_is_unseen(spec: str, isolation: "Isolation") -> list[str]:
    """In a sentence each, what a spec's command or its program's files name, and the program does not see for all that."""
    from ..players.programs.named import defines_player, python_file_of
    from ..players.programs.process import arguments_of
    from ..players.programs.supervision import SUPERVISOR, containment
    from ..players.programs.view import Sight

    command = parse_spec(spec).options.get("command")
    if not isinstance(command, str) or containment(isolation).means == SUPERVISOR:
        return []
    if (file := python_file_of(command)) is not None and defines_player(file):
        return []  # it is the file that is run, wherever it lies
    sight = Sight(arguments_of(command), os.environ.get("PATH", os.defpath), (), isolation.shown)
    said: list[str] = []
    for path, leads in sight.unseen.items():
        if leads in sight.named.foreign:
            said.append(
                f"{spec}: {path} is a link to {leads}: it sees that file, and nothing beside it, unless --show names the folder"
            )
        else:
            installed = os.path.basename(os.path.dirname(leads)) == "bin"
            shown = os.path.dirname(os.path.dirname(leads)) if installed else leads
            said.append(
                f"{spec}: {path} leads to {leads}, which it does not see, since its author may have made that; if it is meant, "
                f"--show {shlex.quote(shown)} shows it"
            )
    return said


def way_out(spec: str, isolation: "Isolation") -> str:
    """What to do about a program that ends when it is started: in the words of a sentence's tail."""
    from ..players.programs.named import (
        command_words,
        defines_player,
        misnamed_player,
        python_file_of,
        reads_input,
    )
    from ..players.programs.supervision import SUPERVISOR, containment

    command = str(parse_spec(spec).options.get("command", ""))
    file = python_file_of(command)
    if file is not None and (tail := misnamed_player(file)):
        return tail
    for word in command_words(command)[1:]:
        found = python_file_of(word)
        if found is not None and defines_player(found) and not reads_input(found):
            own = word if os.sep in word else f"./{word}"
            return f"{word} defines a player and reads no line, so Python ends at once: did you mean {own} in place of the command?"
    if isolation.sandbox:
        return f"try it without --sandbox {isolation.sandbox!r}"
    if containment(isolation).means != SUPERVISOR:
        return (
            "it is to read lines until its input ends; if it misses a file: in namespaces it sees only its own folder and the installation "
            "of its interpreter, with what --show names, and --isolate=supervisor hides nothing"
        )
    return "it runs under a supervisor: see that its command works alone"
