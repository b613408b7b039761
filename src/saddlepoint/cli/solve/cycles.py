"""`solve GAME` where positions come back: how such a game is solved, and what is said of it."""

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..._text import value_text
from ...console.terminal import Progress, fail, print, print_json, warn
from .shown import certificate_row, folding_note, print_certificate, print_stage, stage_row, subject_row

if TYPE_CHECKING:
    from ...game import Game
    from ...solvers.cycles import Solved

PROVEN = 1e-6
"""What best responses may gain from the start for the value to be called proven."""


def solve_with_cycles(
    rules: "Game", state: Any, *, discount: float, method: str, fold: bool, check: bool, memory: float, output: Path | None, as_json: bool
) -> None:
    """Solve a game with cycles, write the file and say what was found."""
    from ...solvers.cycles import solve_cycles
    from ...solvers.general import save_solution

    started = time.perf_counter()
    with Progress(None) as progress:
        progress.update(0, "compiling")
        try:
            found = solve_cycles(
                rules, state, discount=discount, method=method, fold=fold, check=check, memory=memory,
                folder=None if output is None else output.resolve().parent,
                on_progress=lambda count, what: progress.update(count, f"{what}, {time.perf_counter() - started:.0f} s"),
                on_disk=lambda size: warn(f"the table goes into a file now: {size / 1e6:,.0f} MB are more than --memory allows"),
            )  # fmt: skip
            if output is not None:
                save_solution(output, found.solution, found.certificate)
        except KeyboardInterrupt:
            fail("interrupted; nothing was written")
            raise
    if as_json:
        print_json(_row(found, method, output))
        return
    counts = found.counts
    print(
        f"{found.solution.subject}: {counts.positions:,} positions, {counts.chance_positions:,} of chance, "
        f"with {counts.edges:,} moves, in {counts.seconds:.3g} s: "
        f"all stages solved {counts.sweeps:,} times{folding_note(found.solution)}"
    )
    print_stage(found.solution, found.solution.root)
    print_certificate(found.certificate)
    print(_what_is_proven(found))
    if output is not None:
        print(f"{output}: {output.stat().st_size / 1e6:.3g} MB")


def _what_is_proven(found: "Solved") -> str:
    discount, certificate = found.solution.discount, found.certificate
    endless = "an endless play counts 0" if discount == 1.0 else f"a result counts {discount:g} of itself for each move before it"
    if found.interval is not None:
        low, high = found.interval
        bounds = f"[{value_text(low, '.12g')}, {value_text(high, '.12g')}]"
        endless += f"; by value iteration the value is in {bounds}, whatever an endless play counts"
    if certificate is None:
        return f"{endless}; nothing is proven without --check"
    if certificate.gap <= PROVEN:
        return f"{endless}; proven to {certificate.gap:.2g}"
    return f"{endless}; not proven closer than {certificate.gap:.2g}: strategies that always play the same in a position may not get more"


def _row(found: "Solved", method: str, output: Path | None) -> dict[str, Any]:
    solution, counts, certificate = found.solution, found.counts, found.certificate
    return {
        **subject_row(solution), "method": method, "positions": counts.positions, "chance_positions": counts.chance_positions,
        "moves": counts.edges, "sweeps": counts.sweeps, "seconds": counts.seconds,
        "certificate": certificate_row(certificate),
        "interval": found.interval, "proven": certificate is not None and certificate.gap <= PROVEN,
        "file": None if output is None else str(output), "bytes": None if output is None else output.stat().st_size,
        **stage_row(solution, solution.root),
    }  # fmt: skip
