"""Games played, watched and left by keys; the arrow keys among moves."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from helpers.screens import ONE_SIZE, Driver, Scripted, drive, gone, keyed, playing
from saddlepoint import Goofspiel, LightRiders, RubiksFlip, Simplexity
from saddlepoint.algorithms.analysis import Alternatives
from saddlepoint.cli.screen.analysis import Findings, value_bar
from saddlepoint.cli.screen.live import ShownPosition
from saddlepoint.cli.screen.play import middle, neighbour, stepped
from saddlepoint.game.own_games import load_game
from saddlepoint.game.picture import Cell, Move
from saddlepoint.play.record import Turns
from saddlepoint.players.human import HumanPlayer, Left

EXAMPLES = Path(__file__).parents[3] / "examples"
RIDERS = LightRiders(6, 6)
START = RIDERS.initial_state(1, 3)


def asked(step: int) -> Callable[[Driver], bool]:
    """Whether the person is asked after so many steps."""

    def is_asked(driver: Driver) -> bool:
        live = driver.app.live
        return (
            False
            if live.question is None or len(live.seen) != step + 1
            else f"after {Turns(driver.app.game, [one.state for one in live.seen]).counted()}"
            in driver.text()
        )

    return is_asked


def played(count: int) -> Callable[[Driver], bool]:
    """Whether so many steps were played."""
    return lambda driver: len(driver.app.live.seen) == count + 1


@pytest.mark.parametrize("size", ONE_SIZE)
def test_arrows_play_a_whole_game_in_which_both_move_at_once(size: tuple[int, int]) -> None:
    app = playing(RIDERS, [HumanPlayer(), Scripted("up", "up", "left", "left")], start=START)
    keys = enumerate(("up", "up", "right", "up"))
    keyed(
        app,
        *((asked(step), key) for step, key in keys),
        ("you won",),
        ("q leave",),
        ("0 human", "left"),
        ("after 3 of 4 rounds", "q"),
        size=size,
    )
    assert [a for a, _ in app.live.record.actions] == [0, 0, 1, 0]


def test_a_step_that_is_played_while_the_board_is_drawn_waits_for_the_next_drawing() -> None:
    app = playing(RIDERS, [HumanPlayer(), Scripted()], start=START)
    before = app.view()
    app.live.seen.append(
        ShownPosition(
            RIDERS.next_state(START, *(RIDERS.legal_actions(START, player)[0] for player in (0, 1))), None
        )
    )
    assert app.picture(before) == RIDERS.picture(START)
    assert app.picture(app.view()) != RIDERS.picture(START)


@pytest.mark.parametrize("size", ONE_SIZE)
def test_a_cursor_plays_a_game_of_turns(size: tuple[int, int]) -> None:
    app = playing(Simplexity(), [HumanPlayer(), Scripted("6r", "6r", "6s", "6r")])
    keyed(
        app,
        (asked(0), "left", "left", "enter"),  # from the middle, 3, to 1
        (asked(2),),
        ("0r",),
        ("0s", "left", "left", "left", "left", "tab", "enter"),
        (asked(4), "1", "r", "enter"),
        (asked(6), "/", "1", "R", "backspace", "r", "enter"),
        (lambda driver: len(driver.app.live.seen) > 7, "q", "q"),
        size=size,
    )
    assert [seen.names[0] for seen in app.live.seen[1:8:2] if seen.names] == ["1r", "0s", "1r", "1r"]


@pytest.mark.parametrize("size", ONE_SIZE)
def test_a_game_from_a_file_is_played_from_its_list_of_moves(size: tuple[int, int]) -> None:
    game = load_game(str(EXAMPLES / "undercut.py"), "Undercut", {})
    start = game.initial_state()
    names = [game.action_to_string(start, 0, action) for action in game.legal_actions(start, 0)]
    app = playing(game, [HumanPlayer(), Scripted()])

    def asked_from_the_list(step: int) -> Callable[[Driver], bool]:
        return lambda driver: app.live.is_over or (asked(step)(driver) and all(map(driver.shows, names)))

    keyed(
        app,
        *((asked_from_the_list(step), "down", "enter") for step in range(game.max_depth)),
        ("you lost", "enter"),
        size=size,
    )
    assert {seen.names[0] for seen in app.live.seen[1:] if seen.names} == {names[1]}


def test_a_move_is_taken_back_and_a_hint_given() -> None:
    app = playing(
        RIDERS, [HumanPlayer(adviser=lambda: Scripted("right")), Scripted("up", "down")], start=START
    )
    keyed(
        app,
        (asked(0), "up"),
        (asked(1), "u"),
        (asked(0), "h"),
        ("try right", "/", *"undo", "enter"),  # there is none
        (asked(0), "right"),
        (asked(1),),
        (gone("try right"), "q", "q"),
    )
    assert app.live.seen[1].names == ("right", "down")


def test_leaving_is_asked_about_once_and_ctrl_c_leaves_at_once() -> None:
    app = playing(RIDERS, [HumanPlayer(), Scripted()])
    keyed(
        app,
        (asked(0), "q"),
        ("leave the game", "n"),
        (gone("leave the game"),),
        (lambda driver: driver.app.is_running, "ctrl+c"),
    )
    assert app.interrupted
    app.live.leave()
    assert isinstance(app.live.error, Left)


def test_the_first_of_two_choices_is_hidden_from_the_second_person() -> None:
    app = playing(Goofspiel(cards=3, order="descending"), [HumanPlayer(), HumanPlayer()])
    keyed(
        app,
        ("player 0, your move (the other one looks away)", "3", "enter"),
        ("player 1, your move (the other one looks away)",),
        ("▮3", "1", "enter"),  # player 0's card is still in the hand
        ("after 1 round",),
        (gone("▮3"), "q", "q"),
    )
    assert app.live.seen[1].names == ("3", "1")


def test_a_word_that_is_no_move_is_told_and_asked_again() -> None:
    app = playing(RubiksFlip(), [HumanPlayer(), Scripted()])
    keyed(
        app,
        (asked(0), "/", *"b2", "enter"),
        ("is the start of several moves: b2R, b2B", "/", *"nowhere", "enter"),
        ("is not a legal action", "question_mark"),
        ("take your last move back", "x", "/", *"b2b", "enter"),
        (asked(2), "q", "q"),
    )
    assert app.live.seen[1].names == ("b2B", None)


def test_who_watches_pauses_steps_and_looks_back() -> None:
    app = playing(
        RIDERS,
        [Scripted("up", "up", "up"), Scripted("up", "up", "up")],
        start=RIDERS.initial_state(1, 5),
        delay=30.0,
    )
    keyed(
        app,
        ("", "space", *"-------"),
        (lambda driver: app.live.delay == 0.0,),
        (played(1),),
        ("paused", "right"),
        (played(2), "left"),
        ("after 1 of 2 rounds", "right", "plus"),
        ("after 2 round",),
        (lambda driver: app.live.delay == 0.1, "space"),
        ("result", "home"),
        ("after 0 of", "q"),
    )
    assert app.live.record is not None


@pytest.mark.compiles_long
def test_the_analysis_follows_the_position() -> None:
    app = playing(RIDERS, [HumanPlayer(), Scripted("left", "up")], start=START)
    keyed(
        app,
        (asked(0), "a"),
        ("main line",),
        ("nodes",),
        ("player 1", "v"),
        ("worth for player 0", "up"),
        (asked(1),),
        (lambda driver: getattr(app.analyst.found, "state", None) is app.live.seen[1].state, "a"),
        (gone("analysis\n"), "q", "q"),
    )


def test_what_a_player_raises_ends_the_screen() -> None:
    class Full(Scripted):
        def choose(self, state: Any, clock: Any) -> int:
            raise OSError(28, "No space left on device")

    app = playing(RIDERS, [HumanPlayer(), Full()])
    keyed(app, (asked(0), "up"), (lambda driver: not app.is_running or app._exit,))
    assert "No space left" in str(app.live.error)


def test_a_fault_is_told_as_the_result() -> None:
    keyed(
        playing(RIDERS, [HumanPlayer(), Scripted("sideways")]), (asked(0), "up"), ("player 1 at fault", "q")
    )


def test_numbers_are_stepped_through() -> None:
    assert [stepped((0.0, 0.1, 0.5), at, 1) for at in (0.0, 0.2, 0.5)] == [0.1, 0.5, 0.5]
    assert [stepped((0.0, 0.1, 0.5), at, -1) for at in (0.0, 0.2, 0.5)] == [0.0, 0.1, 0.1]


def moves(*cells: Cell | None) -> list[Move]:
    return [Move(0, number, str(number), cell) for number, cell in enumerate(cells)]


def test_it_begins_in_the_middle_and_goes_to_the_nearest_cell() -> None:
    choices = moves((0, 0), (2, 0), (2, 2), (3, 2), (4, 4))
    at = middle(choices)
    assert choices[at].to == (2, 2)
    for way, cell in (
        ("right", (3, 2)),
        ("right", (4, 4)),
        ("left", (3, 2)),
        ("up", (2, 0)),
        ("up", (2, 0)),
        ("left", (0, 0)),
    ):
        at = neighbour(choices, at, way)
        assert choices[at].to == cell


def test_below_the_board_is_the_list_of_moves_without_a_cell() -> None:
    choices = moves((0, 0), (1, 0), (1, 0), None, None)
    assert neighbour(choices, 1, "left") == 0
    assert neighbour(choices, 0, "down") == 3
    assert neighbour(choices, 3, "down") == 4
    assert neighbour(moves((0, 0)), 0, "down") == 0


def test_a_list_is_gone_through_and_nothing_is_nothing() -> None:
    choices = moves(None, None, None)
    assert neighbour(choices, 0, "up") == 2
    assert neighbour(choices, 2, "down") == 0
    assert middle(choices) == middle(()) == 0


def test_a_large_screen_shows_the_moves_so_far_the_rules_and_the_keys_and_a_small_one_does_not() -> None:
    shown: dict[tuple[int, int], str] = {}
    for size in ((80, 24), (120, 40)):
        app = playing(Simplexity(), [HumanPlayer(), Scripted("6r", "6s")])

        async def script(driver: Driver, size: tuple[int, int] = size) -> None:
            await driver.until(lambda: asked(0)(driver))
            await driver.press("enter")
            await driver.until(lambda: asked(2)(driver))
            shown[size] = driver.text()
            await driver.press("q", "q")

        drive(app, script, size)
    small, large = shown[80, 24], shown[120, 40]
    for said in ("rules", "keys", "take your last move back", "1 3r  2 6r"):
        assert said in large
        assert said not in small
    rows = [[line for line in text.splitlines() if line.startswith(" │")] for text in (small, large)]
    assert [len(one) for one in rows] == [6, 12], "a cell has twice as many lines and columns"
    assert [one[0].index("│", 2) - 2 for one in rows] == [7 * 2 + 1, 7 * 4 + 1]


@pytest.mark.parametrize(
    ("value", "plain", "bar"),
    [
        (0.0, False, "█████▒▒▒▒▒  +0.000 for player 0"),
        (1.0, True, "##########  +1.000 for player 0"),
        (-3.0, True, "::::::::::  -3.000 for player 0"),
    ],
)
def test_a_value_is_a_bar_between_the_worst_and_the_best_result(value: float, plain: bool, bar: str) -> None:
    found: Any = Findings(START, alternatives=Alternatives(0, 1, 1, (), (), (), (), value, None))
    shown = value_bar(RIDERS, found, 10, plain)
    assert shown is not None and shown.plain == bar
    assert value_bar(RIDERS, Findings(START), 10) is None
    assert value_bar(RIDERS, "it failed", 10) is None
