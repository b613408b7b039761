"""Every recorded game of the course's own code, replayed to the last field."""

import gzip
import json
import math
from pathlib import Path

import pytest

from helpers.reference_tron41 import STEPS
from saddlepoint.game.base import CHANCE, TERMINAL
from saddlepoint.games.tron41 import ACTIONS, MAPS, Tron41

pytestmark = pytest.mark.compiles_long

with gzip.open(Path(__file__).parents[2] / "data" / "tron41_traces.jsonl.gz", "rt") as lines:
    GAMES = [json.loads(line) for line in lines]


def map_of(record):
    return "empty_room_13" if (record["map"], record["rules"]) == ("empty_room", "2021") else record["map"]


def check_position(game, state, recorded):
    """A position is as the course's code reports it."""
    mover, over = state.turn, recorded.get("term", False)
    assert game.field(state) == recorded["board"]
    assert [game.position(state, p) for p in (0, 1)] == [place and tuple(place) for place in recorded["locs"]]
    assert mover == recorded["ptm"]
    assert [[state.armor0, state.speed0], [state.armor1, state.speed1]] == recorded["pw"]
    assert game.current_player(state) == (TERMINAL if over else mover)
    if over:
        assert recorded["safe"] is None
        assert recorded["eval"] == [(1 + game.returns(state)) / 2, (1 - game.returns(state)) / 2]
        return
    safe, shield = (
        {ACTIONS[action] for action in game.safe_actions(state, mover, armor)} for armor in (False, True)
    )
    assert safe == set(recorded["safe"])
    assert shield == set(recorded.get("safe_shield", shield))
    expected = shield if recorded["pw"][mover][0] else safe
    assert {ACTIONS[action] for action in game.search_actions(state, mover)} == (expected or {"U"})


def follow_trap(game, state, trap):
    """The position after chance's recorded answer; what it could choose from must be the recorded cells."""
    placed, candidates = ([tuple(cell) for cell in trap[key]] for key in ("placed", "cand"))
    if len(candidates) <= 3:  # nothing was left to chance
        assert game.current_player(state) != CHANCE
        assert all(game.field(state)[row][column] == "x" for row, column in placed)
        return state
    assert game.position(state, state.trapped) == tuple(trap["target"])
    assert game.trap_candidates(state) == sorted(candidates)
    assert game.trap_choices(state) == math.comb(len(candidates), 3)
    return game.next_state(state, game.trap_outcome(state, placed))


def replay(record):
    game = Tron41(map_of(record))
    start = record["start"]
    armor, speed = zip(*start["pw"], strict=True)
    state = game.from_field(start["board"], start["ptm"], armor, speed)
    check_position(game, state, start)
    assert record["first"] == start["ptm"]
    for letter, step in zip(record["actions"], record["steps"], strict=True):
        assert letter == step["a"]
        assert state.turn == step["p"]
        row, column = game.position(state, state.turn)
        down, right = STEPS[letter]
        assert game.field(state)[row + down][column + right] == step["cell"]
        state = game.next_state(state, game.string_to_action(state, state.turn, letter))
        if "trap" in step:
            state = follow_trap(game, state, step["trap"])
        check_position(game, state, step)
    assert game.current_player(state) == TERMINAL
    assert record["winner"] == (0 if game.returns(state) > 0 else 1)
    return state


@pytest.mark.parametrize(
    "name", [MAPS[0], *(pytest.param(name, marks=pytest.mark.slow) for name in MAPS[1:])]
)
def test_recorded_games_come_out_as_recorded(name):
    """Positions, turn order, power-ups, safe actions, traps and results on every map that was recorded."""
    records = [record for record in GAMES if map_of(record) == name]
    assert records
    for record in records:
        replay(record)


@pytest.mark.plain
def test_some_recorded_games_without_compilation():
    """One game with each power-up, and one in which armor was used."""
    for mark in "*^!@":
        replay(next(r for r in GAMES if mark in {s["cell"] for s in r["steps"]} and len(r["steps"]) < 40))
    replay(
        next(
            r
            for r in GAMES
            if any(s["cell"] == "x" and not s["term"] for s in r["steps"]) and len(r["steps"]) < 40
        )
    )
