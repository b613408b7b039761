"""The package: its public names, what it imports and when, what a game may import; and each file of tests lies where its source does."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from importlib.metadata import version
from pathlib import Path

import pytest
import typer
from plugins_table import LAST, page, subjects

import saddlepoint
from helpers.programs import output_of, run_python
from saddlepoint import games
from saddlepoint.algorithms import ALGORITHMS
from saddlepoint.cli.program import app
from saddlepoint.games import interface


def imports_of(file: Path, package: Sequence[str]) -> Iterator[tuple[str, str]]:
    """(module, name) of every import, lazy and type-only ones too; the name is empty where a module is imported as a whole."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            start = package[: len(package) - node.level + 1] if node.level else []
            module = ".".join([*start, *([node.module] if node.module else [])])
            yield from ((module, alias.name) for alias in node.names)


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


@pytest.mark.plain
@pytest.mark.compiles_long
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


# -- the mirror ----------------------------------------------------------------------------------------------------------

TESTS = Path(__file__).parents[1]
ELSEWHERE = ("project", "web", "export")
"""Tests of the project, of views in a browser and of exports."""
COMMANDS = {name.replace("-", "_") for name in typer.main.get_command(app).commands}  # type: ignore[attr-defined]
FILES = sorted(
    path.relative_to(TESTS)
    for path in TESTS.rglob("test_*.py")
    if path.relative_to(TESTS).parts[0] not in ELSEWHERE
)


def leads_to(file: Path) -> Path | None:
    """The longest name that the file of tests begins with: of a file beside it in the package, of that folder, or of a command."""
    folder = PACKAGE / file.parent
    words = file.stem.removeprefix("test_").split("_")
    for count in range(len(words), 0, -1):
        name = "_".join(words[:count])
        if (module := folder / f"{name}.py").is_file():
            return module
        if folder.is_dir() and (name == folder.name or (folder == PACKAGE / "cli" and name in COMMANDS)):
            return folder
    return None


def test_every_file_of_tests_is_where_its_name_leads() -> None:
    assert len(FILES) > 200
    lost = [
        f"tests/{file} is named after nothing in src/saddlepoint/{file.parent}"
        for file in FILES
        if leads_to(file) is None
    ]
    assert lost == []


@pytest.mark.parametrize("name", ["test_limits.py", "nowhere/test_nowhere.py", "arena/test_ratings.py"])
def test_a_file_elsewhere_is_found_out(name: str) -> None:
    assert leads_to(Path(name)) is None


def test_what_tests_share_is_in_one_folder() -> None:
    others = [
        str(path.relative_to(TESTS))
        for path in TESTS.rglob("*.py")
        if not path.name.startswith("test_") and path.name != "conftest.py"
    ]
    assert [name for name in others if not name.startswith("helpers/")] == []


# -- what a game may import ----------------------------------------------------------------------------------------------

ROOT = Path(__file__).parents[2]
GAMES = ROOT / "src/saddlepoint/games"
INTERFACE, TERMINAL = "saddlepoint.games.interface", "saddlepoint.system.terminal"
NO_GAMES = {"catalogue", "interface", "__init__.py", "description.py", "listed.py", "literature.py"}
MOST, MOST_OF_ONE = 122, 42
"""The names of the list, and those that one game uses: there shall be fewer, not more."""


def folders() -> dict[str, list[Path]]:
    """The files of each game."""
    found = {
        one.stem: sorted(one.rglob("*.py")) if one.is_dir() else [one]
        for one in sorted(GAMES.iterdir())
        if one.name not in NO_GAMES and (one.suffix == ".py" or (one / "__init__.py").is_file())
    }
    return {**found, "take_away": sorted((ROOT / "examples/take_away/take_away").glob("*.py"))}


def used() -> dict[str, dict[str, set[str]]]:
    """By game: the names that it imports from each module of the library, without those of its own folder."""
    found: dict[str, dict[str, set[str]]] = {}
    for game, files in folders().items():
        modules = found.setdefault(game, defaultdict(set))
        for file in files:
            inside = file.relative_to(ROOT / "src").parts[:-1] if file.is_relative_to(GAMES) else (game,)
            by_attribute = re.findall(r"\binterface\.(\w+)", file.read_text(encoding="utf-8"))
            imported = [one for one in imports_of(file, inside) if one != ("saddlepoint.games", "interface")]
            for module, name in [*imported, *((INTERFACE, name) for name in by_attribute)]:
                own = f"saddlepoint.games.{game}"
                if (
                    module.split(".")[0] == "saddlepoint"
                    and module != own
                    and not module.startswith(f"{own}.")
                ):
                    modules[module].add(name)
    return found


@pytest.mark.plain
def test_a_game_imports_from_the_interface_alone():
    others = {game: set(modules) - {"saddlepoint", INTERFACE, TERMINAL} for game, modules in used().items()}
    assert not {game: modules for game, modules in others.items() if modules}


@pytest.mark.plain
def test_every_name_of_the_interface_is_there_and_is_used():
    users: dict[str, set[str]] = defaultdict(set)
    for game, modules in used().items():
        for name in modules[INTERFACE]:
            users[name].add(game)
    assert sorted(users) == interface.__all__
    parts = subjects()
    of_one = parts.pop(LAST)
    assert not [name for name in of_one if len(users[name]) > 1], "it belongs to a subject"
    assert sum(map(len, parts.values())) <= MOST
    assert len(of_one) <= MOST_OF_ONE
    assert all(getattr(interface, name) is not None for name in interface.__all__)


@pytest.mark.plain
def test_the_page_is_made_of_the_list():
    assert (ROOT / "docs/plugins.md").read_text(encoding="utf-8") == page(), (
        "python tools/plugins_table.py > docs/plugins.md"
    )


@pytest.mark.plain
def test_what_both_offer_is_the_same():
    both = set(interface.__all__) & set(saddlepoint.__all__)
    assert {"Game", "kernel"} <= both
    assert all(getattr(interface, name) is getattr(saddlepoint, name) for name in both - {"solve"})
