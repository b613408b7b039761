"""What a solver has found so far, in a file, and with how many threads or processes: a run that was interrupted goes on."""

import json
import math
import os
import time
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from ...compiled import package_digest
from ...game.own_games import described
from ...system.foreign_files import ForeignFileError, check_readable
from ...system.stored import CHUNK, DAMAGE, LARGEST_TEXT, read_into, read_json, stored_size
from .packing import arranged
from .positions import HIGHEST
from .solve import COUNTED, Induction, Solver

# What a solver has found so far, in a file: a run that was interrupted, or killed, goes on there.
#
# The table is enough. The positions on the stack are found again at once, since all that was solved below them is in the table; and
# what is solved does not depend on the order, so that the solution is the same, bit for bit.
#
# A checkpoint is a zip of a header in JSON and two arrays, whose checksums tell damage. Nothing in it is code, or an index that compiled
# code would follow: places and shifts are computed from the packing's ranges, and slots from the rows. What it says is checked before
# it is used, and that its positions can come about at all once the game is solved (`reached`).

FORMAT = "saddlepoint checkpoint 2"
_PIECE = 1 << 16
"""Rows that are written at a time."""
_SHARE = 30
"""The next checkpoint waits at least this many times as long as writing one takes."""


class CheckpointError(ValueError):
    """A file that no run can go on from; the message says why."""


def checkpoint_path(output: Path) -> Path:
    """Where the checkpoint of a run lies that writes this file: beside it."""
    return output.with_name(output.name + ".part")


class Checkpoints:
    """Writes checkpoints of a run now and then: `seconds` apart, or more where writing takes long."""

    def __init__(self, path: Path, seconds: float = 60.0) -> None:
        self.path = path
        self._seconds, self._next = seconds, time.monotonic() + seconds
        self._written = 0

    def write_if_due(self, work: Solver) -> None:
        """Write one where it is time."""
        if self.is_due:
            self.write(work)

    @property
    def is_due(self) -> bool:
        """Whether it is time."""
        return time.monotonic() >= self._next

    def write(self, work: Solver) -> None:
        """Write one, unless the last one says the same, or the table is not whole."""
        if work.positions.filled == self._written or not work.positions.is_whole:
            return
        started = time.monotonic()
        try:
            save_checkpoint(self.path, work)
            self._written = work.positions.filled
        finally:
            ended = time.monotonic()
            self._next = ended + max(self._seconds, _SHARE * (ended - started))

    def remove(self) -> None:
        """Leave nothing behind."""
        for path in (self.path, _unfinished(self.path)):
            path.unlink(missing_ok=True)


def save_checkpoint(path: Path, work: Solver) -> None:
    """Write what is solved; the file is replaced when the new one is whole and on the disk."""
    table, unfinished = work.positions, _unfinished(path)
    header = {
        "format": FORMAT,
        "program": package_digest(),
        **_identity(work),
        "positions": table.filled,
        "counts": work.counted(),
        "seconds": work.seconds,
        "base": table.packing.base.tolist(),
        "mask": table.packing.mask.tolist(),
    }
    try:
        with open(unfinished, "wb") as file:
            with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
                archive.writestr("header", json.dumps(header))
                row = table.packing.width + 1
                _write(archive, "rows", table.filled * row, (rows for rows, _ in _pieces(work)))
                _write(archive, "heights", table.filled, (heights for _, heights in _pieces(work)))
            file.flush()
            os.fsync(file.fileno())
        os.replace(unfinished, path)
    except BaseException:
        with suppress(OSError):
            unfinished.unlink()
        raise
    with suppress(OSError):  # not every system lets a folder be opened
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def load_checkpoint(path: Path, work: Induction) -> None:
    """Let a run that has not begun go on from a checkpoint; raises CheckpointError where it is none, or not this game's."""
    try:
        check_readable(path)
        with zipfile.ZipFile(path) as archive:
            if stored_size(archive, "header") > LARGEST_TEXT:
                raise ValueError
            header = read_json(archive.read("header"))
            _check_identity(path, header, work)
            _load(archive, header, work)
    except OSError as error:
        raise CheckpointError(f"{str(path)!r} cannot be read: {error.strerror or error}") from error
    except ForeignFileError as error:
        raise CheckpointError(str(error)) from None
    except CheckpointError:
        raise
    except DAMAGE as error:
        raise CheckpointError(
            f"{str(path)!r} is no checkpoint, or damaged; delete it to begin anew"
        ) from error


def _unfinished(path: Path) -> Path:
    return path.with_name(path.name + ".new")


def _identity(work: Solver) -> dict[str, Any]:
    identity = {"game": described(work.game), "start": work.game.to_text(work.root), "folded": work.is_folded}
    return json.loads(json.dumps(identity))


def _check_identity(path: Path, header: Any, work: Solver) -> None:
    if not isinstance(header, dict) or header["format"] != FORMAT:
        raise ValueError
    wanted = _identity(work)
    for key, what in (
        ("game", "another game, or of other rules"),
        ("start", "another start"),
        ("folded", "other options"),
    ):
        if header[key] != wanted[key]:
            raise CheckpointError(f"{str(path)!r} is the checkpoint of {what}: this is {work.game!r}")
    if header["program"] != package_digest():
        raise CheckpointError(
            f"{str(path)!r} was written by another version of this program, which has to finish it"
        )


def _load(archive: zipfile.ZipFile, header: dict[str, Any], work: Induction) -> None:
    table = work.positions
    bases, masks = ([_whole(word, (1 << 64) - 1) for word in header[name]] for name in ("base", "mask"))
    if not len(bases) == len(masks) == len(table.packing.base) or any(mask & (mask + 1) for mask in masks):
        raise ValueError
    packing, count = arranged(bases, masks), _whole(header["positions"], (1 << 32) - 1)
    counts = {name: _whole(header["counts"][name], (1 << 63) - 1) for name in COUNTED} | {"filled": count}
    seconds = float(header["seconds"])
    if not 0 <= seconds < math.inf:
        raise ValueError
    row = packing.width + 1
    for name, size in (("rows", 8 * row * count), ("heights", table.heights.itemsize * count)):
        if stored_size(archive, name) != size:
            raise ValueError
    rows, heights = table.room_for(count, packing.width)
    used_bits = np.zeros(packing.width, np.uint64)
    for mask, place, shift in zip(packing.mask, packing.place, packing.shift, strict=True):
        used_bits[place] |= mask << shift
    with archive.open("rows") as file:
        for piece in read_into(file, rows[: count * row], CHUNK * row):
            words, values = piece.reshape(-1, row)[:, :-1], piece.view(np.float64).reshape(-1, row)[:, -1]
            if (words & ~used_bits).any() or not np.isfinite(values).all():
                raise ValueError
    with archive.open("heights") as file:
        for piece in read_into(file, heights[:count], CHUNK):
            if piece.min() < 1 or piece.max() > min(work.game.max_depth, HIGHEST):
                raise ValueError
    if table.adopt(packing, rows, heights, count):
        raise ValueError  # a position twice
    work.adopt(counts, seconds)


def _whole(number: Any, most: int) -> int:
    if type(number) is not int or not 0 <= number <= most:
        raise ValueError
    return number


def _pieces(work: Solver) -> Iterator[tuple[Any, Any]]:
    """The rows that hold a position, and their heights, a piece at a time."""
    table = work.positions
    rows = table.rows[: table.used * (table.packing.width + 1)].reshape(table.used, -1)
    for first in range(0, table.used, _PIECE):
        heights = table.heights[first : min(first + _PIECE, table.used)]
        held = heights != 0
        yield rows[first : first + len(heights)][held], heights[held]


def _write(archive: zipfile.ZipFile, name: str, items: int, pieces: Iterator[Any]) -> None:
    with archive.open(name, "w", force_zip64=True) as file:
        for piece in pieces:
            items -= piece.size
            file.write(np.ascontiguousarray(piece).data.cast("B"))
    if items:
        raise RuntimeError("the table changed while it was written")
