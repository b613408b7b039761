"""From a command, or a Python file, to the player that speaks its protocol."""

import shutil

from ..game import Game
from ..players.base import Player
from ..programs.isolation import Isolation
from ..programs.process import arguments_of
from ..programs.python_file import defines_player, python_file_of
from ..protocols.catalogue import PROTOCOLS
from ..spec import Spec, SpecError, parse_spec, starts_a_program, suggestion

_SPOKEN = {protocol.name: protocol for protocol in PROTOCOLS if protocol.player}


def command_player(spec: Spec, game: Game, isolation: Isolation | None = None) -> Player:
    """The player of `cmd(command=..., protocol=...)`.

    Without a protocol it is `python`, a file whose `choose` or `Player` is run in a host, where the command is nothing
    but a Python file that defines one; else the game's contest's, `riddles` for Light Riders and `asp` for a Python file
    of Tron-41; else `lines`, the library's own. Raises SpecError.
    """
    options = dict(spec.options)
    command, protocol = options.pop("command", None), options.pop("protocol", None)
    for key in options:
        raise SpecError(f"cmd has no option {key!r}{suggestion(key, ('command', 'protocol'))}")
    if not isinstance(command, str):
        raise SpecError("cmd takes the command, and a protocol if wanted: cmd:java -jar bot.jar")
    if protocol not in (None, *_SPOKEN, "python"):
        raise SpecError(f"cmd: protocol is one of {', '.join((*_SPOKEN, 'python'))}, not {protocol!r}")
    name = str(protocol or _usual(command, game))
    if name == "python":
        from .isolated import IsolatedFile

        file = python_file_of(command)
        if file is None:
            raise SpecError(f"a Python file is expected, {command!r} is none")
        return IsolatedFile(file, game, isolation)
    chosen = _SPOKEN[name]
    if chosen.game not in ("", game.name):
        raise SpecError(f"{name} is the protocol of {chosen.game}; programs that play {game.name} speak lines")
    return chosen.load(chosen.player)(command, game, isolation)


def missing_program(spec: str) -> str | None:
    """What the command of a spec would start and this machine does not have; None where nothing is missing.

    Raises PlayerError for what is no command.
    """
    parsed = parse_spec(spec)
    command = parsed.options.get("command")
    if not starts_a_program(parsed) or not isinstance(command, str) or python_file_of(command) is not None:
        return None
    program = arguments_of(command)[0]
    if ".py:" in program:  # FILE.py:CLASS: the file was looked for when the player was made
        return None
    return None if shutil.which(program) else program


def _usual(command: str, game: Game) -> str:
    """The protocol of a command that says none."""
    file = python_file_of(command)
    is_player = file is not None and defines_player(file)
    for one in _SPOKEN.values():
        if one.game == game.name and (one.load(one.claims)(command, file) if one.claims else not is_player):
            return one.name
    return "python" if is_player else "lines"
