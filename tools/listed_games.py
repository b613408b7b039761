"""Writes `games/listed.py`, what lists say of the games, from the games' classes: python tools/listed_games.py"""

import subprocess
import sys
from dataclasses import fields
from pathlib import Path

from saddlepoint.game.words import title_of
from saddlepoint.games.catalogue.games import GAMES

HEAD = '''\
"""What the lists say of each game, as plain data: the rules of a game are loaded, and Numba with them, when it is played."""

from typing import Any, NamedTuple


class Facts(NamedTuple):
    """What a list says of a game."""

    title: str
    summary: str
    parameters: dict[str, Any]
    """Names and default values."""


# `python tools/listed_games.py` makes this of the classes. A game that is not here is loaded for a list.
FACTS = {
'''


def text() -> str:
    """The file's text."""
    rows: list[str] = []
    for name, entry in GAMES.items():
        cls = entry.game_class
        parameters = {field.name: field.default for field in fields(cls)}  # type: ignore[arg-type]
        rows.append(f"    {name!r}: Facts({title_of(cls)!r}, {cls.summary!r}, {parameters!r}),\n")
    return f"{HEAD}{''.join(rows)}}}\n"


if __name__ == "__main__":
    listed = Path(__file__).parents[1] / "src/saddlepoint/games/listed.py"
    listed.write_text(text(), encoding="utf-8")
    subprocess.run([sys.executable, "-m", "ruff", "format", "--quiet", listed], check=True)
