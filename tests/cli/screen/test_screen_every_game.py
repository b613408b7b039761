"""Every game of the catalogue played to its end on the terminal's screen, by the names of its moves."""

import pytest

from helpers.screens import Driver, Scripted, drive, playing
from helpers.short_games import SHORT
from saddlepoint.cli.common import read_game
from saddlepoint.game.base import CHANCE
from saddlepoint.players.human import HumanPlayer

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("name", SHORT)
def test_a_game_of_the_catalogue(name: str) -> None:
    game = read_game(name + SHORT[name], None)
    app = playing(game, [HumanPlayer(), Scripted()])

    async def script(driver: Driver) -> None:
        told = set[str]()
        asked = None
        while not app.live.is_over:
            await driver.until(
                lambda before=asked: app.live.is_over or app.live.question not in (None, before)
            )
            asked = app.live.question
            if asked is None or app.live.is_over:
                break
            await driver.until(lambda: app.view().at == len(app.live.seen) - 1)
            state = app.live.seen[-1].state
            await driver.press(
                "/", *game.action_to_string(state, 0, game.legal_actions(state, 0)[-1]), "enter"
            )
        await driver.until_shown("result")
        while app.view().at:
            told |= {line.strip() for line in driver.text().splitlines()}
            await driver.press("left")
        drawn = {one.drawn for one in app.live.seen} - {""}
        assert bool(drawn) is any(game.current_player(one.state) == CHANCE for one in app.live.seen)
        assert all(any(f"chance: {one}" in line for line in told) for one in drawn)
        await driver.press("q")

    drive(app, script, (120, 40))
    assert app.live.record is not None
    assert game.returns(app.live.seen[-1].state) == app.live.record.result
