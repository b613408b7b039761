"""Everything that belongs to one game lies in its folder: no file outside `games/` has a game's name in it."""

import re
from pathlib import Path

import pytest

import saddlepoint
from saddlepoint.games.catalogue.games import GAMES, default_game, shown_game

PACKAGE = Path(saddlepoint.__file__).parent
FILES = [
    path
    for path in PACKAGE.rglob("*")
    if path.suffix in (".py", ".pyi", ".js", ".css", ".html")
    and path.relative_to(PACKAGE).parts[0] != "games"
]
OWN = [entry for entry in GAMES.values() if entry.point is None and entry.name != default_game()]
NAMES = re.compile(
    rf"\b({'|'.join(re.escape(name) for entry in OWN for name in (entry.name, entry.class_name, entry.title))})\b"
)


@pytest.mark.plain
def test_only_the_folder_of_a_game_names_it() -> None:
    """Whole names, in code, comments and texts alike; the default game may be named, and any in a docstring's example (`>>>`)."""
    found = [
        f"{path.relative_to(PACKAGE)}:{number}: {line.strip()}"
        for path in FILES
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if NAMES.search(line) and not line.lstrip().startswith(">>> ")
    ]
    assert found == []


@pytest.mark.plain
def test_one_game_is_the_default() -> None:
    assert [name for name, entry in GAMES.items() if entry.description.is_default] == [default_game()]
    assert [entry.description.shown for entry in GAMES.values() if entry.description.shown] == [shown_game()]
