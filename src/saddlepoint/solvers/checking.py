"""A solution's file, of whatever kind of game, checked: its positions, its values, and what it claims."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from ..compiled.directory import warn_once
from .cycles.check import check_cycles
from .general import BrokenSolution, Certificate, Solution, SolutionFileError, check_solution, load_solution
from .remembered import digest_of, note_checked, was_checked

if TYPE_CHECKING:
    from ..game import Game
    from ..own_games import Finder

_TOLD = 100_000
"""Positions from which on a check takes long enough to be announced."""


def check_file(
    path: str | Path, solution: Solution, claimed: Certificate | None, on_progress: Callable[[int, str], None] | None = None,
    *, threads: int = 1,
) -> Certificate:  # fmt: skip
    """The certificate of what was loaded from a file, computed again; it is remembered that the file was checked.

    Raises SolutionFileError, in one sentence, where anything in it is wrong. `on_progress` is told how many positions are done, and
    what is done.
    """
    digest = digest_of(path, solution.game)
    try:
        if solution.discount is not None:
            certificate = check_cycles(solution, claimed, on_progress)
        else:
            certificate = check_solution(solution, claimed, on_progress, threads=threads)
    except BrokenSolution as error:
        raise damaged(path, error) from error
    if digest_of(path, solution.game) == digest:  # nobody wrote to it meanwhile
        note_checked(digest)
    return certificate


def damaged(path: str | Path, error: BrokenSolution) -> SolutionFileError:
    """What is said of a file that is none of the game's."""
    return SolutionFileError(f"{str(path)!r} is damaged: {error}; `saddlepoint solve GAME -o {path}` writes it anew")


def is_checked(path: str | Path, game: "Game") -> bool:
    """Whether this very file was checked on this machine before."""
    return was_checked(digest_of(path, game))


def load_checked(path: str | Path, game: "Game | None" = None, find: "Finder | None" = None, *, threads: int = 1) -> Solution:
    """The solution in a file, which is checked unless it was before; raises what `load_solution` and `check_file` raise."""
    solution, claimed = load_solution(path, game, find)
    if not is_checked(path, solution.game):
        if len(solution) >= _TOLD:
            warn_once(f"{path}: checking the values of {len(solution):,} positions, once, before it is played from")
        check_file(path, solution, claimed, threads=threads)
    return solution
