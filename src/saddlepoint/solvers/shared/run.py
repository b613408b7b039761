"""A game solved by a cluster: the file, and what an interruption leaves, are on this machine."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...game.base import Game
from ...game.own_games import described
from ...system.cluster import connect
from ..general.certificate import SolvedGame
from ..general.checkpoint import NOTHING_KEPT, Run
from ..general.solution import Solution
from .solve import SharedInduction
from .tasks import inspect_rules, warm_rules

if TYPE_CHECKING:
    from ...system.cluster.dask import DaskCluster

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
