"""Players of this library, and of Python files, in processes of their own: the player here, and the process.

    python -m saddlepoint.games.catalogue.isolated SETTING

SETTING is a JSON object: "file" (a Python file) or "spec" with "limits" (depth, nodes, seconds); "game", for games
that this library does not know, is a pickle in base64. What a player prints goes to stderr.
"""

import base64
import importlib.util
import io
import json
import os
import pickle
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from ...algorithms.limits import Limits
from ...game.base import Game
from ...game.spec import Spec, SpecError, spec_of
from ...players.base import Answer, Player, PlayerError, next_choice
from ...players.clock import Clock
from ...players.programs.isolation import Isolation
from ...players.programs.named import takes_seat
from ...players.protocols.lines_bot import LinesBot, game_from_text
from ...players.protocols.lines_player import LinesPlayer
from ...system.foreign_files import path_of
from .games import make_game

_COMPILING = 900.0  # seconds


class HostedPlayer(LinesPlayer):
    """A player in a host process, kept from game to game, started afresh after a fault."""

    _ILLEGAL = "illegal"

    def __init__(
        self, setting: dict[str, Any], game: Game, isolation: Isolation | None, reads: Iterable[Path] = ()
    ) -> None:
        setting = {**setting, **_carried(game)}
        # The host finds this package, and modules that a game comes from, where this process does.
        path = os.pathsep.join(entry or os.getcwd() for entry in sys.path)
        quiet = os.environ.get("SADDLEPOINT_QUIET", "1")
        command = [sys.executable, "-P", "-m", f"{__package__}.isolated", json.dumps(setting)]
        super().__init__(
            command, isolation, {"PYTHONPATH": path, "SADDLEPOINT_QUIET": quiet}, [*reads, *_sources(game)]
        )

    def warm(self, game: Game, state: Any, seats: Iterable[int] = (0, 1)) -> None:
        """Start the host and let it compile what it needs; what goes wrong costs it its first game."""
        with suppress(PlayerError):
            for seat in seats:
                self.begin(game, seat, 0)


class IsolatedPlayer(HostedPlayer):
    """The player that a spec of this library describes, for this game, in a process of its own."""

    _MACHINE = "machine"

    def __init__(
        self, spec: str | Spec, game: Game, limits: Limits | None = None, isolation: Isolation | None = None
    ) -> None:
        bounds = None if limits is None else [limits.depth, limits.nodes, limits.seconds]
        # It is trusted, and what it compiles is kept for the next process.
        isolation = replace(isolation or Isolation(), mode="supervisor")
        super().__init__({"spec": str(spec), "limits": bounds}, game, isolation)
        self.spec = str(spec)
        # It may have to compile its search on a busy machine, and it does come to an end.
        self._preparing = max(self._preparing, _COMPILING)

    def try_start(self, game: Game) -> None:
        """It is of this library."""


class IsolatedFile(HostedPlayer):
    """The player that a Python file defines by a function `choose` or a class `Player`, in a process of its own."""

    def __init__(self, file: str | Path, game: Game, isolation: Isolation | None = None) -> None:
        self.file = path_of(file).resolve()
        super().__init__({"file": str(self.file)}, game, isolation, [self.file])

    def begin(self, game: Game, player: int, seed: int | None = None) -> None:
        if (
            game != self._compiled_for
            and (state := next_choice(game, game.initial_state(), player)) is not None
        ):
            game.search_actions(
                state, player
            )  # compiled here it is kept; what the host compiles may be gone with it
        super().begin(game, player, seed)


def _sources(game: Game) -> Iterator[Path]:
    """The files of the game's class and of those it derives from, where they are not of this package."""
    package = __name__.partition(".")[0]
    for kind in type(game).__mro__:
        file = getattr(sys.modules.get(kind.__module__), "__file__", None)
        if file is not None and kind.__module__.partition(".")[0] != package:
            yield Path(file)


def _carried(game: Game) -> dict[str, str]:
    """What the host needs to have this game: nothing for the library's own, which the protocol names."""
    with suppress(ValueError):
        if game_from_text(str(spec_of(game)), make_game) == game:
            return {}
    if type(game).__module__ == "__main__":
        raise SpecError(
            f"{type(game).__name__} must be in a module that can be imported to be played in another process"
        )
    try:
        return {"game": base64.b64encode(pickle.dumps(game)).decode()}
    except Exception as error:
        raise SpecError(f"{type(game).__name__} cannot be sent to another process: {error}") from error


# The process in which they play: it speaks the line protocol.


class FilePlayer(Player):
    """A Python file's `choose` function, or an object of its class `Player`."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._object: Any = None
        self._choose: Callable[[Any, Clock], Any]
        module = _module(file)
        if (kind := getattr(module, "Player", None)) is not None and callable(getattr(kind, "choose", None)):
            self._object = kind()
            self._choose = self._object.choose
        else:
            function = getattr(module, "choose", None)
            if not callable(function):
                raise PlayerError(
                    f"{file.name} has no function choose and no class Player with a method choose"
                )
            if takes_seat(function):
                self._choose = lambda state, clock: function(self.game, state, clock, self.player)
            else:
                self._choose = lambda state, clock: function(self.game, state, clock)

    def begin(self, game: Game, player: int, seed: int | None = None) -> None:
        super().begin(game, player, seed)
        self._call("begin", game, player, seed)

    def warm(self, game: Game, state: Any, seats: Iterable[int] = (0, 1)) -> None:
        """Compile, or load, the rules; a player that can warm itself does."""
        for seat in seats:
            asked = next_choice(game, state, seat)
            if asked is not None:
                game.search_actions(asked, seat)
                game.legal_actions(asked, seat)
        if isinstance(self._object, Player):
            self._object.warm(game, state, seats)

    def choose(self, state: Any, clock: Clock) -> Answer | int:
        try:
            return self._choose(state, clock)
        finally:
            sys.stdout.flush()  # what has no end of the line yet

    def end(self, result: float) -> None:
        self._call("end", result)

    def close(self) -> None:
        self._call("close")

    def _call(self, name: str, *arguments: Any) -> None:
        method = getattr(self._object, name, None)
        if method is not None:
            method(*arguments)


def _module(file: Path) -> Any:
    """The file, run as a module; modules beside it may be imported."""
    sys.path.insert(0, str(file.parent))
    spec = importlib.util.spec_from_file_location(file.stem, file)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[file.stem] = module
    spec.loader.exec_module(module)
    return module


def _maker(setting: dict[str, Any]) -> Callable[[Game], Player]:
    if "file" in setting:
        file = Path(setting["file"])
        return lambda game: FilePlayer(file)
    from ...algorithms.limits import Limits
    from .make import make_player

    limits = Limits(*setting["limits"]) if setting.get("limits") else None
    return lambda game: make_player(setting["spec"], game, limits)


def main() -> None:
    """Play until the input ends."""
    setting = json.loads(sys.argv[1])
    source, answers = os.dup(0), os.dup(1)
    nowhere = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nowhere, 0)
    os.dup2(2, 1)
    os.close(nowhere)
    if isinstance(
        sys.stdout, io.TextIOWrapper
    ):  # a pipe's text would wait for more of it, and be lost with the process
        sys.stdout.reconfigure(line_buffering=True)

    def send(text: str) -> None:
        left = text.encode()
        while left:
            left = left[os.write(answers, left) :]

    fixed = pickle.loads(base64.b64decode(setting["game"])) if "game" in setting else None
    with os.fdopen(source, "rb") as lines:
        LinesBot(
            _maker(setting),
            send,
            make_game,
            fixed=fixed,
            marks_illegal=True,
            trusted="spec" in setting,
            forgives=True,
        ).run(lines)
    # Threads of a player that are still at work are not waited for.
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
