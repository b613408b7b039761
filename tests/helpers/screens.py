"""Screens driven by keys, without a terminal."""

import asyncio
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import pytest

from saddlepoint.cli.screen.live import LiveGame, SeatedPlayer
from saddlepoint.cli.screen.play import PlayApp
from saddlepoint.game.base import Game
from saddlepoint.play.game import play_game
from saddlepoint.players.base import Player
from saddlepoint.players.human import HumanPlayer

SIZES = ((80, 24), (120, 40))
ONE_SIZE = [SIZES[0], pytest.param(SIZES[1], marks=pytest.mark.slow)]
"""The other one in the slow tests."""


class Driver:
    """An app that runs, its keys and what is on its screen."""

    def __init__(self, app: Any, pilot: Any) -> None:
        self.app, self._pilot = app, pilot

    async def press(self, *keys: str) -> None:
        """Press keys, one after the other, and let the screen take them in."""
        for key in keys:
            await self._pilot.press(key)
        await self._pilot.pause()

    async def until(self, condition: Callable[[], object], seconds: float = 60.0) -> None:
        """Wait for something to become true."""
        end = time.monotonic() + seconds
        while not condition():
            assert time.monotonic() < end, f"not in time; the screen:\n{self.text()}"
            await self._pilot.pause(0.01)

    async def until_shown(self, *texts: str) -> None:
        """Wait for texts on the screen: its parts are not all drawn at the same moment."""
        await self.until(lambda: all(text in self.text() for text in texts))

    async def until_gone(self, text: str) -> None:
        """Wait until a text is no longer on the screen."""
        await self.until(lambda: text not in self.text())

    def shows(self, text: str) -> bool:
        """Whether a text is on the screen."""
        return text in self.text()

    def text(self) -> str:
        """All lines of the screen."""
        return "\n".join(strip.text.rstrip() for strip in self.app.screen._compositor.render_strips())


def drive(app: Any, script: Callable[[Driver], Any], size: tuple[int, int] = (80, 24)) -> None:
    """Run the app on a screen of that size while the script presses keys."""

    async def run() -> None:
        async with app.run_test(size=size) as pilot:
            await script(Driver(app, pilot))

    asyncio.run(run())


def keyed(app: Any, *steps: tuple[Any, ...], size: tuple[int, int] = (80, 24)) -> None:
    """Run the app. In each step wait for what comes first, a text on the screen or a condition of the driver; then press the keys."""

    async def script(driver: Driver) -> None:
        for awaited, *keys in steps:
            await driver.until(
                partial(driver.shows, awaited) if isinstance(awaited, str) else partial(awaited, driver)
            )
            await driver.press(*keys)

    drive(app, script, size)


def gone(text: str) -> Callable[[Driver], bool]:
    """Whether a text is no longer on the screen."""
    return lambda driver: text not in driver.text()


class Scripted(Player):
    """Plays the moves of a list, by their names; then the first there is."""

    def __init__(self, *names: str) -> None:
        self._names = list(names)

    def warm(self, game: Any, state: Any, seats: Any = (0, 1)) -> None:
        """Its list is for the game."""

    def choose(self, state: Any, clock: Any) -> int:
        return (
            int(self.game.string_to_action(state, self.player, self._names.pop(0)))
            if self._names
            else int(self.game.legal_actions(state, self.player)[0])
        )


def playing(
    game: Game,
    players: Sequence[Player],
    *,
    start: Any = None,
    seed: int = 1,
    delay: float = 0.0,
    plain: bool = False,
) -> PlayApp:
    """The screen of a game that has begun."""
    start = game.initial_state() if start is None else start
    live = LiveGame(game, start, delay)
    people = any(isinstance(player, HumanPlayer) for player in players)
    seated = [SeatedPlayer(player, live) if isinstance(player, HumanPlayer) else player for player in players]
    names = [
        "human" if isinstance(player, HumanPlayer) else f"bot {number}"
        for number, player in enumerate(players)
    ]
    app = PlayApp(live, names, people, plain=plain)
    undo = live.on_undo if people else None
    live.start(lambda: play_game(game, seated, start, seed=seed, on_step=live.on_step, on_undo=undo), players)
    return app
