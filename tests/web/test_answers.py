"""Players' answers."""

import threading

import pytest

from helpers.web_client import GOOFSPIEL, RIDERS
from saddlepoint.compiled import PLAIN_PYTHON
from saddlepoint.games.catalogue.make import levels_of, make_player
from saddlepoint.players.searching import SearchPlayer
from saddlepoint.web import answers, limits
from saddlepoint.web.answers import ReadyPlayers
from saddlepoint.web.catalogue import KnownGames

CROSS = {"game": RIDERS, "start": None, "moves": []}
BIDS = {"game": GOOFSPIEL, "start": None, "moves": [[0, -1]]}


def test_an_answer_tells_what_the_search_found(asked):
    told = asked.told("/api/answer", BIDS | {"player": 1, "by": "saddle", "nodes": 1000})
    assert set(told) == {"action", "name", "seconds", "value", "depth", "nodes", "strategy", "line"}
    assert told["action"] in (0, 1, 2) and told["depth"] >= 1 and told["nodes"] >= 1
    assert sum(share for _, _, share in told["strategy"]) == pytest.approx(1)


def test_an_answer_of_who_does_not_search(asked):
    told = asked.told("/api/answer", CROSS | {"player": 0, "by": "random", "seconds": 0.1})
    assert (
        told["name"] in ("up", "right", "down", "left") and told["strategy"] is None and told["nodes"] is None
    )


LEVELS = [level.name for level in levels_of(KnownGames().find(GOOFSPIEL).game)]


@pytest.mark.parametrize(
    "level", [LEVELS[0], *(pytest.param(level, marks=pytest.mark.slow) for level in LEVELS[1:-1]), LEVELS[-1]]
)
def test_levels(asked, level):
    assert asked.told("/api/answer", BIDS | {"player": 0, "level": level, "seconds": 0.2})["action"] in (
        0,
        1,
        2,
    )


@pytest.mark.parametrize(
    "changed",
    [
        {"player": 2},
        {"player": None},
        {"player": "0"},
        {"by": None},
        {"by": "cmd:ls"},
        {"by": "human"},
        {"by": "nobody"},
        {"by": 7},
        {"seconds": 0},
        {"seconds": -1},
        {"seconds": 11},
        {"seconds": 1e308},
        {"seconds": "1"},
        {"nodes": 0},
        {"nodes": limits.NODES + 1},
        {"nodes": 1.5},
        {"level": "godlike"},
        {"level": 3},
        {"by": "smab(depth=1, evaluator=lines)"},
        BIDS | {"moves": []},  # chance has the choice
        {"game": "rubiks_flip", "moves": [], "player": 1},
    ],
)
def test_no_answer(asked, changed):
    assert ("no choice" in asked.refused("/api/answer", CROSS | {"player": 0, "by": "random"} | changed)) == (
        "moves" in changed
    )


def test_players_are_kept_and_forgotten(monkeypatch):
    made = []
    monkeypatch.setattr(answers, "make_player", lambda *asked: made.append(asked) or make_player(*asked))
    players, known = ReadyPlayers(), KnownGames().find(GOOFSPIEL)
    state = known.game.next_state(known.game.initial_state(), 0)

    def answered(nodes):
        players.answer(known.game, state, 0, "best", 1.0, nodes)
        return len(made)

    for nodes in range(10, 10 + 2 * limits.PLAYERS):
        answered(nodes)
    assert answered(9 + 2 * limits.PLAYERS) == answered(10 + limits.PLAYERS) == 2 * limits.PLAYERS, (
        "the last ones are there"
    )
    assert answered(10) == 2 * limits.PLAYERS + 1
    players.close()


@pytest.mark.skipif(PLAIN_PYTHON, reason="plain Python does not let go of the interpreter")
@pytest.mark.compiles_long
def test_a_search_ends_with_the_server(monkeypatch):
    searching = threading.Event()
    search = SearchPlayer.search
    monkeypatch.setattr(
        SearchPlayer, "search", lambda *asked, **options: searching.set() or search(*asked, **options)
    )
    players, known = ReadyPlayers(), KnownGames().find("goofspiel(cards=12)")
    state = known.game.next_state(known.game.initial_state(), 0)
    found: list[object] = []
    thread = threading.Thread(
        target=lambda: found.append(players.answer(known.game, state, 0, "best", 10.0, None))
    )
    thread.start()
    assert searching.wait(60)
    players.close()
    thread.join(9)
    assert found, "it would have searched for ten seconds"
