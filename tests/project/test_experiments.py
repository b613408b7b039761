"""The published experiments, each one command: here as small as they were published."""

import importlib.util
import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from helpers.programs import output_of
from helpers.sizes import scaled
from saddlepoint.compiled import run
from saddlepoint.games.rubiks_flip import RubiksFlip

ACE_AND_BOB = Path(__file__).parents[2] / "examples" / "experiments" / "rubiks_flip_ace_bob.py"


@pytest.fixture(scope="module")
def experiment():
    spec = importlib.util.spec_from_file_location("rubiks_flip_ace_bob", ACE_AND_BOB)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
def test_ace_and_bob_beat_a_random_mover_as_a_correct_search_does():
    found = json.loads(output_of(ACE_AND_BOB, "--json"))
    results = {tuple(row["pair"]): row["result"] for row in found["rows"]}
    assert all(sum(result) == 100 for result in results.values())
    # In 100 games a correct search wins at least 89 (Ace) and 90 (Bob) and loses at most 4.
    for player, least in (("ace", 89), ("bob", 90)):
        wins, losses, _ = results[player, "random"]
        assert wins >= least
        assert losses <= 4


@pytest.mark.plain
@pytest.mark.compiles_long
def test_the_random_mover_draws_every_part_of_its_turn_uniformly(experiment):
    # Red may tumble a1 in two ways, c2 in four; 12 squares are left for either face.
    game, draws = RubiksFlip(), scaled(6000)
    state = game.from_text("W.../..W./..../R..R")
    legal, rng, flips = set(game.legal_actions(state, 0)), np.random.default_rng(5), np.empty(64, np.int64)
    tumbles, placed = Counter(), Counter()
    for _ in range(draws):
        action = int(run(experiment.random_turn, game, state, 0, flips, False, rng))
        assert action in legal
        tumble, tile = game.action_to_string(state, 0, action).split()
        tumbles[tumble] += 1
        placed[tile] += 1
    chances = {"a1>b1": 1 / 4, "a1>a2": 1 / 4, **dict.fromkeys(("c2>c1", "c2>d2", "c2>c3", "c2>b2"), 1 / 8)}
    assert set(tumbles) == set(chances)
    for tumble, chance in chances.items():
        assert abs(tumbles[tumble] / draws - chance) < 5 * np.sqrt(chance * (1 - chance) / draws)
    # b3 is free after every tumble.
    for tile in ("b3R", "b3B"):
        assert abs(placed[tile] / draws - 1 / 24) < 5 * np.sqrt(1 / 24 / draws)
