"""Replays: files of the command line, files that are dropped on the page, and games that were played on it."""

import json

import pytest
from hypothesis import given, settings, strategies as st

from helpers.sizes import scaled
from helpers.web_client import GOOFSPIEL, RIDERS, client
from saddlepoint.games.catalogue.games import read_replay, replay_of
from saddlepoint.play.reading import ReplayFormat
from saddlepoint.play.replay import finished

HEAD_ON = {"game": RIDERS, "start": None, "moves": [[0, 0], [1, 3]]}
"""Both riders start side by side here, and run into each other."""


SAVED = [("g1,(1.1)", "g1,(1.1)"), (None, None), (["g1"], '["g1"]'), ("x" * 300_000, "x" * 200_001)]
"""Variations of a file, and what is told of them: what cannot be read, or is too long, is left to the page, which says so."""


def whole(asked):
    """A game that is over."""
    return {
        "game": RIDERS,
        "start": asked.told("/api/new", {"game": RIDERS, "start": "1,2"})["start"],
        "moves": [[0, 0], [0, 1], [0, 1]],
    }


def line(asked, **more):
    response = asked.post("/api/line", whole(asked) | more)
    assert response.status_code == 200, response.text
    return response.text


def test_a_line_is_a_replay(asked, tmp_path):
    (tmp_path / "game.jsonl").write_text(line(asked, players=["you", "best"], seed=7))
    replay = read_replay(tmp_path / "game.jsonl")
    assert (replay.players, len(replay.rounds), replay.seed, replay.result) == (("you", "best"), 3, 7, 0)
    assert "attachment" in asked.post("/api/line", whole(asked)).headers["content-disposition"]


def test_a_game_that_goes_on_is_saved_without_a_result(asked, tmp_path):
    unfinished = whole(asked) | {"moves": [[0, 0]]}
    (tmp_path / "game.jsonl").write_text(asked.post("/api/line", unfinished).text)
    replay = read_replay(tmp_path / "game.jsonl")
    assert (replay.result, replay.reason, len(replay.rounds)) == (None, "the game is not over", 1)
    shown = asked.http.post("/api/replay", content=(tmp_path / "game.jsonl").read_text()).json()
    assert (shown["result"], shown["why"], len(shown["positions"])) == (None, [], 2)
    assert '"result":null' in asked.post("/api/export", unfinished).text


def test_a_game_that_was_resigned(asked, tmp_path):
    text, file = line(asked, moves=[[0, 0]], resigned=1), tmp_path / "game.jsonl"
    file.write_text(text)
    replay = read_replay(file)
    reviewed = finished(replay)
    assert (replay.result, reviewed.given_up, reviewed.faults) == (1, True, ("", "")), (
        "its moves are to blame"
    )
    assert '"kind":"resigned"' in text
    file.write_text(text.replace('"kind":"resigned"', '"kind":"error"'))
    assert finished(read_replay(file)).faults[1], "what a bot writes makes no fault a resignation"


def test_a_dropped_file_is_shown(asked):
    text = line(asked)
    data = asked.http.post("/api/replay", content=text).json()
    assert (data["game"], len(data["positions"]), data["actions"]) == (RIDERS, 4, [[0, 0], [0, 1], [0, 1]])
    assert asked.http.post("/api/replay?number=2", content=text + line(asked, players=["a", "b"])).json()[
        "players"
    ] == ["a", "b"]
    asked.sentence(asked.http.post("/api/replay?number=3", content=text), 422)
    asked.sentence(asked.http.post("/api/replay?number=0", content=text), 400)


def test_a_dropped_file_in_a_game_s_own_format_is_shown(asked, monkeypatch):
    """Also one whose first line is no JSON; what a client may not name is refused after it was read."""

    def read(lines):
        return replay_of(json.loads(lines[1]))

    own = ReplayFormat(lambda first: first.startswith(b"riders"), read)
    monkeypatch.setattr("saddlepoint.games.catalogue.games.replay_formats", lambda: (("light_riders", own),))
    text = line(asked)
    data = asked.http.post("/api/replay", content="riders\n" + text).json()
    assert (data["game"], len(data["positions"])) == (RIDERS, 4)
    assert asked.http.post("/api/replay", content=text).json()["game"] == RIDERS
    wide = json.dumps(json.loads(text) | {"parameters": {"width": 10**9}})
    asked.sentence(asked.http.post("/api/replay", content="riders\n" + wide), 422)
    asked.sentence(asked.http.post("/api/replay?number=2", content="riders\n" + text), 422)


def test_files_of_the_command_line(asked, tmp_path):
    (tmp_path / "one.jsonl").write_text(line(asked))
    data = json.loads(line(asked))
    for number, (saved, told) in enumerate(SAVED):
        text = json.dumps(data | {"variations": saved})
        (tmp_path / f"saved{number}.jsonl").write_text(f"{line(asked).strip()}\n{text}\n")
        assert asked.http.post("/api/replay", content=text).json()["variations"] == told
    with client(replays=[str(tmp_path / f"saved{number}.jsonl") for number in range(len(SAVED))]) as asked:
        for number, (_, told) in enumerate(SAVED, 1):
            assert asked.get(f"/api/replays/{number}?number=2")["variations"] == told
            assert asked.get(f"/api/replays/{number}")["variations"] is None
    (tmp_path / "none.jsonl").write_text("nothing")
    with client(
        replays=[str(tmp_path / name) for name in ("one.jsonl", "none.jsonl", "missing.jsonl")]
    ) as asked:
        assert asked.get("/api/catalogue")["replays"][0] == {"id": "1", "name": "one.jsonl"}
        assert len(asked.get("/api/replays/1")["positions"]) == 4
        asked.sentence(asked.http.get("/api/replays/1?number=2"), 422)
        asked.sentence(asked.http.get("/api/replays/2"), 422)
        asked.sentence(asked.http.get("/api/replays/3"), 404)


def test_a_page_of_its_own(asked):
    for body in (
        whole(asked),
        HEAD_ON | {"values": [0.5, None, -1]},
        {"game": GOOFSPIEL, "start": None, "moves": [[0, -1]]},
    ):
        response = asked.post("/api/export", body | {"players": ["<script>alert(1)</script>", "best"]})
        assert response.status_code == 200 and "attachment" in response.headers["content-disposition"]
        assert response.text.startswith("<!") and "<script>alert" not in response.text
    asked.refused("/api/export", HEAD_ON | {"values": ["x"]})
    asked.refused("/api/export", HEAD_ON | {"players": ["a"]})


@pytest.mark.parametrize(
    "changed",
    [
        {"game": "chess"},
        {"game": "tron41", "parameters": {"map": "/etc/passwd"}},
        {"game": "light_riders", "parameters": {"width": 10**9}},
        {"game": 5},
        {"parameters": []},
        {"parameters": {"width": {}}},
        {"opening": "x"},
        {"moves": [["up", "up"]] * 50},
        {"moves": "x"},
        {"result": 1},
        {"players": ["a"]},
        {"version": 99},
        {"format": "other"},
        {"seconds": [["x"], []]},
        {"searches": [[[1]], 3]},
        {"seed": "x" * 99},
    ],
)
def test_spoilt_files(asked, changed):
    refused(asked, json.dumps(json.loads(line(asked)) | changed))


def refused(asked, content):
    response = asked.http.post("/api/replay", content=content)
    assert response.status_code in (400, 422), response.text
    asked.sentence(response, response.status_code)


@settings(max_examples=scaled(40))
@given(
    st.one_of(
        st.binary(max_size=200),
        st.text(max_size=200).map(str.encode),
        st.sampled_from([b"{}", b"[]", b"null", b"\n\n{}", b'{"game":{}}']),
    )
)
def test_anything_else_that_is_dropped(asked, content):
    refused(asked, content)
