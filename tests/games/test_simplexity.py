"""Simplexity against its original engine's recorded games, and against rules over lists of cells."""

import gzip
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from games.reference_simplexity import Board, perft as reference_perft
from saddlepoint.compiled import PLAIN_PYTHON, jit, run
from saddlepoint.game import TERMINAL, GameError, IllegalActionError
from saddlepoint.games.catalogue import make_game
from saddlepoint.games.simplexity import Simplexity
from saddlepoint.testing import check_game

DATA = Path(__file__).parents[1] / "data"
RESULTS = {"White": 1.0, "Red": -1.0, "Draw": 0.0}


def recorded():
    with gzip.open(DATA / "simplexity_traces.jsonl.gz", "rt") as lines:
        return [json.loads(line) for line in lines]


def recorded_sizes():
    return sorted({tuple(game["config"].values()) for game in recorded()})


# --- the original engine ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", recorded_sizes(), ids=str)
def test_every_recorded_game_comes_out_as_recorded(size):
    game = Simplexity(*size)
    for record in recorded():
        if tuple(record["config"].values()) != size:
            continue
        state, played = game.initial_state(), []
        probes = {probe["ply"]: [] for probe in record["probes"]}
        for probe in record["probes"]:
            probes[probe["ply"]].append(probe)
        for ply, after in enumerate(record["after"]):
            check_position(game, state, after)
            for probe in probes.get(ply, ()):
                check_probe(game, state, probe)
            if ply < len(record["moves"]):
                column, shape, row = record["moves"][ply]
                played.append(game.string_to_action(state, state.moves & 1, f"{column}{shape}"))
                follower = game.next_state(state, played[-1])
                assert game.to_text(follower).split("/")[row][column] != "."
                assert game.to_text(state).split("/")[row][column] == "."
                state = follower
        assert game.returns(state) == RESULTS[record["result"]]
        assert game.after(game.moves_to_text(played)) == state


def check_position(game, state, after):
    assert game.to_text(state) == after["b"]
    assert game.from_text(after["b"]) == state
    assert list(game.supplies(state)) == after["n"]
    assert game.full_columns(state) == after["full"]
    assert "WR"[state.moves & 1] == after["t"]
    over = after["win"] != "None"
    assert game.current_player(state) == (TERMINAL if over else state.moves & 1)
    if over:
        assert game.returns(state) == RESULTS[after["win"]]
    assert game.winning_line(state) == [tuple(cell) for cell in after.get("sol", ())]


def check_probe(game, state, probe):
    column, shape = probe["try"]
    player = state.moves & 1
    if isinstance(probe["result"], int):
        follower = game.next_state(state, game.string_to_action(state, player, f"{column}{shape}"))
        assert game.to_text(follower).split("/")[probe["result"]][column] == ("wr", "WR")[shape == "s"][player]
        return
    assert game.why_illegal(state, column, "rs".index(shape)) == probe["result"]
    with pytest.raises(IllegalActionError):
        game.next_state(state, 2 * column + "rs".index(shape))
    if probe["result"] != "game over" and column >= 0:
        with pytest.raises(IllegalActionError, match=probe["result"]):
            game.string_to_action(state, player, f"{column}{shape}")


def test_the_positions_from_strong_games_can_be_reached():
    game = Simplexity()
    with open(DATA / "simplexity_forced_6x7.jsonl") as lines:
        for record in map(json.loads, lines):
            state = game.after(record["moves"])
            assert game.current_player(state) == record["moves"].count(",") + 1 & 1
            # A forced win in one is what `winning_actions` finds.
            assert bool(winning(game, state, state.moves & 1)) == (record["value"] == 1 and record["plies"] == 1)
