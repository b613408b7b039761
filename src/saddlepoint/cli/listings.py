"""The lists of games and of players, and the version, printed. They are there before NumPy and Numba are loaded."""

from typing import Any

from ..console.tables import Column
from ..console.terminal import print, print_json, print_records


def list_games(as_json: bool = False) -> None:
    """Print the games that can be played."""
    from ..roster.games import usable_games

    rows: list[dict[str, Any]] = [
        {"name": e.name, "title": e.title, "parameters": e.parameters, "summary": e.summary} for e in usable_games()
    ]
    if as_json:
        print_json(rows)
        return
    for row in rows:
        row["parameters"] = ", ".join(f"{key}={value}" for key, value in row["parameters"].items())
    columns = (
        Column("name", text=True), Column("title", text=True), Column("parameters", weight=1, wraps=True), Column("summary", wraps=True),
    )  # fmt: skip
    print_records(columns, rows)


def list_players(game: str | None = None, as_json: bool = False) -> None:
    """Print the named players, or those of one game."""
    from ..roster.catalogue import roster
    from ..roster.games import GAMES

    if game is not None and game not in GAMES:  # with parameters, as people call it, or in a file
        from .common import read_game

        game = read_game(game).name
    rows: list[dict[str, Any]] = [
        {"name": e.name, "game": e.game or "any"} | {key: getattr(e, key) for key in ("origin", "algorithm", "evaluator", "summary")}
        for e in roster()
        if game is None or e.game in ("", game)
    ]
    if as_json:
        print_json(rows)
    else:
        columns = (
            Column("name", text=True), Column("game", weight=8, text=True), Column("origin", weight=1, wraps=True),
            Column("algorithm", weight=3, wraps=True), Column("evaluator", weight=2, wraps=True), Column("summary", wraps=True),
        )  # fmt: skip
        print_records(columns, rows)


def print_version() -> None:
    """Print the installed version."""
    from .._extras import installed_version

    print(f"saddlepoint {installed_version() or '(not installed)'}")
