"""A game solved from its end, and what was found so far in a file: a run that was interrupted goes on."""

import json
import time
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
import numpy as np
from msgspec import Meta

from ...compiled import PLAIN_PYTHON, package_digest
from ...game.base import Game
from ...game.own_games import described
from ...system.cluster import usable_cores
from ...system.files import remove_unfinished, whole_file
from ...system.foreign import converted
from ...system.stored import CHUNK, LARGEST_TEXT, read_into, read_json, reading, stored_size
from ...system.text import count_of
from .certificate import BrokenSolution, SolvedGame
from .check import check_values
from .packing import arranged
from .positions import HIGHEST
from .reached import check_reached
from .solution import Solution
from .solve import COUNTED, Induction, SolveCounts, Solver, solve_the_rest

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


def save_checkpoint(path: Path, work: Solver) -> None:
    """Write what is solved; the file is replaced when the new one is whole and on the disk."""
    table = work.positions
    rows, heights = table.rows.reshape(-1, table.packing.width + 1)[: table.used], table.heights[: table.used]
    header = _Header(
        format=FORMAT,
        program=package_digest(),
        positions=int(np.count_nonzero(heights)),
        counts=work.counted(),
        seconds=work.seconds,
        base=table.packing.base.tolist(),
        mask=table.packing.mask.tolist(),
        **_identity(work),
    )
    remove_unfinished(path)  # a checkpoint may be large
    with whole_file(path) as file, zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("header", json.dumps(msgspec.to_builtins(header)))
        for name, array in (("rows", rows), ("heights", heights)):
            with archive.open(name, "w", force_zip64=True) as member:
                for first in range(0, table.used, _PIECE):
                    piece = slice(first, first + _PIECE)
                    member.write(array[piece][heights[piece] != 0].data.cast("B"))


def load_checkpoint(path: Path, work: Induction) -> None:
    """Let a run that has not begun go on from a checkpoint; raises CheckpointError where it is none, or not this game's."""
    with (
        reading(path, CheckpointError, "is no checkpoint, or damaged; delete it to begin anew"),
        zipfile.ZipFile(path) as archive,
    ):
        if stored_size(archive, "header") > LARGEST_TEXT:
            raise ValueError
        header = converted(read_json(archive.read("header")), _Header)
        _check_identity(path, header, work)
        _load(archive, header, work)


def _identity(work: Solver) -> dict[str, Any]:
    """The identity of a run, which must be the same for it to be resumed; as JSON gives it back."""
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


# A game solved from its end, or on from the checkpoint of an interrupted run, with its certificate.

Progress = Callable[[int, str, int | None], None]
"""Called with how many positions are done, what is done, and how many there are in all, where that is known."""

NOTHING_KEPT = "nothing was written"


def checked_checkpoint(output: Path | None, resume: bool) -> Path | None:
    """The path of the checkpoint beside the output; raises ValueError where one is in the way, or is missing."""
    if output is None:
        if resume:
            raise ValueError("--resume goes on with the checkpoint beside --output FILE; give the file")
        return None
    path = output.with_name(output.name + ".part")
    if not resume and path.exists():
        raise ValueError(
            f"{path} is what an interrupted run has found: --resume goes on with it; to begin anew, delete it"
        )
    return path


def usual_threads() -> int:
    """One for every core that this process may use; plain Python runs one at a time."""
    return 1 if PLAIN_PYTHON else usable_cores()


class Run:
    """One game, from its start or its checkpoint to the solution. `warn` is called with a sentence for whoever runs it.

    What is found is kept at `path`, if there is one: every `seconds`, or less often where writing takes long.
    """

    again = "the same command with --resume"
    """The command that resumes an interrupted run."""

    def __init__(
        self, path: Path | None, seconds: float, on_progress: Progress, warn: Callable[[str], None]
    ) -> None:
        self.path = path
        self.work: Any = None
        """The solver, once it has begun."""
        self._seconds, self._next = seconds, time.monotonic() + seconds
        self._written = 0
        self._on_progress, self._warn = on_progress, warn
        self._time_left = TimeLeft()

    def solve(
        self, game: Game, state: Any, *, resume: bool, check: bool, threads: int, **options: Any
    ) -> SolvedGame:
        """Solve every position, and check the certificate if `check`; for the other options see `Induction`.

        Raises ValueError where what a checkpoint has is wrong.
        """
        work = Induction(game, state, threads=threads, **options)
        resumed = resume and self.path is not None and self.path.exists()
        if resumed and self.path is not None:
            load_checkpoint(self.path, work)
        elif resume:
            self._warn(f"there is no checkpoint {self.path}: the game is solved from its start")
        self.work = work
        solve_the_rest(work, self._show)
        self.write_if_due()
        solution, certificate = Solution.of(work), None
        count = len(solution)
        try:
            if resumed:
                self._on_progress(count, "positions; looking whether all can come about", count)
                check_reached(solution)
            if check:
                self._on_progress(0, "positions; checking best responses", count)
                certificate = check_values(
                    solution,
                    lambda done: self._on_progress(done, "positions; checking best responses", count),
                    threads=threads,
                )
        except BrokenSolution as error:
            if self.path is None or not self.path.exists():
                raise ValueError(f"the solution is wrong: {error}") from error
            raise ValueError(f"{str(self.path)!r} is damaged: {error}; delete it to begin anew") from error
        return SolvedGame(work.counts(), solution, certificate)

    def keep(self) -> str:
        """Write what was found into the checkpoint, and say what can be done with it."""
        if self.path is None or self.work is None or not self.work.positions.filled:
            return NOTHING_KEPT
        self._write(self.path)
        return f"{self.again} goes on: {self.path} has {count_of(self.work.positions.filled, 'position')}"

    def write_if_due(self) -> None:
        """Write a checkpoint where it is time."""
        if self.path is not None and time.monotonic() >= self._next:
            try:
                self._write(self.path)
            except OSError as error:
                self._warn(f"no checkpoint could be written: {error.strerror or error}")

    def _write(self, path: Path) -> None:
        """Write one, unless the last one says the same."""
        positions = self.work.positions
        if positions.filled == self._written:
            return
        started = time.monotonic()
        try:
            save_checkpoint(path, self.work)
            self._written = positions.filled
        finally:
            ended = time.monotonic()
            self._next = ended + max(self._seconds, _SHARE * (ended - started))

    def close(self, is_solved: bool) -> None:
        """Leave nothing under way, and once all is solved and in its file no checkpoint."""
        if is_solved and self.path is not None:
            self.path.unlink(missing_ok=True)
            remove_unfinished(self.path)

    def _show(self, counts: SolveCounts) -> None:
        speed = counts.positions / max(counts.seconds, 1e-9)
        standing = f"positions, {100 * counts.share_done:.0f} % of the branches, {speed:,.0f} a second, {counts.seconds:.0f} s"
        self._on_progress(
            counts.positions,
            standing,
            self._time_left.total(counts.seconds, counts.positions, counts.share_done),
        )
        self.write_if_due()


class TimeLeft:
    """Positions in all, estimated from the share of the branches that is done.

    A position is solved once, so later branches are often much faster than the first. The share gives the time only where it grows
    steadily: where half the time ago it gave about the same total.
    """

    _AGREE = 1.25
    _LEAST_SECONDS = 5.0

    def __init__(self) -> None:
        self._estimates: list[tuple[float, float]] = []

    def total(self, seconds: float, positions: int, share: float) -> int | None:
        """About the number of positions in the end; None where it cannot be estimated."""
        if share <= 0 or seconds < self._LEAST_SECONDS:
            return None
        wanted = positions / share
        while len(self._estimates) > 1 and self._estimates[1][0] <= seconds / 2:
            self._estimates.pop(0)
        self._estimates.append((seconds, wanted))
        then, before = self._estimates[0]
        steady = then <= seconds / 2 and max(before, wanted) <= self._AGREE * min(before, wanted)
        return max(int(wanted), positions) if steady else None
