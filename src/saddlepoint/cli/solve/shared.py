"""A run whose positions are shared out over a cluster: the file, and what an interruption leaves, are here."""

from typing import TYPE_CHECKING, Any

from ...console.terminal import Progress
from .run import Run

if TYPE_CHECKING:
    from ...cluster.dask import DaskCluster
    from ...game import Game
    from ...solvers.general import Certificate, Solution
    from ...solvers.general.checkpoint import Checkpoints
    from ...solvers.shared import SharedInduction, SolveProgress

_GO_ON = "the same command with --resume and without --executor"


class SharedRun(Run):
    """A game that a cluster solves; `check`: with its certificate. Close it at the end, whatever happened."""

    _again = _GO_ON

    def __init__(self, progress: Progress, checkpoints: "Checkpoints | None", executor: str, check: bool) -> None:
        super().__init__(progress, checkpoints)
        self._executor, self._check = executor, check
        self._cluster: DaskCluster | None = None
        self._shared: SharedInduction | None = None

    def solve(self, rules: "Game", state: Any, resume: bool, **options: Any) -> "tuple[SharedInduction, Solution]":
        from ...cluster import connect
        from ...own_games import described
        from ...solvers.general import Solution
        from ...solvers.shared import SharedInduction, inspect_rules, warm_rules

        del options["threads"]
        way_out = "solve it again"
        if self._checkpoints is not None:
            way_out += f"; if {self._checkpoints.path} is there, {_GO_ON} goes on with what it has"
        self._cluster = cluster = connect(self._executor, self._progress.line, way_out, large=True)
        work = SharedInduction(rules, state, pool=cluster, bounded=self._check, **options)
        here = described(rules)

        def check(worker: str, there: Any) -> None:
            if there != here:
                said = f" ({there})" if isinstance(there, str) else ""
                raise ValueError(
                    f"the worker {worker} has no or another file for {rules!r}{said}: put the same at the same path, "
                    "and start the workers again"
                )

        asked = work.rules, work.is_folded, self._check
        cluster.prepare(inspect_rules, (work.rules,), check, warm_rules, asked)
        self.work = self._shared = work
        try:
            work.solve(self._show_standing)
        except Exception as error:
            if isinstance(error, ConnectionError):
                self._keep()
            if cluster.is_death(error):
                raise ValueError(
                    "the same positions ended several workers, one after the other, perhaps for want of memory: start workers with "
                    "more (--memory-limit 0 of `dask worker` sets no limit)"
                ) from error
            raise
        return work, Solution.of(work)

    def certificate(self, solution: "Solution", threads: int) -> "Certificate":
        assert self._shared is not None
        return self._shared.certificate()

    def close(self) -> None:
        if self._cluster is not None:
            self._cluster.close()

    def _keep(self) -> str | None:
        if self._shared is None or self._shared.write_known() == 0:
            return None
        return super()._keep()

    def _show_standing(self, standing: "SolveProgress") -> None:
        where = f"{standing.level} moves from the start; {standing.slots} worker{'s' * (standing.slots > 1)}, {standing.seconds:.0f} s"
        if standing.is_found:
            self._progress.update(standing.solved, f"positions solved, {where}", total=standing.found)
            self._keep_if_due()
        else:
            self._progress.update(standing.found, f"positions found, {where}")

    def _keep_if_due(self) -> None:
        if self._checkpoints is not None and self._shared is not None and self._checkpoints.is_due:
            self._shared.write_known()
            self._write_if_due()
