"""GAME DATA: what the page unpacks is every position of the game."""

import copy
import json
from typing import Any

import pytest

from helpers.recorded_games import line_of
from saddlepoint import Game, Goofspiel, LightRiders, RubiksFlip
from saddlepoint.games.catalogue.games import replay_of
from saddlepoint.games.simplexity import Simplexity
from saddlepoint.games.tron41 import Tron41
from saddlepoint.play.viewer import game_data, packed, pictures

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
