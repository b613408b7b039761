"""`solve FILE.sol`: a solution that was written, asked, checked and exported."""

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import typer

from ...console.files import check_output, write_lines
from ...console.reading import read_position
from ...console.terminal import Progress, print, print_json
from ..common import POSITION_HELP, read_game
from .run import usual_threads
from .shown import certificate_row, folding_note, print_certificate, print_stage, stage_row, subject_row

if TYPE_CHECKING:
    from ...solvers.general import Certificate, ExactValue, Solution


def file(
    path: str = typer.Argument(metavar="FILE.sol", help="A file that `saddlepoint solve GAME -o FILE.sol` wrote."),
    position: str | None = typer.Option(None, help=f"What to show: {POSITION_HELP}."),
    check: bool = typer.Option(
        False, "--check", help="Compare every position and value with the rules and best responses."
    ),
    exact: bool = typer.Option(False, "--exact", help="Compare with fractions, up to 100,000 positions."),
    export: str | None = typer.Option(None, metavar="FILE", help="Write all positions as JSON; - is stdout."),
    game: str | None = typer.Option(None, metavar="GAME", help="Your own game, ./mygame.py:MyGame; that file is run."),
    as_json: bool = typer.Option(False, "--json", help="Print the result as JSON."),
) -> None:
    """Ask a solution about any position, check it, or export it.

    Without --check you see what the file claims, unless it was checked on this machine before. A file with anything wrong in it is
    refused, with status 2.

    Example: saddlepoint solve mygame.sol --check

    Example: saddlepoint solve mygame.sol --position 'moves: rock/paper'
    """
    from ...roster.games import make_game
    from ...solvers.checking import check_file, is_checked
    from ...solvers.general import load_solution

    check_output(export, as_json)
    given = None if game is None else read_game(game)
    solution, certificate = load_solution(path, given, make_game)
    rules = solution.game
    state = solution.root if position is None else read_position(rules, position)
    asked = None if position is None else stage_row(solution, state)  # refuses what cannot come about before anything is computed
    with Progress(len(solution)) as progress:
        if check:
            certificate = check_file(path, solution, certificate, progress.update, threads=usual_threads())
        elif export is not None:
            _look_for_positions(path, solution, progress)
    row = _stage_of_start(path, solution) if asked is None else asked
    checked = check or is_checked(path, rules)
    found = _solved_exactly(path, solution) if exact else None
    if export is not None:
        write_lines(export, _exported(solution, certificate, checked))
        if export == "-":
            return
    if as_json:
        print_json({
            **subject_row(solution), "positions": len(solution), **row, "certificate": certificate_row(certificate),
            "checked": checked, "exact": None if found is None else {"value": str(found.value), "largest_error": found.largest_error},
        })  # fmt: skip
        return
    print(f"{solution.subject}: {len(solution):,} positions{folding_note(solution)}")
    if not checked:
        print("what the file claims, not checked (--check compares every value with the rules):")
    print_stage(solution, state)
    print_certificate(certificate, is_claim=not checked)
    if found is not None:
        _print_exact(found)


def _look_for_positions(path: str, solution: "Solution", progress: Progress) -> None:
    """Refuse a file whose positions cannot come about: the rules, which an export asks, are safe with no others."""
    from ...solvers.checking import damaged
    from ...solvers.cycles import explored_again
    from ...solvers.general import BrokenSolution
    from ...solvers.general.reached import check_reached

    try:
        if solution.discount is None:
            check_reached(solution, lambda done: progress.update(done, "positions; looking whether all can come about"))
        elif len(solution):
            progress.update(0, "positions; exploring the game again")
            explored_again(solution)
    except BrokenSolution as error:
        raise damaged(path, error) from error


def _stage_of_start(path: str, solution: "Solution") -> dict[str, Any]:
    """Of a file without what follows from its start nothing can be told."""
    from ...game import GameError
    from ...solvers.checking import damaged
    from ...solvers.general import BrokenSolution

    try:
        return stage_row(solution, solution.root)
    except GameError:
        raise damaged(path, BrokenSolution("a position that follows from its start is missing")) from None


def _solved_exactly(path: str, solution: "Solution") -> "ExactValue":
    """What the game is worth in fractions; a file with other values is refused."""
    from ...solvers.checking import damaged
    from ...solvers.general import BrokenSolution, exact_value
    from ...solvers.general.check import TOLERANCE, span

    found = exact_value(solution)
    if not found.largest_error <= TOLERANCE * span(solution.game):
        raise damaged(path, BrokenSolution(f"in fractions the value of the start is exactly {found.value}, and a value of the file is "
            f"wrong by {found.largest_error:.2g}"))  # fmt: skip
    return found


def _print_exact(found: "ExactValue") -> None:
    print(
        f"in fractions: the value is exactly {found.value}; of {found.positions:,} values the file's are wrong by "
        f"{found.largest_error:.2g} at most"
    )


def _exported(solution: "Solution", certificate: "Certificate | None", checked: bool) -> Iterator[str]:
    """One JSON document, a position a line."""
    head: dict[str, Any] = {
        **subject_row(solution), "certificate": certificate_row(certificate), "checked": checked,
    }  # fmt: skip
    yield json.dumps(head)[:-1] + ', "positions": ['
    previous = ""
    for state in solution.states():
        if previous:
            yield previous + ","
        previous = json.dumps(stage_row(solution, state))
    yield previous + "]}"
