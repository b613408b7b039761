"""The same tests once more without compiling anything, over fewer positions: boards are then Python ints."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parent.parent


@pytest.mark.skipif(os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="this is that run")
def test_boards_and_evaluators_as_plain_python():
    paths = [str(TESTS), *(entry for entry in sys.path if entry)]
    finished = subprocess.run(
        [sys.executable, "-m", "pytest", "-qxp", "no:cacheprovider", str(TESTS / "boards"), str(TESTS / "evaluators")],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": os.pathsep.join(paths)},
        capture_output=True, text=True, timeout=600, check=False,
    )  # fmt: skip
    assert finished.returncode == 0, finished.stdout[-4000:]
