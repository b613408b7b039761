"""From a command, or a Python file, to the player that speaks its protocol."""

import shlex
import shutil
from pathlib import Path

from ..game import Game
from ..games.light_riders import LightRiders
from ..games.tron41 import Tron41
from ..players.base import Player
from ..programs.isolation import Isolation
from ..programs.process import arguments_of
from ..programs.python_file import defines_class, defines_player
from ..protocols.asp.host import CLASSES
from ..spec import COMMAND, Spec, SpecError, parse_spec, suggestion

PROTOCOLS = ("lines", "riddles", "asp", "python")


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
    if protocol not in (None, *PROTOCOLS):
        raise SpecError(f"cmd: protocol is one of {', '.join(PROTOCOLS)}, not {protocol!r}")
    chosen = protocol or _usual(command, game)
    if chosen == "python":
        from .isolated import IsolatedFile

        file = _python_file(command)
        if file is None:
            raise SpecError(f"a Python file is expected, {command!r} is none")
        return IsolatedFile(file, game, isolation)
    if chosen == "riddles":
        if not isinstance(game, LightRiders):
            raise SpecError(f"riddles is the protocol of light_riders; programs that play {game.name} speak lines")
        from ..protocols.riddles.player import ProcessPlayer

        return ProcessPlayer(command, game, isolation)
    if chosen == "asp":
        if not isinstance(game, Tron41):
            raise SpecError(f"asp is the protocol of tron41; programs that play {game.name} speak lines")
        from ..protocols.asp.player import asp_player

        return asp_player(command, isolation=isolation)
    from ..protocols.lines.player import LinesPlayer

    return LinesPlayer(command, isolation)


def missing_program(spec: str) -> str | None:
    """What the command of a spec would start and this machine does not have; None where nothing is missing.

    Raises PlayerError for what is no command.
    """
    parsed = parse_spec(spec)
    command = parsed.options.get("command")
    if parsed.name != COMMAND or not isinstance(command, str) or _python_file(command) is not None:
        return None
    program = arguments_of(command)[0]
    if ".py:" in program:  # FILE.py:CLASS: the file was looked for when the player was made
        return None
    return None if shutil.which(program) else program


def _usual(command: str, game: Game) -> str:
    words = _words(command)
    file = _python_file(command)
    if isinstance(game, Tron41):
        alone = file is not None or (len(words) == 1 and words[0].rpartition(":")[0 if ":" in words[0] else 2].endswith(".py"))
        is_course_bot = file is None or defines_class(file, CLASSES) or not defines_player(file)
        return "lines" if not alone else "asp" if is_course_bot else "python"
    if file is not None and defines_player(file):
        return "python"
    return "riddles" if isinstance(game, LightRiders) else "lines"


def _words(command: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError:
        return []


def _python_file(command: str) -> Path | None:
    """The Python file that the command consists of, if it does."""
    words = _words(command)
    for name in (command, *(words if len(words) == 1 else ())):
        path = Path(name).expanduser()
        if path.suffix == ".py" and path.is_file():
            return path
    return None
