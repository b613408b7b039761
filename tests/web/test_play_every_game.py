"""Every game of the catalogue, and one of somebody's own, played to its end on the page; its export is stepped through from disk."""

from pathlib import Path
from typing import Any

import pytest

from helpers.short_games import SHORT
from helpers.tables import by_mouse, is_over, moves, play_on, status, table
from web.conftest import Server, Visits, downloaded

pytestmark = pytest.mark.web

OWN = f"{Path(__file__).parents[2] / 'examples' / 'undercut.py'}:Undercut"
DRAWN = {"goofspiel": ("prize ",), "battlesnake": ("food ", "nothing"), "soccer": (" has the ball",)}
"""What may be read where chance moves first. By the official rules one round of a hundred has no food at a chance of 100."""


@pytest.fixture(scope="module")
def own_server(start_server: Any) -> Server:
    """A server with a game of somebody's own."""
    return start_server("--game", OWN)


@pytest.mark.parametrize("name", [*SHORT, OWN])
def test_a_game_is_played_by_mouse_to_its_end_and_saved(
    own_server: Server, visit: Visits, tmp_path: Path, name: str
) -> None:
    page = visit(table(own_server.url, name + SHORT.get(name, "")))
    play_on(page, by_mouse)
    assert is_over(page)
    assert status(page) in ("You won", "You lost", "A draw")
    drawn = page.locator(".history .chance").all_text_contents()
    assert bool(drawn) is (name in DRAWN)
    assert not drawn or any(words in drawn[0] for words in DRAWN[name])
    assert from_disk(page, visit, tmp_path) == [f"chance: {one}" for one in drawn]


def from_disk(page: Any, visit: Visits, folder: Path) -> list[str]:
    """The game saved as a page, opened from disk and stepped through: what it says at each step of chance."""
    alone = visit(downloaded(page, "HTML", folder / "game.html").as_uri())
    alone.locator(".sp-stage > :visible").first.wait_for()
    one_on = alone.get_by_role("button", name="One on")
    said: list[str] = []
    while one_on.is_enabled():
        assert len(said) < moves(page)
        one_on.click()
        said.append(alone.locator(".sp-said").inner_text().partition(" \u00b7 ")[0])  # without how it ended
    assert len(said) == moves(page)
    return [one for one in said if one.startswith("chance: ")]
