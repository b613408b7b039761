"""One call that solves a game by the method that fits: it ends by its rules, its positions come back, or only one value is wanted; on this
machine, or by a cluster.
"""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ..game.base import Game
from ..game.own_games import described
from ..system.cluster import DaskCluster, connect
from .cycles import METHODS as OF_CYCLES, solve_cycles
from .general import Solution, save_solution
from .general.certificate import SolvedGame
from .general.checkpoint import NOTHING_KEPT, Progress, Run, checked_checkpoint, usual_threads
from .shared.solve import SharedInduction
from .shared.tasks import inspect_rules, warm_rules
from .turns import METHODS as IN_TURN, TurnSearch

# Solved by a cluster: the file, and what an interruption leaves, are on this machine.

_NO_MEMORY = (
    "the same positions ended several workers, one after the other, perhaps for want of memory: start workers with "
    "more (--memory-limit 0 of `dask worker` sets no limit)"
)


class SharedRun(Run):
    """A game that a cluster solves. `line` is called with what stays above the progress. Close it at the end, whatever happened."""

    again = "the same command with --resume and without --executor"

    def __init__(self, *run: Any, executor: str, line: Any) -> None:
        super().__init__(*run)
        self._executor, self._line = executor, line
        self._cluster: DaskCluster | None = None

    def solve(
        self, game: Game, state: Any, *, resume: bool, check: bool, threads: int, **options: Any
    ) -> SolvedGame:
        way_out = "solve it again"
        if self.path is not None:
            way_out += f"; if {self.path} is there, {self.again} goes on with what it has"
        self._cluster = cluster = connect(self._executor, self._line, way_out, large=True)
        work = SharedInduction(game, state, pool=cluster, bounded=check, **options)
        here = described(game)

        def check_rules(worker: str, there: Any) -> None:
            if there != here:
                said = f" ({there})" if isinstance(there, str) else ""
                raise ValueError(
                    f"the worker {worker} has no or another file for {game!r}{said}: put the same at the same path, "
                    "and start the workers again"
                )

        cluster.prepare(
            inspect_rules, (work.rules,), check_rules, warm_rules, (work.rules, work.is_folded, check)
        )
        self.work = work
        try:
            work.solve(self._show_standing)
        except Exception as error:
            if isinstance(error, ConnectionError):
                self.keep()
            if cluster.is_death(error):
                raise ValueError(_NO_MEMORY) from error
            raise
        return SolvedGame(work.counts(), Solution.of(work), work.certificate() if check else None)

    def keep(self) -> str:
        return super().keep() if self.work is not None and self.work.write_known() > 0 else NOTHING_KEPT

    def close(self, is_solved: bool) -> None:
        if self._cluster is not None:
            self._cluster.close()
        super().close(is_solved)

    def _show_standing(self, work: SharedInduction) -> None:
        found, slots = work.positions.used, work.pool.slots
        where = f"{work.level} moves from the start; {slots} worker{'s' * (slots > 1)}, {work.seconds:.0f} s"
        if work.is_found:
            self._on_progress(work.solved, f"positions solved, {where}", found)
            self.write_if_due()
        else:
            self._on_progress(found, f"positions found, {where}", None)

    def _write(self, path: Path) -> None:
        self.work.write_known()
        super()._write(path)


# Solved by the method that fits.

METHODS = ("induction", *IN_TURN, *OF_CYCLES)
TURN_MEMORY = 256e6
"""Bytes of the table of a search in turn, where nothing else is said."""


class SolvingInterrupted(KeyboardInterrupt):
    """Ctrl-C while a game was solved; the message says what is left of the work."""


def _ignore(*_: Any) -> None:
    pass


def solve_game(
    game: Game,
    state: Any,
    method: str = "induction",
    *,
    fold: bool = True,
    check: bool = True,
    threads: int = 0,
    memory: float = float("inf"),
    discount: float = 1.0,
    all_moves: bool = False,
    seconds: float | None = None,
    output: Path | None = None,
    resume: bool = False,
    checkpoint: float = 60.0,
    executor: str | None = None,
    on_progress: Progress = _ignore,
    warn: Callable[[str], None] = _ignore,
    line: Callable[[str], None] = _ignore,
) -> SolvedGame:
    """Solve a game from `state` by one of `METHODS`, with the certificate if `check`, into the file `output` if one is given.

    fold: keep one of the positions that are worth the same. threads: 0 is one for each core. memory: bytes, from which on the table goes
    into a file. `discount` is for `policies` and `values`; `all_moves` and `seconds` for `alpha_beta` and `proof_number`; `resume`,
    `checkpoint` (seconds between two) and `executor` (the address of a cluster) for `induction`. `warn` is called with a sentence that
    the user should read, `line` with what a cluster's workers do.
    Raises ValueError for a method that is none, SolvingInterrupted on Ctrl-C, else what the methods raise.
    """
    started = time.perf_counter()
    if method in IN_TURN:
        search = TurnSearch(game, method, (memory if memory < float("inf") else TURN_MEMORY) / 1e6)

        def show_bounds(nodes: int) -> None:
            on_progress(nodes, f"positions, {time.perf_counter() - started:.0f} s, {search.known}", None)

        try:
            return SolvedGame(
                search.solve(state, all_moves=all_moves, seconds=seconds, on_wait=show_bounds), None
            )
        except KeyboardInterrupt:
            raise SolvingInterrupted(search.known) from None
    checkpoint_path = checked_checkpoint(output, resume) if method == "induction" else None
    run = Run(checkpoint_path, checkpoint, on_progress, warn)
    if executor is not None:
        run = SharedRun(checkpoint_path, checkpoint, on_progress, warn, executor=executor, line=line)
    table: dict[str, Any] = {
        "fold": fold,
        "check": check,
        "memory": memory,
        "folder": None if output is None else output.resolve().parent,
        "on_disk": lambda size: warn(
            f"the table goes into a file now: {size / 1e6:,.0f} MB are more than --memory allows"
        ),
    }
    is_solved = False
    try:
        on_progress(0, "compiling", None)
        if method == "induction":
            found = run.solve(game, state, resume=resume, threads=threads or usual_threads(), **table)
        else:
            found = solve_cycles(
                game,
                state,
                discount=discount,
                method=method,
                on_progress=lambda count, what: on_progress(
                    count, f"{what}, {time.perf_counter() - started:.0f} s", None
                ),
                **table,
            )
        if output is not None:
            save_solution(output, found.solution, found.certificate)
        is_solved = True
    except KeyboardInterrupt:
        raise SolvingInterrupted(run.keep()) from None
    finally:
        run.close(is_solved)
    return found


def solve(
    game: Game,
    state: Any = None,
    *,
    fold: bool = True,
    threads: int = 1,
    discount: float | None = None,
    on_progress: Callable[[int], None] | None = None,
) -> Solution:
    """The value and an equilibrium of every position that can come about from `state`, by default from the start; each is solved once.

    The answer's `value` is player 0's expected result in the game's units; `at(position)` gives a position's value, both players'
    probabilities by action, and the matrix of what joint actions lead to, shape (actions of player 0, of player 1); `len` how many
    positions are kept; `saddlepoint.policies.SolutionPolicy` makes a policy of it, `saddlepoint.solvers.general.save_solution` a file.

    All positions must fit into memory, 20 to 75 bytes each; `saddlepoint solve` goes on in a file.

    - `game`: the rules.
    - `state`: where the game begins; None: its usual start.
    - `fold`: whether to keep one only of the positions that the game says are worth the same; every position is answered all the same.
    - `threads`: how many solve at a time.
    - `discount`: a result counts so much less with each move, for games whose positions come back. These (`Game.clock`, or with a
      discount) are solved without their limit of moves, by one thread.
    - `on_progress`: called now and then with how many positions are done; what it raises ends the work.

    Raises UnsupportedGameError for a game that does not end within `max_depth`, TooManyPositions for more than 2^32, ValueError for a
    discount that is not in (0, 1], and GameError where a rule breaks its own limits.

    >>> from saddlepoint import Goofspiel, solve
    >>> solution = solve(Goofspiel(cards=3))
    >>> round(abs(solution.value), 6), len(solution) > 1
    (0.0, True)
    """
    return solve_game(
        game,
        state,
        "policies" if game.clock or discount is not None else "induction",
        fold=fold,
        check=False,
        threads=threads,
        discount=1.0 if discount is None else discount,
        on_progress=_ignore if on_progress is None else lambda done, *_: on_progress(done),
    ).solution
