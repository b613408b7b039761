"""`players` and `warm`, and the list of games: what there is, and compiling it ahead of time."""

from typing import Any

import typer

from .common import GAME_HELP, read_game, start_state
from .tables import Column
from .terminal import print, print_error, print_json, print_table


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
    columns = (Column("name", text=True), Column("parameters", weight=1, wraps=True), Column("summary", wraps=True))
    print_table(columns, [[row[column.title] for column in columns] for row in rows])


def players(
    game: str | None = typer.Option(None, help="Only those that play this game."),
    as_json: bool = typer.Option(False, "--json", help="Print them as JSON."),
) -> None:
    """List the players that have a name. Besides them: human, ./FILE.py, and cmd:COMMAND for a program.

    Example: saddlepoint players --game light_riders
    """
    from ..roster.catalogue import ROSTER

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
        columns = (
            Column("name", text=True), Column("game", weight=8, text=True), Column("origin", weight=1, wraps=True),
            Column("algorithm", weight=3, wraps=True), Column("evaluator", weight=2, wraps=True), Column("summary", wraps=True),
        )  # fmt: skip
        print_table(columns, [[row[column.title] for column in columns] for row in rows])


def warm(
    game: str = typer.Argument("light_riders", help=GAME_HELP),
    player: list[str] = typer.Option([], "--player", help="Only this player; may be repeated."),
) -> None:
    """Compile the players' searches now, so that the next game starts at once.

    Example: saddlepoint warm light_riders --player best
    """
    import time

    from ..roster.catalogue import players_of
    from ..roster.make import make_player

    rules = read_game(game)
    names = player or [entry.name for entry in players_of(rules.name) if entry.is_complete]
    made = [(name, make_player(name, rules)) for name in names]
    state = start_state(rules, None, None)
    for number, (name, one) in enumerate(made, 1):
        print_error(f"[{number}/{len(made)}] {name} ...", end=" ")
        started = time.perf_counter()
        try:
            one.warm(rules, state)
        finally:
            one.close()
        print_error(f"ready after {time.perf_counter() - started:.1f} s")
    print(f"{len(made)} players of {rules.name} are compiled")
