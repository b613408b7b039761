"""`solve simplexity`: what is forced on a board, or in a position, as far ahead as wanted."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from ...system.terminal import Status, fail, print, print_json
from ..interface import Solver

if TYPE_CHECKING:
    from . import Simplexity
    from .forced import Forced, ForcedAnswer

_TOLD_AFTER = 1.0
"""Seconds after which each ply is printed."""


def simplexity(
    rows: int = typer.Option(6, help="Rows."),
    cols: int = typer.Option(7, help="Columns; (rows + 1) x columns is at most 64."),
    win: int = typer.Option(4, help="How many in a row win."),
    round_: int = typer.Option(10, "--round", help="Each player's round pieces."),
    square: int = typer.Option(11, help="Each player's square pieces."),
    supply: str = typer.Option(
        "same", help="same: both have these pieces. own: White has them the other way round."
    ),
    position: str | None = typer.Option(
        None,
        help="Where to begin: a file with rows, or with moves such as 3r,3s,0r, - for stdin, or 'moves: 3r 3s 0r'.",
    ),
    plies: int | None = typer.Option(None, min=1, help="How far to look; else to the end of the game."),
    only: str | None = typer.Option(
        None, help="win or loss: only whether the side to move wins, or loses, by force. Far quicker."
    ),
    seconds: float | None = typer.Option(None, "--time", metavar="SECONDS", help="At most."),
    memory: int = typer.Option(512, min=1, help="Megabytes for the table of positions."),
    as_json: bool = typer.Option(False, "--json", help="Print the result as JSON."),
) -> None:
    """Find forced wins in Simplexity: who wins, in how many plies, and how.

    It looks one ply further at a time, and finds a draw where it reaches every end; Ctrl-C says how far it came. With `--only` it looks 12
    plies ahead, or 13 for a win, then four more at a time, and does not say in how many plies exactly.

    Example: saddlepoint solve simplexity --rows 4 --cols 4 --round 4 --square 4

    Example: saddlepoint solve simplexity --position 'moves: 3r 3r 3r 3s' --plies 9
    """
    from ..interface import read_fitted_position
    from . import Simplexity

    game: Any = Simplexity(rows, cols, win, round_, square, supply)
    state = game.initial_state()
    if position is not None:
        game, state = read_fitted_position(game, position)
    find_forced(
        game,
        state,
        plies=plies,
        only=only,
        seconds=seconds,
        memory=memory,
        as_json=as_json,
    )


def find_forced(
    game: "Simplexity",
    state: Any,
    *,
    plies: int | None,
    only: str | None,
    seconds: float | None,
    memory: int,
    as_json: bool,
) -> None:
    """Find what is forced in a position, and print it; raises ValueError for options that make no sense."""
    from .forced import ForcedSearch

    if seconds is not None and not 0 < seconds < float("inf"):
        raise ValueError("--time takes seconds above 0")
    if only not in (None, "win", "loss"):
        raise ValueError(f"--only takes win or loss, not {only!r}")
    far = 0
    nothing = {None: "nothing", "win": "no win", "loss": "no loss"}[only]

    def on_step(within: int, nodes: int, passed: float) -> None:
        nonlocal far
        far = within
        status.update(f"looking beyond {far} plies: {nodes:,} positions so far, {passed:.0f} s")
        if not as_json and passed > _TOLD_AFTER:
            status.line(f"{nothing} forced within {far:2} plies: {nodes:14,} positions, {passed:7.1f} s")

    with Status("compiling") as status:
        try:
            search = ForcedSearch(game, memory)
            if only is None:
                found = search.search(state, plies, seconds, on_step)
                show = partial(_show, found=found, line=search.line(state, found), nodes=search.nodes)
            else:
                answer = search.ask(state, only == "win", plies, seconds, on_step)
                show = partial(_show_answer, only=only, answer=answer)
        except KeyboardInterrupt:
            fail(
                f"interrupted; {'neither side wins by force' if only is None else f'{nothing} is forced'} within {far} plies"
            )
            raise
    show(game, state, as_json=as_json)


def _show_answer(game: "Simplexity", state: Any, only: str, answer: "ForcedAnswer", as_json: bool) -> None:
    mover, other = _sides(state)
    is_forced = None if answer.reached is None else answer.reached == (only == "win")
    if is_forced:
        winner = mover if only == "win" else other
        verdict = (
            f"{winner} wins by force within {answer.plies} plies" if answer.plies else f"{winner} has won"
        )
    elif answer.exact:
        verdict = f"{mover} cannot force a win" if only == "win" else f"{mover} need not lose"
    else:
        time_up = "time was up; " if answer.reached is None else ""
        goal = "win" if only == "win" else "lose"
        verdict = f"open: {time_up}{mover} does not {goal} by force within {answer.plies} plies"
    known = {"asked": only, "is_forced": is_forced, "plies": answer.plies, "exact": answer.exact}
    effort = f"{answer.nodes:,} positions in {answer.seconds:.1f} s"
    _report(game, state, answer, known, [verdict], effort, as_json)


def _show(
    game: "Simplexity", state: Any, found: "Forced", line: tuple[int, ...], nodes: int, as_json: bool
) -> None:
    mover, other = _sides(state)
    if found.value:
        winner = mover if found.value > 0 else other
        verdict = f"{winner} wins by force in {found.plies} plies" if found.plies else f"{winner} has won"
    elif found.exact:
        verdict = "a draw: neither side can force a win"
    else:
        verdict = f"open: neither side wins by force within {found.searched} plies"
    known = {
        "value": found.value,
        "value_for_white": found.value * (1 - 2 * (state.moves & 1)),
        "plies": found.plies,
        "searched": found.searched,
        "exact": found.exact,
        "line": [game.action_to_string(None, 0, action) for action in line],
    }
    lines = [verdict, *([f"line: {game.moves_to_text(line)}"] if line else [])]
    effort = f"{nodes:,} positions; the value took {found.seconds:.1f} s"
    _report(game, state, found, known, lines, effort, as_json)


def _report(
    game: "Simplexity",
    state: Any,
    found: "Forced | ForcedAnswer",
    known: dict[str, Any],
    lines: list[str],
    effort: str,
    as_json: bool,
) -> None:
    """Print what is `known` of a position as JSON, or else the position, the lines, and the effort with the speed."""
    if as_json:
        about = {"game": "simplexity", "position": game.to_text(state), "to_move": _sides(state)[0].lower()}
        print_json({**about, **known, "nodes": found.nodes, "seconds": found.seconds})
        return
    speed = found.nodes / max(found.seconds, 1e-9) / 1e6
    print(game.render(state), end="\n\n")
    print("\n".join([*lines, f"{effort}, {speed:.1f} million positions/s"]))


def _sides(state: Any) -> tuple[str, str]:
    """(the player to move, the other one)."""
    return ("Red", "White") if state.moves & 1 else ("White", "Red")


def _solve(
    rules: "Simplexity",
    state: Any,
    *,
    output: Path | None,
    memory: int | None,
    threads: int,
    seconds: float | None,
    as_json: bool,
) -> None:
    if output is not None:
        raise ValueError(
            "forced wins of Simplexity are found without keeping positions: without --output, or --method induction"
        )
    if threads > 1:
        raise ValueError(
            "forced wins of Simplexity are searched for with one thread: without -j, or with --method induction"
        )
    start = rules.initial_state() if state is None else state
    find_forced(rules, start, plies=None, only=None, seconds=seconds, memory=memory or 512, as_json=as_json)


SOLVER = Solver(simplexity, _solve)
