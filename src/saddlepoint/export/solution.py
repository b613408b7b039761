"""A solution as one small file for the page without a server: the positions and their values, compressed. `web/site/page/solution.js`
reads it.

The whole is a zlib stream: a line of JSON, `_header`, then three columns of bytes, one row for each kept position:

- keys, sorted: each is the distance from the one before (the first from 0), seven bits a byte, the lowest first; a byte above 127 goes on;
- the number of the position's value among the different ones: the lowest byte of all rows, then the next one of all rows;
- the different values: the lowest byte of the 64 bits of all, then the next one of all.

Strategies are not in it: a page computes them of the values of what follows, as `Solution.at` does.
"""

import hashlib
import json
import tempfile
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numba import types
from numpy.typing import NDArray

from ..compiled import jit, word_count
from ..compiled.words import words_of_state
from ..game.base import TERMINAL, Game
from ..solvers.checking import check_file, is_checked
from ..solvers.general import Solution, load_solution
from ..solvers.general.certificate import Certificate
from ..solvers.general.checkpoint import Progress, usual_threads
from ..solvers.general.packing import _fold, fold, tells_chance
from ..solvers.general.successors import after, clock_word
from ..solvers.whole_game import solve_game
from .lowering import ExportError, Items, Number, Unit, Words

MOST_BYTES = 16_000_000
"""Of a packed solution: more is too much for a page that is loaded over a network."""
MOST_POSITIONS = 8_000_000
"""More would not fit, and packing them takes long."""
FORMAT = "saddlepoint page solution 1"


@dataclass(frozen=True)
class PackedSolution:
    content: bytes
    """The file for the page."""
    about: dict[str, Any]
    """Its size and digest, and what the page says of the proof."""
    is_folded: bool


def solution_from(path: Path, game: Game, on_progress: Progress) -> PackedSolution:
    """The solution in a file, checked, as the page has it.

    Raises ExportError where it is too large or has a discount, and what `load_solution` and `check_file` raise.
    """
    solution, certificate = load_solution(path, game)
    if solution.discount not in (None, 1.0):
        raise ExportError(
            f"this is a solution of {solution.subject}, and the page counts results in full: solve the game without --discount"
        )
    _check_count(len(solution))
    if certificate is None or not is_checked(path, game):
        certificate = check_file(
            path,
            solution,
            certificate,
            lambda done, what: on_progress(done, what, None),
            threads=usual_threads(),
        )
    return packed_solution(solution, certificate, path)


def solution_of(game: Game, on_progress: Progress) -> PackedSolution:
    """The game solved here, as the page has it; raises ExportError where it is too large, and what `solve_game` raises."""

    def show(done: int, what: str, total: int | None) -> None:
        _check_count(done)
        on_progress(done, what, total)

    with tempfile.TemporaryDirectory(prefix="saddlepoint-export-") as folder:
        path = Path(folder, "whole.sol")
        method = "policies" if game.clock else "induction"
        found = solve_game(game, game.initial_state(), method, output=path, on_progress=show)
        solution, certificate = found.solution, found.certificate
        assert solution is not None
        assert certificate is not None
        _check_count(len(solution))
        return packed_solution(solution, certificate, path)


def _check_count(positions: int) -> None:
    if positions > MOST_POSITIONS:
        raise ExportError(
            f"the solution has {positions:,} positions or more, and a page takes {MOST_POSITIONS:,} at most: export a smaller game"
        )


def packed_solution(solution: Solution, certificate: Certificate, path: Path) -> PackedSolution:
    """A solution, which lies in that file, as the page has it; raises ExportError where it is too large."""
    plain = _plain(solution)
    content = zlib.compress(plain, 9)
    if len(content) > MOST_BYTES:
        raise ExportError(
            f"the solution takes {len(content):,} bytes, and a page takes {MOST_BYTES:,} at most: export a smaller game"
        )
    about = {
        "bytes": len(content),
        "unpacked": len(plain),
        "digest": hashlib.sha256(content).hexdigest(),
        "of": hashlib.sha256(path.read_bytes()).hexdigest(),
        "subject": solution.subject,
        "positions": len(solution),
        "gap": certificate.worst_gap,
    }
    return PackedSolution(content, about, solution.is_folded)


def _plain(solution: Solution) -> bytes:
    """The stream before it is compressed."""
    keys = bytes(_distances(_keys(solution.words)))
    values, places = np.unique(solution.values, return_inverse=True)
    width = max(1, (max(len(values) - 1, 1).bit_length() + 7) // 8)
    columns = keys, _planes(places.astype("<u8"), width), _planes(values.astype("<f8"), 8)
    header = _header(solution) | {"keys": len(keys), "values": len(values), "width": width}
    return b"".join([json.dumps(header, separators=(",", ":")).encode(), b"\n", *columns])


def _header(solution: Solution) -> dict[str, Any]:
    """How positions are packed, folded and solved; 64-bit words in hexadecimal."""
    game, packing = solution.game, solution.packing
    return {
        "format": FORMAT,
        "positions": len(solution),
        "folded": solution.is_folded,
        "bounds": solution.is_folded and game.has_bounds,
        "told": solution.is_folded and tells_chance(game),
        "clock": -1 if solution.discount is None else clock_word(game, solution.root),
        "least": 0.0 if solution.discount is None else 1e-8,
        "start": [f"{word:x}" for word in words_of_state(solution.root)],
        "base": [f"{word:x}" for word in packing.base.tolist()],
        "mask": [f"{word:x}" for word in packing.mask.tolist()],
        "shift": [
            64 * (packing.width - 1 - place) + shift
            for place, shift in zip(packing.place.tolist(), packing.shift.tolist(), strict=True)
        ],
    }


def _keys(words: NDArray[np.uint64]) -> Iterable[int]:
    """The packed words of each position as one number, the first word the highest."""
    columns = [words[:, k].tolist() for k in range(words.shape[1])]
    for row in zip(*columns, strict=True):
        key = 0
        for word in row:
            key = key << 64 | word
        yield key


def _distances(keys: Iterable[int]) -> bytearray:
    """The distance of each number from the one before, seven bits a byte."""
    found, before = bytearray(), 0
    for key in keys:
        rest, before = key - before, key
        while rest > 127:
            found.append(rest & 127 | 128)
            rest >>= 7
        found.append(rest)
    return found


def _planes(numbers: NDArray[Any], width: int) -> bytes:
    """The lowest `width` bytes of numbers, those of one weight together: neighbours have more in common so."""
    return numbers.view(np.uint8).reshape(-1, 8)[:, :width].T.tobytes()


@jit
def _followed(game, state, action0, action1, is_folded, clock, start, words):
    """What follows a joint action: (whether it is over or decided, whether the players are exchanged, what it is worth or its score, the
    position that is kept for it).

    clock: the word that is always `start`, or -1; words: memory for a position.
    """
    child = after(game, state, action0, action1, clock, start, words)
    if game.current_player(child) == TERMINAL:
        return True, False, float(game.returns(child)), child
    if not is_folded:
        return False, False, 0.0, child
    if game.has_bounds:
        low, high = game.bounds(child)
        if low == high:
            return True, False, float(low), child
    image, exchanged, score = fold(game, child)
    return False, exchanged, score, image


def add_solved(unit: Unit, game: Game, is_folded: bool) -> None:
    """Add the rules by which a page finds the position that is kept for another one, or for what follows it."""
    state = game.initial_state()
    count = word_count(state)
    position, memory = Words(state), Items(np.zeros(count, np.uint64), count)
    number, word = Number(types.int64), Number(types.uint64)
    unit.add("followed", _followed, game, position, number, number, is_folded, number, word, memory)
    if is_folded:
        for name in ("without_score", "relabelled", "bounds"):
            unit.add(name, game.kernels[name], game, position)
        unit.add("fold", _fold, game, position)
