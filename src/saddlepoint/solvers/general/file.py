"""Solutions in files: NumPy's .npz, arrays of numbers and a header in JSON; nothing in it is code, or run when it is read.

Large arrays are not read but mapped into memory: of a file of many gigabytes only the pages are read that are asked for.
"""

import json
import math
import os
import struct
import tempfile
import zipfile
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from ...game import Game, GameError
from ...games.catalogue.own_games import described, recorded_game
from .certificate import Certificate
from .packing import Packing
from .solution import Solution

FORMAT, FOLDED_FORMAT = "saddlepoint solution 1", "saddlepoint solution 2"
"""All positions are there, or of those that are worth the same one."""
_ARRAYS = ("words", "values", "order", "base", "mask", "place", "shift")
_MAPPED = 1 << 20
"""Bytes from which on an array is mapped; smaller ones are read, and their checksums checked."""
_LOCAL = struct.Struct("<4s22xHH")
"""What stands before a file in an archive: a mark, then, 26 bytes in, how long its name and what follows the name are."""


class SolutionFileError(ValueError):
    """A file that holds no solution; the message says which and why."""


def save_solution(path: str | Path, solution: Solution, certificate: Certificate | None = None) -> None:
    """Write a solution; the file appears when it is whole. The same solution gives the same bytes."""
    packing = solution.packing
    header: dict[str, Any] = {
        "format": FOLDED_FORMAT if solution.is_folded else FORMAT, "folded": solution.is_folded,
        "game": described(solution.game), "start": solution.game.to_text(solution.root),
        "positions": len(solution), "certificate": None if certificate is None else asdict(certificate),
    }  # fmt: skip
    if solution.discount is not None:
        header["discount"] = solution.discount
    target = Path(path).resolve()
    descriptor, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name[:50]}.")
    try:
        with os.fdopen(descriptor, "wb") as file:
            np.savez(
                file, allow_pickle=False, header=np.frombuffer(json.dumps(header).encode(), np.uint8), words=solution.words,
                values=solution.values, order=solution.order, base=packing.base, mask=packing.mask, place=packing.place,
                shift=packing.shift,
            )  # fmt: skip
            file.flush()
            os.fsync(file.fileno())  # a checkpoint goes when this is there
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(name, 0o666 & ~mask)
        os.replace(name, target)
    except BaseException:
        with suppress(OSError):
            os.unlink(name)
        raise


def load_solution(path: str | Path, game: Game | None = None) -> tuple[Solution, Certificate | None]:
    """The solution in a file, and the certificate that it carries, if any.

    `game`, if given, must be the game that was solved. Of a game in a user's own file the rules must have been loaded before.
    Raises SolutionFileError for what is no solution, GameError for rules that are not there or another game's.
    """
    header, arrays = _read(Path(path))
    solved = recorded_game(header["game"])
    if game is not None and described(game) != described(solved):
        raise GameError(f"{str(path)!r} is a solution of {solved!r}, not of {game!r}")
    packing = Packing(*(arrays[name] for name in ("base", "mask", "place", "shift")))
    count = len(arrays["values"])
    if arrays["words"].shape != (count, packing.width) or arrays["order"].shape != (count,):
        raise _no_solution(path)
    solution = Solution(
        solved, solved.from_text(header["start"]), packing, arrays["words"], arrays["values"], arrays["order"],
        header["format"] == FOLDED_FORMAT, header.get("discount"),
    )  # fmt: skip
    kept = header["certificate"]
    return solution, None if kept is None else Certificate(**kept)


def _read(path: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    try:
        with open(path, "rb") as opened, np.load(opened, allow_pickle=False) as file:
            header = json.loads(bytes(file["header"]))
            if header["format"] not in (FORMAT, FOLDED_FORMAT):
                raise _no_solution(path)
            members = {info.filename: info for info in file.zip.infolist()}
            return header, {name: _mapped(path, info) if _is_large(info := members[f"{name}.npy"]) else file[name] for name in _ARRAYS}
    except OSError as error:
        raise SolutionFileError(f"{str(path)!r} cannot be read: {error.strerror or error}") from error
    except SolutionFileError:
        raise
    except (ValueError, KeyError, TypeError, EOFError, AttributeError, zipfile.BadZipFile) as error:
        raise _no_solution(path) from error


def _is_large(member: zipfile.ZipInfo) -> bool:
    return member.compress_type == zipfile.ZIP_STORED and member.file_size >= _MAPPED


def _mapped(path: Path, member: zipfile.ZipInfo) -> NDArray[Any]:
    """An array of the archive as a view of the file; raises ValueError where its header and its size do not fit together."""
    with open(path, "rb") as file:
        file.seek(member.header_offset)
        local = file.read(_LOCAL.size)
        signature, name_length, extra_length = _LOCAL.unpack(local)
        if signature != b"PK\x03\x04":
            raise ValueError("no archive")
        start = member.header_offset + _LOCAL.size + name_length + extra_length
        file.seek(start)
        read_header = {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}[npy.read_magic(file)]
        shape, fortran_order, kind = read_header(file)
        if kind.hasobject or fortran_order or file.tell() + kind.itemsize * math.prod(shape) != start + member.file_size:
            raise ValueError("not an array of numbers")
        return np.memmap(file, kind, "r", file.tell(), shape).view(np.ndarray)


def _no_solution(path: str | Path) -> SolutionFileError:
    return SolutionFileError(f"{str(path)!r} holds no solution of a game; `saddlepoint solve GAME -o FILE.sol` writes one")
