"""A user's game passes type checkers in each form that the tutorial shows, and what `next_state` gives has its type."""

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "undercut.py"
GAME = '''
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
TYPO = GAME.replace("after.round + ", "after.rounds + ")


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
    done = checked(tool, tmp_path, GAME)
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
        GAME,
    )
    assert (done.returncode, done.stdout) == (0, "Success: no issues found in 2 source files\n"), done.stdout
