"""The process in which a Python file's player, or one of this library's, plays: it speaks the line protocol.

    python -m saddlepoint.games.catalogue.player_host SETTING

SETTING is a JSON object: "file" (a Python file) or "spec" with "limits" (depth, nodes, seconds); "game", for games
that this library does not know, is a pickle in base64. What a player prints goes to stderr.
"""

import ast
import base64
import importlib.util
import inspect
import io
import json
import os
import pickle
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

from ...compiled import PLAIN_PYTHON
from ...game.base import Game
from ...game.checked_rules import CHECKED_RULES
from ...players.base import Answer, Player, PlayerError, next_choice
from ...players.clock import Clock
from ...players.programs.named import asking
from ...players.protocols.lines_bot import LinesBot
from .games import make_game


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
            choose = asking(function)
            self._choose = lambda state, clock: choose(self.game, state, clock, self.player)

    def begin(self, game: Game, player: int, seed: int | None = None) -> None:
        super().begin(game, player, seed)
        self._call("begin", game, player, seed)

    def warm(self, game: Game, state: Any, seats: Iterable[int] = (0, 1)) -> None:
        """Compile, or load, the rules, and the game's own methods that the file names; a player that can warm itself does."""
        for seat in seats:
            asked = next_choice(game, state, seat)
            if asked is not None:
                game.search_actions(asked, seat)
                game.legal_actions(asked, seat)
                _compile_named(self._file, game, asked)
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


def _compile_named(file: Path, game: Game, state: Any) -> None:
    """Compile, or load, the kernels that a file names: called with a state, or its field of that name, else with whole numbers.

    What is kept on disk is not written by a player's process, which may be started afresh for each game: its clock would pay for it.
    """
    if PLAIN_PYTHON:
        return
    named = {node.attr for node in ast.walk(ast.parse(file.read_bytes())) if isinstance(node, ast.Attribute)}
    for name in sorted(named & set(game.kernels) - set(CHECKED_RULES)):
        kernel: Any = game.kernels[name]
        parameters = list(inspect.signature(kernel.py_func).parameters)[1:]
        with suppress(Exception):  # with other arguments it is compiled when it is called
            kernel.compile_for_python(
                game, *(state if one == "state" else getattr(state, one, 0) for one in parameters)
            )


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
        return lambda game: FilePlayer(Path(setting["file"]))
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
