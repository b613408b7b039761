"""The script of examples/train_ppo.py learns: where its learner is installed, which brings PyTorch, it is run."""

import re
from pathlib import Path

import pytest

from helpers.programs import output_of

pytestmark = pytest.mark.interop
SCRIPT = Path(__file__).parents[2] / "examples" / "train_ppo.py"


def test_the_script_is_short() -> None:
    assert len(SCRIPT.read_text().splitlines()) < 150


def test_a_network_that_is_trained_beats_random() -> None:
    pytest.importorskip("sb3_contrib", reason="its learner is not installed: make test-interop TRAINING=1")
    told = output_of(str(SCRIPT), "--steps", "100000", "--games", "200")
    before, after = (
        tuple(map(int, found)) for found in re.findall(r"(\d+) wins, (\d+) draws, (\d+) losses", told)
    )
    assert sum(before) == sum(after) == 200
    assert after[0] > 160, told
    assert after[0] > before[0], told
