"""The tutorial game: a user's own file gets compiled rules, the cache, and never stale code; the published experiments."""

import importlib.util
import json
import re
import shutil
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from helpers.programs import compiled_files, output_of
from helpers.sizes import scaled
from saddlepoint.compiled import run
from saddlepoint.games.rubiks_flip import RubiksFlip

TUTORIAL = Path(__file__).parents[2] / "examples" / "undercut.py"


def positions(output: str) -> int:
    match = re.search(r"(\d+) positions", output)
    assert match, output
    return int(match[1])


def test_the_tutorial_is_short():
    assert len(TUTORIAL.read_text().splitlines()) < 80


@pytest.mark.slow
def test_tutorial_runs_from_the_cache_the_second_time_and_sees_edits(tmp_path):
    game, cache = tmp_path / "undercut.py", tmp_path / "cache"
    shutil.copy(TUTORIAL, game)
    first = output_of(game, cache=cache)
    # After a round 11 leads are possible: 0 and, for either player, 3, 4, 5, 7 and 9. Each is searched once; positions before
    # the last round are not kept. A symmetric game is worth nothing.
    assert positions(first) == 1 + 25 + 11 * 25 + 11 * 25 * 25
    assert re.search(r"value -?0\.000000", first)
    compiled = compiled_files(cache)
    assert compiled
    assert output_of(game, cache=cache) == first
    assert compiled_files(cache) == compiled, "the second run must find everything on disk"

    source = game.read_text()
    edited = source.replace("rounds: int = 3", "rounds: int = 2")
    assert edited != source
    game.write_text(edited)
    assert positions(output_of(game, cache=cache)) == 1 + 25 + 625

    # No parameter changes, only the body of a rule: a draw counts for player 0 now.
    edited = source.replace("np.sign(float(state.lead))", "1.0 if state.lead >= 0 else -1.0")
    assert edited != source
    game.write_text(edited)
    value = re.search(r"value (\S+),", output_of(game, cache=cache))
    assert value
    assert float(value[1]) > 0.01


def test_the_page_from_a_game_to_a_link_has_the_example_word_for_word():
    page, example = (
        (TUTORIAL.parents[1] / name).read_text() for name in ("docs/game-to-link.md", "examples/tag.py")
    )
    blocks = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    assert len(blocks) == 2
    whole = example[example.index("from dataclasses") : example.index("\n\n\nif __name__")]
    assert "".join(blocks).rstrip() == whole.replace("    def picture", "\x00").replace(
        "\n\n\x00", "\n    def picture"
    )


HELPER = """
from saddlepoint.compiled import jit_inline

@jit_inline
def worth(number):
    return {worth}
"""

GAME = """
from dataclasses import dataclass
from typing import NamedTuple
from saddlepoint import SIMULTANEOUS, TERMINAL, Game, kernel
{imports}

class State(NamedTuple):
    value: int

@dataclass(frozen=True)
class Once(Game):
    max_actions = 1
    max_depth = 1
    max_utility = 100.0

    def initial_state(self):
        return State(0)

    @kernel
    def current_player(self, state):
        return SIMULTANEOUS if state.value == 0 else TERMINAL

    @kernel
    def legal_actions(self, state, player, out):
        out[0] = 0
        return 1

    @kernel
    def next_state(self, state, action0, action1):
        return State({call}(1))

    @kernel
    def returns(self, state):
        return float(state.value)

if __name__ == "__main__":
    game = Once()
    print(game.returns(game.next_state(game.initial_state(), 0, 0)))
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("imports", "call"),
    [("from worths import worth", "worth"), ("import worths", "worths.worth")],
    ids=["name", "module"],
)
def test_an_edited_helper_module_is_noticed(tmp_path, imports, call):
    game, helper, cache = tmp_path / "once.py", tmp_path / "worths.py", tmp_path / "cache"
    game.write_text(GAME.format(imports=imports, call=call))
    helper.write_text(HELPER.format(worth="10 * number"))
    assert output_of(game, cache=cache).strip() == "10.0"
    compiled = compiled_files(cache)
    assert output_of(game, cache=cache).strip() == "10.0"
    assert compiled_files(cache) == compiled
    helper.write_text(HELPER.format(worth="20 * number"))
    assert output_of(game, cache=cache).strip() == "20.0"
    helper.write_text(HELPER.format(worth="10 * number"))
    assert output_of(game, cache=cache).strip() == "10.0"


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
