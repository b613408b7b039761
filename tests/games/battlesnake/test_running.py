"""When an answer goes out, and what is remembered of games: bounded, dropped at the end or when old."""

import itertools
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import pytest
from hypothesis import given, strategies as st

from helpers.snake_requests import asked, duel, snake
from saddlepoint.games.battlesnake import running as module, running as timing
from saddlepoint.games.battlesnake.requests import read_request
from saddlepoint.games.battlesnake.running import Delays, Machine, RunningGames, Way, deadline
from saddlepoint.games.battlesnake.thinking import Rules, Setting

TIMEOUT = 0.5
DELAYS = st.floats(0.0, 5.0)


@pytest.fixture
def machine() -> Machine:
    return Machine()


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """What time it is, which the test may say."""
    now = [float(int(time.monotonic()))]
    monkeypatch.setattr(timing.time, "monotonic", lambda: now[0])
    return now


def told(way: Way, turn: int, ours: float, latency: float, timeout: float = TIMEOUT) -> float:
    """What to expect of the way after an answer that took us so long and the referee so long."""
    way.answered(turn, ours)
    way.note_latency(turn + 1, latency, timeout)
    return way.seconds(timeout)


@given(
    st.floats(0.02, 10.0),
    st.lists(DELAYS, max_size=8),
    st.lists(DELAYS, max_size=8),
    st.lists(DELAYS, max_size=8),
    st.integers(1, 40),
)
def test_the_reserve_covers_all_delays_that_were_seen_and_is_half_the_timeout_at_most(
    timeout: float, ways: list[float], loops: list[float], overruns: list[float], searches: int
) -> None:
    machine = Machine()
    way = Way(machine)
    for turn, delay in enumerate(ways):
        told(way, turn, 0.1 * timeout, 0.1 * timeout + delay, timeout)
    for delays, kind in ((loops, machine.loop), (overruns, machine.overrun)):
        for delay in delays:
            kind.note(delay)
    ends = machine.deadline(timeout, way, searches)
    seen = max(ways, default=0.0) + max(loops, default=0.0) + max(overruns, default=0.0)
    assert 0.5 * timeout <= ends.search + 1e-9
    assert ends.search < ends.answer < timeout
    assert timeout - ends.search >= min(seen, 0.5 * timeout) - 1e-9


@given(st.floats(0.02, 10.0), DELAYS, DELAYS, DELAYS, DELAYS, st.integers(1, 40))
def test_whatever_takes_longer_leaves_no_more_time(
    timeout: float, way: float, sending: float, ending: float, more: float, searches: int
) -> None:
    search = deadline(timeout, way, sending, ending, searches).search
    for worse in (
        (way + more, sending, ending),
        (way, sending + more, ending),
        (way, sending, ending + more),
    ):
        assert deadline(timeout, *worse, searches).search <= search + 1e-9
    assert deadline(timeout, way, sending, ending, searches + 1).search <= search + 1e-9


def test_a_quarter_more_than_the_worst_delay_is_held_back() -> None:
    assert TIMEOUT - deadline(TIMEOUT, 0.01, 0.06, 0.02).search == pytest.approx(0.01 + 1.25 * (0.06 + 0.02))
    assert told(Way(Machine()), 0, 0.3, 0.34) == pytest.approx(1.25 * 0.04 + 0.002)


@pytest.mark.parametrize(("timeout", "held_back"), [(1.0, 0.08), (0.15, 0.02), (0.05, 0.01)])
def test_without_any_delay_8_percent_or_20_ms_are_held_back_a_fifth_at_most_and_three_tenths_of_it_for_a_search_to_end(
    timeout: float, held_back: float
) -> None:
    when = deadline(timeout, 0.0, 0.0, 0.0)
    assert timeout - when.search == pytest.approx(held_back)
    assert when.answer - when.search == pytest.approx(0.3 * held_back)


@pytest.mark.parametrize(("searches", "waiting"), [(1, 0.0), (3, 0.004), (4, 0.008), (100, 0.04)])
def test_every_search_beyond_the_cores_waits_4_ms_40_ms_at_most(searches: int, waiting: float) -> None:
    alone = deadline(10.0, 0.0, 0.8, 0.0, 2, cores=2).search
    assert alone - deadline(10.0, 0.0, 0.8, 0.0, searches, cores=2).search == pytest.approx(waiting)


def test_on_a_machine_that_is_seldom_late_near_the_referee_440_of_500_ms_are_for_the_search(
    machine: Machine,
) -> None:
    way = Way(machine)
    told(way, 0, 0.4, 0.403)
    machine.loop.note(0.01)
    machine.overrun.note(0.005)
    assert machine.deadline(TIMEOUT, way).search >= 0.44
    assert machine.deadline(TIMEOUT, Way(Machine()), 4).search >= 0.4  # a first move, with three other snakes


@pytest.mark.parametrize("late", [0.0, TIMEOUT, 0.52])
def test_a_late_answer_is_known_by_what_the_referee_says_of_it(late: float) -> None:
    """The arena says 0, the documentation the timeout, the official program what it waited."""
    way = Way(Machine())
    told(way, 0, 0.3, 0.35)
    expected = told(way, 1, 0.44, late)
    assert expected > 0.1
    assert told(way, 2, 0.01, 0.0) == expected  # what takes no time is not told, and was not late


def test_a_referee_that_never_tells_a_time_is_believed_to_wait_no_longer_than_usual() -> None:
    way, usual = Way(Machine()), Way(Machine()).seconds(TIMEOUT)
    seconds = [told(way, turn, 0.4, 0.0) for turn in range(8)]
    assert min(seconds[:4]) > usual
    assert set(seconds[4:]) == {min(0.05, max(usual, seconds[4]))}


def test_an_answer_that_was_late_leaves_much_less() -> None:
    before = Way(Machine()).seconds(TIMEOUT)
    assert told(Way(Machine()), 0, 0.44, TIMEOUT) > 2 * before
    # It went out at the last moment, and nobody knows how much was missing.
    assert told(Way(Machine()), 0, TIMEOUT, 0.0) == pytest.approx(1.25 * 2 * before + 0.002)


def test_only_the_answer_before_counts() -> None:
    """After a restart, or where a turn was left out, nobody knows how long we took."""
    way = Way(Machine())
    way.note_latency(7, 0.4, TIMEOUT)
    way.answered(7, 0.1)
    way.note_latency(9, 0.4, TIMEOUT)
    told(way, 9, 0.1, 0.0)  # the official program tells 0
    assert way.seconds(TIMEOUT) == Way(Machine()).seconds(TIMEOUT)


def test_a_delay_counts_for_sixty_seconds_of_play_however_many_others_there_are(clock: list[float]) -> None:
    delays = Delays()
    delays.note(0.2)
    for second in range(60):
        assert delays.worst == 0.2, second
        clock[0] += 1
        for _ in range(100):
            delays.note(0.01)
    assert delays.worst == 0.01


def test_a_new_game_begins_with_what_other_games_have_shown(machine: Machine, clock: list[float]) -> None:
    alone = Way(machine).seconds(0.1)
    told(Way(machine), 1, 0.05, 0.08, 0.1)
    assert Way(machine).seconds(0.1) == pytest.approx(0.03)
    assert alone < 0.03
    near = Way(machine)
    for second in range(100):
        clock[0] += 1
        told(near, second, 0.05, 0.051, 0.1)
    assert Way(machine).seconds(0.1) == alone


def test_a_machine_that_is_not_known_yet_is_taken_to_be_busy(machine: Machine, clock: list[float]) -> None:
    assert machine.deadline(0.1, Way(machine)).answer < 0.07
    for _ in range(100):
        clock[0] += 1
        machine.loop.note(0.0)
        machine.overrun.note(0.0)
    itself, unknown_way = 0.02, 0.008
    assert machine.deadline(0.1, Way(machine)).search == pytest.approx(0.1 - itself - unknown_way)


@pytest.mark.slow
def test_searches_may_note_delays_while_an_answer_is_planned(monkeypatch: pytest.MonkeyPatch) -> None:
    delays, seconds = Delays(), itertools.count()
    # Every note is of another second.
    monkeypatch.setattr(timing.time, "monotonic", lambda: float(next(seconds)))

    def read() -> None:
        while next(seconds) < 400_000:
            assert delays.worst <= 1.0

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        with ThreadPoolExecutor(1) as pool:
            reading = pool.submit(read)
            while not reading.done():
                delays.note(1.0)
            reading.result()
    finally:
        sys.setswitchinterval(before)


# -- games ---------------------------------------------------------------------------------------------------------------

SETTING = Setting(Rules(7, 7), "best")


@pytest.fixture
def heard() -> list[str]:
    return []


@pytest.fixture
def games(heard: list[str]) -> RunningGames:
    return RunningGames(
        SimpleNamespace(release=lambda game: heard.append(f"released {game.key}")), Machine(), heard.append
    )  # type: ignore[arg-type]


def test_a_game_is_known_by_its_id_and_our_snakes(games: RunningGames) -> None:
    first, other = (games.under(("g", snake), SETTING) for snake in "ab")
    assert other is not first and games.under(("g", "a"), SETTING) is first
    assert [games.end(("g", "a")) for _ in range(2)] == [first, None]
    assert games.known(("g", "a")) is None and len(games) == 1


def test_other_rules_need_another_player(games: RunningGames, heard: list[str]) -> None:
    game = games.under(("g", "a"), SETTING)
    piled = Setting(Rules(7, 7, hazard_stack=4), "best")
    assert games.under(("g", "a"), piled) is game and game.setting == piled
    assert heard == ["released ('g', 'a')"]


def test_too_many_and_old_ones_are_dropped(
    games: RunningGames, heard: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(module._MOST_GAMES + 3):
        games.under((str(number), "a"), SETTING)
    assert len(games) == module._MOST_GAMES and games.known(("0", "a")) is None
    assert sum("given up" in line for line in heard) == 3
    monkeypatch.setattr(module, "_OLD", 0.0)
    games.under(("new", "a"), SETTING)
    assert len(games) == 1


def test_the_line_in_the_log() -> None:
    game = module.SnakeGame(SETTING, ("a-long-id", "me"), Machine())
    game.see(read_request(duel(7)), 0.5)
    assert (
        game.summary("won")
        == "game a-long-i standard 7x7 against YOU: won, turn 0; no move; none by a safe move"
    )
    game.see(read_request(asked(snake("me", [(1, 1)]), size=7, turn=9)), 0.5)
    game.answers, game.slowest = 3, 0.1
    game.fallbacks.update(["not ready yet", "not ready yet", "asked again"])
    assert game.summary("lost") == (
        "game a-long-i standard 7x7 against YOU: lost, turn 9; slowest of 3 answers 100 ms of 500; "
        "3 by a safe move (not ready yet: 2, asked again: 1)"
    )
