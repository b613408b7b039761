"""Which options of `solve GAME` go with which way of solving: what would be without use is refused in a sentence."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ...roster.games import GAMES

if TYPE_CHECKING:
    from ...description import Solver

IN_TURN = ("alpha_beta", "proof_number")
OF_CYCLES = ("policies", "values")
_METHODS = ("induction", *IN_TURN, "own")


def own_solver(name: str) -> "Solver | None":
    """The solver that is made for the game of that name alone."""
    entry = GAMES.get(name)
    return entry.load(entry.description.solve) if entry is not None and entry.description.solve else None


def _needs_own(name: str) -> bool:
    solver = own_solver(name)
    return solver is not None and solver.is_usual


@dataclass(frozen=True)
class Options:
    """The options that not every way of solving uses, as they were given; None, 0 or False where they were not."""

    output: Path | None
    fold: bool | None
    threads: int
    resume: bool
    checkpoint: float | None
    executor: str | None
    check: bool | None
    method: str | None
    all_moves: bool
    seconds: float | None

    def check_cycles(self) -> None:
        """Raise ValueError for what is without use where positions come back."""
        if self.method in _METHODS:
            raise ValueError(f"{self.method} is for games that end, and here positions come back: leave --method out, or give --no-cycles")
        if self.threads > 1:
            raise ValueError(f"a game with cycles is solved by one thread: leave -j {self.threads} out")
        if self.resume or self.checkpoint is not None:
            raise ValueError("there are no checkpoints of games with cycles, which are solved at once: leave --resume and --checkpoint out")
        if self.executor is not None:
            raise ValueError("games with cycles are solved on this machine: without --executor")
        if self.seconds is not None or self.all_moves:
            raise ValueError("--time and --all-moves are for games in turn, and not for games with cycles")

    def checked_method(self, name: str) -> str:
        """The way to solve the game of that name, which ends; raises ValueError for what is without use there."""
        method = self.method or ("own" if _needs_own(name) else "induction")
        if method not in _METHODS:
            others = "; policies and values are for games with cycles: give --cycles" if method in OF_CYCLES else ""
            raise ValueError(f"method must be {', '.join(_METHODS[:-1])} or {_METHODS[-1]}, not {method!r}{others}")
        if self.seconds is not None and not (0 < self.seconds < float("inf") and method != "induction"):
            raise ValueError("--time takes seconds above 0, with --method alpha_beta, proof_number or own")
        if self.all_moves and method not in IN_TURN:
            raise ValueError("--all-moves goes with --method alpha_beta or proof_number")
        if method == "induction":
            self._check_induction()
        else:
            self._check_one_position(method)
        return method

    def _check_induction(self) -> None:
        if self.checkpoint is not None and self.output is None:
            raise ValueError("--checkpoint writes beside --output FILE; give the file, or leave it out")
        if self.executor is None:
            return
        if self.resume:
            raise ValueError("--resume goes on on this machine, also with what a cluster has solved: without --executor")
        if self.threads:
            raise ValueError("-j is for threads of this machine: a cluster does as many things at a time as its workers have threads")

    def _check_one_position(self, method: str) -> None:
        if any(one is not None for one in (self.fold, self.checkpoint, self.executor, self.check)):
            raise ValueError("--fold, --no-fold, --checkpoint, --executor, --check and --no-check go with --method induction")
        if method == "own":
            if self.resume:
                raise ValueError("a game's own solver has no checkpoints: without --resume")
            return
        if self.output is not None or self.resume:
            raise ValueError(f"{method} keeps no positions: without --output and --resume, or with --method induction")
        if self.threads > 1:
            raise ValueError(f"{method} searches with one thread: without --threads, or with --method induction")
