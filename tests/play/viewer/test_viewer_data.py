"""GAME DATA: what the page unpacks is every position of the game; the page of it is one file, in which no text becomes a tag."""

import base64
import copy
import hashlib
import html
import json
import re
from pathlib import Path
from typing import Any

import pytest

from helpers.recorded_games import line_of
from saddlepoint import Game, Goofspiel, LightRiders, RubiksFlip
from saddlepoint.games.catalogue.games import replay_of
from saddlepoint.games.simplexity import Simplexity
from saddlepoint.games.tron41 import Tron41
from saddlepoint.play.replay import to_line
from saddlepoint.play.viewer import game_data, packed, page, pictures

HOSTILE = '</script><script>alert(1)</script><img src=x onerror="alert(2)">'
GAMES: list[Game] = [LightRiders(8, 6), Simplexity(), Tron41("hunger_games"), Goofspiel(4), RubiksFlip()]


def unpacked(deltas: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """As data.js does it."""
    before: dict[str, Any] = {}
    found: list[dict[str, Any]] = []
    for delta in deltas:
        now = {key: before[key] for key in delta.get("same", ())} | {
            key: value for key, value in delta.items() if key != "same"
        }
        for key in ("walls", "marks", "pieces", "trails"):
            if isinstance(now.get(key), dict):
                change, longer = now[key], dict(now[key].get("grow", ()))
                kept = [
                    {**one, "cells": one["cells"] + longer[n]} if n in longer else one
                    for n, one in enumerate(before.get(key, []))
                ]
                now[key] = [
                    one for n, one in enumerate(kept) if n not in change.get("drop", ())
                ] + change.get("add", [])
        before = copy.deepcopy(now)
        found.append(before)
    return found


def whole(picture: Any) -> dict[str, Any]:
    """A picture without its moves, and without its text if it has a board; lists in any order."""
    return _sorted({key: value for key, value in picture.to_json().items() if key not in ("moves", "text")})


def _sorted(picture: dict[str, Any]) -> dict[str, Any]:
    return {
        key: sorted(value, key=repr) if key in ("walls", "marks", "pieces", "trails") else value
        for key, value in picture.items()
    }


@pytest.mark.plain
@pytest.mark.compiles_long
@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_the_changes_between_pictures_give_every_picture_back(game: Game) -> None:
    replay = replay_of(line_of(game))
    states = list(replay.states())
    shown = list(pictures(game, states))
    assert [_sorted(one) for one in unpacked(packed(shown))] == [whole(one) for one in shown]
    data = game_data(game, replay)
    assert [one["picture"] for one in data["positions"]] == packed(shown)
    texts: list[list[str]] = []
    for one in data["positions"]:
        text = one["text"]
        old = texts[-1] if texts else []
        texts.append(
            text.split("\n")
            if isinstance(text, str)
            else [text[1].get(str(n)) or old[n] for n in range(text[0])]
        )
    assert ["\n".join(text) for text in texts] == [game.to_text(state) for state in states]
    again = [game.from_text(data["start"])]
    for actions in data["actions"]:
        joint = [actions[0]] if game.current_player(again[-1]) == -1 else [a for a in actions if a >= 0]
        again.append(game.next_state(again[-1], *joint))
    assert again == states
    assert data["positions"][0].get("names") is None
    assert all(("names" in one) != ("chance" in one) for one in data["positions"][1:])


def test_a_position_has_the_value_that_the_searches_there_saw_and_the_last_one_the_result() -> None:
    game = LightRiders(8, 6)
    line = line_of(game)
    count = len(line["moves"])
    line["searches"] = [
        [{"seconds": 0.1, "depth": 4, "nodes": 10, "value": 0.5}] + [None] * (count - 1),
        [{"seconds": 0.1, "depth": 6, "nodes": 20, "value": 0.1}] + [None] * (count - 1),
    ]
    data = game_data(game, replay_of(line))
    first = data["positions"][0]
    assert (first["value"], first["depth"], first["nodes"]) == (pytest.approx(0.3), 6, 30)
    assert data["positions"][-1]["value"] == line["result"]
    assert "value" not in data["positions"][1]


def test_a_long_game_is_not_told_over_and_over() -> None:
    """A step of a game with trails costs some hundred bytes, however long the trails are."""
    game = LightRiders(32, 32)
    state, states = game.initial_state(x=8, y=30), []
    for step in range(120):  # side by side, up and down in columns of their own
        states.append(state)
        state = game.next_state(state, *([0, 0] if step < 30 else [1, 3] if step == 30 else [2, 2]))
        if state.alive != 3:
            break
    told = packed(pictures(game, states))
    assert max(len(json.dumps(one)) for one in told[2:]) < 400


# -- the page of it: its own script alone runs, nothing is asked of a network ----------------------------------------------


@pytest.fixture(scope="module")
def line() -> dict[str, Any]:
    return line_of(LightRiders(6, 6))


def test_its_own_script_runs_and_no_other(line: dict[str, Any]) -> None:
    text = page(
        game_data(LightRiders(6, 6), replay_of(line | {"players": [HOSTILE, "b"], "reason": HOSTILE}))
    )
    scripts = re.findall(r"<script([^>]*)>(.*?)</script>", text, re.DOTALL)
    assert [attributes for attributes, _ in scripts] == [' type="application/json" id="data"', ""]
    digest = base64.b64encode(hashlib.sha256(scripts[1][1].encode()).digest()).decode()
    assert f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'" in text
    assert json.loads(scripts[0][1])["players"] == [HOSTILE, "b"]
    assert "<img" not in text
    assert html.escape(HOSTILE) in text
    assert not re.search(r"https?:|fetch\(|XMLHttp|import\(|@import|url\((?!#)", text)


def test_its_heading_is_the_games_title_and_it_says_why_the_game_is_over(line: dict[str, Any]) -> None:
    data = game_data(LightRiders(6, 6), replay_of(line | {"players": ["Ann", "Ann"]}))
    text = page(data)
    assert "<h1>Light Riders (width=6, height=6)</h1>" in text
    assert "<title>Ann against Ann: Light Riders (width=6, height=6)</title>" in text
    assert data["why"]
    assert all(re.match(r"Ann \([01]\) .*\.$", sentence) for sentence in data["why"])


def test_a_page_is_small(line: dict[str, Any]) -> None:
    assert len(page(game_data(LightRiders(6, 6), replay_of(line)))) < 80_000


@pytest.mark.usefixtures("here")
def test_show_writes_the_page(line: dict[str, Any], cli: Any) -> None:
    Path("game.jsonl").write_text(to_line(line) + "\n")
    expected = page(game_data(LightRiders(6, 6), replay_of(line)))
    show = ("show", "game.jsonl", "-o")
    assert cli(*show, "game.html") == (0, f"game.html: {len(line['moves'])} rounds\n", "")
    assert Path("game.html").read_text(encoding="utf-8") == expected
    assert cli(*show, "-") == (0, expected, "")
    assert cli.data(*show, "game.html")["game"] == "light_riders"


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["-o", "."], "is a folder"),
        (["-o", "nowhere/game.html"], "does not exist"),
        (["-o", "game.html", "--step", "0"], "leave --step and --turn out"),
        (["-o", "-", "--json"], "both --json and -o -"),
    ],
)
@pytest.mark.usefixtures("here")
def test_show_says_what_it_cannot_write(
    line: dict[str, Any], cli: Any, arguments: list[str], problem: str
) -> None:
    Path("game.jsonl").write_text(to_line(line) + "\n")
    code, out, err = cli("show", "game.jsonl", *arguments)
    assert (code, out) == (2, "")
    assert problem in err
    assert not Path("game.html").exists()
