"""`solve GAME`: any finite game, every position once, into a file that is asked, played from and checked."""

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from ..common import GAME_HELP, read_game, read_text, start_state
from ..files import check_regular_output
from ..terminal import Progress, fail, print, print_json, warn
from .shown import certificate_row, print_certificate, print_stage, stage_row

if TYPE_CHECKING:
    from ...solvers.general import Counts


def game(
    game: str = typer.Argument(help=GAME_HELP),
    output: Path | None = typer.Option(None, "-o", "--output", help="The file to write, such as goofspiel5.sol."),
    position: str | None = typer.Option(None, help="A file with the position to begin at, or - for stdin; else the game's start."),
    memory: int | None = typer.Option(
        None, min=1, help="Megabytes for the table; beyond them it goes into a file. By default half of what is free."
    ),
    check: bool = typer.Option(True, help="Compute the certificate: what best responses gain, over all positions."),
    as_json: bool = typer.Option(False, "--json", help="Print the result as JSON."),
) -> None:
    """Solve a game from its end: value and strategies of every position that can come about, each solved once.

    For games in turn, with moves at the same time, and with chance, that end. `saddlepoint solve FILE.sol` asks and checks what was
    written; the player `solution("FILE.sol")` plays from it. Ctrl-C leaves nothing behind: the file appears when it is whole.

    Example: saddlepoint solve 'goofspiel(cards=5)' -o goofspiel5.sol

    Example: saddlepoint solve ./mygame.py:MyGame -o mygame.sol
    """
    from ...solvers.general import Solution, certificate_of, save_solution, solve_positions

    rules = read_game(game)
    check_regular_output(output)
    state = start_state(rules, None, None) if position is None else rules.from_text(read_text(position))
    folder = None if output is None else output.resolve().parent
    started = time.perf_counter()
    with Progress(None) as progress:
        progress.update(0, "compiling")

        def on_progress(counts: "Counts") -> None:
            speed = counts.positions / max(counts.seconds, 1e-9)
            progress.update(counts.positions, f"positions, {speed:,.0f} a second, {time.perf_counter() - started:.0f} s")

        try:
            work = solve_positions(
                rules, state, memory=(memory * 1e6 if memory is not None else _half_of_what_is_free()), folder=folder,
                on_progress=on_progress,
                on_disk=lambda size: warn(f"the table goes into a file now: {size / 1e6:,.0f} MB are more than --memory allows"),
            )  # fmt: skip
            solution, counts = Solution.of(work), work.counts()
            progress.update(counts.positions, "positions; checking best responses")
            certificate = certificate_of(solution) if check else None
            if output is not None:
                save_solution(output, solution, certificate)
        except KeyboardInterrupt:
            fail("interrupted; nothing was written")
            raise
    if as_json:
        print_json({
            "game": rules.name or type(rules).__name__, "rules": repr(rules), "start": rules.to_text(work.root), "value": work.value,
            "positions": counts.positions, "stages": counts.stages, "saddle_stages": counts.saddle_stages,
            "closed_form_stages": counts.closed_form_stages, "lp_stages": counts.lp_stages,
            "chance_positions": counts.chance_positions, "seconds": counts.seconds, "certificate": certificate_row(certificate),
            "file": None if output is None else str(output), "bytes": None if output is None else output.stat().st_size,
            **stage_row(solution, work.root),
        })  # fmt: skip
        return
    print(
        f"{counts.positions:,} positions in {counts.seconds:.3g} s ({counts.positions / max(counts.seconds, 1e-9):,.0f} a second): "
        f"{counts.saddle_stages:,} saddle points, {counts.closed_form_stages:,} closed forms, {counts.lp_stages:,} linear programs, "
        f"{counts.chance_positions:,} of chance"
    )
    print_stage(solution, work.root)
    print_certificate(certificate)
    if output is not None:
        print(f"{output}: {output.stat().st_size / 1e6:.3g} MB")


def _half_of_what_is_free() -> float:
    import psutil

    return psutil.virtual_memory().available / 2


def is_solution_file(text: str) -> bool:
    """Whether the word after `solve` names a file rather than a game."""
    return text.endswith(".sol") or (Path(text).is_file() and not text.endswith(".py"))


__all__: list[Any] = ["game", "is_solution_file"]
