"""The referee: the engine's rules, clock and errors, with real programs at the table, some of them hostile."""

import time
from pathlib import Path
from typing import Any

import psutil
import pytest

from helpers.bots import BODIES, command
from helpers.programs import is_alive, wait_until
from saddlepoint.games.catalogue.games import replay_of
from saddlepoint.games.light_riders import LightRiders
from saddlepoint.games.light_riders.player import RefereeRules, referee
from saddlepoint.play.replay import Replay, finished
from saddlepoint.players.base import PlayerError
from saddlepoint.players.programs.isolation import Isolation

GAME = LightRiders()
QUICK = RefereeRules(timebank=2.0, time_per_move=0.2)
HASTY = RefereeRules(timebank=0.4, time_per_move=0.2)


def play(
    a: str,
    b: str,
    rules: RefereeRules = QUICK,
    heads: tuple[tuple[int, int], tuple[int, int]] = ((4, 7), (11, 7)),
    game: LightRiders = GAME,
    mode: str = "auto",
) -> Replay:
    """A game of two commands from there."""
    start = game.initial_state(heads=heads)
    return replay_of(referee(game, (a, b), start, rules, isolation=Isolation(mode=mode)))


@pytest.mark.parametrize(
    ("game", "heads", "moves", "result", "rounds", "reason"),
    [
        pytest.param(
            GAME,
            ((4, 7), (11, 7)),
            ("pass", "pass"),
            0.0,
            4,
            "{0} (0) ran into the other rider's trail and {0} (1) ran into the other rider's trail in round 3",
            id="after three rounds straight on they are neighbours and both run into a trail",
        ),
        pytest.param(
            LightRiders(7, 7),
            ((2, 3), (4, 3)),
            ("pass", "pass"),
            0.0,
            1,
            "{0} (0) met the other rider and {0} (1) met the other rider in round 0",
            id="one free cell between two heads is a draw for both who take it",
        ),
        pytest.param(
            GAME,
            ((1, 7), (14, 7)),
            ("up up left left", "up right down left"),
            0.0,
            4,
            "{0} left the field and {1} ran into its own trail in round 3",
            id="a wall and a trail in the same round are a draw",
        ),
        pytest.param(
            LightRiders(max_rounds=1),
            ((4, 7), (11, 7)),
            ("pass", "pass"),
            0.0,
            1,
            "both are alive after 1 round, the limit",
            id="the limit is a draw",
        ),
        pytest.param(
            LightRiders(max_rounds=1),
            ((3, 0), (12, 0)),
            ("up", "pass"),
            -1.0,
            1,
            "{0} left the field in round 0",
            id="but for who dies in the last round",
        ),
    ],
)
def test_games_end_as_the_engine_says(
    tmp_path: Path, game: Any, heads: Any, moves: tuple[str, str], result: float, rounds: int, reason: str
) -> None:
    bots = [command(tmp_path, "good", one, one.replace(" ", "")) for one in moves]
    played = play(*bots, heads=heads, game=game)
    assert (played.result, len(played.rounds), played.faults) == (result, rounds, (None, None))
    assert played.reason == reason.format(*bots)


def test_only_the_first_round_obeys_the_opposite_direction(tmp_path: Path) -> None:
    back = command(tmp_path, "good", "left", "back")
    played = play(back, command(tmp_path, "good", "up right left", "later"))
    assert (played.rounds[0].moves, played.rounds[0].warnings) == (("left", "up"), ("", ""))
    third = played.rounds[2]
    assert (third.answers[1], third.moves[1]) == ("left", "right")
    assert third.warnings[1] == "Can't move opposite of current direction"


@pytest.mark.parametrize(
    ("body", "moves", "made", "warning"),
    [
        ("shouting", "up left", ["up", "left"], ""),  # case and blanks do not matter
        ("garbage", "pass", ["right"] * 7, "Move isn't valid"),
        ("bad_utf8", "pass", ["right"] * 7, "Move isn't valid"),
        ("empty_lines", "pass", ["right"] * 7, ""),
        ("flood_of_errors", "pass", ["right"] * 7, ""),
    ],
)
def test_an_answer_is_a_move_or_goes_straight_on_with_a_warning_only(
    tmp_path: Path, body: str, moves: str, made: list[str], warning: str
) -> None:
    played = play(command(tmp_path, body, moves), command(tmp_path, "good", "up left", "other"))
    assert played.faults == (None, None)
    assert [one.moves[0] for one in played.rounds[: len(made)]] == made
    assert {one.warnings[0] for one in played.rounds} == {warning}
    assert played.result == -1.0


def test_what_a_bot_is_told(tmp_path: Path) -> None:
    game = LightRiders(6, 5, max_rounds=2)
    rules = RefereeRules(timebank=2.0, time_per_move=0.1)
    told_by = command(tmp_path, "notes", "up", "told")
    play(command(tmp_path, "good"), told_by, rules, ((1, 2), (4, 2)), game, "supervisor")
    told = (tmp_path / "told.notes").read_text().splitlines()
    assert told[:8] == [
        "settings player_names player0,player1",
        "settings your_bot player1",
        "settings timebank 2000",
        "settings time_per_move 100",
        "settings your_botid 1",
        "settings field_width 6",
        "settings field_height 5",
        "settings max_rounds 2",
    ]
    assert told[8:13] == [
        "update game round 0",
        "update game field " + ",".join("............" + ".0..1." + "............"),
        "action move 2000",
        "update game round 1",
        "update game field " + ",".join("......" + "....1." + ".x0.x." + "............"),
    ]
    assert len(told) == 14


def test_the_bank_loses_what_was_used_and_gains_the_increment_up_to_its_cap(tmp_path: Path) -> None:
    played = play(command(tmp_path, "late_once", "up"), command(tmp_path, "good", "up", "other"))
    bank, banks = 2000.0, []
    for number, played_round in enumerate(played.rounds):
        bank = min(max(bank - played_round.ms[0], 0.0) + 200.0, 2000.0)
        banks.append(bank)
        assert played_round.bank[0] == pytest.approx(bank, abs=0.5 * (number + 1))
    assert played.rounds[1].ms[0] >= 590  # it sleeps 600; a moment without a core is not counted
    assert min(banks) <= 1600


# How each of them ends against a rider that goes up at once.
HOSTILE = {
    "crash_at_once": "exited with code 3, in round 0",
    "crash_after_a_move": "exited with code 3, in round 1",
    "crash_later": "ended by signal SIGABRT, in round 3",
    "answer_and_leave": "exited with code 0, in round 4",
    "silent": "no answer within 0.400 s, in round 0",
    "deaf": "no answer within 0.400 s, in round 0",
    "busy": "no answer within 0.400 s, in round 0",
    "no_newline": "no answer within 0.400 s: it wrote 'pass' without the end of the line, in round 0",
    "flood": "more than 1000000 characters of output, in round 0",
    "flood_of_lines": "more than 1000000 characters of output, in round",
    "closes_output": "the output was closed, in round 2",
    "closes_input": "no answer within 0.400 s, in round 0",
    "stops_itself": "in round 2",
    "leaves_a_child": "exited with code 0, in round 2",
}


ALIKE = ("crash_after_a_move", "answer_and_leave", "deaf", "busy", "flood_of_lines", "closes_input")
"""Another of `HOSTILE` goes wrong in nearly the same way."""


@pytest.mark.parametrize(
    "body", [pytest.param(body, marks=pytest.mark.slow) if body in ALIKE else body for body in HOSTILE]
)
def test_a_bot_at_fault_goes_straight_on_and_dies(body: str, tmp_path: Path) -> None:
    began = time.monotonic()
    survivor = command(tmp_path, "good", "up", "survivor")
    faulty = command(tmp_path, body)
    played = play(faulty, survivor, HASTY)
    assert HOSTILE[body] in finished(played).faults[0]
    assert played.faults[1] is None
    assert played.result == -1.0
    # Straight on from (4, 7), facing right: the seventh step is the cell that player 1 started from.
    assert len(played.rounds) == 7
    assert played.reason == f"{faulty} ran into the other rider's trail in round 6"
    assert {r.moves[0] for r in played.rounds} == {"right"}
    assert played.rounds[-1].answers[0] is None
    assert time.monotonic() - began < 30


def test_those_who_are_shut_down_play_on_and_may_still_win(tmp_path: Path) -> None:
    gone = command(tmp_path, "crash_at_once")
    alone = play(gone, command(tmp_path, "good", "up right down left", "circle"))
    assert (alone.result, bool(alone.faults[0])) == (1.0, True)
    both = play(gone, gone)
    assert (both.result, len(both.rounds), all(both.faults)) == (0.0, 4, True)


def test_forgiven_timeouts_leave_the_bot_at_the_table(tmp_path: Path) -> None:
    rules = RefereeRules(timebank=0.4, time_per_move=0.4, max_timeouts=1)
    late = command(tmp_path, "late_once", "up right")
    played = play(late, command(tmp_path, "good", "up left", "other"), rules)
    assert played.faults == (None, None)
    assert played.rounds[1].answers[0] is None
    assert played.rounds[1].moves[0] == "up"
    assert played.rounds[2].answers[0] is not None


def test_only_what_follows_the_question_counts(tmp_path: Path) -> None:
    # It answers, then writes two more lines and half of one before the next question. Those are thrown away; a
    # referee that is quick may read them with the answer, a slow one later, and never as an answer.
    early = command(tmp_path, "answers_before_asked", "pass")
    wait = "for n, _ in enumerate(questions()):\n    time.sleep(0.05)\n    say(next_move())"
    (tmp_path / "slow.py").write_text((tmp_path / "bot.py").read_text().split("for _ in")[0] + wait)
    played = play(early, early.replace("bot.py", "slow.py"))
    assert {r.moves[0] for r in played.rounds} == {"right"}
    assert {r.answers[0] for r in played.rounds} == {"pass"}


def _children() -> set[int]:
    """The processes that this one has; other tests may have left one that is for all of them, such as multiprocessing's tracker."""
    return {child.pid for child in psutil.Process().children(recursive=True)}


def test_no_process_outlives_the_game(tmp_path: Path) -> None:
    before = _children()
    play(
        command(tmp_path, "leaves_a_child"),
        command(tmp_path, "ignores_the_end", "pass", "stubborn"),
        HASTY,
        mode="supervisor",
    )
    child = int((tmp_path / "bot.notes").read_text())
    wait_until(lambda: not is_alive(child), 5)
    assert _children() <= before


@pytest.mark.parametrize(
    ("program", "message"),
    [
        ("/no/such/program", "cannot be started: No such file"),
        ("python 'unfinished", "is no command"),
        (" ", "the command is empty"),
    ],
)
def test_a_program_that_cannot_be_started_is_an_error_and_leaves_nothing_running(
    tmp_path: Path, program: str, message: str
) -> None:
    before = _children()
    with pytest.raises(PlayerError, match=message):
        play(command(tmp_path, "good"), program)
    assert _children() <= before


def test_every_hostile_bot_is_tried() -> None:
    elsewhere = {
        "good",
        "shouting",
        "garbage",
        "empty_lines",
        "bad_utf8",
        "flood_of_errors",
        "late_once",
        "answers_before_asked",
        "ignores_the_end",
        "notes",
    }
    assert set(HOSTILE) | elsewhere == set(BODIES)


def test_rules_that_make_no_sense_are_refused() -> None:
    with pytest.raises(ValueError, match="time bank"):
        RefereeRules(timebank=0)
