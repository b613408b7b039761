"""Games that `best` plays from their solution: small ones are solved in each run, larger ones once, and kept on this machine."""

import hashlib
import os
from pathlib import Path

from filelock import FileLock

from ...compiled import PLAIN_PYTHON
from ...compiled.directory import cache_directory, warn_once
from ...compiled.identity import identity
from ...game.base import Game
from ...game.nodes import GameError
from ...game.spec import name_of
from ...players.solving import is_solved_beforehand, leave_unsolved, play_from, plays_from_file
from ...solvers.beforehand import Budget, solve_beforehand
from ...solvers.general import Solution, SolutionFileError, load_solution, save_solution
from ...system.patience import SOLVING_SAID
from ...system.terminal import WaitingLine

KEPT_BY_PARENT = "SADDLEPOINT_MEASURED"
"""Names the folder in the environment."""
ONCE = None if PLAIN_PYTHON else Budget(work=60.0, seconds=90.0, positions=30_000_000)
"""What a game may take that is solved once: about what it takes to find out which search plays it best. A file of 20 bytes a position."""


def folder() -> Path:
    """Where solutions, choices and quickly fitted weights are kept; a process that compiles for WebAssembly is told its parent's."""
    return Path(os.environ.get(KEPT_BY_PARENT) or cache_directory() / "measured")


def solution_file(game: Game) -> Path:
    """Where the solution of a game is that was solved once."""
    return folder() / f"{hashlib.sha256(repr(identity(game)).encode()).hexdigest()[:24]}.sol"


def is_solved(game: Game) -> bool:
    """Whether `best` has the solution of the whole game. It is solved to find out; a game that does not fit is noted on this machine."""
    file = solution_file(game)
    too_large = file.with_suffix(".unsolved")
    if too_large.is_file():
        leave_unsolved(game)
        return False
    if plays_from_file(game) or (not file.is_file() and is_solved_beforehand(game)):
        return True
    file.parent.mkdir(exist_ok=True)
    with FileLock(file.with_suffix(".lock"), thread_local=False):  # other processes wait for the same
        solution = _loaded(game, file) or _solved_once(game, file)
    if solution is None:
        too_large.touch()
        leave_unsolved(game)
        return False
    play_from(solution)
    return True


def _loaded(game: Game, file: Path) -> Solution | None:
    """The solution that is kept; None where there is none, or where the file is damaged, which is then solved again."""
    try:
        return load_solution(file, game)[0] if file.is_file() else None
    except (SolutionFileError, GameError) as error:
        warn_once(f"the solution that was kept is not used: {error}")
        return None


def _solved_once(game: Game, file: Path) -> Solution | None:
    """The solution of a game that fits the larger budget, which is kept; else None."""
    if ONCE is None:
        return None
    name, lines, solution = name_of(game), list[WaitingLine](), None
    message = (
        f"solving {name}, to play it exactly (once, a minute or two; `best(solve=false)` searches instead)"
    )
    try:
        solution = solve_beforehand(
            game,
            budget=ONCE,
            on_start=lambda: lines.append(WaitingLine(message, f"solved {name}", SOLVING_SAID, for_all=True)),
        )
        if solution is not None:
            save_solution(file, solution)
            return load_solution(file, game)[0]  # mapped, and not in memory
    except MemoryError:
        return None
    except OSError as error:
        warn_once(f"the solution is not kept: {error}")
    finally:
        for line in lines:
            line.close(solution is not None)
    return solution
