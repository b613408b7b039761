"""Every game of the catalogue, and one of somebody's own, played to its end on the page; its export is stepped through from disk."""

from pathlib import Path
from typing import Any

import pytest

from saddlepoint.games.catalogue import GAMES as CATALOGUE
from web.conftest import Server, Visits
from web.tables import by_mouse, is_over, moves, play_on, status, table

pytestmark = pytest.mark.web

OWN = f"{Path(__file__).parents[2] / 'examples' / 'undercut.py'}:Undercut"
PLAYED = {
    "light_riders": "(width=6, height=6)",
    "simplexity": "(rows=4, cols=4, win=3)",
    "tron41": "(map=small_room)",
    "goofspiel": "(cards=3)",
    "rubiks_flip": "",
    "battlesnake": "(food_spawn_chance=100)",  # on its usual board; food comes after every round
    "oshi_zumo": "(coins=6, size=2)",
    "tic_tac_toe": "",
    "tron": "(width=4, height=4)",
    "pursuit_evasion": "(width=3, height=3, depth=3)",
    "biased_rps": "",
    "random_game": "(actions=2, depth=2)",
    "connect_four": "(columns=4, rows=4, line=3)",
    "othello": "(size=4)",
    "soccer": "(max_moves=6)",
}
"""The games by name with their parameters: small, so that they end soon."""
DRAWN = {"goofspiel": "prize ", "battlesnake": "food ", "soccer": " has the ball"}
"""What is read where chance moves first."""


@pytest.fixture(scope="module")
def own_server(start_server: Any) -> Server:
    """A server with a game of somebody's own."""
    return start_server("--game", OWN)


def test_every_game_of_the_catalogue_is_played_here() -> None:
    assert PLAYED.keys() == CATALOGUE.keys()


@pytest.mark.parametrize("name", PLAYED)
def test_a_game_of_the_catalogue(server: Server, visit: Visits, tmp_path: Path, name: str) -> None:
    page = visit(table(server.url, name + PLAYED[name]))
    to_the_end(page)
    drawn = page.locator(".history .chance").all_text_contents()
    assert bool(drawn) is (name in DRAWN)
    assert DRAWN.get(name, "") in "".join(drawn[:1])
    assert from_disk(page, visit, tmp_path) == [f"chance: {one}" for one in drawn]


def test_a_game_of_ones_own(own_server: Server, visit: Visits, tmp_path: Path) -> None:
    page = visit(table(own_server.url, OWN))
    to_the_end(page)
    from_disk(page, visit, tmp_path)


def to_the_end(page: Any) -> None:
    """Play by clicks until the game is over."""
    play_on(page, by_mouse)
    assert is_over(page)
    assert status(page) in ("You won", "You lost", "A draw")


def from_disk(page: Any, visit: Visits, folder: Path) -> list[str]:
    """The game saved as a page, opened from disk and stepped through: what it says at each step of chance."""
    with page.expect_download() as got:
        page.get_by_role("button", name="HTML").click()
    saved = folder / "game.html"
    got.value.save_as(saved)
    alone = visit(saved.as_uri())
    alone.locator(".sp-stage > :visible").first.wait_for()
    one_on = alone.get_by_role("button", name="One on")
    said: list[str] = []
    while one_on.is_enabled():
        assert len(said) < moves(page)
        one_on.click()
        said.append(alone.locator(".sp-said").inner_text().partition(" \u00b7 ")[0])  # without how it ended
    assert len(said) == moves(page)
    return [one for one in said if one.startswith("chance: ")]
