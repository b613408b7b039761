"""Whatever is asked, the answer is an answer or one sentence."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from hypothesis import given, settings, strategies as st

from helpers.sizes import scaled
from helpers.small_games import NamesThatFail, Unshowable
from helpers.web_client import GOOFSPIEL, RIDERS, Client, client
from saddlepoint.games.catalogue.games import GAMES
from saddlepoint.games.tic_tac_toe import TicTacToe

PATHS = (
    "/api/new",
    "/api/middle",
    "/api/positions",
    "/api/chance",
    "/api/answer",
    "/api/from-text",
    "/api/line",
    "/api/export",
)
NAMES = (
    "game",
    "start",
    "moves",
    "seed",
    "from",
    "player",
    "by",
    "seconds",
    "nodes",
    "level",
    "text",
    "players",
    "values",
    "resigned",
)

anything = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=30)
    | st.sampled_from(
        [
            GOOFSPIEL,
            RIDERS,
            "goofspiel(cards=0)",
            "random",
            "1,1",
            "x,y",
            2**70,
            -1,
            [[0, -1]],
            [[0, 0]],
            [[1, 1], [2, 2]],
            "gentle",
        ]
    ),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
bodies = st.dictionaries(st.sampled_from(NAMES), anything, max_size=8) | st.fixed_dictionaries(
    {
        "game": st.sampled_from([GOOFSPIEL, RIDERS]),
        "moves": st.lists(st.lists(st.integers(-2, 5), min_size=2, max_size=2), max_size=5),
    },
    optional={
        name: anything for name in NAMES if name not in ("game", "moves", "seconds", "nodes", "by", "level")
    },
)


def check(response):
    if response.status_code not in (200, 202):
        assert 400 <= response.status_code < 500, response.text
        Client.sentence(response, response.status_code)


@settings(max_examples=scaled(200, 40))
@given(st.sampled_from(PATHS), bodies)
def test_any_json(asked, path, body):
    try:
        text = json.dumps(body)
    except ValueError:
        return
    check(
        asked.http.post(
            path, content=text.encode("utf-8", "surrogatepass"), headers={"content-type": "application/json"}
        )
    )


@settings(max_examples=scaled(100))
@given(st.sampled_from(PATHS), st.binary(max_size=300))
def test_any_bytes(asked, path, body):
    response = asked.http.post(path, content=body, headers={"content-type": "application/json"})
    check(response)
    assert response.status_code != 200


@settings(max_examples=scaled(60))
@given(st.sampled_from(PATHS[:4]), st.text(max_size=60))
def test_any_game(asked, path, text):
    check(asked.http.post(path, json={"game": text, "by": text, "player": 0}))
    check(asked.http.post(path, json={"game": f"light_riders({text})", "by": f"best({text})", "player": 0}))


def test_the_catalogue(asked):
    told = asked.get("/api/catalogue")
    assert [game["name"] for game in told["games"]] == list(GAMES)
    assert set(told) == {"games", "ledgers", "replays", "fits", "limits", "shown"}
    for game in told["games"]:
        assert set(game) == {
            "spec",
            "name",
            "title",
            "summary",
            "own",
            "turn_based",
            "has_chance",
            "parameters",
            "players",
            "levels",
            "algorithms",
            "group",
            "rules",
            "evaluators",
            "overlays",
        }
        assert 3 <= len(game["rules"]) <= 5
        assert game["players"][0]["spec"] == "best" and game["players"][-1]["spec"] == "random"
        assert "asp" not in [player["spec"] for player in game["players"]]
        assert all(
            set(level) in ({"name", "spec", "nodes"}, {"name", "spec", "seconds"}) for level in game["levels"]
        )
        assert game["algorithms"] and "constant" in [one["spec"] for one in game["evaluators"]]


@dataclass(frozen=True)
class Documented(TicTacToe):
    """Crosses and noughts,
    in turn.

    Three in a row win.
    """

    how_to_play: ClassVar[Sequence[str]] = ()


@dataclass(frozen=True)
class InOneLine(TicTacToe):
    how_to_play: ClassVar[Sequence[str]] = "Three in a row win."


def test_rules_of_a_game_of_ones_own_are_its_lines_or_its_docstring():
    with client(games={"one": Documented(), "two": InOneLine()}) as asked:
        rules = {game["spec"]: game["rules"] for game in asked.get("/api/catalogue")["games"]}
    assert rules["one"] == ["Crosses and noughts, in turn.", "Three in a row win."]
    assert rules["two"] == ["Three in a row win."]


def test_a_rule_that_fails_is_told_in_one_sentence_with_its_line_and_hides_no_other_game():
    with client(games={"one": Unshowable(), "two": NamesThatFail()}) as asked:
        for game, error in (("one", "RuntimeError"), ("two", "IndexError")):
            told = asked.refused("/api/new", {"game": game}, 422)
            assert f"{error} (small_games.py, line " in told
            assert "secret" not in told
        assert asked.told("/api/new", {"game": GOOFSPIEL})
