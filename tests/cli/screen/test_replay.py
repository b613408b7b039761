"""Replays stepped through by keys."""

import pytest

from helpers.screens import ONE_SIZE, SIZES, Driver, drive, gone, keyed
from saddlepoint import TERMINAL, LightRiders, TicTacToe
from saddlepoint.cli.screen.replay import ReplayApp
from saddlepoint.cli.show import Note
from saddlepoint.play.replay import FinishedGame

RIDERS = LightRiders()


def replay(plain: bool = False) -> ReplayApp:
    """Both go up, twelve times; then player 1 was at fault."""
    states = [RIDERS.initial_state(1, 14)]
    for _ in range(12):
        states.append(RIDERS.next_state(states[-1], 0, 0))
    notes = [Note(f"after round {k}" if k else "start") for k in range(len(states))]
    notes[-1] = notes[-1]._replace(
        after="result 1 for player 0: player 1 at fault\nplayer 1 was at fault: late"
    )
    return ReplayApp(
        FinishedGame(RIDERS, ("ann", "\x1b[31mbob"), states, [(0, 0)] * 12, 1.0), notes, plain=plain
    )


def lost_game() -> ReplayApp:
    """Tic-tac-toe: noughts answer the centre by a side's middle, which loses; crosses win in the diagonal."""
    game = TicTacToe()
    states, actions = [game.initial_state()], []
    for number, cell in enumerate((4, 1, 0, 8, 6, 3, 2)):
        actions.append((cell, -1) if number % 2 == 0 else (-1, cell))
        states.append(game.next_state(states[-1], cell))
    assert game.current_player(states[-1]) == TERMINAL and game.returns(states[-1]) == 1.0
    return ReplayApp(
        FinishedGame(game, ("ann", "bob"), states, actions, 1.0),
        [Note(f"after move {k}") for k in range(len(states))],
    )


def test_the_review_says_who_lost_it_and_leads_to_the_moments_that_mattered() -> None:
    app = lost_game()
    keyed(
        app,
        ("r review",),
        (gone("m moments"), "r"),
        ("bob lost the game in move 2 with",),
        ("m moments", "m"),
        ("after 1 of 7 moves", "r"),  # the position before the losing move
        (gone("bob lost"), "r"),
        ("bob lost", "q"),  # it is kept
        size=SIZES[0],
    )
    assert not app.interrupted


def test_a_review_that_is_ended_in_the_middle_begins_anew() -> None:
    keyed(lost_game(), ("", "r", "r"), (gone("review\n"), "r"), ("bob lost the game in move 2", "q"))


@pytest.mark.slow
@pytest.mark.parametrize("size", ONE_SIZE)
def test_every_key_goes_where_it_should(size: tuple[int, int]) -> None:
    app = replay()

    async def script(driver: Driver) -> None:
        await driver.until_shown("after 0 of 12 rounds", "start")
        assert driver.text().lstrip().startswith("Light Riders")
        for keys, at in (
            (["right", "right"], 2),
            (["left"], 1),
            (["b", "b", "b"], 0),
            (["enter"], 1),
            (["pagedown"], 11),
            (["pagedown"], 12),
            (["pageup"], 2),
            (["end"], 12),
            (["home"], 0),
            (["7", "enter"], 7),
            (["1", "2", "backspace", "enter"], 1),
            (["9", "9", "enter"], 12),
            (["5", "escape"], 12),
            (["x", "u", "tab"], 12),
        ):
            await driver.press(*keys)
            await driver.until_shown(f"after {at} of 12 rounds")
        await driver.until_shown("player 1 was at fault: late", "\\x1b[31mbob")
        await driver.press("question_mark")
        await driver.until_shown("ten turns on", "Any key ends this")
        await driver.press("x")
        await driver.until_gone("Any key ends this")
        await driver.press("q")

    drive(app, script, size)
    assert not app.interrupted


@pytest.mark.slow
def test_it_plays_stops_and_changes_its_speed() -> None:
    app = replay()

    async def script(driver: Driver) -> None:
        await driver.press("plus", "space")
        await driver.until_shown("space stop", "1 s a step")
        await driver.until_shown("after 1 of 12 rounds")
        await driver.press("space")
        here = app.view().at
        await driver.press(*["minus"] * 5)
        await driver.until_shown("space play", "0.05 s a step")
        assert app.view().at == here
        await driver.press("space")
        await driver.until_shown("after 12 of 12 rounds")
        await driver.until_shown("space play")
        await driver.press(*["plus"] * 6, "space")  # from the start again, five seconds a step
        assert app.view().at < 12
        await driver.press("ctrl+c")

    drive(app, script)
    assert app.interrupted


def test_trails_are_as_long_as_the_game_also_after_a_jump() -> None:
    def drawn(driver: Driver) -> bool:
        shown = driver.text()
        return shown.isascii() and [shown.count(sign) for sign in ("==", "00", "::")] == [6, 1, 6]

    keyed(replay(plain=True), ("", "6", "enter"), ("==",), (drawn, "home"), (gone("=="),))


@pytest.mark.compiles_long
def test_the_analysis_is_of_the_position_shown() -> None:
    app = replay()
    last = app.view().states[-1]
    keyed(
        app,
        ("", "v"),
        ("worth for player 0", "end"),
        (lambda driver: getattr(app.analyst.found, "state", None) is last,),
    )
