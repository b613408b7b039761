"""A database of Rubik's Flip in which only the empty board is: players that find it search all others."""

import json
from pathlib import Path

_PAGE = 1 << 16


def write_small_database(file: Path) -> None:
    layer = {"at": _PAGE, "bytes": 1, "bits": 4, "values": [0]}
    header = json.dumps({"double_lock": "draw", "layers": {"0": layer}})
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(f"saddlepoint rubiks_flip 1\n{header}".encode().ljust(_PAGE, b"\n") + b"\0")
