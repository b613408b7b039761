"""What a first compiled call loads: nothing less for those who use the library, no linear algebra for a bot in a hurry."""

import pytest

from programs import output_of
from saddlepoint.compiled import PLAIN_PYTHON

pytestmark = pytest.mark.skipif(PLAIN_PYTHON, reason="nothing is compiled")

CALL = """
import sys
import numpy as np
from saddlepoint.compiled import jit, run

@jit
def double(number):
    return 2 * number

assert run(double, 21) == 42
"""
HURRIED = "from saddlepoint._startup import hurry\nhurry()\n" + CALL + """
print("scipy.linalg" in sys.modules)

@jit
def spread(table):
    return np.cov(table)[0, 1]

print(run(spread, np.array([[1.0, 2.0, 3.0], [2.0, 4.0, 6.0]])))
import scipy.linalg
print(scipy.linalg.det(np.eye(2)))
"""
BESIDE = """
import sys, threading
from saddlepoint.compiled.numba_private.algebra import _Refusal

imported = []

def other():
    import scipy.linalg
    imported.append(scipy.linalg.__name__)

sys.meta_path.insert(0, _Refusal())  # as it is while Numba is loaded in a hurry
try:
    import scipy.linalg
except ImportError:
    imported.append("refused")
thread = threading.Thread(target=other)
thread.start()
thread.join()
print(imported)
"""


def test_a_users_program_finds_what_it_would_find_without_this_library(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(
        "import sys\nbefore = list(sys.meta_path)\nimport saddlepoint\n" + CALL + "print([f for f in sys.meta_path if f not in before])\n"
        "import saddlepoint._startup as s\nsaddlepoint.Game\nprint(s.is_hurried())\n"
    )
    found, hurried = output_of(program).splitlines()
    assert "Refusal" not in found
    assert hurried == "False", "the library does not hurry by itself"


@pytest.mark.slow
def test_a_first_call_in_a_hurry_leaves_scipy_alone_and_linear_algebra_still_works(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(HURRIED)
    assert output_of(program).split() == ["False", "2.0", "1.0"]


@pytest.mark.slow
def test_another_thread_may_import_linear_algebra_meanwhile(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(BESIDE)
    assert output_of(program).strip() == "['refused', 'scipy.linalg']"
