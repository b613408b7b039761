"""What an action gives away at a stage, by the page's own code: Python's numbers, where there are many equilibria too."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from helpers.exported_modules import SCRIPTS, in_node, needs_node
from helpers.sizes import scaled
from saddlepoint.algorithms.analysis.verdict import column_losses, row_losses
from saddlepoint.matrix import solve_matrix
from saddlepoint.web import site

pytestmark = needs_node
PAGE = Path(site.__file__).with_name("page")


def test_losses_are_python_s(tmp_path: Path) -> None:
    shutil.copy(PAGE / "losses.js", tmp_path)
    (tmp_path / "package.json").write_text('{"type": "module"}')
    rng, questions = np.random.default_rng(5), []
    for number in range(scaled(3000, 600)):
        shape = tuple(rng.integers(1, 7, 2))
        # Small whole numbers have many equilibria, others mostly one.
        matrix = rng.integers(-2, 3, shape).astype(float) if number % 3 else rng.uniform(-40, 40, shape)
        if number % 5 == 0:
            matrix[rng.integers(shape[0])] = matrix[0]
        found = solve_matrix(matrix)
        questions.append((matrix, found.value, (found.row_strategy, found.column_strategy)))
    lines = "".join(
        json.dumps([m.tolist(), value, [x.tolist(), y.tolist()]]) + "\n" for m, value, (x, y) in questions
    )
    answers = in_node(SCRIPTS / "losses.mjs", tmp_path, given=lines)
    for asked, found in zip(questions, answers, strict=True):
        near = 1e-6 * np.ptp(asked[0]) + 1e-9
        for told, losses in zip(found, (row_losses(*asked), column_losses(*asked)), strict=True):
            assert told == pytest.approx(losses, abs=near), asked
