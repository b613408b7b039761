"""What an action gives away at a stage, by the page's own code: Python's numbers, where there are many equilibria too."""

import json
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from helpers.exported_modules import needs_node
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
    command = ["node", str(Path(__file__).with_name("losses.mjs")), str(tmp_path)]
    told = subprocess.run(
        command, input=lines, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    for (matrix, value, strategies), answer in zip(questions, told, strict=True):
        rows, columns = json.loads(answer)
        assert rows == pytest.approx(
            row_losses(matrix, value, strategies), abs=1e-6 * np.ptp(matrix) + 1e-9
        ), matrix
        assert columns == pytest.approx(
            column_losses(matrix, value, strategies), abs=1e-6 * np.ptp(matrix) + 1e-9
        ), matrix
