"""A game from somebody's file: fields with a player's number, long names of moves, an end of which nothing is said."""

from typing import Any

import pytest

from helpers.tables import settled, table
from web.conftest import Server, Visits

pytestmark = pytest.mark.web

DUEL = '''
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from saddlepoint.compiled import kernel, mix
from saddlepoint.game.base import SIMULTANEOUS, TERMINAL, Game


class State(NamedTuple):
    hp0: tuple[int, int]
    hp1: tuple[int, int]
    ammunition: int


@dataclass(frozen=True)
class Duel(Game):
    """Who shoots while the other reloads wins."""

    max_actions: ClassVar[int] = 2
    max_depth: ClassVar[int] = 3

    def initial_state(self):
        return State((2, 7), (2, 7), 0)

    @kernel
    def current_player(self, state):
        return TERMINAL if state.ammunition == 3 else SIMULTANEOUS

    @kernel
    def legal_actions(self, state, player, out):
        out[0], out[1] = 0, 1
        return 2

    @kernel
    def next_state(self, state, a, b):
        return State((state.hp0[0] - b, 7), (state.hp1[0] - a, 7), state.ammunition + 1)

    @kernel
    def returns(self, state):
        return float(int(state.hp0[0] > state.hp1[0]) - int(state.hp0[0] < state.hp1[0]))

    @kernel
    def hash(self, state):
        return mix(np.uint64(100 * state.hp0[0] + 10 * state.hp1[0] + state.ammunition + 500))

    def action_to_string(self, state, player, action):
        return ["reload the cannon", "shoot at the castle"][action]
'''


@pytest.fixture(scope="module")
def duel(start_server: Any, tmp_path_factory: pytest.TempPathFactory) -> tuple[Server, str]:
    """A server that was given the game, and what the game is called there."""
    file = tmp_path_factory.mktemp("own") / "duel.py"
    file.write_text(DUEL, encoding="utf-8")
    return start_server("--game", f"{file}:Duel"), f"{file}:Duel"


_BROKEN = """() => [...document.querySelectorAll(".card")][0].querySelector(".sp-fields")
  && [...document.querySelectorAll(".card .sp-fields th")].filter((one) => {
    const range = document.createRange();
    range.selectNodeContents(one);
    const lines = new Set([...range.getClientRects()].filter((box) => box.width > 1).map((box) => Math.round(box.top)));
    return lines.size > one.textContent.split(" ").length;
  }).map((one) => one.textContent)"""


def test_fields_are_told_by_player_and_no_word_of_a_small_picture_is_broken(
    duel: tuple[Server, str], visit: Visits
) -> None:
    server, _ = duel
    page = visit(server.url)
    page.locator(".card .sp-fields").first.wait_for(timeout=60_000)
    names = page.locator(".card .sp-fields > tbody > tr > th").all_inner_texts()
    assert names == ["hp, Blue", "hp, Orange", "ammunition"]
    assert page.evaluate(_BROKEN) == []


def test_moves_are_told_whole_and_what_ended_a_lost_game_is_told_from_its_result(
    duel: tuple[Server, str], visit: Visits
) -> None:
    server, game = duel
    page = visit(table(server.url, game, second="by:best"))
    for number in range(3):
        settled(page, number - 1)
        page.get_by_role("button", name="reload the cannon", exact=True).click()
    page.get_by_role("button", name="Why did I lose?").wait_for()
    assert (
        page.locator(".detail")
        .inner_text()
        .startswith("By the rules the game is over after 3 rounds, with \u22121.00 for you.")
    )
    cut = page.locator(".history .move").evaluate_all(
        "all => all.filter((one) => one.scrollWidth > one.clientWidth)"
    )
    assert cut == []
    page.get_by_role("button", name="Why did I lose?").click()
    told = page.locator(".story li").first
    told.wait_for(timeout=60_000)
    assert (
        "By the rules the game was over after 3 rounds, with \N{MINUS SIGN}1.00 for you." in told.inner_text()
    )
    assert "Show it" in told.inner_text()
