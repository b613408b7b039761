"""Players outside this library: programs, files and servers that a spec names."""

import functools
import re
import shutil

from ...game.base import Game
from ...game.spec import (
    COMMAND,
    SNAKE,
    Spec,
    SpecError,
    Value,
    name_of,
    parse_spec,
    starts_a_program,
)
from ...players.base import Player, PlayerError
from ...players.programs.isolation import Isolation
from ...players.programs.named import (
    command_words,
    defines_player,
    python_file_of,
    reads_input,
)
from ...players.programs.process import arguments_of
from ...players.protocols.negotiated import Candidate, NegotiatedPlayer
from ...players.protocols.protocol import Protocol
from ...system.foreign import path_of
from .games import protocols
from .players import entries_of
from .searches import check_options

_WORD = re.compile(r"[A-Za-z0-9_]*")


def reaches_outside(spec: Spec) -> bool:
    """Whether a player of this spec, or anything inside it, starts a program, reads a file or asks a server.

    Text of more than a word counts as a file or a program in any option: the library's own options take
    words.
    """
    if spec.name in (COMMAND, SNAKE) or spec.is_own:
        return True
    declared = {name for entry in entries_of(spec.name) for name in entry.files}
    return any(
        (key in declared and bool(value)) or _value_reaches(value) for key, value in spec.options.items()
    )


def _value_reaches(value: Value) -> bool:
    if isinstance(value, Spec):
        return reaches_outside(value)
    return isinstance(value, str) and _WORD.fullmatch(value) is None


# From an address, or a command that starts a server, to the player that asks it.

_OPTIONS = ("url", "command")
_FORM = f"{SNAKE} takes the address of a server or the command that starts one: http://127.0.0.1:8000, " + (
    f'{SNAKE}(command="./mysnake --port {{port}}")'
)


def server_player(spec: Spec, game: Game, isolation: Isolation | None = None) -> Player:
    """The player of `snake(url=...)` or `snake(command=...)`. Raises SpecError."""
    check_options(spec, spec.options, _OPTIONS)
    given = {key: value for key, value in spec.options.items() if isinstance(value, str) and value.strip()}
    if len(given) != 1 or len(spec.options) != 1:
        raise SpecError(_FORM)
    protocol = next(one for one in protocols() if one.client)
    if protocol.game != game.name:
        raise SpecError(f"{spec} plays {protocol.game}, not {name_of(game)}")
    return protocol.load(protocol.client)(game, isolation, **given)


# From a command, or a Python file, to the player that speaks its protocol.

PYTHON = "python"
"""The protocol of a Python file that defines a player: none of its own."""


@functools.cache
def _spoken() -> dict[str, Protocol]:
    """The protocols by which a program may be a player here, by name."""
    return {protocol.name: protocol for protocol in protocols() if protocol.player}


def command_player(spec: Spec, game: Game, isolation: Isolation | None = None) -> Player:
    """The player of `cmd(command=..., protocol=...)`.

    Without a protocol it is one of `spoken_protocols`; where these are several, the program is asked which when it is first
    started. Raises SpecError.
    """
    options = dict(spec.options)
    command, protocol = options.pop("command", None), options.pop("protocol", None)
    check_options(spec, options, ("command", "protocol"))
    if not isinstance(command, str):
        raise SpecError("cmd takes the command, and a protocol if wanted: cmd:java -jar bot.jar")
    if protocol not in (None, *_spoken(), PYTHON):
        raise SpecError(f"cmd: protocol is one of {', '.join((*_spoken(), PYTHON))}, not {protocol!r}")
    names = (str(protocol),) if protocol else spoken_protocols(command, game)
    if names == (PYTHON,):
        from .isolated import IsolatedFile

        file = python_file_of(command)
        if file is None:
            raise SpecError(f"a Python file is expected, {command!r} is none")
        return IsolatedFile(file, game, isolation)
    for name in names:
        if _spoken()[name].game not in ("", game.name):
            raise SpecError(
                f"{name} is the protocol of {_spoken()[name].game}; programs that play {name_of(game)} speak lines"
            )
    makers = {name: _spoken()[name].load(_spoken()[name].player) for name in names}
    if len(names) == 1:
        return makers[names[0]](command, game, isolation)
    candidates = {
        name: Candidate(_spoken()[name].load(_spoken()[name].opening), make) for name, make in makers.items()
    }
    return NegotiatedPlayer(command, game, isolation, candidates)


def refuse_missing(spec: str) -> None:
    """Raise SpecError, with the way out, where the command of a spec starts what this machine does not have, or may not execute.

    Raises PlayerError for what is no command.
    """
    parsed = parse_spec(spec)
    command = parsed.options.get("command")
    if not starts_a_program(parsed) or not isinstance(command, str) or python_file_of(command) is not None:
        return
    program = arguments_of(command)[0]
    if ".py:" in program or shutil.which(program):  # FILE.py:CLASS was looked for when the player was made
        return
    file = path_of(program)
    if file.is_dir():
        raise SpecError(f"{spec}: {program!r} is a folder; a program is expected")
    if file.is_file():
        raise SpecError(
            f"{spec}: {program!r} cannot be executed: `chmod +x` lets a program be; name what runs a script, as in cmd:bash bot.sh, and "
            "compile a source file first"
        )
    raise SpecError(f"{spec}: there is no program {program!r}")


def spoken_protocols(command: str, game: Game) -> tuple[str, ...]:
    """The protocols that a command may speak in a game, where its spec does not name one.

    In the order of trying.

    It is `python`, a file whose `choose` or `Player` is run in a host, where the command is nothing but a Python file that
    defines one; what a contest's protocol claims, such as a file with a bot class of a course; else `lines`, the library's own, or
    where the game's contest has a protocol for any program, one of the two.
    """
    file = python_file_of(command)
    is_player = file is not None and defines_player(file)
    is_program = is_player or (file is not None and reads_input(file))
    contest = [one for one in _spoken().values() if one.game == game.name]
    for one in contest:
        if one.claims and one.load(one.claims)(command_words(command), file, is_program):
            return (one.name,)
    return (PYTHON,) if is_player else ("lines", *(one.name for one in contest if one.opening))


def speaks_lines(command: str, game: Game, isolation: Isolation) -> bool:
    """Whether a program that is started for a trial answers the library's own protocol."""
    player = _spoken()["lines"].load(_spoken()["lines"].player)(command, game, isolation)
    try:
        player.try_start(game)
    except PlayerError:
        return False
    finally:
        player.close()
    return True


def protocol_of(player: Player, spec: Spec, game: Game) -> str | None:
    """The protocol of this spec's program, as its player found out; None while that is not known."""
    if isinstance(player, NegotiatedPlayer):
        return player.protocol
    told = spec.options.get("protocol")
    return str(told) if told else spoken_protocols(str(spec.options["command"]), game)[0]


def program_of(player: Player) -> Player | None:
    """The player that speaks with the program: itself, or the one that was chosen when it was known what the program speaks."""
    return player.chosen if isinstance(player, NegotiatedPlayer) else player
