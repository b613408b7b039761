"""No file of the package imports, however late, a file that imports it: lazy and type-only imports count."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

import pytest

import saddlepoint
from helpers.programs import run_python

PACKAGE = Path(saddlepoint.__file__).parent


def modules_of(package: Path) -> dict[str, Path]:
    """The package's modules by name."""
    found: dict[str, Path] = {}
    for path in package.rglob("*.py"):
        parts = path.relative_to(package.parent).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """All statements of these, however deep; expressions, most of a file, hold none."""
    for statement in body:
        yield statement
        for field in ("body", "orelse", "finalbody"):
            yield from statements(getattr(statement, field, []))
        for part in (*getattr(statement, "handlers", []), *getattr(statement, "cases", [])):
            yield from statements(part.body)


def imported(name: str, path: Path, modules: dict[str, Path]) -> set[str]:
    """The modules that a file names in import statements, wherever they stand."""
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    found: set[str] = set()
    for node in statements(ast.parse(path.read_text(encoding="utf-8")).body):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            names = [f"{base}.{alias.name}" for alias in node.names]
            found.update(name if name in modules else base for name in names)
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
    modules = modules_of(PACKAGE)
    graph = {name: imported(name, path, modules) for name, path in modules.items()}
    assert graph["saddlepoint.cli.tournament"], "the imports of the files were not found"
    assert circles_of(graph) == set()


def test_circles_are_found(tmp_path):
    package = tmp_path / "one"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "a.py").write_text("def f():\n    from . import b\n")
    (package / "b.py").write_text(
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from .c import C\n"
    )
    (package / "c.py").write_text("from one.a import f\n")
    (package / "d.py").write_text("from .a import f\n")
    modules = modules_of(package)
    graph = {name: imported(name, path, modules) for name, path in modules.items()}
    assert circles_of(graph) == {frozenset(("one.a", "one.b", "one.c"))}


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
    done = subprocess.run([sys.executable, "-c", HELP_OF_ALL], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-500:]
    assert int(done.stdout) > 30, "the commands were not found"


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
    assert (
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
        == "set()\n"
    )


def test_the_version_is_that_of_the_installed_package():
    assert saddlepoint.__version__ == version("saddlepoint")
    with pytest.raises(AttributeError, match="__author__"):
        saddlepoint.__author__  # noqa: B018
