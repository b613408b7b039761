"""`solve FILE.sol`: a solution that was written, asked, checked and exported."""

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import typer

from ..common import read_game, read_text
from ..files import check_output, write_lines
from ..terminal import Progress, print, print_json
from .run import usual_threads
from .shown import certificate_row, folding_note, print_certificate, print_stage, stage_row

if TYPE_CHECKING:
    from ...solvers.general import Certificate, ExactValue, Solution


def file(
    path: str = typer.Argument(metavar="FILE.sol", help="A file that `saddlepoint solve GAME -o FILE.sol` wrote."),
    position: str | None = typer.Option(None, help="A file with the position to show, or - for stdin; else the start."),
    check: bool = typer.Option(False, "--check", help="Compute again what best responses gain, over all positions."),
    exact: bool = typer.Option(False, "--exact", help="Solve it again in fractions, up to 100,000 positions, and compare."),
    export: str | None = typer.Option(None, help="Write all positions with values and strategies as JSON into a file; - is stdout."),
    game: str | None = typer.Option(None, help="The game, where its rules are in a file of your own, which is then run."),
    as_json: bool = typer.Option(False, "--json", help="Print the result as JSON."),
) -> None:
    """Ask a solution: value and strategies of any position; check it, or export all of it.

    Example: saddlepoint solve goofspiel5.sol --check

    Example: saddlepoint solve goofspiel5.sol --position position.txt --json
    """
    from ...solvers.general import exact_value, load_solution

    check_output(export, as_json)
    given = None if game is None else read_game(game)
    solution, certificate = load_solution(path, given)
    rules = solution.game
    state = solution.root if position is None else rules.from_text(read_text(position))
    row = stage_row(solution, state)  # refuses what cannot come about before anything is computed
    if check or export is not None:  # both hand the rules what is in the file
        with Progress(len(solution)) as progress:
            certificate = _looked_through(path, solution, progress, check) or certificate
    found = exact_value(solution) if exact else None
    if export is not None:
        write_lines(export, _exported(solution, certificate))
        if export == "-":
            return
    if as_json:
        print_json({
            "game": rules.name or type(rules).__name__, "rules": repr(rules), "start": rules.to_text(solution.root),
            "positions": len(solution), "folded": solution.is_folded, **row, "certificate": certificate_row(certificate), "checked": check,
            "exact": None if found is None else {"value": str(found.value), "largest_error": found.largest_error},
        })  # fmt: skip
        return
    print(f"{rules!r}: {len(solution):,} positions{folding_note(solution)}")
    print_stage(solution, state)
    print_certificate(certificate)
    if found is not None:
        _print_exact(found)


def _looked_through(path: str, solution: "Solution", progress: Progress, check: bool) -> "Certificate | None":
    """With `check` the certificate; a file whose positions cannot come about is refused: the rules are safe with no others."""
    from ...solvers.cycles import certificate_of_cycles, explored_again
    from ...solvers.general import BrokenSolution, certificate_of, check_reached

    try:
        if solution.discount is not None:
            progress.update(0, "positions; exploring the game again")
            if check:
                return certificate_of_cycles(solution)
            if len(solution):
                explored_again(solution)
            return None
        check_reached(solution, lambda done: progress.update(done, "positions; looking whether all can come about"))
    except BrokenSolution as error:
        raise ValueError(f"{path!r} is damaged: {error}; `saddlepoint solve GAME -o {path}` writes it anew") from error
    if not check:
        return None
    return certificate_of(
        solution, lambda done: progress.update(done, "positions; checking best responses"), threads=usual_threads()
    )


def _print_exact(found: "ExactValue") -> None:
    print(
        f"in fractions: the value is exactly {found.value}; of {found.positions:,} values the file's are wrong by "
        f"{found.largest_error:.2g} at most"
    )


def _exported(solution: "Solution", certificate: "Certificate | None") -> Iterator[str]:
    """One JSON document, a position a line."""
    head: dict[str, Any] = {
        "rules": repr(solution.game), "start": solution.game.to_text(solution.root), "certificate": certificate_row(certificate)
    }  # fmt: skip
    yield json.dumps(head)[:-1] + ', "positions": ['
    previous = ""
    for state in solution.states():
        if previous:
            yield previous + ","
        previous = json.dumps(stage_row(solution, state))
    yield previous + "]}"
