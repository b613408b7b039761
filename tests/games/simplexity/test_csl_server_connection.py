"""A connection of `csl 1` beside a player that only writes down what it is asked: numbers, orders and moments."""

import threading
import time
from types import SimpleNamespace
from typing import Any

import pytest

from helpers.csl_positions import replay, start
from saddlepoint.games.simplexity import csl_players as players, csl_server as csl
from saddlepoint.games.simplexity.csl_players import Parameters, ThinkRequest
from saddlepoint.games.simplexity.csl_server import Connection
from saddlepoint.play import timely
from saddlepoint.play.timely import Timekeeper
from saddlepoint.players import safe_action

pytestmark = pytest.mark.plain

NOW = 1000.0
BASE = Parameters()


def silent_players() -> Any:
    """One player for every match, ready at once; it never answers by itself."""
    made = SimpleNamespace(
        asked=[], prepared=[], released=[], failed=False, ready=True, reserve=0.0, warmed=set()
    )
    made.prepare, made.ask, made.release = made.prepared.append, made.asked.append, made.released.append
    made.for_match = lambda match, setting: made
    return made


class Table:
    """A connection, what it said and what it warned of."""

    def __init__(self) -> None:
        self.said: list[str] = []
        self.log: list[str] = []
        self.watched: list[ThinkRequest] = []
        self.players = silent_players()
        keeper = SimpleNamespace(watch=lambda request, is_ready: self.watched.append(request))
        prepared = threading.Event()
        prepared.set()
        engine = SimpleNamespace(
            player="usual",
            warn=self.log.append,
            players=self.players,
            timekeeper=keeper,
            welcome=lambda: prepared,
        )
        self.connection = Connection(engine, self.said.append)  # type: ignore[arg-type]

    def tell(self, *lines: str) -> None:
        for line in lines:
            assert self.connection.handle(line, NOW)

    def asked(self, *lines: str) -> ThinkRequest:
        """The request that the last of the lines became."""
        before = len(self.players.asked)
        self.tell(*lines)
        assert len(self.players.asked) == before + 1, self.said
        return self.players.asked[-1]


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> Table:
    for module in (csl, players, safe_action, timely):
        monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=lambda: NOW, sleep=lambda _: None))
    return Table()


def test_a_match_has_the_parameters_and_the_player_that_were_told(table: Table) -> None:
    table.tell(
        "new g rows=8 cols=9 win=5 round=20 square=21 time=300 opt=random", "new h rows=7 opt=-", "new i"
    )
    assert [(setting.parameters, setting.player) for setting in table.players.prepared] == [
        (Parameters(8, 9, 5, 20, 21), "random"),
        (Parameters(rows=7), "usual"),
        (BASE, "usual"),
    ]
    assert (table.said, table.log) == ([], [])


def test_the_greeting_and_the_end(table: Table) -> None:
    table.tell("csl 1 whoever")
    assert table.said == ["ok csl 1 name=saddlepoint\n"]
    assert not table.connection.handle("quit", NOW)
    table.tell("hello  there")
    assert table.log == ["line ignored: 'hello  there'"]


@pytest.mark.parametrize(
    ("new", "think", "budget"),
    [
        ("new g time=300", "budget=150", 0.15),
        ("new g time=300", "", 0.3),  # the match's, where the request tells none
        ("new g", "", 0.2),
        ("new g", "budget=1999.5", 1.9995),
        ("new g", "budget=99999999", 3600.0),  # an hour at most
        ("new g time=soon", "budget=soon", 0.2),
    ],
)
def test_budgets_are_milliseconds(table: Table, new: str, think: str, budget: float) -> None:
    request = table.asked(new, f"think g 7 moves=- {think}")
    assert (request.gid, request.rid, request.asked) == ("g", "7", NOW)
    assert request.budget == pytest.approx(budget)
    assert table.watched == [request]
    told = "budget=" in think and "soon" not in think
    assert table.log == ([] if told else [f"no budget in a request of 'g': taken as {budget * 1000:g} ms"])


def test_the_board_of_a_request_is_the_one_told_or_that_of_its_moves(table: Table) -> None:
    position = replay(BASE, "3r,2s")
    request = table.asked("new g", "think g 1 moves=3r,2s budget=200")
    assert (request.parameters, request.state) == (position.parameters, position.state)
    request = table.asked(f"think g 2 board={position.text()} moves=3r,2s budget=200")
    assert (request.parameters, request.state) == (position.parameters, position.state)
    request = table.asked(f"think g 3 color=W board={start(BASE).text()} budget=200")
    assert request.state == start(BASE).state
    table.tell(f"think g 4 color=R board={start(BASE).text()} budget=200")
    assert table.said == ["error g 4 color=R: it is the turn of W\n"]
    assert len(table.players.asked) == 3


def test_the_reserve_of_a_busy_engine_is_the_requests(table: Table) -> None:
    table.players.reserve = 0.03
    assert table.asked("new g", "think g 1 moves=- budget=1000").search_until == pytest.approx(
        NOW + 1 - 0.045 - 0.03
    )


def test_a_newer_request_makes_the_older_one_void_and_a_stop_the_one_it_names(table: Table) -> None:
    one = table.asked("new g", "think g 1 moves=- budget=200")
    table.tell("stop g 2", "stop h 1")
    assert not one.done
    two = table.asked("think g 2 moves=- budget=200")
    assert (one.void, two.void) == (True, False)
    table.tell("stop g 1")
    assert not two.void
    table.tell("stop g 2")
    assert two.void
    two.fall_back()
    assert table.said == []


def test_where_no_player_can_help_a_quick_move_is_the_answer_at_once(table: Table) -> None:
    table.players.failed = True
    table.tell("new g", "think g 1 moves=- budget=200")
    table.players.failed = False
    table.tell("think g 2 moves=- budget=8")  # less than is worth a search
    assert [line.split()[:3] for line in table.said] == [["move", "g", "1"], ["move", "g", "2"]]
    assert table.watched == table.players.asked == []
    assert table.asked("think g 3 moves=- budget=9").rid == "3"


def test_a_new_match_of_the_same_name_and_the_oldest_of_too_many_go(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(csl, "_MOST_MATCHES", 3)
    one = table.asked("new a", "think a 1 moves=- budget=200")
    table.tell("new a", "new b", "new c")
    assert one.void
    assert len(table.players.released) == 1
    table.tell("think a 2 moves=- budget=200")
    table.tell("new d")  # a goes
    assert len(table.players.released) == 2
    table.tell("think a 3 moves=- budget=200")
    assert table.said == ["error a 3 there is no match of this name\n"]
    for gid in "bcd":
        table.asked(f"think {gid} 1 moves=- budget=200")


def test_a_match_that_was_refused_says_why_until_too_many_others_were(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(csl, "_MOST_MATCHES", 2)
    table.tell("new a rows=six", "new b rows=six", "think a 1 moves=-", "think b 1 moves=-")
    why = "rows must be a whole number, not 'six'"
    assert table.said == [f"error a 1 {why}\n", f"error b 1 {why}\n"]
    table.tell("new c rows=six", "think a 2 moves=-", "think b 2 moves=-")
    assert table.said[2:] == ["error a 2 there is no match of this name\n", f"error b 2 {why}\n"]
    assert table.log == [f"no match {gid!r}: {why}" for gid in "abc"]
    assert table.asked("new b", "think b 3 moves=- budget=200").rid == "3"


def test_the_end_answers_what_is_open_and_gives_the_players_back(table: Table) -> None:
    table.tell("new g", "new h", "new i")
    requests = [table.asked(f"think {gid} 1 moves=- budget=200") for gid in "gh"]
    requests[1].answer(((0, 0), None))
    table.connection.finish(NOW)
    assert [line.split()[1] for line in table.said] == ["h", "g"]
    assert len(table.players.released) == 3
    table.tell("think g 2 moves=-")
    assert table.said[-1] == "error g 2 there is no match of this name\n"


def test_nothing_is_said_any_more_where_nobody_listens() -> None:
    tried: list[str] = []

    def send(text: str) -> None:
        tried.append(text)
        raise OSError

    connection = Connection(SimpleNamespace(player="usual", warn=lambda _: None), send)  # type: ignore[arg-type]
    assert not connection.broken
    connection.say("one")
    connection.say("two")
    assert connection.broken
    assert tried == ["one\n"]


# -- the keeper of time ------------------------------------------------------------------------------------------


def late_request(budget: float, asked: float, came: threading.Event) -> ThinkRequest:
    position = start(BASE)
    return ThinkRequest("g", "r", position.parameters, position.state, budget, asked, lambda _: came.set())


def test_the_keeper_of_time_answers_at_half_time_for_a_player_that_is_not_ready_and_for_no_other() -> None:
    keeper, for_ready, for_other = Timekeeper(), threading.Event(), threading.Event()
    keeper.watch(late_request(100.0, time.monotonic() - 51, for_ready), lambda: True)
    keeper.watch(late_request(100.0, time.monotonic() - 49.8, for_other), lambda: False)
    assert for_other.wait(60)
    assert not for_ready.is_set()


def test_the_keeper_of_time_takes_requests_in_the_order_of_their_ends() -> None:
    keeper, order, ended = Timekeeper(), list[str](), threading.Event()

    def send(text: str) -> None:
        order.append(text.split()[2])
        if len(order) == 3:
            ended.set()

    position = start(BASE)
    for rid, left in (("late", 0.9), ("first", 0.3), ("next", 0.6)):
        asked = time.monotonic() - 10.04 + left
        keeper.watch(
            ThinkRequest("g", rid, position.parameters, position.state, 10.0, asked, send), lambda: True
        )
    assert ended.wait(60)
    assert order == ["first", "next", "late"]
