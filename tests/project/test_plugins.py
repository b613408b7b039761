"""What a game may import is one list: ours import nothing else, nor does the package in the examples."""

from collections import defaultdict
from pathlib import Path

import pytest
from plugins_table import LAST, page, subjects

import saddlepoint
from helpers.imports import imports_of
from saddlepoint.games import interface

pytestmark = pytest.mark.plain

ROOT = Path(__file__).parents[2]
GAMES = ROOT / "src/saddlepoint/games"
INTERFACE, TERMINAL = "saddlepoint.games.interface", "saddlepoint.system.terminal"
NO_GAMES = {"catalogue", "interface", "__init__.py", "description.py", "listed.py", "literature.py"}
MOST, MOST_OF_ONE = 129, 98
"""The names of the list, and those that one game uses: there shall be fewer, not more."""


def folders() -> dict[str, list[Path]]:
    """The files of each game."""
    found = {
        one.stem: sorted(one.rglob("*.py")) if one.is_dir() else [one]
        for one in sorted(GAMES.iterdir())
        if one.name not in NO_GAMES and (one.suffix == ".py" or (one / "__init__.py").is_file())
    }
    return {**found, "take_away": sorted((ROOT / "examples/take_away/take_away").glob("*.py"))}


def used() -> dict[str, dict[str, set[str]]]:
    """By game: the names that it imports from each module of the library, without those of its own folder."""
    found: dict[str, dict[str, set[str]]] = {}
    for game, files in folders().items():
        modules = found.setdefault(game, defaultdict(set))
        for file in files:
            inside = file.relative_to(ROOT / "src").parts[:-1] if file.is_relative_to(GAMES) else (game,)
            for module, name in imports_of(file, inside):
                own = f"saddlepoint.games.{game}"
                if (
                    module.split(".")[0] == "saddlepoint"
                    and module != own
                    and not module.startswith(f"{own}.")
                ):
                    modules[module].add(name)
    return found


def test_a_game_imports_from_the_interface_alone():
    others = {game: set(modules) - {"saddlepoint", INTERFACE, TERMINAL} for game, modules in used().items()}
    assert not {game: modules for game, modules in others.items() if modules}


def test_every_name_of_the_interface_is_there_and_is_used():
    users: dict[str, set[str]] = defaultdict(set)
    for game, modules in used().items():
        for name in modules[INTERFACE]:
            users[name].add(game)
    assert sorted(users) == interface.__all__
    parts = subjects()
    of_one = parts.pop(LAST)
    assert not [name for name in of_one if len(users[name]) > 1], "it belongs to a subject"
    assert sum(map(len, parts.values())) <= MOST
    assert len(of_one) <= MOST_OF_ONE
    assert all(getattr(interface, name) is not None for name in interface.__all__)


def test_the_page_is_made_of_the_list():
    assert (ROOT / "docs/plugins.md").read_text(encoding="utf-8") == page(), (
        "python tools/plugins_table.py > docs/plugins.md"
    )


def test_what_both_offer_is_the_same():
    both = set(interface.__all__) & set(saddlepoint.__all__)
    assert {"Game", "kernel", "Limits"} <= both
    assert all(getattr(interface, name) is getattr(saddlepoint, name) for name in both - {"solve"})
