"""Ledgers of the command line, and what is told of their running games: what it holds, what it costs, and whom it lets wait."""

import random
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest

from helpers.arena_games import NODES, SEARCH, SMALL, plan, played
from helpers.programs import wait_until
from helpers.recorded_games import random_game
from helpers.web_client import Client, client
from saddlepoint import ConnectFour, Game, Limits, Soccer
from saddlepoint.arena.conditions import Job, MatchConditions, PlayedGame
from saddlepoint.arena.ledger import Ledger, Tournament, running
from saddlepoint.arena.ledger.running import Process, RunningGame, RunningGames
from saddlepoint.arena.report import gather
from saddlepoint.arena.schedule import settings_of
from saddlepoint.game import picture
from saddlepoint.game.picture import Picture, continued
from saddlepoint.play.record import Turns
from saddlepoint.players.base import Fault, FaultKind
from saddlepoint.web import limits
from saddlepoint.web.catalogue import KnownGames
from saddlepoint.web.ledgers import LedgerView, running_json
from saddlepoint.web.positions import ReferencedPositions

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


# -- running games -------------------------------------------------------------------------------------------------------

SOCCER = Soccer(draw=0.001)
"""Long games, with chance."""
ALL = "/api/ledgers/1/running"
Line = tuple[list[Any], list[tuple[int, int]]]


class Standing(random.Random):
    """Chance does the likeliest, and players choose the last: soccer's stand."""

    def choice(self, seq: Any) -> Any:
        return max(seq, key=lambda one: one[1] if isinstance(one, tuple) else one)


def positions() -> ReferencedPositions:
    """What is kept of the games that were asked about."""
    return ReferencedPositions(KnownGames())


def line(game: Game, most: int) -> Line:
    """The positions and moves of a game that is played at random, but for soccer's players, who stand."""
    return random_game(game, Standing() if game is SOCCER else random.Random(3), most)


def tournament_about(game: Game, folder: Path) -> Tournament:
    """A match under way."""
    with Ledger(folder / "games.db") as book:
        book.begin(
            "match", ("random", "best"), settings_of(MatchConditions(game, limits=NODES.limits), plan(4)), 4
        )
        return book.tournaments()[-1]


def under_way(game: Game, states: list[Any], actions: list[tuple[int, int]], **other: Any) -> RunningGame:
    """A game that goes on, as far as these moves."""
    given: dict[str, Any] = {
        "players": ("random", "best"),
        "opening": game.to_text(states[0]),
        "began": 1.0,
        "written": 1.0,
    }
    return RunningGame(1, 0, actions=tuple(actions), process=Process.this(), **given | other)


@pytest.mark.parametrize("game", [SMALL, ConnectFour(), SOCCER], ids=lambda game: type(game).__name__)
def test_the_last_positions_are_told_with_turns_and_pictures_as_of_the_whole_game(
    game: Game, tmp_path: Path
) -> None:
    tournament, kept = tournament_about(game, tmp_path), positions()
    states, actions = line(game, 40)
    turns, pictures = Turns(game, states), [game.picture(states[0])]
    for state in states[1:]:
        pictures.append(continued(pictures[-1], game.picture(state)))
    for count in sorted({0, 3, 4, len(actions)}):
        told = running_json(under_way(game, states, actions[:count]), tournament, game, True, kept)
        assert told["turn_word"] == turns.word
        shown = range(max(0, count - 7), count + 1)
        assert [one["number"] for one in told["positions"]] == [*shown]
        assert [one["turn"] for one in told["positions"]] == [turns.done(at) for at in shown]
        assert [one["picture"] for one in told["positions"]] == [
            pictures[at].to_json() | {"moves": []} for at in shown
        ]


def test_a_move_more_plays_one_move_and_draws_one_picture(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    played, made = list[Any](), list[Picture]()
    next_state = Soccer.next_state

    def counted(self: Any, state: Any, *actions: int) -> Any:
        played.append(state)
        return next_state(self, state, *actions)

    def noted(before: Picture, now: Picture) -> Picture:
        made.append(continued(before, now))
        return made[-1]

    monkeypatch.setattr(Soccer, "next_state", counted)
    monkeypatch.setattr(picture, "continued", noted)
    tournament, kept = tournament_about(SOCCER, tmp_path), positions()
    states, actions = line(SOCCER, 60)
    assert len(actions) == 60
    for more, moves, pictures in ((2, 58, 8), (1, 1, 1), (0, 1, 1)):
        played.clear()
        made.clear()
        running_json(under_way(SOCCER, states, actions[: 60 - more]), tournament, SOCCER, True, kept)
        assert (len(played), len(made)) == (moves, pictures)


def test_what_cannot_be_put_into_words_hides_no_board(tmp_path: Path) -> None:
    states, actions = line(SMALL, 2)
    tournament = tournament_about(SMALL, tmp_path)
    one = under_way(SMALL, states, actions, players=(7, None))
    told = running_json(one, tournament, SMALL, True, positions())
    assert told["titles"] == [7, None] and len(told["positions"]) == len(actions) + 1


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> RunningGames:
    """A ledger with a tournament under way, in which every step is written."""
    monkeypatch.setattr(running, "EVERY", 0.0)
    return RunningGames(str(tmp_path / "games.db"), tournament_about(SMALL, tmp_path).id)


@pytest.fixture
def write(place: RunningGames) -> Iterator[Callable[..., list[str]]]:
    """Writes the first moves of a game: write(moves, number of the game, what to do after each)."""
    with ExitStack() as ending:

        def written(moves: int, number: int = 0, after_each: Callable[[], Any] = lambda: None) -> list[Any]:
            writer = running.Writer(
                place, Job(number, 0, ("random", "best"), SMALL.to_text(SMALL.initial_state()), 1)
            )
            ending.callback(writer.close)
            told: list[Any] = []
            states, actions = line(SMALL, moves)
            for after, joint in zip(states[1:], actions, strict=True):
                writer.step(after, joint)
                told.append(after_each())
            return told

        yield written


def drawn(asked: Client) -> dict[str, Any]:
    """The answer, when its rules are compiled."""
    wait_until(lambda: all(one["positions"] for one in asked.get(ALL)["games"]))
    return asked.get(ALL)


@pytest.mark.parametrize(
    "bad",
    [
        {"actions": "no JSON"},
        {"host": "elsewhere", "written": "text"},
        {"pid": "self/../1"},
        {"player0": b"a"},
        {"tournament": 99},
    ],
    ids=str,
)
def test_a_row_that_is_no_game_hides_no_other(place: RunningGames, write: Any, bad: dict[str, Any]) -> None:
    for number in range(2):
        write(2, number)
    with closing(sqlite3.connect(place.path)) as connection, connection:
        connection.execute(
            f"UPDATE running_games SET {', '.join(f'{name} = ?' for name in bad)} WHERE number = 1",
            tuple(bad.values()),
        )
    with client(ledgers=[place.path]) as asked:
        told = drawn(asked)
        assert told["running"] == 1 and [one["number"] for one in told["games"]] == [0]
        assert [one["number"] for one in told["games"][0]["positions"]] == [0, 1, 2]


def test_beyond_the_last_move_that_is_shown_nothing_changes(
    place: RunningGames, write: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "MOVES", 2)
    view = LedgerView(1, place.path, positions())
    first, *others = write(4, after_each=lambda: view.running(None, [], lambda game: True)["changed"])
    assert len(others) == 3
    assert {first} != set(others) == {others[0]}


def test_nobody_waits_for_rules_to_be_compiled_and_the_board_comes_when_they_are(
    place: RunningGames, write: Any
) -> None:
    write(1)
    view = LedgerView(1, place.path, positions())
    told: Any = view.running(None, [], lambda game: False)
    (game,) = told["games"]
    assert (told["running"], game["positions"], game["titles"][0]) == (1, [], "Random")
    assert game["title"]
    assert view.running(told["changed"], [], lambda game: False) is None
    assert len(view.running(told["changed"], [], lambda game: True)["games"][0]["positions"]) == 2


def test_the_server_compiles_rules_elsewhere(
    place: RunningGames, write: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(1)
    with client(ledgers=[place.path]) as asked:
        needed: list[str] = []

        def missing(need: Any) -> None:
            needed.append(need.player)
            raise ValueError("it cannot be compiled")

        with monkeypatch.context() as patch:
            patch.setattr(asked.service.preparation, "missing", missing)
            assert asked.get(ALL)["games"][0]["positions"] == [] and needed == ["random"]
        assert len(drawn(asked)["games"][0]["positions"]) == 2
