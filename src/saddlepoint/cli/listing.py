"""`players` and `warm`, and the list of games: what there is, and compiling it ahead of time."""

import sys
from typing import Any

import typer

from .common import GAME_HELP, WIDE, print_json, read_game, start_state


def register(app: typer.Typer) -> None:
    """Add the commands."""
    for command in (players, warm):
        app.command()(command)


def list_games(as_json: bool) -> None:
    """Print the games there are to play."""
    from ..games.catalogue import GAMES

    rows: list[dict[str, Any]] = [
        {"name": e.name, "parameters": e.parameters, "summary": e.summary} for e in GAMES.values()
    ]
    if as_json:
        print_json(rows)
        return
    for row in rows:
        row["parameters"] = ", ".join(f"{key}={value}" for key, value in row["parameters"].items())
    table(rows)


def players(
    game: str | None = typer.Option(None, help="Only those that play this game."),
    as_json: bool = typer.Option(False, "--json", help="Print them as JSON."),
) -> None:
    """List the players that have a name. Besides them: human, ./FILE.py, and cmd:COMMAND for a program.

    Example: saddlepoint players --game light_riders
    """
    from ..players.roster import ROSTER

    if game is not None:
        game = read_game(game).name
    rows: list[dict[str, Any]] = [
        {
            "name": e.name,
            "game": e.game or "any",
            "origin": e.origin,
            "algorithm": e.algorithm,
            "evaluator": e.evaluator,
            "summary": e.summary,
        }
        for e in ROSTER
        if game is None or e.game in ("", game)
    ]
    if as_json:
        print_json(rows)
    else:
        table(rows)


def warm(
    game: str = typer.Argument("light_riders", help=GAME_HELP),
    player: list[str] = typer.Option([], "--player", help="Only this player; may be repeated."),
) -> None:
    """Compile the players' searches now, so that the next game starts at once.

    Example: saddlepoint warm light_riders --player best
    """
    import time

    from ..players.make import make_player
    from ..players.roster import players_of

    rules = read_game(game)
    names = player or [entry.name for entry in players_of(rules.name) if entry.is_complete]
    made = [(name, make_player(name, rules)) for name in names]
    state = start_state(rules, None, None)
    for number, (name, one) in enumerate(made, 1):
        print(f"[{number}/{len(made)}] {name} ...", end=" ", flush=True, file=sys.stderr)
        started = time.perf_counter()
        try:
            one.warm(rules, state)
        finally:
            one.close()
        print(f"ready after {time.perf_counter() - started:.1f} s", file=sys.stderr)
    print(f"{len(made)} players of {rules.name} are compiled")


def table(rows: list[dict[str, Any]]) -> None:
    """Print rows of the same keys as a table."""
    from rich.console import Console
    from rich.table import Table

    shown = Table(box=None, pad_edge=False)
    for key in rows[0] if rows else ():
        shown.add_column(key, overflow="fold", no_wrap=key in ("name", "game"))
    for row in rows:
        shown.add_row(*(str(value) for value in row.values()))
    Console(width=None if sys.stdout.isatty() else WIDE, highlight=False).print(shown)
