"""The page without a server, from a plain file server and in a real browser: it answers as the server does, and plays every game."""

import json
from pathlib import Path
from typing import Any

import pytest

from helpers.page_server import GAMES, MARGINS, OWN, random_moves
from helpers.sizes import scaled
from helpers.tables import by_keyboard, by_mouse, is_over, play_on, status, table
from helpers.web_client import client
from saddlepoint.cli.common import read_game
from saddlepoint.web.site import game_files, page_files, single_file
from web.conftest import Visits

pytestmark = pytest.mark.export

_ASK = """async ([path, body]) => {
  const { post } = await import("./static/api.js");
  try { return [200, await post(path, body)]; } catch (error) { return [error.status ?? 0, error.message]; }
}"""
_ANALYSE = """async (message) => {
  const { analysisChannel } = await import("./static/api.js"), heard = [];
  return new Promise((resolve) => {
    const channel = analysisChannel({
      onOpen: () => channel.send({ id: 1, do: "analyse", ...message }), onAway() {},
      onMessage: (told) => { heard.push(told); if (["done", "error"].includes(told.kind)) { resolve(heard); channel.close(); } },
    });
  });
}"""


@pytest.fixture
def page(site: str, visit: Visits) -> Any:
    """The page without a server."""
    return visit(site)


def asked(page: Any, path: str, **body: Any) -> Any:
    """What the page without a server answers."""
    status_, told = page.evaluate(_ASK, [path, body])
    assert status_ == 200, told
    return told


def last_position(page: Any, text: str, moves: list[list[int]]) -> dict[str, Any]:
    """The position after these moves."""
    told = asked(page, "/api/positions", game=text, start=None, moves=moves, **{"from": len(moves)})
    return dict(told["positions"][0])


@pytest.mark.parametrize("text", GAMES)
def test_it_tells_what_the_server_tells(page: Any, text: str) -> None:
    with client() as server:
        new = server.told("/api/new", {"game": text})
        assert asked(page, "/api/new", game=text) == new
        for seed in range(scaled(8, 2)):
            moves = random_moves(text, seed)
            told = {"game": new["game"], "start": new["start"], "moves": moves}
            more = {"from": 0, "players": ["You", "Club"]}
            assert asked(page, "/api/positions", **told, **more) == server.told("/api/positions", told | more)
            branches = [[at, *joint] for at, joint in enumerate(moves)][:20]
            assert asked(page, "/api/branches", **told, branches=branches) == server.told(
                "/api/branches", told | {"branches": branches}
            )
            for more in (
                {},
                {"moves": moves[:-1]},
                {"moves": moves[:-1], "resigned": seed % 2},
                {"since": 1, "former": ["Ann", "Bob"]},
                {"since": len(moves) + 3},
            ):
                body = told | {"players": ["You", "Club"]} | more
                lines = [
                    json.loads(one)
                    for one in (page.evaluate(_LINE, body), server.http.post("/api/line", json=body).text)
                ]
                assert lines[0] == lines[1]
        assert asked(page, "/api/middle", game=text) == server.told("/api/middle", {"game": text})


_LINE = """async (body) => (await import("./static/api.js")).post("/api/line", body, { kind: "text" })"""


THREE = [text for text in GAMES if text.startswith(("goofspiel", "connect_four", "light_riders"))]


@pytest.mark.parametrize(
    ("text", "second", "move"),
    [
        *((text, "by:random", by_mouse) for text in (*GAMES, "undercut")),
        *((text, "level:club", by_keyboard) for text in THREE),
    ],
)
def test_every_game_is_played_to_its_end(site: str, visit: Visits, text: str, second: str, move: Any) -> None:
    page = visit(table(site, text, second=second))
    play_on(page, move)
    assert is_over(page)
    assert status(page) in ("You won", "You lost", "A draw")


@pytest.mark.parametrize("text", GAMES)
def test_best_answers_and_the_analysis_tells_values(page: Any, text: str) -> None:
    moves: list[list[int]] = []
    while (position := last_position(page, text, moves))["node"] == "chance":
        moves.append([asked(page, "/api/chance", game=text, start=None, moves=moves)["outcome"], -1])
    for player in position["to_act"]:
        answer = asked(
            page, "/api/answer", game=text, start=None, moves=moves, player=player, level="best", nodes=2000
        )
        assert answer["action"] in [
            move["action"] for move in position["picture"]["moves"] if move["player"] == player
        ]
        assert answer["name"]
    heard = page.evaluate(
        _ANALYSE, {"game": text, "start": None, "moves": moves, "seconds": 1, "alternatives": True}
    )
    assert heard[-1]["kind"] == "done"
    last = {one["kind"]: one for one in heard}
    low, high = asked(page, "/api/positions", game=text, start=None, moves=moves)["range"]
    for kind in ("search", "alternatives"):
        assert low - 1e-6 <= last[kind]["value"] <= high + 1e-6
    if position["node"] == "simultaneous":
        for player, side in enumerate(("rows", "columns")):
            legal = {move["action"] for move in position["picture"]["moves"] if move["player"] == player}
            assert {action for action, _ in last["alternatives"][side]} <= legal
        assert all(sum(mixture) == pytest.approx(1) for mixture in last["alternatives"]["mixtures"])


def test_a_discounted_value_is_not_told_as_exact(page: Any) -> None:
    """The search of turns discounts results a little, so that shorter ways to win are better: a margin comes out a hair too small."""
    about = {"game": MARGINS, "start": None, "moves": [], "seconds": 3, "alternatives": True}
    for one in page.evaluate(_ANALYSE, about):
        if one.get("exact") is True:
            assert one["value"] == round(one["value"])


def test_levels_say_what_they_are(site: str, visit: Visits) -> None:
    catalogue = visit(site).evaluate("""async () => (await import("./static/api.js")).catalogue()""")
    levels = {one["name"]: [level["spec"] for level in one["levels"]] for one in catalogue["games"]}
    assert levels["connect_four"] == ["pvs(depth=1)", "pvs(depth=2)", "pvs", "best"]
    assert levels["simplexity"][0] == "pvs(depth=1)"


def test_a_player_is_asked_for_by_its_name(page: Any) -> None:
    text = next(one for one in GAMES if one.startswith("light_riders"))
    told = asked(page, "/api/answer", game=text, start=None, moves=[], player=0, by="best", nodes=3000)
    assert told["nodes"] > 300 or told["depth"] > 8


def test_what_is_proven_is_what_the_program_proves(page: Any) -> None:
    heard = page.evaluate(
        _ANALYSE, {"game": "biased_rps", "start": None, "moves": [], "seconds": 5, "alternatives": True}
    )
    told = {one["kind"]: one for one in heard}
    assert told["search"]["exact"]
    assert told["search"]["value"] == pytest.approx(0, abs=1e-9)
    assert told["alternatives"]["proven"]
    assert {name: share for _, name, share in told["search"]["strategies"][0]} == pytest.approx(
        {"rock": 1 / 16, "paper": 10 / 16, "scissors": 5 / 16}, abs=1e-9
    )


def test_a_stopped_analysis_says_so(page: Any) -> None:
    waited = page.evaluate("""async () => {
      const { analysisChannel } = await import("./static/api.js");
      return new Promise((resolve) => {
        let begun = 0;
        const channel = analysisChannel({
          onOpen: () => channel.send({ id: 1, do: "analyse", game: "rubiks_flip", start: null, moves: [], seconds: 30 }), onAway() {},
          onMessage: (told) => {
            if (told.kind === "search" && !begun) { begun = performance.now(); channel.send({ id: 1, do: "stop" }); }
            if (told.kind === "done") { resolve([told.reason, performance.now() - begun]); channel.close(); }
          },
        });
      });
    }""")
    assert waited[0] == "stopped"


@pytest.mark.parametrize("text", ["", "x", "[[[[", "1 2 3", "-" * 30_000, "\x00", "xo./.../.", '{"a": 1}'])
def test_text_that_is_no_position_is_refused_in_a_sentence(page: Any, text: str) -> None:
    for game in ("tic_tac_toe", GAMES[0], GAMES[3]):
        status_, told = page.evaluate(_ASK, ["/api/from-text", {"game": game, "text": text}])
        assert status_ == 400
        assert told.startswith(("this is no position of ", "a position has "))
        assert "\n" not in told


_GAME = {
    "format": "saddlepoint-game",
    "game": "chess",
    "moves": [],
    "opening": "",
    "players": ["a", "b"],
    "result": None,
}
BAD_FILES = [
    "",
    "nothing",
    "[]",
    "null",
    *(
        json.dumps(_GAME | wrong)
        for wrong in (
            {},
            {"moves": "abc"},
            {"moves": {}},
            {"moves": [None]},
            {"moves": [[{"toString": 1}, "x"]]},
            {"players": "ab"},
            {"players": [1, 2]},
            {"faults": {}},
            {"faults": [{"text": []}, None]},
            {"result": "won"},
            {"opening": 3},
            {"game": {"a": 1}},
            {"seed": [1]},
            {"since": -1},
            {"since": 1},
            {"former": "ab"},
            {"moves": [["a", "b"]] * 5000},
            {"format": "other"},
        )
    ),
]


@pytest.mark.parametrize("line", BAD_FILES)
def test_a_file_that_is_no_game_is_refused_in_a_sentence(site: str, visit: Visits, line: str) -> None:
    _, told = visit(site).evaluate(_ASK, ["/api/replay?number=1", line])
    assert told.startswith(("the file holds no game", "no game here is called"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            '{"name": "open_spiel_goofspiel", "specification": {}, "steps": []}\n',
            "this file is of another program",
        ),
        ('{"ruleset": {"name": "standard"}}\n{"board": {}}\n', "this file is of another program"),
        (
            " " * 4_000_001,
            "a file of games has 4,000,000 characters at most: saddlepoint serve FILE shows a longer one",
        ),
    ],
)
def test_a_file_that_only_the_program_reads_is_refused_with_the_way_out(
    site: str, visit: Visits, text: str, said: str
) -> None:
    _, told = visit(site).evaluate(_ASK, ["/api/replay?number=1", text])
    assert said in told
    assert "saddlepoint serve FILE shows" in told


def test_a_saved_game_is_shown_again(page: Any) -> None:
    for text in GAMES:
        moves = random_moves(text, 3)
        told = {"game": text, "start": None, "moves": moves[:-1], "resigned": 1}
        line = page.evaluate(_LINE, {**told, "since": 1, "former": ["Ann", "Bob"]})
        _, shown = page.evaluate(_ASK, ["/api/replay?number=1", line])
        hands = (shown.get("since"), shown.get("former"), shown["resigned"])
        assert hands == ((1, ["Ann", "Bob"], 1) if len(moves) > 1 else (None, None, 1))
        line = page.evaluate(_LINE, {"game": text, "start": None, "moves": moves})
        _, shown = page.evaluate(_ASK, ["/api/replay?number=1", line])
        assert shown["actions"] == moves and shown["resigned"] is None and "since" not in shown
        assert len(shown["positions"]) == len(moves) + 1


def test_two_levels_play_against_each_other(site: str, visit: Visits) -> None:
    page = visit(table(site, "tic_tac_toe", first="level:best", second="level:club", view="watch"))
    page.get_by_label("Speed").select_option("0")
    page.get_by_role("button", name="Replay", exact=True).wait_for()
    assert status(page) in ("A draw", "Strongest won")


@pytest.mark.usefixtures("linker")
def test_one_file_works_from_disk(visit: Visits, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_bytes(single_file(page_files([game_files(GAMES[3], read_game(GAMES[3]))], "goofspiel")))
    page = visit(
        table(path.as_uri().removesuffix("/"), GAMES[3], second="level:club").replace(
            "page.html/#", "page.html#"
        )
    )
    play_on(page, by_mouse)
    assert is_over(page)
    page.get_by_role("button", name="Analyse").first.click()
    page.get_by_text("Solved: the value is exact").or_(page.get_by_text("The game is over")).first.wait_for()


def test_nothing_of_the_machine_is_in_its_files(site: str, tmp_path: Path) -> None:
    for name, content in page_files([game_files(OWN, read_game(OWN))], "").items():
        assert b"site-packages" not in content, name
        assert str(Path.home()).encode() not in content, name
        assert str(Path(OWN.partition(":")[0]).parent).encode() not in content, name
