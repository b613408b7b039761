"""`solve rubiks_flip`: the whole game, once and for all, into a file that players play from."""

import time
from pathlib import Path
from typing import Any

import typer

from ...system.terminal import Progress, fail, print, print_json, warn
from ..interface import Solver, check_regular_output


def rubiks_flip(
    double_lock: str = typer.Option(
        "draw", help="Who wins if both complete a row at once: draw, opponent or mover."
    ),
    output: Path | None = typer.Option(
        None, "-o", "--output", help="The file; else where the players look for it."
    ),
    keep: int = typer.Option(
        11, min=1, max=16, help="Tiles up to which positions are stored; others are searched."
    ),
    workers: int | None = typer.Option(None, min=1, help="Threads; else one for each core."),
    as_json: bool = typer.Option(False, "--json", help="Print the result as JSON."),
) -> None:
    """Solve Rubik's Flip, and write the database that `database` plays from.

    Ctrl-C leaves nothing behind: the file appears when it is whole.

    Example: saddlepoint solve rubiks_flip -o flip.solved
    """
    from .database import Database, default_path, expected_size, solve_to_file
    from .game import RubiksFlip
    from .sweep import SolvedLayer, total_entries

    RubiksFlip(double_lock)  # refuses what is no rule before anything is made
    path = output or default_path(double_lock)
    check_regular_output(output)  # the default folder is made when the file is
    if output is None:
        warn(
            f"this writes about {expected_size(keep) / 1e6:.0f} MB to {path}, where the players look for it; "
            "-o FILE writes elsewhere, --keep 8 less, and Ctrl-C ends it with nothing written"
        )
    started = time.perf_counter()
    rows: list[dict[str, Any]] = []
    done = 0
    with Progress(total_entries(), counted=False) as progress:
        progress.update(0, "compiling")

        def on_progress(entries: int) -> None:
            nonlocal done
            done += entries
            progress.update(done, f"{16 - len(rows)} tiles")

        def on_layer(solved: SolvedLayer) -> None:
            rows.append(_row(solved, time.perf_counter() - started))
            if not as_json:
                progress.line(_line(rows[-1]))

        try:
            solve_to_file(
                path, double_lock, highest=keep, workers=workers, on_progress=on_progress, on_layer=on_layer
            )
        except KeyboardInterrupt:
            fail("interrupted; nothing was written")
            raise
    seconds = time.perf_counter() - started
    database = Database(path)
    summary: dict[str, Any] = {
        "game": "rubiks_flip",
        "double_lock": double_lock,
        "value": str(database.outcome(database.game.initial_state())),
        "positions": sum(row["positions"] for row in rows),
        "entries": sum(row["entries"] for row in rows),
        "seconds": seconds,
        "file": str(path),
        "bytes": path.stat().st_size,
        "layers": rows,
    }
    if as_json:
        print_json(summary)
        return
    print(
        f"{summary['positions']:,} positions, {summary['entries']:,} classes in {seconds:.0f} s "
        f"({summary['entries'] / seconds / 1e6:.1f} million classes/s)"
    )
    print(f"the empty board, for the first player: {_words(summary['value'])}")
    print(f"{path}: {summary['bytes'] / 1e6:.0f} MB")


def _row(solved: Any, seconds: float) -> dict[str, Any]:
    counts = solved.positions
    return {
        "tiles": solved.layer.tiles,
        "entries": solved.layer.entries,
        "positions": sum(counts.values()),
        "won": sum(number for value, number in counts.items() if value > 0),
        "drawn": counts.get(0, 0),
        "lost": sum(number for value, number in counts.items() if value < 0),
        "seconds": seconds,
    }


def _line(row: dict[str, Any]) -> str:
    shares = ", ".join(f"{100 * row[key] / row['positions']:.1f} % {key}" for key in ("won", "drawn", "lost"))
    return f"{row['tiles']:2} tiles: {row['positions']:13,} positions, for the side to move {shares}"


def _words(outcome: str) -> str:
    if outcome == "D":
        return "a draw"
    return f"{'won' if outcome[0] == 'W' else 'lost'} at ply {outcome[1:]}"


def _solve(
    rules: Any,
    state: Any,
    *,
    output: Path | None,
    memory: int | None,
    threads: int,
    seconds: float | None,
    as_json: bool,
) -> None:
    if state is not None:
        raise ValueError(
            "Rubik's Flip is solved as a whole: without --position; "
            "`saddlepoint analyze FILE --game rubiks_flip --algorithm database` tells a position's value"
        )
    if seconds is not None or memory is not None:
        raise ValueError(
            "Rubik's Flip is solved as a whole, in as much memory as that takes: without --time and --memory"
        )
    rubiks_flip(
        double_lock=rules.double_lock, output=output, keep=11, workers=threads or None, as_json=as_json
    )


SOLVER = Solver(rubiks_flip, _solve, is_usual=True)
