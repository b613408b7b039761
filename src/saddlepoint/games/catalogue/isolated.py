"""Players of this library, and of Python files, in processes of their own."""

import base64
import json
import os
import pickle
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from ...algorithms.limits import Limits
from ...game.base import Game
from ...game.spec import Spec, SpecError, spec_of
from ...players.base import PlayerError, next_choice
from ...players.programs.isolation import Isolation
from ...players.protocols.lines_bot import game_from_text
from ...players.protocols.lines_player import LinesPlayer
from ...system.foreign import path_of
from .games import make_game

_COMPILING = 900.0  # seconds


class HostedPlayer(LinesPlayer):
    """A player in a host process (`player_host.py`), kept from game to game, started afresh after a fault."""

    _ILLEGAL = "illegal"

    def __init__(
        self, setting: dict[str, Any], game: Game, isolation: Isolation | None, reads: Iterable[Path] = ()
    ) -> None:
        setting = {**setting, **_carried(game)}
        # The host finds this package, and modules that a game comes from, where this process does.
        path = os.pathsep.join(entry or os.getcwd() for entry in sys.path)
        quiet = os.environ.get("SADDLEPOINT_QUIET", "1")
        super().__init__(
            [sys.executable, "-P", "-m", f"{__package__}.player_host", json.dumps(setting)],
            isolation,
            {"PYTHONPATH": path, "SADDLEPOINT_QUIET": quiet},
            [*reads, *_sources(game)],
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
    """The data from which the host makes this game: empty for the library's own games, which the protocol
    names.
    """
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
