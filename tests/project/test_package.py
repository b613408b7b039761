"""The public names, and what importing costs: no file of the package imports, however late, a file that imports it."""

import ast
import re
from importlib.metadata import version
from pathlib import Path

import pytest

import saddlepoint
from helpers.imports import imports_of
from helpers.programs import output_of, run_python
from saddlepoint import games
from saddlepoint.algorithms import ALGORITHMS


def test_every_public_name_is_there():
    searches = {search.__name__ for search in ALGORITHMS.values()}
    assert {*games.__all__, *searches, "Limits", "Game", "kernel", "search"} <= set(saddlepoint.__all__)
    assert saddlepoint.__all__ == sorted(saddlepoint.__all__)
    for name in saddlepoint.__all__:
        assert getattr(saddlepoint, name) is not None
        assert name in dir(saddlepoint)


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


PACKAGE = Path(saddlepoint.__file__).parent


def modules_of(package: Path) -> dict[str, Path]:
    """The package's modules by name."""
    found: dict[str, Path] = {}
    for path in package.rglob("*.py"):
        parts = path.relative_to(package.parent).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def graph_of(package: Path) -> dict[str, set[str]]:
    """Which modules each of the package's modules imports."""
    modules = modules_of(package)
    return {name: imported(name, path, modules) for name, path in modules.items()}


def imported(name: str, path: Path, modules: dict[str, Path]) -> set[str]:
    """The modules that a file names in import statements, wherever they stand."""
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    pairs = imports_of(path, package.split("."))
    found = {inner if (inner := f"{module}.{one}") in modules else module for module, one in pairs}
    return (found & modules.keys()) - {name}


def circles_of(graph: dict[str, set[str]]) -> set[frozenset[str]]:
    """The groups of modules from each of which every other one is reached."""
    reached: dict[str, set[str]] = {}
    for start in graph:
        seen, waiting = set[str](), [start]
        while waiting:
            new = graph[waiting.pop()] - seen
            seen |= new
            waiting.extend(new)
        reached[start] = seen
    return {
        frozenset(other for other in reached[name] if name in reached[other])
        for name in graph
        if name in reached[name]
    }


def test_no_circle_of_imports():
    graph = graph_of(PACKAGE)
    assert graph["saddlepoint.cli.tournament"], "the imports of the files were not found"
    assert circles_of(graph) == set()


def test_circles_are_found(tmp_path):
    (package := tmp_path / "one").mkdir()
    for name, text in (
        ("__init__", ""),
        ("a", "def f():\n    from . import b\n"),
        ("b", "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from .c import C\n"),
        ("c", "from one.a import f\n"),
        ("d", "from .a import f\n"),
    ):
        (package / f"{name}.py").write_text(text)
    assert circles_of(graph_of(package)) == {frozenset(("one.a", "one.b", "one.c"))}


HELP_OF_ALL = """
import contextlib, io, sys
import typer.main
from saddlepoint.cli.program import app

def paths(command, path):
    yield path
    for name, inner in getattr(command, "commands", {}).items():
        yield from paths(inner, [*path, name])

command = typer.main.get_command(app)
asked = list(paths(command, []))
for path in asked:
    with contextlib.redirect_stdout(io.StringIO()) as said:
        command(args=[*path, "--help"], prog_name="saddlepoint", standalone_mode=False)
    assert "Usage: saddlepoint" in said.getvalue(), path
    heavy = {"numba", "llvmlite", "numpy"} & set(sys.modules)
    assert not heavy, f"saddlepoint {' '.join(path)} --help loads {heavy}"
print(len(asked))
"""


def test_no_help_loads_what_only_a_command_needs():
    """NumPy and Numba take several times as long to load as all of the help."""
    assert int(output_of("-c", HELP_OF_ALL)) > 30, "the commands were not found"


LOADED = """
import sys
sys.argv[1:] = {!r}
from saddlepoint.cli import main
try:
    main()
finally:
    print(sorted(sys.modules), file=sys.stderr)
"""


@pytest.mark.parametrize("line", ["games", "games --json", "players", "players --game tron41", "--version"])
def test_lists_load_neither_numba_nor_numpy(line: str) -> None:
    """A list is on the screen before they would be loaded."""
    done = run_python("-c", LOADED.format(line.split()), SADDLEPOINT_QUIET="1")
    assert (done.returncode, bool(done.stdout)) == (0, True)
    assert not {"numba", "numpy", "llvmlite"} & set(ast.literal_eval(done.stderr))


def test_what_is_imported_first_loads_no_numba() -> None:
    code = "import saddlepoint, saddlepoint.games, saddlepoint.evaluators, sys; print({'numpy', 'numba', 'ast'} & set(sys.modules))"
    assert output_of("-c", code) == "set()\n"


def test_the_version_is_that_of_the_installed_package():
    assert saddlepoint.__version__ == version("saddlepoint")
    with pytest.raises(AttributeError, match="__author__"):
        saddlepoint.__author__  # noqa: B018
