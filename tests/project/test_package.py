"""The public names, and what importing costs."""

import ast
import re
import subprocess
import sys
import time

import pytest

import saddlepoint
from helpers.programs import output_of
from saddlepoint import games
from saddlepoint.algorithms import ALGORITHMS


def test_every_public_name_is_there():
    searches = {search.__name__ for search in ALGORITHMS.values()}
    assert {*games.__all__, *searches, "Limits", "Game", "kernel", "search"} <= set(saddlepoint.__all__)
    assert saddlepoint.__all__ == sorted(saddlepoint.__all__)
    for name in saddlepoint.__all__:
        assert getattr(saddlepoint, name) is not None
        assert name in dir(saddlepoint)


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = saddlepoint.nonsense


@pytest.mark.parametrize(
    "first",
    [
        "import saddlepoint.algorithms",
        *(pytest.param(first, marks=pytest.mark.slow) for first in ("import saddlepoint.players", "pass")),
    ],
)
def test_search_is_the_function_whatever_was_imported_before(first):
    code = f"{first}\nfrom saddlepoint import search, Limits\nfrom saddlepoint.algorithms.limits import Limits as L\n"
    assert output_of("-c", code + "print(type(search).__name__, L is Limits)").split() == ["function", "True"]


def test_importing_the_package_does_not_import_numba():
    code = "import sys, saddlepoint; print('numba' in sys.modules, 'numpy' in sys.modules)"
    assert output_of("-c", code).split() == ["False", "False"]


def test_importing_is_quick():
    # Against an interpreter that starts and does nothing, measured beside it.
    def seconds(code: str) -> float:
        started = time.perf_counter()
        subprocess.run([sys.executable, "-c", code], check=True)
        return time.perf_counter() - started

    seconds("import saddlepoint")  # compiles the bytecode
    extra = min(seconds("import saddlepoint") for _ in range(3)) - min(seconds("pass") for _ in range(3))
    assert extra < 0.5


def test_the_overview_names_every_public_name_but_the_games_and_its_example_runs(capsys):
    overview = saddlepoint.__doc__
    wanted = set(saddlepoint.__all__) - set(games.__all__)  # a game is added without a word here
    assert [name for name in sorted(wanted) if not re.search(rf"\b{name}\b", overview)] == []
    example = "\n".join(
        line.removeprefix("    ") for line in overview.splitlines() if line.startswith("    ")
    )
    exec(example, {})
    value, strategy = capsys.readouterr().out.split(" ", 1)
    assert -1.0 <= float(value) <= 1.0
    assert sum(ast.literal_eval(strategy).values()) == pytest.approx(1.0)
