"""The process that compiles for WebAssembly, and the files of an export."""

import base64
import json
import os
import re
import subprocess
import sys
import tempfile
import zlib
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, distribution
from importlib.resources import files
from pathlib import Path
from typing import Any, cast

from ..algorithms.limits import Limits
from ..compiled.directory import cache_directory
from ..compiled.errors import KernelError
from ..game.spec import Spec, parse_spec, spec_of, without_folders
from ..games.catalogue import solved_games
from ..games.catalogue.games import read_game
from ..games.catalogue.make import make_player
from ..players.searching import SearchPlayer
from ..players.solving import is_solved_beforehand
from ..system.terminal import installed_version
from .lowering import ExportError, Unit
from .player import Searches, add_page, add_rules, planned, player_of
from .solution import add_solved
from .translating import translated
from .webassembly import linked

# The process that compiles for WebAssembly: Numba optimises nothing in it, and keeps what it compiled in a folder of its own.
#
# Run as `python -m saddlepoint.export.process FOLDER`: it reads what is wanted from a file in the folder, and leaves the module and what a
# host must know of it there, or the sentence that says why there is none.

_UNOPTIMISED = {
    "NUMBA_OPT": "0",
    "NUMBA_LOOP_VECTORIZE": "0",
    "NUMBA_DISABLE_INTEL_SVML": "1",
    "NUMBA_CPU_NAME": "generic",
    "NUMBA_CPU_FEATURES": "",
    "NUMBA_DISABLE_JIT": "0",
    "NUMBA_DEBUGINFO": "0",
    "SADDLEPOINT_NATIVE": "1",
}
"""What came with a wheel, too, was optimised for a processor."""
_WANTED, _MODULE, _ABOUT, _TEXTS, _REFUSAL = (
    "wanted.json",
    "module.wasm",
    "about.json",
    "texts.js",
    "refusal.txt",
)


@dataclass(frozen=True)
class Exported:
    """A game and a player as WebAssembly."""

    module: bytes
    about: dict[str, Any]
    """The description for a host: docs/exporting.md."""
    texts: str = ""
    """Of a page's game: its texts and pictures in JavaScript; empty where they cannot be translated, `about` says why."""


def exported(game: str, player: str | None, limits: dict[str, Any] | None = None) -> Exported:
    """The module of a game and of one of its players, both as specs; without a player of the rules alone.

    `limits` (depth, nodes, seconds) bound every move. Raises ExportError, in one sentence, for what cannot be exported.
    """
    if player is not None and player.startswith("best"):
        _measure(game, player)
    return _run({"game": game, "player": player, "limits": limits or {}})


def exported_page(game: str, folded: bool | None = None) -> Exported:
    """The module of a game as the page needs it: with the players of its levels and what analyses it. Raises ExportError.

    `folded`: whether the solution that it has keeps one of the positions that are worth the same; None where it has none.
    """
    _measure(game, "best")
    return _run({"game": game, "page": True, "folded": folded})


def _measure(game_text: str, player_spec: str) -> None:
    """Let the search of `best` be measured here, where that has to be; the process that compiles reads what was chosen."""
    game, asked = read_game(game_text, is_tried=False), parse_spec(player_spec)
    player = make_player(asked, game)
    if isinstance(player, SearchPlayer) and player.search_of is not None and not is_solved_beforehand(game):
        # The solution of a larger game, which is kept on this machine, is not exported.
        searching = make_player(Spec(asked.name, {**asked.options, "solve": False}), game)
        cast(Any, searching).search_of(game)


def _run(wanted: dict[str, Any]) -> Exported:
    environment = {**os.environ, **_UNOPTIMISED, "NUMBA_CACHE_DIR": str(cache_directory() / "export")}
    environment[solved_games.KEPT_BY_PARENT] = str(solved_games.folder())
    environment.pop("SADDLEPOINT_NUMBA_WITHOUT", None)
    environment["PYTHONPATH"] = os.pathsep.join(path for path in sys.path if path)
    with tempfile.TemporaryDirectory(prefix="saddlepoint-export-") as name:
        folder = Path(name)
        (folder / _WANTED).write_text(json.dumps(wanted))
        ended = subprocess.run(
            [sys.executable, "-m", __name__, name], env=environment, stdin=subprocess.DEVNULL, check=False
        )
        if (folder / _REFUSAL).is_file():
            raise ExportError((folder / _REFUSAL).read_text())
        if ended.returncode or not (folder / _ABOUT).is_file():
            raise ExportError(
                f"the process that compiles for WebAssembly ended with the code {ended.returncode}"
            )
        texts = (folder / _TEXTS).read_text()
        return Exported((folder / _MODULE).read_bytes(), json.loads((folder / _ABOUT).read_text()), texts)


def _main(folder: Path) -> None:
    wanted = json.loads((folder / _WANTED).read_text())
    try:
        made = (
            _page(wanted["game"], wanted["folded"])
            if wanted.get("page")
            else _made(wanted["game"], wanted["player"], wanted["limits"])
        )
    except (KernelError, ValueError) as error:
        (folder / _REFUSAL).write_text(str(error))
    else:
        (folder / _MODULE).write_bytes(made.module)
        (folder / _TEXTS).write_text(made.texts)
        (folder / _ABOUT).write_text(json.dumps(made.about))


def _made(game_text: str, player_spec: str | None, limits: dict[str, Any]) -> Exported:
    game = read_game(game_text, is_tried=False)
    plan = None
    if player_spec is not None:
        plan = planned(
            game, make_player(player_spec, game, Limits(**limits) if limits else None), player_spec
        )
    unit = Unit()
    about = _about(unit, game)
    if plan is not None and player_spec is not None:
        searches, spec = Searches(unit, game), without_folders(player_spec)
        players = [player_of(plan, searches.number(plan.seats), spec)]
        about |= {"player": spec, "left_out": plan.left_out, "searches": searches.about, "players": players}
    return Exported(linked(unit), about)


def _page(game_text: str, folded: bool | None) -> Exported:
    game, unit = read_game(game_text, is_tried=False), Unit()
    about = _about(unit, game)
    about |= add_page(unit, game)
    if folded is not None:
        add_solved(unit, game, folded)
    try:
        texts = translated(game, bool(folded))
    except ExportError as error:  # the page then shows moves by their numbers
        if folded:
            raise ExportError(f"{error}; a solution made with --no-fold needs no images") from error
        texts, about["without_texts"] = "", str(error)
    return Exported(linked(unit), about, texts)


def _about(unit: Unit, game: Any) -> dict[str, Any]:
    return {
        "format": 1,
        "saddlepoint": installed_version(),
        "name": game.name,
        "game": str(spec_of(game)),
        **add_rules(unit, game),
    }


if __name__ == "__main__":
    try:
        _main(Path(sys.argv[1]))
    except KeyboardInterrupt:  # whoever started this process says so
        sys.exit(130)


# The files of an export: the module with what drives it, or all in one file of JavaScript; and the notices of what is linked in.

_OWN = """Made with Saddlepoint, whose code is in it: licensed under the Apache License, Version 2.0 (the "License"); you may not use it
except in compliance with the License. You may obtain a copy of the License at https://www.apache.org/licenses/LICENSE-2.0.
Unless required by applicable law or agreed to in writing, it is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR
CONDITIONS OF ANY KIND, either express or implied. See the License for the specific language governing permissions and
limitations under the License. The rules of a game of your own stay yours.

The code was made with LLVM, which is licensed under the Apache License, Version 2.0, with LLVM Exceptions
(https://llvm.org/LICENSE.txt); none of its run-time library is in it."""


def notices() -> str:
    """All of them, as text."""
    return (
        "\n\n".join(
            [
                _OWN,
                *(
                    f"{name}, whose functions may be in it:\n\n{_licence(name)}"
                    for name in ("numba", "llvmlite")
                ),
            ]
        )
        + "\n"
    )


def _licence(name: str) -> str:
    """The licence that came with an installed package."""
    try:
        for file in distribution(name).files or ():
            if file.name.upper() in ("LICENSE", "LICENSE.TXT"):
                return file.read_text().strip()
    except (PackageNotFoundError, OSError):
        pass
    return "BSD 2-Clause License"


# The files of an export: the module with what drives it, or all in one file of JavaScript.

HOST_NAMES = "Game, Player, Searcher, Random, NO_ACTION, CHANCE, SIMULTANEOUS, TERMINAL"


def folder_of(made: Exported) -> dict[str, bytes]:
    """A module for any host: by name the files that belong together."""
    name = made.about["name"] or "game"
    return {
        f"{name}.wasm": made.module + _section("notices", notices().encode()),
        f"{name}.json": (json.dumps(made.about, indent=1) + "\n").encode(),
        "saddlepoint.mjs": f"{_source('engine.js')}\nexport {{ {HOST_NAMES} }};\n".encode(),
        "NOTICES.txt": notices().encode(),
    }


def bot_of(made: Exported, loop: str | None = None) -> str:
    """One file for Node 18 or newer, which needs no packages and plays over its standard input and output.

    `loop` is JavaScript that stands in the place of the line protocol: it defines `play(game)`, which is called once.
    """
    about = json.dumps(made.about, separators=(",", ":"))
    code = base64.b64encode(zlib.compress(made.module, 9)).decode()
    speaks = "Saddlepoint's line protocol" if loop is None else "what its loop says"
    said = "\n".join(f"// {line}".rstrip() for line in notices().splitlines())
    return (
        f"// {made.about['game']}, played by {made.about['player']}: node FILE speaks {speaks}.\n//\n{said}\n"
        f'"use strict";\n{_shortened(_source("engine.js"))}{_shortened(_source("lines.js") if loop is None else loop)}'
        f'const ABOUT = {about};\nconst CODE = "{code}";\n'
        "const packed = new Blob([Uint8Array.from(atob(CODE), (mark) => mark.charCodeAt(0))]);\n"
        'new Response(packed.stream().pipeThrough(new DecompressionStream("deflate"))).arrayBuffer()\n'
        ".then((bytes) => Game.load(ABOUT, bytes)).then(play);\n"
    )


_COMMENTS = re.compile(r"^\s*(?://[^\n]*|/\*\*(?:(?!\*/).)*\*/[ \t]*)$", re.MULTILINE | re.DOTALL)


def _source(name: str) -> str:
    return (files(__package__ or "") / "host" / name).read_text()


def _shortened(source: str) -> str:
    """JavaScript without the comments that take lines of their own, and without blank lines and indents."""
    lines = (line.strip() for line in _COMMENTS.sub("", source).splitlines())
    return "".join(f"{line}\n" for line in lines if line)


def _section(name: str, content: bytes) -> bytes:
    """A section of a module that says something and does nothing."""
    body = _length(len(name)) + name.encode() + content
    return b"\0" + _length(len(body)) + body


def _length(number: int) -> bytes:
    """A number as WebAssembly writes it: seven bits a byte, the lowest first."""
    found = bytearray()
    while number > 0x7F:
        found.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*found, number])


def write(path: Path, content: bytes) -> None:
    """Write a file; its folder is made where there is none."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
