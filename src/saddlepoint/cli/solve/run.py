"""A run of the solver: its checkpoint beside the output, what is shown meanwhile, and what an interruption leaves."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...console.terminal import Progress, fail, warn
from .time_left import TimeLeft

if TYPE_CHECKING:
    from ...game import Game
    from ...solvers.general import BrokenSolution, Certificate, Solution
    from ...solvers.general.checkpoint import Checkpoints
    from ...solvers.general.solve import Induction, SolveCounts
    from ...solvers.shared import SharedInduction


def begun_checkpoints(output: Path | None, resume: bool, seconds: float) -> "Checkpoints | None":
    """Where checkpoints go; raises ValueError where one is in the way, or is missing."""
    from ...solvers.general.checkpoint import Checkpoints, checkpoint_path

    if output is None:
        if resume:
            raise ValueError("--resume goes on with the checkpoint beside --output FILE; give the file")
        return None
    path = checkpoint_path(output)
    if not resume and path.exists():
        raise ValueError(f"{path} is what an interrupted run has found: --resume goes on with it; to begin anew, delete it")
    return Checkpoints(path, seconds)


def usual_threads() -> int:
    """One for every core that this process may use; plain Python runs one at a time."""
    from ...cluster.cores import usable_cores
    from ...compiled import PLAIN_PYTHON

    return 1 if PLAIN_PYTHON else usable_cores()


class Run:
    """One game, from its start or its checkpoint to the solution; the run shows how it stands, and hears Ctrl-C."""

    def __init__(self, progress: Progress, checkpoints: "Checkpoints | None") -> None:
        self._progress, self._checkpoints, self._time_left = progress, checkpoints, TimeLeft()
        self.work: Induction | SharedInduction | None = None

    def solve(
        self, rules: "Game", state: Any, resume: bool, **options: Any
    ) -> "tuple[Induction | SharedInduction, Solution]":
        """Solve every position; for the options see `Induction`."""
        from ...solvers.general import BrokenSolution, Solution
        from ...solvers.general.checkpoint import load_checkpoint
        from ...solvers.general.reached import check_reached
        from ...solvers.general.solve import Induction, solve_the_rest

        work, resumed = Induction(rules, state, **options), False
        if resume and self._checkpoints is not None:
            resumed = self._checkpoints.path.exists()
            if resumed:
                load_checkpoint(self._checkpoints.path, work)
            else:
                warn(f"there is no checkpoint {self._checkpoints.path}: the game is solved from its start")
        self.work = work
        solve_the_rest(work, self._show)
        self._write_if_due()
        solution = Solution.of(work)
        if resumed:
            self._progress.update(len(solution), "positions; looking whether all can come about", total=len(solution))
            try:
                check_reached(solution)
            except BrokenSolution as error:
                raise self._damaged(error) from error
        return work, solution

    def certificate(self, solution: "Solution", threads: int) -> "Certificate":
        """What the solution's strategies guarantee; raises ValueError where its values are wrong, as those of a checkpoint may be."""
        from ...solvers.general import BrokenSolution
        from ...solvers.general.check import check_values

        count = len(solution)

        def on_progress(done: int) -> None:
            self._progress.update(done, "positions; checking best responses", total=count)

        on_progress(0)
        try:
            return check_values(solution, on_progress, threads=threads)
        except BrokenSolution as error:
            raise self._damaged(error) from error

    def _damaged(self, error: "BrokenSolution") -> ValueError:
        if self._checkpoints is None or not self._checkpoints.path.exists():
            return ValueError(f"the solution is wrong: {error}")
        return ValueError(f"{str(self._checkpoints.path)!r} is damaged: {error}; delete it to begin anew")

    def interrupted(self) -> None:
        """Keep what was found, and say how to go on."""
        kept = self._keep()
        if kept is None:
            fail("interrupted; nothing was written")
        else:
            fail(f"interrupted; {self._again} goes on: {kept}")

    def close(self) -> None:
        """Leave nothing under way."""

    _again = "the same command with --resume"

    def _keep(self) -> str | None:
        """Write what was found, and say what that is; None where there is nothing, or no place for it."""
        if self.work is None or self._checkpoints is None or self.work.positions.filled == 0 or not self.work.positions.is_whole:
            return None
        self._checkpoints.write(self.work)
        return f"{self._checkpoints.path} has {self.work.positions.filled:,} positions"

    def _show(self, counts: "SolveCounts") -> None:
        speed = counts.positions / max(counts.seconds, 1e-9)
        standing = f"positions, {100 * counts.share_done:.0f} % of the branches, {speed:,.0f} a second, {counts.seconds:.0f} s"
        self._progress.update(
            counts.positions, standing, total=self._time_left.total(counts.seconds, counts.positions, counts.share_done)
        )
        self._write_if_due()

    def _write_if_due(self) -> None:
        if self._checkpoints is None or self.work is None:
            return
        try:
            self._checkpoints.write_if_due(self.work)
        except OSError as error:
            warn(f"no checkpoint could be written: {error.strerror or error}")

