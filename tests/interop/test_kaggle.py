"""A seat in `kaggle_environments`: what its release 1.33.2 shows an agent, recorded, is understood, and answered with a legal action."""

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from saddlepoint.game.base import CHANCE, TERMINAL, GameError
from saddlepoint.games.catalogue.games import read_replay
from saddlepoint.interop.kaggle import agent_of, position_shown

FILES = Path(__file__).parents[1] / "data/kaggle"
WHOLE = (
    "connectx",
    "connect_four",
    "tic_tac_toe",
    "goofspiel_points",
    "goofspiel_difference",
    "goofspiel_random",
    "oshi_zumo",
    "soccer",
    "othello",
)


def episode(name: str) -> dict[str, Any]:
    return json.loads(gzip.decompress((FILES / f"{name}.json.gz").read_bytes()))


def asked(name: str) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """What agents were shown whose turn it was: observation and configuration."""
    data = episode(name)
    for step in data["steps"]:
        for agent in step:
            if agent["status"] == "ACTIVE":
                yield {**step[0]["observation"], **agent["observation"]}, data["configuration"]


@pytest.mark.parametrize("name", WHOLE)
def test_a_position_is_the_one_that_was_played(name: str, tmp_path: Path) -> None:
    file = tmp_path / "episode.json"
    file.write_bytes(gzip.decompress((FILES / f"{name}.json.gz").read_bytes()) + b"\n")
    replay = read_replay(file)
    game, played = replay.make_game(), list(replay.states())
    shown = [
        position_shown(observation, settings)
        for observation, settings in asked(name)
        if name == "connectx" or observation.get("serializedGameAndState")
    ]
    assert len(shown) >= 3
    for there in shown:
        if name == "soccer" and there.game.current_player(there.state) == TERMINAL:
            continue  # there it goes on for a round in which nobody can score
        assert there.game == game
        assert there.state in played
        assert there.player in game.players_to_act(there.state)
    choices = [state for state in played if game.players_to_act(state)]
    missing = [state for state in choices if state not in [there.state for there in shown]]
    assert all(
        len(game.legal_actions(state, player)) == 1
        for state in missing
        for player in game.players_to_act(state)
    )


@pytest.mark.parametrize("name", WHOLE)
def test_an_answer_is_a_legal_action_by_its_number_there(name: str) -> None:
    agent = agent_of("random")
    for observation, settings in asked(name):
        answer = agent(observation, settings)
        if name != "connectx" and not observation.get("serializedGameAndState"):
            assert answer == {"submission": -1}  # the first step asks for nothing
            continue
        there = position_shown(observation, settings)
        if name == "soccer" and there.game.current_player(there.state) == TERMINAL:
            assert answer == {"submission": 0}
            continue
        number = answer if name == "connectx" else answer["submission"]
        assert there.kind.action(number) in there.game.legal_actions(there.state, there.player)
        assert there.game.current_player(there.state) != CHANCE


@pytest.mark.parametrize(
    ("above", "below", "mark"),
    [([2, 0, 0, 0, 0, 0, 0], [1, 1, 1, 0, 2, 2, 0], 1), ([2, 2, 0, 0, 0, 0, 0], [1, 1, 1, 0, 2, 0, 1], 2)],
)
def test_the_player_is_the_one_that_was_asked_for(above: list[int], below: list[int], mark: int) -> None:
    observation = {"board": [0] * 28 + above + below, "mark": mark}
    assert agent_of("pvs", nodes=20_000)(observation, {"columns": 7, "rows": 6, "inarow": 4}) == 3


def position_of(name: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """The first that an agent was shown with a position in it."""
    return next(one for one in asked(name) if one[0].get("serializedGameAndState"))


OTHELLO_OF_6 = (
    position_of("othello")[0],
    position_of("othello")[1] | {"openSpielGameString": "othello(size=6)"},
)
NARROW = ({"board": [0] * 42, "mark": 1}, {"columns": 7.9, "rows": 6, "inarow": 4})


@pytest.mark.parametrize(
    ("shown", "said"),
    [
        (position_of("hex"), "open_spiel_hex is not played here"),
        (
            position_of("goofspiel_hidden"),
            "this variant is not played here: imp_info=True hides the bids",
        ),
        (
            OTHELLO_OF_6,
            "this variant is not played here: nothing is known here of the parameter 'size'",
        ),
        (NARROW, r"this variant is not played here: columns must be a whole number, not '7\.9'"),
        (({"step": 0}, {"episodeSteps": 10}), "no game that is played here"),
    ],
    ids=["hex", "hidden bids", "a smaller board", "a width that is none", "nothing known"],
)
def test_other_environments_and_variants_are_refused_in_a_sentence(shown: Any, said: str) -> None:
    with pytest.raises(GameError, match=said):
        agent_of("random")(*shown)


@pytest.mark.parametrize(
    "state", ["", "history=0:x", "nonsense", "history=0:1,1:99", "1\n2\n3\n99999999999999999999"]
)
def test_a_state_that_is_spoilt_is_refused_in_a_sentence(state: str) -> None:
    observation, settings = position_of("oshi_zumo")
    told = {**observation, "serializedGameAndState": f"[Game]\n[State]\n{state}"}
    if state == "":
        assert agent_of("random")(told, settings)["submission"] >= 0  # the start
        return
    with pytest.raises(GameError):
        agent_of("random")(told, settings)
