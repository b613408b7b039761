"""The files of an export: the module with what drives it, or all in one file of JavaScript."""

import base64
import json
import zlib
from importlib.resources import files
from pathlib import Path

from .notices import notices
from .process import Exported

_NAMES = "Game, Player, Searcher, Random, NO_ACTION, CHANCE, SIMULTANEOUS, TERMINAL"


def folder_of(made: Exported) -> dict[str, bytes]:
    """A module for any host: by name the files that belong together."""
    name = made.about["name"] or "game"
    return {
        f"{name}.wasm": made.module + _section("notices", notices().encode()),
        f"{name}.json": (json.dumps(made.about, indent=1) + "\n").encode(),
        "saddlepoint.mjs": f"{_source('engine.js')}\nexport {{ {_NAMES} }};\n".encode(),
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


def _source(name: str) -> str:
    return (files(__package__ or "") / "host" / name).read_text()


def _shortened(source: str) -> str:
    """JavaScript without its comments, which take lines of their own, and without blank lines and indents."""
    lines = (line.strip() for line in source.splitlines())
    return "".join(f"{line}\n" for line in lines if line and not line.startswith(("//", "/**")))


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
