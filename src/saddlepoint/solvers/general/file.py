"""Solutions in files: NumPy's .npz, arrays of numbers and a header in JSON; nothing in it is code, or run when it is read.

Large arrays are not read but mapped into memory. Loading looks through them once, since compiled code follows them.
"""

import json
import zipfile
from pathlib import Path
from typing import Annotated, Any, Literal, cast

import msgspec
import numpy as np
from msgspec import Meta

from ...compiled import KernelError, word_count
from ...game.base import TERMINAL, Game, GameError
from ...game.own_games import Finder, described, recorded_game
from ...system.foreign import converted
from ...system.stored import read_array, read_header, reading, write_arrays
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


class _Header(msgspec.Struct):
    format: Literal["saddlepoint solution 5"]
    folded: bool
    discount: Annotated[float, Meta(gt=0, le=1)] | None
    game: dict[str, Any]
    start: str
    positions: int
    certificate: Certificate | None


class SolutionFileError(ValueError):
    """A file that holds no solution; the message says which and why."""


def save_solution(path: str | Path, solution: Solution, certificate: Certificate | None = None) -> None:
    """Write a solution; the file appears when it is whole. The same solution gives the same bytes."""
    header = _Header(
        FORMAT,
        solution.is_folded,
        solution.discount,
        described(solution.game),
        solution.game.to_text(solution.root),
        len(solution),
        certificate,
    )
    arrays = solution.rows, solution.order, *solution.packing.arrays
    write_arrays(path, msgspec.to_builtins(header), dict(zip(_ARRAYS, arrays, strict=True)))


def load_solution(
    path: str | Path, game: Game | None = None, find: Finder | None = None
) -> tuple[Solution, Certificate | None]:
    """The solution in a file, and the certificate that it carries, if any.

    `game`, if given, must be the game that was solved; without it `find` finds the game by its name, and of one in a user's own file
    the rules must have been loaded before.
    Raises SolutionFileError for what is no solution, GameError for rules that are not there or another game's.
    """
    with reading(
        path,
        SolutionFileError,
        "is damaged or holds no solution of a game; `saddlepoint solve GAME -o FILE.sol` writes one",
        known=(GameError,),
        more=(KernelError,),
    ):
        with zipfile.ZipFile(path) as archive:
            written = read_header(archive)
            if written["format"] != FORMAT and written["format"].startswith(_ANY_FORMAT):
                raise SolutionFileError(
                    f"{str(path)!r} was written by another version of saddlepoint; `saddlepoint solve GAME -o FILE.sol` writes it anew"
                )
            header = converted(written, _Header)
            rows, order, *packed = (read_array(archive, name, *kind) for name, kind in _ARRAYS.items())
        if game is None and find is None:
            raise GameError(f"{str(path)!r}: give the game that is solved in it")
        solved = game or recorded_game(header.game, cast(Finder, find))
        if _text(described(solved)) != _text(header.game):
            one, other = _in_words(header.game), _in_words(described(solved))
            raise GameError(
                f"{str(path)!r} is a solution of {one}, "
                + (f"not of {other}" if one != other else "whose rules were others then; solve it again")
            )
        try:
            start = solved.from_text(header.start)
        except (GameError, KernelError) as error:  # a number that no machine word holds, among others
            raise GameError(f"the start in {str(path)!r} is none of this game: {error}") from error
        solution = Solution(
            solved,
            start,
            Packing(*packed),
            rows,
            order,
            header.folded,
            header.discount,
        )
        _check_arrays(solution, header.positions)
    return solution, header.certificate


def _text(game: dict[str, Any]) -> str:
    """A game of a header to the last bit: as numbers, 0.0 and -0.0 are equal."""
    return json.dumps(game, sort_keys=True)


def _in_words(game: dict[str, Any]) -> str:
    return f"{game['name']}({', '.join(f'{key}={value!r}' for key, value in game['parameters'].items())})"


def _check_arrays(solution: Solution, positions: Any) -> None:
    """Raise ValueError where the arrays are not those of positions, sorted, each once: compiled code follows them.

    Whether the positions are the game's is looked for by `check_reached`, before rules meet them.
    """
    game, packing, count = solution.game, solution.packing, len(solution.rows)
    bases, masks = ([int(word) for word in words] for words in (packing.base, packing.mask))
    wanted = arranged(bases, masks)
    are_its_own = (
        len(bases) == len(masks) == word_count(solution.root)
        and not any(mask & (mask + 1) for mask in masks)
        and packing.is_like(wanted)
        and positions == count
        and solution.rows.shape == (count, wanted.width + 1)
        and solution.order.shape == (count,)
        and (count == 0) == (game.current_player(solution.root) == TERMINAL)
        and (not solution.is_folded or (can_fold if solution.discount is None else folds_images_alone)(game))
        and are_finite(solution.values)
        and is_permutation(solution.order)
        and are_sorted(solution.words)
    )
    if not are_its_own:
        raise ValueError("no positions, each once, with their values")


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
