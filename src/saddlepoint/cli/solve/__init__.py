"""`solve`: a game, or a position of it, once and for all; each game has a solver, and options, of its own."""

from typing import Any

import typer
from typer.core import TyperGroup

from .rubiks_flip import rubiks_flip
from .simplexity import simplexity

_SOLVERS = {"rubiks_flip": rubiks_flip, "simplexity": simplexity}


class _Games(TyperGroup):
    """A game may be called by its other names, and what has no solver is said in the words of the catalogue."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        from ...games.catalogue import find_game, make_game

        game = args[0]
        entry = find_game(game)
        if entry is None:
            make_game(game)  # says what is known
        elif entry.name not in _SOLVERS:
            raise ValueError(f"there is no solver for {entry.name}; for: {', '.join(_SOLVERS)}")
        else:
            args = [entry.name, *args[1:]]
        return super().resolve_command(ctx, args)


def register(app: typer.Typer) -> None:
    """Add the command."""
    games = typer.Typer(cls=_Games, no_args_is_help=True, help="Solve a game, or a position of it, exactly.")
    for name, command in _SOLVERS.items():
        games.command(name)(command)
    app.add_typer(games, name="solve")
