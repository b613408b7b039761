"""What a first compiled call loads."""

import subprocess
import sys

import pytest

from saddlepoint.compiled import PLAIN_PYTHON

PROGRAM = """
import sys
import numpy as np
from saddlepoint.compiled import jit, run

@jit
def double(number):
    return 2 * number

assert run(double, 21) == 42
print("scipy.linalg" in sys.modules)

@jit
def spread(table):
    return np.cov(table)[0, 1]

print(run(spread, np.array([[1.0, 2.0, 3.0], [2.0, 4.0, 6.0]])))
"""


@pytest.mark.skipif(PLAIN_PYTHON, reason="nothing is compiled")
def test_a_first_call_leaves_scipy_alone_and_linear_algebra_still_works(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    found = subprocess.run([sys.executable, program], capture_output=True, text=True, check=True, timeout=120)
    assert found.stdout.split() == ["False", "2.0"]
