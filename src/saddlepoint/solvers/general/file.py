"""Solutions in files: NumPy's .npz, arrays of numbers and a header in JSON; nothing in it is code, or run when it is read.

Large arrays are not read but mapped into memory. Loading looks through them once, since compiled code follows them.
"""

import json
import math
import zipfile
from dataclasses import asdict
from pathlib import Path
from typing import Any, cast

import numpy as np

from ...compiled import KernelError, word_count
from ...game.base import TERMINAL, Game, GameError
from ...game.own_games import Finder, described, recorded_game
from ...system.foreign_files import ForeignFileError, check_readable
from ...system.stored import DAMAGE, read_array, read_header, write_arrays
from .certificate import Certificate
from .packing import Packing, arranged, can_fold, folds_images_alone
from .solution import Solution

FORMAT = "saddlepoint solution 5"
_ANY_FORMAT = "saddlepoint solution "
_ARRAYS = {
    "rows": (np.uint64, 2),
    "order": (np.uint32, 1),
    "base": (np.uint64, 1),
    "mask": (np.uint64, 1),
    "place": (np.int64, 1),
    "shift": (np.uint64, 1),
}
"""Their types of numbers, and their dimensions."""
_PIECE = 1 << 16
"""Items, or rows, that are looked through at a time."""


class SolutionFileError(ValueError):
    """A file that holds no solution; the message says which and why."""


def save_solution(path: str | Path, solution: Solution, certificate: Certificate | None = None) -> None:
    """Write a solution; the file appears when it is whole. The same solution gives the same bytes."""
    packing = solution.packing
    header: dict[str, Any] = {
        "format": FORMAT,
        "folded": solution.is_folded,
        "discount": solution.discount,
        "game": described(solution.game),
        "start": solution.game.to_text(solution.root),
        "positions": len(solution),
        "certificate": None if certificate is None else asdict(certificate),
    }
    write_arrays(
        path,
        header,
        {
            "rows": solution.rows,
            "order": solution.order,
            "base": packing.base,
            "mask": packing.mask,
            "place": packing.place,
            "shift": packing.shift,
        },
    )


def load_solution(
    path: str | Path, game: Game | None = None, find: Finder | None = None
) -> tuple[Solution, Certificate | None]:
    """The solution in a file, and the certificate that it carries, if any.

    `game`, if given, must be the game that was solved; without it `find` finds the game by its name, and of one in a user's own file
    the rules must have been loaded before.
    Raises SolutionFileError for what is no solution, GameError for rules that are not there or another game's.
    """
    try:
        check_readable(path)
        with zipfile.ZipFile(path) as archive:
            header = read_header(archive)
            if header["format"] != FORMAT and header["format"].startswith(_ANY_FORMAT):
                raise SolutionFileError(
                    f"{str(path)!r} was written by another version of saddlepoint; `saddlepoint solve GAME -o FILE.sol` writes it anew"
                )
            _check_header(header)
            arrays = {
                name: read_array(archive, name, kind, dimensions)
                for name, (kind, dimensions) in _ARRAYS.items()
            }
        if game is None and find is None:
            raise GameError(f"{str(path)!r}: give the game that is solved in it")
        solved = game or recorded_game(header["game"], cast(Finder, find))
        if _text(described(solved)) != _text(header["game"]):
            raise GameError(
                f"{str(path)!r} is a solution of {_in_words(header['game'])}, not of {_in_words(described(solved))}"
            )
        packing = Packing(*(arrays[name] for name in ("base", "mask", "place", "shift")))
        solution = Solution(
            solved,
            solved.from_text(header["start"]),
            packing,
            arrays["rows"],
            arrays["order"],
            header["folded"],
            header["discount"],
        )
        _check_arrays(solution, header["positions"])
        kept = header["certificate"]
        return solution, None if kept is None else Certificate(**kept)
    except OSError as error:
        raise SolutionFileError(f"{str(path)!r} cannot be read: {error.strerror or error}") from error
    except ForeignFileError as error:
        raise SolutionFileError(str(error)) from None
    except (GameError, SolutionFileError):
        raise
    except (*DAMAGE, KernelError) as error:  # a position of numbers that no machine word holds, among others
        raise _no_solution(path) from error


def _text(game: dict[str, Any]) -> str:
    """A game of a header to the last bit: as numbers, 0.0 and -0.0 are equal."""
    return json.dumps(game, sort_keys=True)


def _in_words(game: dict[str, Any]) -> str:
    """A game of a header in words."""
    return f"{game['name']}({', '.join(f'{key}={value!r}' for key, value in game['parameters'].items())})"


def _check_header(header: Any) -> None:
    """Raise what tells damage where a header does not say what `save_solution` writes."""
    if header["format"] != FORMAT or type(header["folded"]) is not bool:
        raise ValueError("another format")
    discount, certificate = header["discount"], header["certificate"]
    if discount is not None and not 0 < discount <= 1:
        raise ValueError("no discount")
    if certificate is not None:
        sizes = [certificate[name] for name in ("lower", "upper", "worst_gap")]
        if (
            len(certificate) != len(sizes) + 1
            or not all(map(math.isfinite, sizes))
            or type(certificate["positions"]) is not int
        ):
            raise ValueError("no certificate")


def _check_arrays(solution: Solution, positions: Any) -> None:
    """Raise ValueError where the arrays are not those of positions, sorted, each once: compiled code follows them.

    Whether the positions are the game's is looked for by `check_reached`, before rules meet them.
    """
    packing, count = solution.packing, len(solution.rows)
    folds = can_fold(solution.game) if solution.discount is None else folds_images_alone(solution.game)
    masks = [int(mask) for mask in packing.mask]
    if (
        len(packing.base) != len(masks)
        or len(masks) != word_count(solution.root)
        or any(mask & (mask + 1) for mask in masks)
    ):
        raise ValueError("no packing")
    wanted = arranged([int(base) for base in packing.base], masks)
    if not (np.array_equal(packing.place, wanted.place) and np.array_equal(packing.shift, wanted.shift)):
        raise ValueError("another packing")
    if (
        positions != count
        or solution.rows.shape != (count, wanted.width + 1)
        or solution.order.shape != (count,)
    ):
        raise ValueError("arrays of other sizes")
    if (count == 0) != (solution.game.current_player(solution.root) == TERMINAL) or (
        solution.is_folded and not folds
    ):
        raise ValueError("another game's")
    if (
        not are_finite(solution.values)
        or not is_permutation(solution.order)
        or not are_sorted(solution.words)
    ):
        raise ValueError("values, order or positions that no solution has")


def are_finite(values: Any) -> bool:
    """Whether no number is infinite or none at all; looks at a piece after the other, since a mapped array may not fit into memory."""
    return all(np.isfinite(values[first : first + _PIECE]).all() for first in range(0, len(values), _PIECE))


def is_permutation(order: Any) -> bool:
    """Whether an array has each of the numbers from 0 on once."""
    found = np.zeros(len(order), np.bool_)
    for first in range(0, len(order), _PIECE):
        piece = order[first : first + _PIECE]
        if int(piece.max()) >= len(order):
            return False
        found[piece] = True
    return bool(found.all())


def are_sorted(rows: Any) -> bool:
    """Whether each row comes after the one before it, compared word by word."""
    return all(_are_sorted(rows[max(first - 1, 0) : first + _PIECE]) for first in range(0, len(rows), _PIECE))


def _are_sorted(rows: Any) -> bool:
    before, after = rows[:-1], rows[1:]
    greater, same = np.zeros(len(before), np.bool_), np.ones(len(before), np.bool_)
    for k in range(rows.shape[1]):
        greater |= same & (after[:, k] > before[:, k])
        same &= after[:, k] == before[:, k]
    return bool(greater.all())


def _no_solution(path: str | Path) -> SolutionFileError:
    return SolutionFileError(
        f"{str(path)!r} holds no solution of a game; `saddlepoint solve GAME -o FILE.sol` writes one"
    )
