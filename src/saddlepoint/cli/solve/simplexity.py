"""`solve simplexity`: what is forced on a board, or in a position, as far ahead as wanted."""

import time
from typing import TYPE_CHECKING, Any

import typer

from ..common import read_text
from ..terminal import Status, fail, print, print_json

if TYPE_CHECKING:
    from ...games.simplexity import Simplexity
    from ...solvers.simplexity import Forced, ForcedSearch, Step

_TOLD_AFTER = 1.0
"""Seconds after which each ply is told; before that they fly past."""


def simplexity(
    rows: int = typer.Option(6, help="Rows."),
    cols: int = typer.Option(7, help="Columns; (rows + 1) x columns is at most 64."),
    win: int = typer.Option(4, help="So many in a row win."),
    round_: int = typer.Option(10, "--round", help="Each player's round pieces."),
    square: int = typer.Option(11, help="Each player's square pieces."),
    supply: str = typer.Option(
        "same", help="same: both have these pieces. own: White has them the other way round: both have as many of the own shape."
    ),
    position: str | None = typer.Option(
        None, help="A file with the position as rows or as moves such as 3r,3s,0r, or - for stdin; else the empty board."
    ),
    plies: int | None = typer.Option(None, min=1, help="Look that many plies ahead; by default to the end of the game."),
    seconds: float | None = typer.Option(None, "--time", help="Seconds, at most."),
    memory: int = typer.Option(512, min=1, help="Megabytes for the table of positions."),
    as_json: bool = typer.Option(False, "--json", help="Print the result as JSON."),
) -> None:
    """Find forced wins: who wins, in how many plies, and how; a draw where the search reaches every end.

    It looks one ply further at a time; Ctrl-C says how far it came.

    Example: saddlepoint solve simplexity --rows 4 --cols 6 --round 6 --square 6

    Example: echo 3r,3r,3r,3s | saddlepoint solve simplexity --position - --plies 13
    """
    from ...games.simplexity import Simplexity
    from ...solvers.simplexity import ForcedSearch

    if seconds is not None and not 0 < seconds < float("inf"):
        raise ValueError("--time takes seconds above 0")
    game = Simplexity(rows, cols, win, round_, square, supply)
    state = game.initial_state()
    if position is not None:
        state = game.from_text(read_text(position))
    search = ForcedSearch(game, memory)
    far, started = 0, time.perf_counter()

    def on_step(step: "Step") -> None:
        nonlocal far
        far = step.plies
        if not as_json and step.seconds > _TOLD_AFTER:
            status.line(f"nothing forced within {far:2} plies: {step.nodes:14,} positions, {step.seconds:7.1f} s")

    def on_wait(nodes: int) -> None:
        status.update(f"looking {far + 1} plies ahead: {nodes:,} positions, {time.perf_counter() - started:.0f} s")

    with Status("compiling") as status:
        try:
            found = search.search(state, plies, seconds, on_step, on_wait)
            line = search.line(state, found)
        except KeyboardInterrupt:
            fail(f"interrupted; neither side wins by force within {far} plies")
            raise
    if as_json:
        print_json(_as_json(game, state, found, line))
    else:
        _show(game, state, found, line, search)


def _as_json(game: "Simplexity", state: Any, found: "Forced", line: tuple[int, ...]) -> dict[str, Any]:
    mover = state.moves & 1
    return {
        "game": "simplexity", "position": game.to_text(state), "to_move": ("white", "red")[mover],
        "value": found.value, "value_for_white": found.value * (1 - 2 * mover), "plies": found.plies,
        "searched": found.searched, "exact": found.exact, "line": [game.action_to_string(None, 0, action) for action in line],
        "nodes": found.nodes, "seconds": found.seconds,
    }  # fmt: skip


def _show(game: "Simplexity", state: Any, found: "Forced", line: tuple[int, ...], search: "ForcedSearch") -> None:
    names = ("White", "Red")
    mover = state.moves & 1
    print(game.render(state), end="\n\n")
    if found.value:
        winner = names[mover if found.value > 0 else 1 - mover]
        print(f"{winner} wins by force in {found.plies} plies" if found.plies else f"{winner} has won")
    elif found.exact:
        print("a draw: neither side can force a win")
    else:
        print(f"open: neither side wins by force within {found.searched} plies")
    if line:
        print(f"line: {game.moves_to_text(line)}")
    speed = found.nodes / max(found.seconds, 1e-9) / 1e6
    print(f"{search.nodes:,} positions; the value took {found.seconds:.1f} s, {speed:.1f} million positions/s")
