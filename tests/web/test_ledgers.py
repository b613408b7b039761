"""Ledgers of the command line."""

import pytest

from helpers.arena_games import SEARCH, SMALL, plan, played
from helpers.web_client import client
from saddlepoint.algorithms.limits import Limits
from saddlepoint.arena.conditions import Job, MatchConditions, PlayedGame
from saddlepoint.arena.ledger import Ledger
from saddlepoint.arena.report import gather
from saddlepoint.arena.schedule import settings_of
from saddlepoint.players.base import Fault, FaultKind

FEW = MatchConditions(SMALL, limits=Limits(nodes=20))


@pytest.fixture(scope="module")
def games():
    return played("random", SEARCH, games=4, conditions=FEW)[1]


@pytest.fixture
def ledger(tmp_path, games):
    path = tmp_path / "games.db"
    with Ledger(path) as book:
        number = book.begin("round robin", ("random", SEARCH), settings_of(FEW, plan(4)), 4)
        for one in games:
            book.add(number, one)
    return path


def test_the_catalogue_has_them_and_figures_are_the_reports(ledger):
    with client(ledgers=[str(ledger)]) as asked:
        assert asked.get("/api/catalogue")["ledgers"] == [{"id": "1", "name": "games.db"}]
        told = asked.get("/api/ledgers/1")
        assert told["name"] == "games.db" and [one["games"] for one in told["tournaments"]] == [4]
        with Ledger(ledger, create=False) as book:
            expected = gather(book)[0].summary(book)
        found = told["games"][0]
        for key in ("game", "parameters", "games", "reasons", "ratings", "cross_table", "mean_length"):
            assert found[key] == expected[key]


def test_nothing_new_and_something_new(ledger, games):
    with client(ledgers=[str(ledger)]) as asked:
        stamp = asked.get("/api/ledgers/1")["changed"]
        response = asked.http.get("/api/ledgers/1", params={"since": stamp})
        assert response.status_code == 304 and not response.content
        asked.service.ledgers[0]._took = 0.0
        with Ledger(ledger) as book:
            book.add(book.begin("round robin", ("random", "best"), settings_of(FEW, plan(4)), 4), games[0])
        told = asked.get("/api/ledgers/1", params={"since": stamp})
        assert told["changed"] != stamp and len(told["tournaments"]) == 2


def test_games_a_page_at_a_time(ledger, games):
    with Ledger(ledger) as book:
        number = book.begin("round robin", ("random", "best"), settings_of(FEW, plan(4)), None)
        for at in range(60):
            job = Job(at, at, ("random", "best"), games[0].job.opening, at)
            book.add(
                number,
                PlayedGame(
                    job, -1.0, 0.0, "player 0 at fault", (Fault(FaultKind.LATE, 0, 0, "no answer"), None)
                ),
            )
    with client(ledgers=[str(ledger)]) as asked:
        found = {
            asked_for: asked.get(f"/api/ledgers/1/games?{asked_for}")
            for asked_for in ("", "offset=50", "player=best", "lost_by=best", "lost_by=random")
        }
    whole, rest, best, lost_by_best, lost = found.values()
    assert (whole["total"], len(whole["games"])) == (64, 50)
    assert {one["id"] for one in (*whole["games"], *rest["games"])} == set(range(1, 65))
    assert (best["total"], lost_by_best["total"]) == (60, 0)
    assert lost["total"] >= 60
    assert set(lost["games"][0]) == {"id", "tournament", "players", "points", "reason", "turns"}


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/api/ledgers/2", 404),
        ("/api/ledgers/..%2Fx", 404),
        ("/api/ledgers/1/games?offset=-1", 400),
        ("/api/ledgers/1/games?offset=x", 400),
        ("/api/ledgers/1/games?offset=99999999999999999999", 400),
        ("/api/ledgers/1/games/99", 404),
        ("/api/ledgers/1/games/99999999999999999999", 404),
        ("/api/ledgers/1/games/x", 404),
        ("/api/replays/1", 404),
    ],
)
def test_what_is_not_there(ledger, path, status):
    with client(ledgers=[str(ledger)]) as asked:
        asked.sentence(asked.http.get(path), status)


def test_a_file_that_is_no_ledger_is_a_sentence_and_an_empty_one_has_no_games(tmp_path):
    Ledger(tmp_path / "new.db").close()
    (tmp_path / "x.db").write_text("no database")
    with client(ledgers=[str(tmp_path / name) for name in ("new.db", "x.db", "missing.db")]) as asked:
        told = asked.get("/api/ledgers/1")
        assert told["games"] == [] and told["tournaments"] == []
        for number in (2, 3):
            asked.sentence(asked.http.get(f"/api/ledgers/{number}"), 422)
