"""Games played, watched and left by keys."""

from functools import partial
from pathlib import Path
from typing import Any

import pytest

from helpers.screens import ONE_SIZE, Driver, Scripted, drive, playing
from saddlepoint.cli.screen.live import ShownPosition
from saddlepoint.cli.screen.play import stepped
from saddlepoint.game.own_games import load_game
from saddlepoint.games.goofspiel import Goofspiel
from saddlepoint.games.light_riders import LightRiders
from saddlepoint.games.rubiks_flip import RubiksFlip
from saddlepoint.games.simplexity import Simplexity
from saddlepoint.play.record import Turns
from saddlepoint.players.human import HumanPlayer, Left

EXAMPLES = Path(__file__).parents[3] / "examples"
RIDERS = LightRiders(6, 6)


def asked(driver: Driver, step: int) -> Any:
    """Whether the person is asked after so many steps."""

    def ready() -> bool:
        live = driver.app.live
        if live.question is None or len(live.seen) != step + 1:
            return False
        return f"after {Turns(driver.app.game, [one.state for one in live.seen]).counted()}" in driver.text()

    return ready


@pytest.mark.parametrize("size", ONE_SIZE)
def test_arrows_play_a_whole_game_in_which_both_move_at_once(size: tuple[int, int]) -> None:
    app = playing(
        RIDERS, [HumanPlayer(), Scripted("up", "up", "left", "left")], start=RIDERS.initial_state(1, 3)
    )

    async def script(driver: Driver) -> None:
        for step, key in enumerate(("up", "up", "right", "up")):
            await driver.until(asked(driver, step))
            await driver.press(key)
        await driver.until_shown("result")
        await driver.until_shown("q leave", "0 human")
        await driver.press("left")
        await driver.until_shown("after 3 of 4 rounds")
        await driver.press("q")

    drive(app, script, size)
    assert app.live.record is not None
    assert [a for a, _ in app.live.record.actions] == [0, 0, 1, 0]


def test_a_step_that_is_played_while_the_board_is_drawn_waits_for_the_next_drawing() -> None:
    start = RIDERS.initial_state(1, 3)
    app = playing(RIDERS, [HumanPlayer(), Scripted()], start=start)
    before = app.view()
    app.live.seen.append(
        ShownPosition(
            RIDERS.next_state(start, *(RIDERS.legal_actions(start, player)[0] for player in (0, 1))), None
        )
    )
    assert app.picture(before) == RIDERS.picture(start)
    assert app.picture(app.view()) != RIDERS.picture(start)


@pytest.mark.parametrize("size", ONE_SIZE)
def test_a_cursor_plays_a_game_of_turns(size: tuple[int, int]) -> None:
    game = Simplexity()
    app = playing(game, [HumanPlayer(), Scripted("6r", "6r", "6s", "6r")])

    async def script(driver: Driver) -> None:
        await driver.until(asked(driver, 0))
        await driver.press("left", "left", "enter")  # from the middle, 3, to 1
        await driver.until(asked(driver, 2))
        assert "0r" in driver.text() and "0s" in driver.text()
        await driver.press("left", "left", "left", "left", "tab", "enter")
        await driver.until(asked(driver, 4))
        await driver.press("1", "r", "enter")
        await driver.until(asked(driver, 6))
        await driver.press("/", "1", "R", "backspace", "r", "enter")
        await driver.until(lambda: len(app.live.seen) > 7)
        await driver.press("q", "q")

    drive(app, script, size)
    names = [seen.names[0] for seen in app.live.seen[1:8:2] if seen.names]
    assert names == ["1r", "0s", "1r", "1r"]


@pytest.mark.parametrize("size", ONE_SIZE)
def test_a_game_from_a_file_is_played_from_its_list_of_moves(size: tuple[int, int]) -> None:
    game = load_game(str(EXAMPLES / "undercut.py"), "Undercut", {})
    names = [
        game.action_to_string(game.initial_state(), 0, action)
        for action in game.legal_actions(game.initial_state(), 0)
    ]
    app = playing(game, [HumanPlayer(), Scripted()])

    async def script(driver: Driver) -> None:
        for step in range(game.max_depth):
            if step:
                await driver.until(partial(lambda ready: app.live.is_over or ready(), asked(driver, step)))
            if app.live.is_over:
                break
            await driver.until(asked(driver, step))
            await driver.until_shown(*names)
            await driver.press("down", "enter")
        await driver.until_shown("result")
        await driver.press("enter")

    drive(app, script, size)
    assert {seen.names[0] for seen in app.live.seen[1:] if seen.names} == {names[1]}


def test_a_move_is_taken_back_and_a_hint_given() -> None:
    app = playing(
        RIDERS,
        [HumanPlayer(adviser=lambda: Scripted("right")), Scripted("up", "down")],
        start=RIDERS.initial_state(1, 3),
    )

    async def script(driver: Driver) -> None:
        await driver.until(asked(driver, 0))
        await driver.press("up")
        await driver.until(asked(driver, 1))
        await driver.press("u")
        await driver.until(asked(driver, 0))
        await driver.press("h")
        await driver.until_shown("try right")
        await driver.press("/", *"undo", "enter")  # there is none
        await driver.until(asked(driver, 0))
        await driver.press("right")
        await driver.until(asked(driver, 1))
        await driver.until_gone("try right")
        await driver.press("q", "q")

    drive(app, script)
    assert app.live.seen[1].names == ("right", "down")


def test_leaving_is_asked_about_once_and_ctrl_c_leaves_at_once() -> None:
    app = playing(RIDERS, [HumanPlayer(), Scripted()])

    async def script(driver: Driver) -> None:
        await driver.until(asked(driver, 0))
        await driver.press("q")
        await driver.until_shown("leave the game")
        await driver.press("n")
        await driver.until_gone("leave the game")
        assert app.is_running
        await driver.press("ctrl+c")

    drive(app, script)
    assert app.interrupted
    app.live.leave()
    assert isinstance(app.live.error, Left)


def test_the_first_of_two_choices_is_hidden_from_the_second_person() -> None:
    app = playing(Goofspiel(cards=3, order="descending"), [HumanPlayer(), HumanPlayer()])

    async def script(driver: Driver) -> None:
        await driver.until_shown("player 0, your move (the other one looks away)")
        await driver.press("3", "enter")
        await driver.until_shown("player 1, your move (the other one looks away)")
        await driver.until_shown("▮3")  # player 0's card is still in the hand
        await driver.press("1", "enter")
        await driver.until_shown("after 1 round")
        await driver.until_gone("▮3")
        await driver.press("q", "q")

    drive(app, script)
    assert app.live.seen[1].names == ("3", "1")


def test_a_word_that_is_no_move_is_told_and_asked_again() -> None:
    app = playing(RubiksFlip(), [HumanPlayer(), Scripted()])

    async def script(driver: Driver) -> None:
        await driver.until(asked(driver, 0))
        await driver.press("/", *"b2", "enter")
        await driver.until_shown("is the start of several moves: b2R, b2B")
        await driver.press("/", *"nowhere", "enter")
        await driver.until_shown("is not a legal action")
        await driver.press("question_mark")
        await driver.until_shown("take your last move back")
        await driver.press("x", "/", *"b2b", "enter")
        await driver.until(asked(driver, 2))
        await driver.press("q", "q")

    drive(app, script)
    assert app.live.seen[1].names == ("b2B", None)


def test_who_watches_pauses_steps_and_looks_back() -> None:
    app = playing(
        RIDERS,
        [Scripted("up", "up", "up"), Scripted("up", "up", "up")],
        start=RIDERS.initial_state(1, 5),
        delay=30.0,
    )

    async def script(driver: Driver) -> None:
        await driver.press("space", *"-------")
        assert app.live.delay == 0.0
        await driver.until(lambda: len(app.live.seen) == 2)
        await driver.until_shown("paused")
        here = len(app.live.seen)
        await driver.press("right")
        await driver.until(lambda: len(app.live.seen) == here + 1)
        await driver.press("left")
        await driver.until_shown(f"after {here - 1} of {here} rounds")
        await driver.press("right", "plus")
        await driver.until_shown(f"after {here} round")
        assert app.live.delay == 0.1
        await driver.press("space")
        await driver.until_shown("result")
        await driver.press("home")
        await driver.until_shown("after 0 of")
        await driver.press("q")

    drive(app, script)
    assert app.live.record is not None


@pytest.mark.compiles_long
def test_the_analysis_follows_the_position() -> None:
    app = playing(RIDERS, [HumanPlayer(), Scripted("left", "up")], start=RIDERS.initial_state(1, 3))

    async def script(driver: Driver) -> None:
        await driver.until(asked(driver, 0))
        await driver.press("a")
        await driver.until_shown("main line")
        await driver.until_shown("nodes", "player 1")
        await driver.press("v")
        await driver.until_shown("worth for player 0")
        await driver.press("up")
        await driver.until(asked(driver, 1))
        await driver.until(lambda: getattr(app.analyst.found, "state", None) is app.live.seen[1].state)
        await driver.press("a")
        await driver.until_gone("analysis\n")
        await driver.press("q", "q")

    drive(app, script)


def test_what_a_player_raises_ends_the_screen() -> None:
    class Full(Scripted):
        def choose(self, state: Any, clock: Any) -> int:
            raise OSError(28, "No space left on device")

    app = playing(RIDERS, [HumanPlayer(), Full()])

    async def script(driver: Driver) -> None:
        await driver.until(asked(driver, 0))
        await driver.press("up")
        await driver.until(lambda: not app.is_running or app._exit)

    drive(app, script)
    assert "No space left" in str(app.live.error)


def test_a_fault_is_told_as_the_result() -> None:
    app = playing(RIDERS, [HumanPlayer(), Scripted("sideways")])

    async def script(driver: Driver) -> None:
        await driver.until(asked(driver, 0))
        await driver.press("up")
        await driver.until_shown("player 1 at fault")
        await driver.press("q")

    drive(app, script)


def test_numbers_are_stepped_through() -> None:
    assert [stepped((0.0, 0.1, 0.5), at, 1) for at in (0.0, 0.2, 0.5)] == [0.1, 0.5, 0.5]
    assert [stepped((0.0, 0.1, 0.5), at, -1) for at in (0.0, 0.2, 0.5)] == [0.0, 0.1, 0.1]
