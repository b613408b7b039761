"""`serve` takes what is named on its command line, and says in a sentence what it cannot take; no server is started here."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from saddlepoint.cli import common
from saddlepoint.system.terminal import how_to_install

pytest.importorskip("starlette")

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def given(here: Path, monkeypatch: pytest.MonkeyPatch, cli: Run) -> list[Any]:
    """What the page would be started with, in a folder that has a game of one's own."""
    from saddlepoint.web import app

    started: list[Any] = []
    monkeypatch.setattr(app, "serve", lambda what, *_: started.append(what))
    monkeypatch.setenv("SADDLEPOINT_QUIET", "1")
    assert cli("new", "game", "mygame.py")[0] == 0
    return started


def test_a_game_of_ones_own_is_served_as_the_readme_says(cli: Run, given: list[Any]) -> None:
    assert cli("serve", "./mygame.py:MyGame") == (0, "", "")
    assert cli("serve", "--game", "./mygame.py:MyGame") == (0, "", "")
    assert cli("serve", "./mygame.py") == (0, "", "")
    assert len(given) == 3
    for what in given:
        assert [*what.games] == ["./mygame.py:MyGame"]
        assert what.replays == ()


def test_the_page_opens_at_what_was_named(cli: Run, given: list[Any], here: Path) -> None:
    (here / "game.jsonl").write_text("{}\n")
    for words in (["./mygame.py:MyGame", "game.jsonl"], ["game.jsonl"], ["--game", "./mygame.py:MyGame"], []):
        assert cli("serve", *words) == (0, "", "")
    assert [what.view for what in given] == ["#/?g=./mygame.py%3AMyGame", "#/replay?r=1", "", ""]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("./nogame.py", "there is no file './nogame.py'"),
        ("./mygame.py:Other", "MyGame"),
        ("game.jsonl", "there is no file 'game.jsonl'\n"),
        ("goofspiel(cards=4)", "every game of the library is in the page's list: `saddlepoint serve` alone"),
    ],
)
def test_what_cannot_be_served_is_told_with_the_way_out(
    cli: Run, given: list[Any], text: str, told: str
) -> None:
    assert told in cli.refused("serve", text)
    assert given == []


@pytest.mark.parametrize(
    "arguments",
    [["serve"], ["export", "light_riders", "--to", "page", "-o", "site"]],
    ids=lambda words: words[0],
)
def test_without_its_packages_the_page_is_neither_served_nor_written(
    cli: Run, given: list[Any], arguments: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(common, "find_spec", lambda name: None)
    assert (
        f"the page needs jinja2, matplotlib, starlette, uvicorn, websockets: {how_to_install('web')}"
        in cli.refused(*arguments)
    )
    assert given == []
    assert not Path("site").exists()
