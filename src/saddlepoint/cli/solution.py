"""`solve FILE.sol`: a solution that was written, asked, checked and exported; how a solution is shown."""

import json
from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import typer

from ..game.spec import name_of
from ..games.catalogue.games import make_game
from ..system.files import check_output, write_lines
from ..system.terminal import Progress, print, print_json, print_table
from ..system.text import Column, count_of, value_text
from .common import POSITION_HELP, read_game

if TYPE_CHECKING:
    from ..solvers.general import Certificate, Solution

_LEAST = 5e-7
"""Smaller probabilities are not shown."""


def solution_file(
    path: str = typer.Argument(
        metavar="FILE.sol", help="A file that `saddlepoint solve GAME -o FILE.sol` wrote."
    ),
    position: str | None = typer.Option(None, help=f"What to show: {POSITION_HELP}."),
    check: bool = typer.Option(
        False, "--check", help="Compare every position and value with the rules and best responses."
    ),
    exact: bool = typer.Option(False, "--exact", help="Compare with fractions, up to 100,000 positions."),
    export: str | None = typer.Option(None, metavar="FILE", help="Write all positions as JSON; - is stdout."),
    game: str | None = typer.Option(
        None, metavar="GAME", help="Your own game, ./mygame.py:MyGame; that file is run."
    ),
    as_json: bool = typer.Option(False, "--json", help="Print the result as JSON."),
) -> None:
    """Ask a solution about any position, check it, or export it.

    Without --check you see what the file claims, unless it was checked on this machine before. A file with anything wrong in it is
    refused, with status 2.

    Example: saddlepoint solve mygame.sol --check

    Example: saddlepoint solve mygame.sol --position 'moves: rock/paper'
    """
    from ..play.position_text import read_position
    from ..solvers.checking import check_file, check_positions, check_start, is_checked, solved_exactly
    from ..solvers.general import load_solution
    from ..solvers.general.checkpoint import usual_threads

    check_output(export, as_json)
    solution, certificate = load_solution(path, None if game is None else read_game(game), make_game)
    rules = solution.game
    state = solution.root if position is None else read_position(rules, position)
    if position is not None:
        solution.at(state)  # refuses what cannot come about before anything is computed
    with Progress(len(solution)) as progress:
        if check:
            certificate = check_file(path, solution, certificate, progress.update, threads=usual_threads())
        elif export is not None:
            check_positions(path, solution, progress.update)
    if position is None:
        check_start(path, solution)
    checked = check or is_checked(path, rules)
    found = solved_exactly(path, solution) if exact else None
    if export is not None:
        write_lines(export, _exported(solution, certificate, checked))
        if export == "-":
            return
    if as_json:
        print_json(
            {
                **subject_row(solution),
                "positions": len(solution),
                **stage_row(solution, state),
                "certificate": certificate_row(certificate),
                "checked": checked,
                "exact": None
                if found is None
                else {"value": str(found.value), "largest_error": found.largest_error},
            }
        )
        return
    print(f"{solution.subject}: {count_of(len(solution), 'position')}{folding_note(solution)}")
    if not checked:
        print("what the file claims, not checked (--check compares every value with the rules):")
    else:
        print("checked: every position and value follows from the rules")
    print_stage(solution, state)
    print_certificate(certificate, is_claim=not checked)
    if found is not None:
        print(
            f"in fractions: the value is exactly {found.value}; of {found.positions:,} values the file's are wrong by "
            f"{found.largest_error:.2g} at most"
        )


def _exported(solution: "Solution", certificate: "Certificate | None", checked: bool) -> Iterator[str]:
    """One JSON document, a position a line."""
    head: dict[str, Any] = {
        **subject_row(solution),
        "certificate": certificate_row(certificate),
        "checked": checked,
    }
    yield json.dumps(head)[:-1] + ', "positions": ['
    previous = ""
    for state in solution.states():
        if previous:
            yield previous + ","
        previous = json.dumps(stage_row(solution, state))
    yield previous + "]}"


def subject_row(solution: "Solution") -> dict[str, Any]:
    """The game and start of a solution, and the assumptions of its values, as plain data."""
    game = solution.game
    return {
        "game": name_of(game),
        "rules": repr(game),
        "start": game.to_text(solution.root),
        "discount": solution.discount,
        "clock_left_out": solution.clock_left_out,
        "folded": solution.is_folded,
    }


def stage_row(solution: "Solution", state: Any) -> dict[str, Any]:
    """A position's value and strategies, by the names of the actions."""
    stage = solution.at(state)
    game = solution.game
    named = [
        {
            game.action_to_string(state, player, action): weight
            for action, weight in stage.strategies[player].items()
        }
        for player in (0, 1)
    ]
    return {"position": game.to_text(state), "value": stage.value, "strategies": named}


def print_stage(solution: "Solution", state: Any) -> None:
    game, stage = solution.game, solution.at(state)
    print(game.render(state), end="\n\n")
    print(f"value {value_text(stage.value, '+.9g')} for player 0")
    rows = [
        [player, game.action_to_string(state, player, action), f"{weight:.6f}"]
        for player in (0, 1)
        for action, weight in stage.strategies[player].items()
        if weight > _LEAST
    ]
    if rows:
        print_table([Column("player"), Column("action"), Column("probability")], rows)
    elif chances := game.chance_outcomes(state):
        worth = zip(chances, stage.matrix, strict=True)
        print_table(
            [Column("outcome", text=True), Column("probability"), Column("value")],
            [
                [game.outcome_to_string(state, outcome), f"{chance:.6f}", value_text(value, "+.9g")]
                for (outcome, chance), (value,) in worth
            ],
        )


def folding_note(solution: "Solution") -> str:
    """The note that follows the number of positions of a folded solution; else empty."""
    return "; folded: of those that are worth the same, one" if solution.is_folded else ""


def certificate_row(certificate: "Certificate | None") -> dict[str, Any] | None:
    return None if certificate is None else asdict(certificate) | {"gap": certificate.gap}


def print_certificate(certificate: "Certificate | None", is_claim: bool = False) -> None:
    """Print the bounds that a certificate proves, or that a file claims without a check."""
    if certificate is not None:
        bounds = f"[{value_text(certificate.lower, '.12g')}, {value_text(certificate.upper, '.12g')}]"
        print(
            ("the file claims, not checked, that " if is_claim else "")
            + f"best responses gain {certificate.gap:.2g} from the start, {certificate.worst_gap:.2g} from any of "
            f"{count_of(certificate.positions, 'position')}; the value is in {bounds}"
        )
