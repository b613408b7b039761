"""The tutorial game and the published experiments; a user's game passes type checkers; what needs nothing of Unix works without it."""

import ast
import importlib.util
import json
import re
import shutil
import subprocess
import sys
from collections import Counter
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from helpers.programs import compiled_files, output_of, run_python
from helpers.sizes import scaled
from saddlepoint.compiled import run
from saddlepoint.games.rubiks_flip import RubiksFlip

EXAMPLES = Path(__file__).parents[2] / "examples"
TUTORIAL = EXAMPLES / "undercut.py"
GAMES = sorted((EXAMPLES / "games").glob("*.py"))


def positions(output: str) -> int:
    match = re.search(r"(\d+) positions", output)
    assert match, output
    return int(match[1])


def test_the_tutorial_is_short():
    assert len(TUTORIAL.read_text().splitlines()) < 80


@pytest.mark.parametrize("file", GAMES, ids=lambda file: file.stem)
def test_an_example_of_a_game_is_short_and_names_the_source_of_its_rules(file):
    text = file.read_text()
    assert len(text.splitlines()) <= 120
    assert re.search(r"\nRules: .*(https?://|\(\d{4}\))", ast.get_docstring(ast.parse(text)) or "", re.DOTALL)


@pytest.mark.slow
@pytest.mark.parametrize("file", GAMES, ids=lambda file: file.stem)
def test_an_example_of_a_game_keeps_what_every_game_promises(file):
    assert "the rules hold" in output_of(file)


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


# -- type checkers -------------------------------------------------------------------------------------------------------

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "undercut.py"
TYPED = '''
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from saddlepoint import CHANCE, SIMULTANEOUS, TERMINAL, BackwardInduction, Game, Limits, Symmetry, constant, kernel, search, with_item
from saddlepoint.game.picture import Picture
from saddlepoint import check_game


class State(NamedTuple):
    round: int
    cells: tuple[np.uint64, ...]


@dataclass(frozen=True)
class Attributes(Game):
    """Numbers as class attributes; all kernels that the tutorial lists."""

    max_actions = 3
    max_outcomes = 2
    max_depth = 2
    min_utility = -2.0
    max_utility = 2.0
    name = "attributes"
    summary = "a line"
    clock = "round"

    def initial_state(self) -> State:
        return State(0, (np.uint64(0),))

    @kernel
    def current_player(self, state):
        return TERMINAL if state.round == 2 else CHANCE if state.round == 1 else SIMULTANEOUS

    @kernel
    def legal_actions(self, state, player, out):
        out[0] = 0
        return 1

    @kernel
    def next_state(self, state, action0, action1):
        return State(state.round + 1, with_item(state.cells, 0, np.uint64(1)))

    @kernel
    def returns(self, state):
        return 1.0

    @kernel
    def search_actions(self, state, player, out):
        return self.legal_actions(state, player, out)

    @kernel
    def chance_outcomes(self, state, out, probabilities):
        out[0], probabilities[0] = 0, 1.0
        return 1

    @kernel
    def hash(self, state):
        return np.uint64(state.round)

    @kernel
    def canonical_hash(self, state):
        return self.hash(state), False

    @kernel
    def canonical(self, state):
        if state.round == 0:
            return state, False
        return State(state.round, state.cells), True

    @kernel
    def without_score(self, state):
        return state, 0.5

    @kernel
    def bounds(self, state):
        return -1.0, 1.0

    @kernel
    def pass_turn(self, state):
        return state

    def symmetries(self, state: Any) -> list[Symmetry]:
        return []

    def render(self, state: Any) -> str:
        return "text"

    def picture(self, state: Any) -> Picture:
        return super().picture(state)


@dataclass(frozen=True)
class Fields(Game):
    """Numbers as fields, in turn, with one action."""

    size: int = constant(8)
    max_actions: int = 3
    max_outcomes: int = 2
    max_depth: int = 2
    max_utility: float = 2.0

    @kernel
    def next_state(self, state, action):
        return State(state.round + 1, state.cells)


game = Attributes()
after = game.next_state(game.initial_state(), 0, 1)
rounds: int = after.round + game.max_actions
check_game(game)
print(search(game, after, BackwardInduction(), Limits(depth=1)).value, Fields(size=3), rounds)
'''
TYPO = TYPED.replace("after.round + ", "after.rounds + ")


def checked(tool: list[str], folder: Path, text: str) -> subprocess.CompletedProcess[str]:
    (folder / "mine.py").write_text(text)
    (folder / "undercut.py").write_text(EXAMPLE.read_text())
    return subprocess.run(
        [sys.executable, "-m", *tool, "mine.py", "undercut.py"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.slow
def test_pyright_finds_nothing_in_a_users_game_and_a_wrong_field_of_the_next_state(tmp_path):
    tool = ["pyright", "--pythonpath", sys.executable]
    done = checked(tool, tmp_path, TYPED)
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "0 errors, 0 warnings, 0 informations"), (
        done.stdout
    )
    found = checked(tool, tmp_path, TYPO)
    assert found.returncode == 1
    assert 'Cannot access attribute "rounds" for class "State"' in found.stdout


@pytest.mark.slow
@pytest.mark.skipif(find_spec("mypy") is None, reason="mypy is not installed")
def test_mypy_finds_nothing_in_a_users_game(tmp_path):
    done = checked(
        ["mypy", "--python-executable", sys.executable, "--cache-dir", str(tmp_path / "cache")],
        tmp_path,
        TYPED,
    )
    assert (done.returncode, done.stdout) == (0, "Success: no issues found in 2 source files\n"), done.stdout


# -- without Unix --------------------------------------------------------------------------------------------------------

PROGRAM = Path(__file__).parents[1] / "helpers" / "without_unix.py"
EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(
    params=[
        pytest.param({"NUMBA_DISABLE_JIT": "1"}, id="plain"),
        pytest.param({}, id="compiled", marks=pytest.mark.slow),
    ]
)
def environment(request: pytest.FixtureRequest) -> dict[str, str]:
    return dict(request.param)


def test_the_library_searches_and_has_a_place_for_its_compiled_code(
    environment: dict[str, str], tmp_path: Path
) -> None:
    assert output_of(PROGRAM, cache=tmp_path, **environment).split() == ["2", "True", "True", "True"]


@pytest.mark.parametrize(
    ("words", "key"),
    [
        ("play light_riders(width=5,height=4) random riders_smab --nodes 50 --seed 1", "moves"),
        ("analyze moves:prize_2 --game goofspiel(cards=3) --algorithm saddle --depth 2", "value"),
        ("solve tic_tac_toe --no-check -j 1 -o t.sol", "value"),
        ("match random pvs(depth=2) --game tic_tac_toe --games 2 --seed 1 -j 1", "games"),
    ],
    ids=lambda text: text.partition(" ")[0],
)
@pytest.mark.usefixtures("here")
def test_a_command_that_needs_nothing_of_unix_works(
    environment: dict[str, str], words: str, key: str, tmp_path: Path
) -> None:
    told = json.loads(output_of(PROGRAM, *words.split(), "--json", cache=tmp_path, **environment))
    assert key in told
    assert told.get("steps", 1) > 0


def test_a_game_of_ones_own_is_checked(environment: dict[str, str], tmp_path: Path) -> None:
    told = output_of(PROGRAM, "check", f"{EXAMPLES / 'undercut.py'}:Undercut", cache=tmp_path, **environment)
    assert "the rules keep what every game promises" in told


@pytest.mark.parametrize(
    "words",
    [
        ("match", "BOT", "random", "--game", "tic_tac_toe", "--games", "2", "-j", "1"),
        ("check", "BOT", "--game", "tic_tac_toe"),
    ],
    ids=lambda words: words[0],
)
def test_a_program_as_player_is_refused_in_a_sentence(words: tuple[str, ...], tmp_path: Path) -> None:
    bot = str(EXAMPLES / "bots" / "first_legal.py")
    done = run_python(
        PROGRAM, *(bot if word == "BOT" else word for word in words), cache=tmp_path, NUMBA_DISABLE_JIT="1"
    )
    assert done.returncode != 0
    assert "Traceback" not in done.stderr
    assert done.stderr.splitlines()[-1].endswith(
        "is a program, and only Linux and macOS have what keeps a program that plays in check"
    )


def test_only_what_isolates_programs_needs_unix_to_be_loaded(tmp_path: Path) -> None:
    """Both are loaded only in a process of their own, which nothing starts there."""
    told = output_of(PROGRAM, "modules", cache=tmp_path, NUMBA_DISABLE_JIT="1").splitlines()
    assert told == [
        "saddlepoint.players.programs.namespaces fcntl",
        "saddlepoint.players.programs.supervisor resource",
    ]
