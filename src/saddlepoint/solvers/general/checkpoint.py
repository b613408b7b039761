"""What a solver has found so far, in a file, and with how many threads or processes: a run that was interrupted goes on."""

import json
import time
import zipfile
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
import numpy as np
from msgspec import Meta

from ...compiled import package_digest
from ...game.own_games import described
from ...system.files import whole_file
from ...system.foreign_files import ForeignFileError, check_readable
from ...system.json_fields import converted
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
"""The next checkpoint waits at least so many times as long as writing one takes."""


class _Header(msgspec.Struct):
    format: Literal["saddlepoint checkpoint 2"]
    program: str
    game: dict[str, Any]
    start: str
    folded: bool
    positions: Annotated[int, Meta(ge=0, le=(1 << 32) - 1)]
    counts: dict[str, Annotated[int, Meta(ge=0, le=(1 << 63) - 1)]]
    seconds: Annotated[float, Meta(ge=0, le=1e15)]
    base: list[Annotated[int, Meta(ge=0)]]
    mask: list[Annotated[int, Meta(ge=0)]]


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
        self.path.unlink(missing_ok=True)


def save_checkpoint(path: Path, work: Solver) -> None:
    """Write what is solved; the file is replaced when the new one is whole and on the disk."""
    table = work.positions
    rows, heights = table.rows.reshape(-1, table.packing.width + 1)[: table.used], table.heights[: table.used]
    header = _Header(
        FORMAT,
        package_digest(),
        *_identity(work).values(),
        int(np.count_nonzero(heights)),
        work.counted(),
        work.seconds,
        table.packing.base.tolist(),
        table.packing.mask.tolist(),
    )
    with whole_file(path) as file, zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("header", json.dumps(msgspec.to_builtins(header)))
        for name, array in (("rows", rows), ("heights", heights)):
            with archive.open(name, "w", force_zip64=True) as member:
                for first in range(0, table.used, _PIECE):
                    piece = slice(first, first + _PIECE)
                    member.write(array[piece][heights[piece] != 0].data.cast("B"))


def load_checkpoint(path: Path, work: Induction) -> None:
    """Let a run that has not begun go on from a checkpoint; raises CheckpointError where it is none, or not this game's."""
    try:
        check_readable(path)
        with zipfile.ZipFile(path) as archive:
            if stored_size(archive, "header") > LARGEST_TEXT:
                raise ValueError
            header = converted(read_json(archive.read("header")), _Header)
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


def _identity(work: Solver) -> dict[str, Any]:
    """What must be the same for a run to go on, as it comes out of JSON again, in the order of the header."""
    identity = {"game": described(work.game), "start": work.game.to_text(work.root), "folded": work.is_folded}
    return json.loads(json.dumps(identity))


def _check_identity(path: Path, header: _Header, work: Solver) -> None:
    words = "another game, or of other rules", "another start", "other options"
    for (key, wanted), what in zip(_identity(work).items(), words, strict=True):
        if getattr(header, key) != wanted:
            raise CheckpointError(f"{str(path)!r} is the checkpoint of {what}: this is {work.game!r}")
    if header.program != package_digest():
        raise CheckpointError(
            f"{str(path)!r} was written by another version of this program, which has to finish it"
        )


def _load(archive: zipfile.ZipFile, header: _Header, work: Induction) -> None:
    table, count = work.positions, header.positions
    if not len(header.base) == len(header.mask) == len(table.packing.base) or any(
        mask & (mask + 1) for mask in header.mask
    ):
        raise ValueError
    packing = arranged(header.base, header.mask)
    counts = {name: header.counts[name] for name in COUNTED} | {"filled": count}
    row = packing.width + 1
    sizes = {"rows": 8 * row * count, "heights": table.heights.itemsize * count}
    if any(stored_size(archive, name) != size for name, size in sizes.items()):
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
    work.adopt(counts, header.seconds)
