"""`solve`: a game, or a position of it, once and for all.

Some games have a solver, and options, of their own; `game` solves any other, and `file` reads what that wrote. Neither word has to be
typed: a game's name or a file's is enough.
"""

from typing import Any

import typer
from typer.core import TyperGroup

from ...games.catalogue.games import GAMES, find_game, left_out_if_broken
from .any_game import game
from .solution import file, is_solution_file

_GENERAL = {"game": game, "file": file}
_SOLVERS: dict[str, Any] = {}
for _name, _entry in GAMES.items():
    with left_out_if_broken():
        if _entry.description.solve:
            _SOLVERS[_name] = _entry.load(_entry.description.solve).command


class _Games(TyperGroup):
    """A game may be called by its other names; what is no command is a game, or a solution's file, for the general ones."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        word = args[0]
        entry = find_game(word)
        if word in _SOLVERS:
            pass
        elif entry is not None and entry.name in _SOLVERS:
            args = [entry.name, *args[1:]]
        elif word not in _GENERAL and not word.startswith("-"):
            args = ["file" if is_solution_file(word) else "game", *args]
        return super().resolve_command(ctx, args)


solve = typer.Typer(
    cls=_Games,
    no_args_is_help=True,
    help="Solve a game, or a position of it, exactly.\n\nExample: saddlepoint solve 'light_riders(width=5, height=5)'",
)
for _name, _command in {**_GENERAL, **_SOLVERS}.items():
    solve.command(_name)(_command)
