"""The README, and the page that says what it leaves to the site, do what they say."""

import re
from pathlib import Path

import pytest

from saddlepoint.cli.program import commands as all_commands

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", "docs/installing.md", "docs/versions.md"])
def test_every_make_target_exists(page: str) -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    text = (ROOT / page).read_text(encoding="utf-8")
    targets = {"".join(found) for found in re.findall(r"^make ([\w-]+)|`make ([\w-]+)", text, re.MULTILINE)}
    assert targets
    assert not [name for name in targets if not re.search(rf"^{name}:", makefile, re.MULTILINE)]


def test_the_page_of_commands_has_an_example_of_every_command() -> None:
    page = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    commands = set(re.findall(r"(?:^|; )saddlepoint ([\w-]+)", page, re.MULTILINE))
    assert commands == {name for group in all_commands().values() for name in group}


def test_the_readme_is_short_and_leaves_the_rest_to_the_site() -> None:
    assert len(TEXT.split()) <= 450
    assert "docs/index.md" in TEXT


def test_the_readme_names_every_game_once_by_how_it_is_played() -> None:
    from saddlepoint.games.catalogue.games import GAMES

    line = " ".join(TEXT.split())
    at_once, in_turn = re.findall(r"\*\*(?:At the same time|In turn):\*\* ([^.]*)\.", line)
    assert sorted([*at_once.split(", "), *in_turn.split(", ")]) == sorted(
        game.title for game in GAMES.values()
    )
    assert set(in_turn.split(", ")) == {game.title for game in GAMES.values() if game.game_class.turn_based}


def test_what_installing_says_that_stays_is_where_the_program_writes(monkeypatch: pytest.MonkeyPatch) -> None:
    from saddlepoint.compiled.directory import _cache_home
    from saddlepoint.games.rubiks_flip.database import default_path, expected_size

    for name in ("NUMBA_CACHE_DIR", "XDG_CACHE_HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    page = (ROOT / "docs/installing.md").read_text(encoding="utf-8")
    for system, name in (("linux", "Linux"), ("darwin", "macOS")):
        monkeypatch.setattr("sys.platform", system)
        removed = re.search(rf"^rm -rf (.*?) +# {name}$", page, re.M)
        assert removed and [Path(path).expanduser() for path in removed[1].split()] == [
            _cache_home(),
            default_path().parent,
        ]
    assert f"({expected_size() / 1e6:.0f} MB)" in page
