"""The process that compiles for WebAssembly: Numba optimises nothing in it, and keeps what it compiled in a folder of its own.

Run as `python -m saddlepoint.export.process FOLDER`: it reads what is wanted from a file in the folder, and leaves the module and what a
host must know of it there, or the sentence that says why there is none.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..compiled.directory import cache_directory
from .lowering import ExportError

if TYPE_CHECKING:
    from .lowering import Unit

_UNOPTIMISED = {
    "NUMBA_OPT": "0", "NUMBA_LOOP_VECTORIZE": "0", "NUMBA_DISABLE_INTEL_SVML": "1", "NUMBA_CPU_NAME": "generic",
    "NUMBA_CPU_FEATURES": "", "NUMBA_DISABLE_JIT": "0", "NUMBA_DEBUGINFO": "0", "SADDLEPOINT_NATIVE": "1",
}  # fmt: skip
"""What came with a wheel, too, was optimised for a processor."""
_WANTED, _MODULE, _ABOUT, _TEXTS, _REFUSAL = "wanted.json", "module.wasm", "about.json", "texts.js", "refusal.txt"


@dataclass(frozen=True)
class Exported:
    """A game and a player as WebAssembly."""

    module: bytes
    about: dict[str, Any]
    """What a host must know of it: docs/exporting.md."""
    texts: str = ""
    """Of a page's game: its texts and pictures in JavaScript; empty where they cannot be translated, `about` says why."""


def exported(game: str, player: str | None, limits: dict[str, Any] | None = None) -> Exported:
    """The module of a game and of one of its players, both as specs; without a player of the rules alone.

    `limits` (depth, nodes, seconds) bound every move. Raises ExportError, in one sentence, for what cannot be exported.
    """
    return _run({"game": game, "player": player, "limits": limits or {}})


def exported_page(game: str) -> Exported:
    """The module of a game as the page needs it: with the players of its levels and what analyses it. Raises ExportError."""
    return _run({"game": game, "page": True})


def _run(wanted: dict[str, Any]) -> Exported:
    environment = {**os.environ, **_UNOPTIMISED, "NUMBA_CACHE_DIR": str(cache_directory() / "export")}
    environment.pop("SADDLEPOINT_NUMBA_WITHOUT", None)
    environment["PYTHONPATH"] = os.pathsep.join(path for path in sys.path if path)
    with tempfile.TemporaryDirectory(prefix="saddlepoint-export-") as name:
        folder = Path(name)
        (folder / _WANTED).write_text(json.dumps(wanted))
        ended = subprocess.run([sys.executable, "-m", __name__, name], env=environment, stdin=subprocess.DEVNULL, check=False)
        if (folder / _REFUSAL).is_file():
            raise ExportError((folder / _REFUSAL).read_text())
        if ended.returncode or not (folder / _ABOUT).is_file():
            raise ExportError(f"the process that compiles for WebAssembly ended with the code {ended.returncode}")
        texts = (folder / _TEXTS).read_text()
        return Exported((folder / _MODULE).read_bytes(), json.loads((folder / _ABOUT).read_text()), texts)


def _main(folder: Path) -> None:
    from ..compiled.errors import KernelError

    wanted = json.loads((folder / _WANTED).read_text())
    try:
        made = _page(wanted["game"]) if wanted.get("page") else _made(wanted["game"], wanted["player"], wanted["limits"])
    except (KernelError, ValueError) as error:
        (folder / _REFUSAL).write_text(str(error))
    else:
        (folder / _MODULE).write_bytes(made.module)
        (folder / _TEXTS).write_text(made.texts)
        (folder / _ABOUT).write_text(json.dumps(made.about))


def _made(game_text: str, player_spec: str | None, limits: dict[str, Any]) -> Exported:
    from ..algorithms.limits import Limits
    from ..roster.make import make_player
    from .lowering import Unit
    from .player import Searches, planned, player_of
    from .webassembly import linked

    game = read_game(game_text)
    plan = None
    if player_spec is not None:
        plan = planned(game, make_player(player_spec, game, Limits(**limits) if limits else None), player_spec)
    unit = Unit()
    about = _about(unit, game)
    if plan is not None and player_spec is not None:
        searches, spec = Searches(unit, game), without_folders(player_spec)
        players = [player_of(plan, searches.number(plan.seats), spec)]
        about |= {"player": spec, "left_out": plan.left_out, "searches": searches.about, "players": players}
    return Exported(linked(unit), about)


def _page(game_text: str) -> Exported:
    from .lowering import Unit
    from .page import add_page
    from .translating import translated
    from .webassembly import linked

    game, unit = read_game(game_text), Unit()
    about = _about(unit, game)
    about |= add_page(unit, game)
    try:
        texts = translated(game)
    except ExportError as error:  # the page then shows moves by their numbers
        texts, about["without_texts"] = "", str(error)
    return Exported(linked(unit), about, texts)


def _about(unit: "Unit", game: Any) -> dict[str, Any]:
    from ..spec import spec_of
    from .rules import add_rules

    return {"format": 1, "saddlepoint": _version(), "name": game.name, "game": str(spec_of(game)), **add_rules(unit, game)}


def read_game(text: str) -> Any:
    """The game that a text describes: this library's, or one in a file, which is run."""
    from ..own_games import load_game, split_file
    from ..roster.games import game_spec, make_game
    from ..spec import parse_spec

    own = split_file(text)
    spec = game_spec(text) if own is None else parse_spec(own[1])
    return make_game(spec.name, **spec.options) if own is None else load_game(own[0], spec.name, dict(spec.options))


def without_folders(spec: str) -> str:
    """A spec whose files are named without the folders that they are in: no export tells of the machine that made it."""
    return re.sub(r'[^\s(,="]*/', "", re.sub(r'"[^"]*/', '"', spec))


def _version() -> str:
    try:
        return version("saddlepoint")
    except PackageNotFoundError:
        return ""


if __name__ == "__main__":
    try:
        _main(Path(sys.argv[1]))
    except KeyboardInterrupt:  # whoever started this process says so
        sys.exit(130)
