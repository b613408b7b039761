"""A solution's file checked, of whatever kind of game, and which files were checked on this machine already."""

import hashlib
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from pathlib import Path

from ..compiled import cache_directory
from ..compiled.directory import warn_once
from ..compiled.rules import rules_digest
from ..game.base import Game, GameError
from ..game.own_games import Finder
from .cycles import explored_again
from .cycles.solve import check_cycles
from .general import (
    BrokenSolution,
    Certificate,
    ExactValue,
    Solution,
    SolutionFileError,
    check_solution,
    exact_value,
    load_solution,
)
from .general.check import TOLERANCE, span
from .general.reached import check_reached

# Which files were checked on this machine, so that none is checked twice. What a file says of itself has no part in it.
#
# A note is named by the digest of the file's bytes, and of rules that are not this library's. It lies beside compiled code, in a folder
# that nobody else can write to, of this version of the library alone.

_FOLDER = "checked"


def digest_of(path: str | Path, game: Game) -> str:
    with open(path, "rb") as file:
        digest = hashlib.file_digest(file, "sha256")
    digest.update(rules_digest(type(game)).encode())
    return digest.hexdigest()


# A solution's file, of whatever kind of game, checked: its positions, its values, and what it claims.

_TOLD = 100_000
"""Positions from which on a check takes long enough to be announced."""


def check_file(
    path: str | Path,
    solution: Solution,
    claimed: Certificate | None,
    on_progress: Callable[[int, str], None] | None = None,
    *,
    threads: int = 1,
) -> Certificate:
    """The certificate of what was loaded from a file, computed again; it is remembered that the file was checked.

    Raises SolutionFileError, in one sentence, where anything in it is wrong. `on_progress` is called with how many positions are done, and
    what is done.
    """
    digest = digest_of(path, solution.game)
    with _damage_of(path):
        certificate = (
            check_solution(solution, claimed, on_progress, threads=threads)
            if solution.discount is None
            else check_cycles(solution, claimed, on_progress)
        )
    if digest_of(path, solution.game) == digest:  # nobody wrote to it meanwhile
        with suppress(OSError):  # else it will be checked again
            folder = cache_directory() / _FOLDER
            folder.mkdir(mode=0o700, exist_ok=True)
            (folder / digest).touch()
    return certificate


@contextmanager
def _damage_of(path: str | Path) -> Generator[None]:
    """Raise SolutionFileError where what is wrong with a solution is the file's damage."""
    try:
        yield
    except BrokenSolution as error:
        raise SolutionFileError(
            f"{str(path)!r} is damaged: {error}; `saddlepoint solve GAME -o {path}` writes it anew"
        ) from error


def is_checked(path: str | Path, game: Game) -> bool:
    """Whether this very file was checked on this machine before."""
    return (cache_directory() / _FOLDER / digest_of(path, game)).is_file()


def load_checked(
    path: str | Path, game: Game | None = None, find: Finder | None = None, *, threads: int = 1
) -> Solution:
    """The solution in a file, which is checked unless it was before; raises what `load_solution` and `check_file` raise."""
    solution, claimed = load_solution(path, game, find)
    if not is_checked(path, solution.game):
        if len(solution) >= _TOLD:
            warn_once(
                f"{path}: checking the values of {len(solution):,} positions, once, before it is played from"
            )
        check_file(path, solution, claimed, threads=threads)
    return solution


def check_positions(path: str | Path, solution: Solution, on_progress: Callable[[int, str], None]) -> None:
    """Raise SolutionFileError for a file with unreachable positions: exported rules are safe with reachable
    ones only.
    """
    with _damage_of(path):
        if solution.discount is None:
            check_reached(
                solution, lambda done: on_progress(done, "positions; looking whether all can come about")
            )
        elif len(solution):
            on_progress(0, "positions; exploring the game again")
            explored_again(solution)


def check_start(path: str | Path, solution: Solution) -> None:
    """Raise SolutionFileError for a file without what follows from its start."""
    with _damage_of(path):
        try:
            solution.at(solution.root)
        except GameError as error:
            raise BrokenSolution("a position that follows from its start is missing") from error


def solved_exactly(path: str | Path, solution: Solution) -> ExactValue:
    """The game's value in fractions; raises SolutionFileError for a file with other values."""
    found = exact_value(solution)
    with _damage_of(path):
        if not found.largest_error <= TOLERANCE * span(solution.game):
            raise BrokenSolution(
                f"in fractions the value of the start is exactly {found.value}, and a value of the file is wrong by "
                f"{found.largest_error:.2g}"
            )
    return found
