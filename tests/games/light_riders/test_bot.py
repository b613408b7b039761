"""The bot: every line of the protocol, any order, malformed lines too; it always answers."""

import io
import os
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from helpers.bots import command
from saddlepoint.games.catalogue.make import make_player
from saddlepoint.games.light_riders import DIRECTIONS, LightRiders, bot as riders_bot
from saddlepoint.games.light_riders.bot import NashClock, RidersBot, run_bot
from saddlepoint.games.light_riders.player import RefereeRules, referee, round_lines, settings_lines
from saddlepoint.players.base import RandomPlayer
from saddlepoint.players.clock import Clock, Deadline

GAME = LightRiders()
CLOCK = Clock(10.0, 0.2)
WORDS = {*DIRECTIONS, "pass"}


def load():
    return make_player


@pytest.fixture
def log() -> io.StringIO:
    return io.StringIO()


class Scripted(RandomPlayer):
    """Plays when its `act` lets it."""

    def __init__(self, act: Callable[[Clock], None]) -> None:
        self.act = act

    def choose(self, state: object, clock: Clock) -> int:
        self.act(clock)
        return super().choose(state, clock)


@pytest.fixture
def bot(log: io.StringIO) -> Iterator[RidersBot]:
    made = RidersBot("random", load, log)
    yield made
    assert made.stop() or not made.thinker.ready


@pytest.fixture
def waited(bot: RidersBot, monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """How long the bot was ready to wait for its player, which never is."""
    found: list[float] = []
    monkeypatch.setattr(bot.thinker.prepared, "wait", found.append)
    return found


def feed(bot: RidersBot, lines: list[str]) -> list[str]:
    return [answer for line in lines if (answer := bot.handle(line)) is not None]


def test_a_whole_game_is_answered_and_survived(log: io.StringIO) -> None:
    answers: list[str] = []
    make_player("random", GAME).warm(
        GAME, GAME.initial_state()
    )  # else the log tells that the fallback plays until that is compiled
    state = GAME.initial_state(4, 7)
    bot = RidersBot("random", load, log)
    for line in settings_lines(GAME, 0, CLOCK):
        assert bot.handle(line) is None
    while GAME.players_to_act(state):
        free = GAME.search_actions(state, 0)
        answers += feed(bot, round_lines(GAME, state, CLOCK))
        assert answers[-1] in [DIRECTIONS[a] for a in free]
        state = GAME.next_state(state, DIRECTIONS.index(answers[-1]), GAME.search_actions(state, 1)[0])
    assert log.getvalue() == ""
    assert bot.stop()


def test_settings_come_in_any_order_and_before_anything_else(bot: RidersBot) -> None:
    game = LightRiders(8, 5, max_rounds=9)
    lines = [
        *reversed(settings_lines(game, 1, CLOCK)),
        "",
        *round_lines(game, game.initial_state(2, 2), CLOCK),
    ]
    assert feed(bot, lines)[0] in DIRECTIONS
    assert bot.botid == 1


@pytest.mark.parametrize(
    ("lines", "seat"),
    [
        (["settings player_names anna,bert", "settings your_bot bert"], 1),
        (["settings player_names anna,bert", "settings your_bot bert", "settings your_botid 0"], 0),
    ],
)
def test_the_seat_is_told_by_number_or_by_name(bot: RidersBot, lines: list[str], seat: int) -> None:
    feed(bot, lines)
    assert bot.botid == seat


@pytest.mark.parametrize(
    ("line", "warning"),
    [
        ("hello", "line ignored: 'hello'"),
        ("settings colour blue", "setting ignored: 'colour'"),
        ("update game weather bad", "update ignored: 'weather'"),
        *(
            (line, " ignored")
            for line in (
                "settings",
                "settings field_width",
                "settings field_width wide",
                "settings your_botid 7",
                "settings timebank -3",
                "update",
                "update game",
                "update game round",
                "update game round one",
                "update game field",
                "update game field .,.,.",
                "update game field " + ",".join(["?"] * 256),
                "update player0 field .",
                "\x00\x01\xff",
                "action" * 1000,
            )
        ),
    ],
)
def test_an_unknown_or_malformed_line_is_ignored_with_a_warning(
    line: str, warning: str, bot: RidersBot, log: io.StringIO
) -> None:
    feed(bot, settings_lines(GAME, 0, CLOCK))
    assert bot.handle(line) is None
    assert log.getvalue().count("\n") == 1 and warning in log.getvalue()
    assert feed(bot, round_lines(GAME, GAME.initial_state(), CLOCK))[0] in DIRECTIONS


@pytest.mark.parametrize(
    "question", ["action move", "action move soon", "action moves 10000", "action", "action move -5"]
)
def test_a_malformed_question_is_answered(question: str, bot: RidersBot) -> None:
    assert feed(bot, [*round_lines(GAME, GAME.initial_state(), CLOCK)[:-1], question])[0] in DIRECTIONS


def test_without_a_field_it_goes_straight_on(bot: RidersBot) -> None:
    assert bot.handle("action move 10000") == "pass"
    # An old field must not be taken for a new one.
    feed(bot, round_lines(GAME, GAME.initial_state(), CLOCK))
    assert feed(bot, ["update game round 1", "action move 10000"]) == ["pass"]


def test_a_field_too_large_for_the_rules_here_is_played_by_the_fallback(
    bot: RidersBot, log: io.StringIO
) -> None:
    feed(bot, ["settings field_width 40", "settings field_height 4"])
    cells = ["."] * 160
    cells[41], cells[78] = "0", "1"
    assert (
        feed(bot, ["update game round 0", "update game field " + ",".join(cells), "action move 900"])[0]
        in DIRECTIONS
    )
    assert "the fallback does" in log.getvalue()


def neighbours(rows, head):
    """What stands beside a head, of which a field has one; "x" beyond the edge."""
    framed = ["x" * (len(rows[0]) + 2), *(f"x{row}x" for row in rows), "x" * (len(rows[0]) + 2)]
    y, x = next((y, row.index(head)) for y, row in enumerate(framed) if head in row)
    return framed[y - 1][x], framed[y + 1][x], framed[y][x - 1], framed[y][x + 1]


@pytest.mark.parametrize("rules", [GAME, None], ids=["with the rules", "before they are loaded"])
@pytest.mark.parametrize(("x", "y", "player"), [(1, 1, 0), (3, 12, 1), (6, 7, 0)])
def test_the_fallback_goes_onto_a_free_cell_wherever_there_is_one(
    x: int, y: int, player: int, rules: LightRiders | None, bot: RidersBot
) -> None:
    draw = random.Random(5)
    bot._game = rules  # pyright: ignore[reportPrivateUsage]
    bot.handle(f"settings your_botid {player}")
    state = GAME.initial_state(x, y)
    while GAME.players_to_act(state):
        moves = [draw.choice(GAME.search_actions(state, seat)) for seat in (0, 1)]
        rows = GAME.field(state)
        if not any(beside == "." for beside in neighbours(rows, str(player))):
            return
        free = GAME.search_actions(state, player)
        told = bot.fallback(tuple(rows))
        moves[player] = free[0] if told == "pass" else DIRECTIONS.index(told)
        assert moves[player] in free
        state = GAME.next_state(state, *moves)


@pytest.mark.parametrize(
    "rules", [LightRiders(4, 3, max_rounds=1), None], ids=["with the rules", "before they are loaded"]
)
@pytest.mark.parametrize(
    "rows", [("0x..", "x...", "...1"), ("....", "....", "...1"), ("*...", "....", "....")]
)
def test_the_fallback_has_an_answer_where_there_is_none(
    rules: LightRiders | None, rows: tuple[str, ...], bot: RidersBot
) -> None:
    bot._game = rules  # pyright: ignore[reportPrivateUsage]
    for line in ("update game round 9", "settings your_botid 0"):
        bot.handle(line)
    assert bot.fallback(rows) in WORDS


def test_directions_are_told_by_the_heads_steps() -> None:
    state = GAME.initial_state(4, 7)
    known = state
    for joint in ((0, 2), (0, 1), (1, 1), (2, 0)):
        state = GAME.next_state(state, *joint)
        question = riders_bot.FieldQuestion(tuple(GAME.field(state)), state.round, 1.0, 0.2, 10.0, 0.0)
        known = riders_bot._state(GAME, question, known)  # pyright: ignore[reportPrivateUsage]
        assert known == state


def test_while_the_player_compiles_or_overruns_the_fallback_answers(log: io.StringIO) -> None:
    slow = Scripted(lambda clock: time.sleep(3))
    bot = RidersBot("slow", lambda: lambda spec, game: slow, log)
    state = GAME.initial_state(4, 7)
    answers: list[str] = feed(bot, settings_lines(GAME, 0, CLOCK))
    for _ in range(8):
        began = time.monotonic()
        answers += feed(bot, round_lines(GAME, state, Clock(0.25, 0.2)))
        assert time.monotonic() - began < 2.5  # it did not wait for the slow player
        state = GAME.next_state(state, DIRECTIONS.index(answers[-1]), 0 if state.round % 2 else 3)
    assert len(answers) == 8
    told = [line for line in log.getvalue().splitlines() if "the fallback moved, not slow: " in line]
    assert len(told) == 8
    reasons = {"it is not ready yet", "it has no answer in time", "it still thinks of an earlier round"}
    assert {line.rpartition(": ")[2] for line in told} <= reasons


def test_the_engine_hears_of_the_bot_in_the_first_second_whatever_is_loaded_or_compiled(
    bot: RidersBot, waited: list[float]
) -> None:
    clock = Clock(60.0, 0.2)
    lines = [*settings_lines(GAME, 0, clock), *round_lines(GAME, GAME.initial_state(4, 7), clock)]
    assert feed(bot, lines)[0] in DIRECTIONS
    assert feed(bot, lines[-1:])[0] in DIRECTIONS
    assert waited[0] < 0.7  # the rest of the second is for the process to start
    assert waited[1] > 2  # later there is time for a compilation


@pytest.mark.parametrize(
    "clock", [Clock(10.0, 0.2), Clock(2.5, 0.05), Clock(1.0, 0.2), Clock(0.3, 0.2, 10.0)]
)
def test_while_the_player_compiles_a_round_costs_the_increment_and_a_25th_of_the_bank_at_most(
    clock: Clock, bot: RidersBot, waited: list[float]
) -> None:
    """So two fifths of the bank are there after 20 rounds, for a search that begins then."""
    began = clock.bank
    feed(bot, settings_lines(GAME, 0, clock))
    for _ in range(20):
        feed(bot, round_lines(GAME, GAME.initial_state(4, 7), clock))
        assert waited[-1] <= clock.increment + clock.bank / 25
        assert waited[-1] <= clock.bank / 10
        clock = clock.after(waited[-1])
    assert clock.bank > 0.4 * began


def test_a_player_that_fails_is_replaced_by_the_fallback(log: io.StringIO) -> None:
    def fail(clock: Clock) -> None:
        if clock.cap == 10.0:
            raise RuntimeError("no idea")

    bot = RidersBot("failing", lambda: lambda spec, game: Scripted(fail), log)
    for _ in range(2):
        assert feed(bot, round_lines(GAME, GAME.initial_state(), CLOCK))[0] in DIRECTIONS
    assert log.getvalue().count("failing failed, the fallback moves: no idea") == 2
    assert bot.stop()


def test_the_end_of_the_input_is_the_end_of_the_game(log: io.StringIO) -> None:
    lines = [*settings_lines(GAME, 0, CLOCK), *round_lines(GAME, GAME.initial_state(), CLOCK), "action"]
    answers = io.BytesIO()
    assert run_bot("random", load, io.BytesIO("\n".join(lines).encode() + b"\n\xff\xfe"), answers, log)
    assert set(answers.getvalue().decode().split()) <= WORDS
    assert len(answers.getvalue().split()) == 2
    assert run_bot("random", load, io.BytesIO(b""), answers, log)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("player", "game", "start", "clock", "other", "result", "least_bank"),
    [
        # The bank is short, and the bot must not be shut down.
        ("'alphabeta(evaluator=voronoi)'", LightRiders(9, 7), (1, 3), (3.0, 0.2), "up left down", 1.0, 0.0),
        # The contest's clock and field. While it compiles, the rider does not spend the bank on rounds in which nothing searches.
        ("best", LightRiders(max_rounds=6), (4, 7), (10.0, 0.2), "down", 0.0, 5.0),
    ],
)
def test_as_a_program_it_plays_from_a_cold_cache_and_keeps_its_bank(
    tmp_path: Path,
    player: str,
    game: Any,
    start: Any,
    clock: Any,
    other: str,
    result: float,
    least_bank: float,
) -> None:
    program = f"env NUMBA_CACHE_DIR={tmp_path / 'cache'} {sys.executable} -m saddlepoint bot light_riders --player {player}"
    bots = program, command(tmp_path, "good", other)
    played = referee(game, bots, game.initial_state(*start), RefereeRules(*clock))
    assert played["faults"] == [None, None]
    assert min(played["banks"][0]) > least_bank
    assert played["result"] == result


def test_the_program_ends_quietly_when_nobody_reads_its_answers() -> None:
    program = subprocess.Popen(
        [sys.executable, "-m", "saddlepoint", "bot", "light_riders", "--player", "random"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ,
    )
    assert program.stdin and program.stdout and program.stderr
    program.stdout.close()
    lines = [*settings_lines(GAME, 0, CLOCK), *round_lines(GAME, GAME.initial_state(), CLOCK)]
    program.stdin.write("\n".join(lines).encode() + b"\n")
    program.stdin.close()
    assert program.wait(30) == 0
    assert b"Traceback" not in program.stderr.read()
    program.stderr.close()


@pytest.mark.parametrize(
    ("clock", "rounds", "separated", "soft", "hard"),
    [
        (Clock(10.2, 0.2), 10, False, 1.2 / 5, 10.15),
        (Clock(10.2, 0.2), 10, True, 1.2 / 3, 10.15),
        (Clock(10.2, 0.2), 0, False, 10.2 / 5, 10.15),
        (Clock(0.1, 0.2, 10.0), 10, False, 0.1 / 5, 0.09),
        (Clock(0.2, 0.2, 10.0), 10, False, 0.2 / 5, 0.18),
        (Clock(0.45, 0.45, is_net=True), 10, False, 0.45 / 5, 0.45),  # a reserve was taken already
    ],
)
def test_the_clock_of_riders_nash(clock, rounds, separated, soft, hard):
    found = NashClock().deadline(clock, rounds, separated)
    assert found == Deadline(pytest.approx(hard), pytest.approx(soft))
