"""The examples of docs/interop.md that need no package of other libraries; test_interop_docs.py has the others."""

from pathlib import Path

import numpy as np
import pytest

from helpers.page_examples import block_after, run_examples
from saddlepoint.games import TicTacToe
from saddlepoint.interop import BatchEnv


@pytest.mark.compiles_long
def test_the_examples_of_batches_run() -> None:
    run_examples("interop.md", "Many games at once")


@pytest.mark.compiles_long
def test_the_planes_of_a_game_of_ones_own_are_those_that_it_shows(tmp_path: Path) -> None:
    """The page's lines in a class of a file of one's own, whose positions are those of Tic-tac-toe."""
    lines = block_after("interop.md", "A game of your own gets them by a shape and a kernel")
    imports = "from dataclasses import dataclass\n\nimport numpy as np\n\nfrom saddlepoint import TicTacToe, kernel\n"
    file = tmp_path / "mine.py"
    file.write_text(f"{imports}\n\n@dataclass(frozen=True)\nclass Mine(TicTacToe):\n{lines}")
    assert "def planes(" in file.read_text()
    ours, own = (BatchEnv(game, 20, seed=1, observations="planes") for game in (TicTacToe(), f"{file}:Mine"))
    assert type(own.game).kernels["planes"] is not TicTacToe.kernels["planes"]
    for _ in range(6):
        actions = ours.random_actions()
        assert (ours.step(actions).observations == own.step(actions).observations).all()
    assert np.unique(own.observations).tolist() == [0, 1]
