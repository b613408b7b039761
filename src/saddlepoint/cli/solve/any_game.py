"""`solve GAME`: any finite game, every position once, into a file that is asked, played from and checked."""

from pathlib import Path
from typing import Any

import typer

from ...console.files import check_regular_output
from ...console.reading import read_position
from ...console.terminal import Progress, print, print_json, warn
from ..arena_options import FILES, PLACE, Executor
from ..common import GAME_HELP, POSITION_HELP, memory_in_bytes, read_game
from .cycles import solve_with_cycles
from .in_turn import solve_in_turn
from .options import IN_TURN, Options, own_solver
from .run import Run, begun_checkpoints, usual_threads
from .shared import SharedRun
from .shown import certificate_row, folding_note, print_certificate, print_stage, stage_row, subject_row

_MOST_THREADS = 1024
_SPECIAL = "Special cases"


def game(
    game: str = typer.Argument(help=GAME_HELP),
    output: Path | None = typer.Option(None, "-o", "--output", help="The file to write: goofspiel5.sol."),
    position: str | None = typer.Option(None, help=f"Where to begin: {POSITION_HELP}."),
    memory: int | None = typer.Option(
        None, min=1, help="Megabytes for the table, then it goes into a file; half of what is free."
    ),
    fold: bool | None = typer.Option(
        None, "--fold/--no-fold", rich_help_panel=_SPECIAL, help="Keep one of positions worth the same, as the game says (usual)."
    ),
    executor: Executor = None,
    threads: int = typer.Option(0, "-j", "--threads", min=0, rich_help_panel=PLACE, help="Threads; 0: one for each core, with cycles one."),
    resume: bool = typer.Option(False, "--resume", rich_help_panel=FILES, help="Go on from the checkpoint FILE.sol.part of the same run."),
    checkpoint: float | None = typer.Option(
        None, min=0.0, metavar="SECONDS", rich_help_panel=FILES, help="Between checkpoints: 60, more where writing one takes long."
    ),
    check: bool | None = typer.Option(
        None, "--check/--no-check", rich_help_panel=_SPECIAL, help="Compute what best responses gain: the certificate (usual)."
    ),
    cycles: bool | None = typer.Option(
        None, "--cycles/--no-cycles", rich_help_panel=_SPECIAL, help="Whether positions come back (as the game's `clock` says)."
    ),
    discount: float | None = typer.Option(
        None, rich_help_panel=_SPECIAL, help="With cycles: what a result is multiplied by for each move: 0.9."
    ),
    method: str | None = typer.Option(
        None,
        help="induction (usual); value and first moves alone, in turn: alpha_beta, proof_number; own: the game's own solver. With cycles: "
        "policies (usual) or values (value iteration).",
    ),
    all_moves: bool = typer.Option(
        False, "--all-moves", rich_help_panel=_SPECIAL, help="With alpha_beta and proof_number: all best first moves."
    ),
    seconds: float | None = typer.Option(
        None, "--time", metavar="SECONDS", help="At most, with alpha_beta, proof_number and own."
    ),
    as_json: bool = typer.Option(False, "--json", help="Print the result as JSON."),
) -> None:
    """Solve a game from its end: value and strategies of every position.

    `saddlepoint solve FILE.sol` asks and checks what was written; the player `solution("FILE.sol")` plays from it. After Ctrl-C --resume
    goes on from FILE.sol.part; games with cycles are solved at once, by one thread, without it.

    Example: saddlepoint solve ./mygame.py:MyGame -o mygame.sol

    Example: saddlepoint solve ./heap.py:Heap --method alpha_beta

    Example: saddlepoint solve ./mygame.py:MyGame --discount 0.9
    """
    from ...solvers.general import save_solution

    if threads > _MOST_THREADS:
        raise ValueError(f"-j takes {_MOST_THREADS:,} threads at most")
    rules = read_game(game)
    check_regular_output(output)
    state = read_position(rules, position)
    bytes_ = memory_in_bytes(memory)
    options = Options(output, fold, threads, resume, checkpoint, executor, check, method, all_moves, seconds)
    if cycles or (cycles is None and (rules.clock or discount is not None)):
        options.check_cycles()
        solve_with_cycles(
            rules, state, discount=1.0 if discount is None else discount, method=method or "policies", fold=fold is not False,
            check=check is not False, memory=bytes_, output=output, as_json=as_json,
        )  # fmt: skip
        return
    if discount is not None:
        raise ValueError("--discount is for games with cycles; --no-cycles solves the game as it is, without one")
    method = options.checked_method(rules.name)
    if method == "own":
        begun = None if position is None else state
        solver = own_solver(rules.name)
        if solver is None or solver.solve is None:
            raise ValueError(f"{type(rules).__name__} has no solver of its own; the methods are induction, alpha_beta and proof_number")
        solver.solve(rules, begun, output=output, memory=memory, threads=threads, seconds=seconds, as_json=as_json)
        return
    if method in IN_TURN:
        solve_in_turn(rules, state, method=method, megabytes=memory, all_moves=all_moves, seconds=seconds, as_json=as_json)
        return
    threads = threads or usual_threads()
    checkpoints = begun_checkpoints(output, resume, 60.0 if checkpoint is None else checkpoint)
    with Progress(None) as progress:
        progress.update(0, "compiling")
        run = Run(progress, checkpoints) if executor is None else SharedRun(progress, checkpoints, executor, check is not False)
        try:
            work, solution = run.solve(
                rules, state, resume, fold=fold is not False, threads=threads,
                memory=bytes_, folder=None if output is None else output.resolve().parent,
                on_disk=lambda size: warn(f"the table goes into a file now: {size / 1e6:,.0f} MB are more than --memory allows"),
            )  # fmt: skip
            counts, certificate = work.counts(), run.certificate(solution, threads) if check is not False else None
            if output is not None:
                save_solution(output, solution, certificate)
        except KeyboardInterrupt:
            run.interrupted()
            raise
        finally:
            run.close()
    if checkpoints is not None:
        checkpoints.remove()
    if as_json:
        print_json({
            **subject_row(solution), "value": work.value,
            "positions": counts.positions, "stages": counts.stages, "saddle_stages": counts.saddle_stages,
            "closed_form_stages": counts.closed_form_stages, "lp_stages": counts.lp_stages,
            "chance_positions": counts.chance_positions, "seconds": counts.seconds,
            "certificate": certificate_row(certificate),
            "file": None if output is None else str(output), "bytes": None if output is None else output.stat().st_size,
            **stage_row(solution, work.root),
        })  # fmt: skip
        return
    print(
        f"{solution.subject}: {counts.positions:,} positions "
        f"in {counts.seconds:.3g} s ({counts.positions / max(counts.seconds, 1e-9):,.0f} a second): "
        f"{counts.saddle_stages:,} saddle points, {counts.closed_form_stages:,} closed forms, {counts.lp_stages:,} linear programs, "
        f"{counts.chance_positions:,} of chance"
        + folding_note(solution)
    )
    print_stage(solution, work.root)
    print_certificate(certificate)
    if output is not None:
        print(f"{output}: {output.stat().st_size / 1e6:.3g} MB")


def is_solution_file(text: str) -> bool:
    """Whether the word after `solve` names a file rather than a game."""
    return text.endswith(".sol") or (Path(text).is_file() and not text.endswith(".py"))


__all__: list[Any] = ["game", "is_solution_file"]
