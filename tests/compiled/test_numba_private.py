"""What this library uses of Numba that is not public: all of it in one place, noticed when Numba changes, and nothing for others."""

import ast
import importlib
import tomllib
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numba
import pytest

from helpers.programs import output_of, run_python
from saddlepoint.compiled import PLAIN_PYTHON, numba_private as borrowings
from saddlepoint.compiled.numba_private import BORROWINGS, Borrowing

PROJECT = Path(__file__).resolve().parents[2]
SOURCE = PROJECT / "src" / "saddlepoint"
PRIVATE = SOURCE / "compiled" / "numba_private.py"

PUBLIC = {
    "numba",
    "numba.types",
    "numba.extending",
    "numba.core.cgutils",
    "numba.core.errors",
    "numba.core.event",
}
"""What Numba's guide to extensions and its page on events tell of."""
TOLD = {"_fields", "_asdict", "_replace", "_make", "_current_frames", "_current_exceptions", "_getvalue"}
"""Names that begin with a line and are public: of NamedTuples, of `sys`, and one of Numba's guide."""

compiles = pytest.mark.skipif(PLAIN_PYTHON, reason="nothing is compiled")


# -- in one place ---------------------------------------------------------------------------------------------------------


def imported(tree: ast.AST) -> Iterator[str]:
    """The modules that a file imports, and what it takes from packages of Numba."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module is not None and not node.level:
            inside = node.module in ("numba", "numba.core", "numba.np")
            yield from (f"{node.module}.{name.name}" if inside else node.module for name in node.names)


def is_private(module: str) -> bool:
    if not module.startswith("numba.") or module in PUBLIC:
        return False
    return module.startswith(("numba.core", "numba.np", "numba.cpython", "numba._"))


def defined(tree: ast.AST) -> Iterator[str]:
    """What a file gives a name of its own."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            yield node.name
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif (
            isinstance(node, ast.Attribute)
            and isinstance(node.ctx, ast.Store)
            and ast.unparse(node.value) == "self"
        ):
            yield node.attr


@pytest.mark.slow
def test_numbas_private_names_are_used_in_one_file_alone():
    trees = {path: ast.parse(path.read_text()) for path in SOURCE.rglob("*.py") if path != PRIVATE}
    assert any(map(is_private, imported(ast.parse(PRIVATE.read_text()))))
    ours = {name for tree in trees.values() for name in defined(tree)} | TOLD
    found: list[str] = []
    for path, tree in trees.items():
        modules = set(imported(tree))
        found += [f"{path.name} imports {module}" for module in modules if is_private(module)]
        if any(
            module.partition(".")[0] in ("numba", "llvmlite") for module in modules
        ) or path.is_relative_to(SOURCE / "compiled"):
            names = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
            found += [
                f"{path.name} uses {name}"
                for name in names - ours
                if name.startswith("_") and not name.startswith("__")
            ]
    assert not found


# -- noticed when Numba changes -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("borrowing", BORROWINGS, ids=lambda borrowing: borrowing.name)
def test_numba_has_what_is_borrowed_as_it_is_known(borrowing: Borrowing):
    found = borrowing.digest()
    assert found in borrowing.sources, (
        f"Numba {numba.__version__} has other functions: read them, then write {found}"
    )
    assert borrowing.saves


def place(path: str) -> tuple[Any, str]:
    module, _, names = path.partition(":")
    owner: Any = importlib.import_module(f"numba.{module}")
    *outer, name = names.split(".")
    for one in outer:
        owner = getattr(owner, one)
    return owner, name


@pytest.mark.parametrize("borrowing", BORROWINGS, ids=lambda borrowing: borrowing.name)
def test_what_was_written_for_a_function_that_numba_has_changed_or_has_no_more_is_left_off(
    borrowing: Borrowing, monkeypatch: pytest.MonkeyPatch
):
    def other(*args: Any, **kws: Any) -> None:
        """What a newer Numba might have."""

    said: list[str] = []
    monkeypatch.setattr(borrowings, "warn_once", said.append)
    monkeypatch.delenv("SADDLEPOINT_NUMBA_WITHOUT", raising=False)
    for path in borrowing.written_for:
        owner, name = place(path)
        for changed in (other, None):
            fresh = Borrowing(borrowing.name, borrowing.saves, borrowing.written_for, borrowing.sources)
            with monkeypatch.context() as patch:
                patch.setattr(owner, name, changed)
                assert not fresh.is_used, path
                assert not fresh.is_used, path
            assert f"without '{borrowing.name}', which saves" in said.pop()
            assert not said


CHANGED = """
from numba.core.base import BaseContext
real = BaseContext.make_constant_array

def changed(*args):
    return real(*args)

BaseContext.make_constant_array = changed
from saddlepoint.compiled import jit, run

@jit
def twice(x):
    return 2 * x

@jit
def more(x):
    return twice(x) + 1

print(run(twice, 21), run(more, 20), BaseContext.make_constant_array is changed)
"""


@pytest.mark.slow
@compiles
def test_with_a_numba_that_has_changed_all_works_and_it_is_said_once(tmp_path: Path):
    done = run_python("-c", CHANGED, cache=tmp_path, SADDLEPOINT_QUIET="1")
    assert done.stdout.split() == ["42", "41", "True"], done.stderr
    (line,) = done.stderr.splitlines()
    assert "has changed inside" in line
    assert "'tables'" in line


SEARCH = """
from saddlepoint import *
game = Goofspiel(3, "descending")
result = search(game, game.initial_state(), BackwardInduction())
print(result.value, result.strategies, result.statistics.nodes)
"""


@compiles
@pytest.mark.slow
def test_without_anything_private_of_numba_a_search_finds_the_same(tmp_path: Path):
    """Not optimised, because Numba by itself optimises every part again in all that calls it: that takes most of its time."""
    told = {"SADDLEPOINT_QUIET": "1", "NUMBA_OPT": "0"}
    with_all = output_of("-c", SEARCH, cache=tmp_path, **told)
    without = run_python("-c", SEARCH, cache=tmp_path / "none", SADDLEPOINT_NUMBA_WITHOUT="all", **told)
    assert (without.stdout, without.stderr) == (with_all, "")
    assert not list((tmp_path / "none").rglob("*.nbc")), "nothing is kept on disk"


# -- nothing for others -------------------------------------------------------------------------------------------------------

OTHERS = """
import gc, sys
import numba, numpy as np
from numba.core import event, ir, registry

def places():
    from numba.core import base, caching, ccallback, codegen, compiler, cpu, dispatcher, extending, typeinfer
    from numba.core.typing import context
    from numba.core.types import functions
    owners = (
        ir.Inst, base.BaseContext, cpu.CPUContext, context.BaseContext, context.Context, typeinfer.TypeInferer, functions.BaseFunction,
        functions.Function, event, caching.Cache, caching.FunctionCache, caching.CacheImpl, caching.CompileResultCacheImpl,
        codegen.CPUCodeLibrary, codegen.JITCodeLibrary, compiler.Compiler, compiler.CompileResult, dispatcher.Dispatcher,
        registry.CPUDispatcher, ccallback.CFunc, extending._Intrinsic,
    )
    found = {(owner, name): thing for owner in owners for name, thing in list(vars(owner).items()) if callable(thing)}
    return found | {"constants": len(BUILTIN.constants), "garbage": gc.get_threshold()}

from numba.core.imputils import builtin_registry as BUILTIN
BIG = np.arange(200_000.0)

def users(x):
    return x + BIG[3] + np.sort(BIG)[0]

print(numba.njit(users)(1.0))
before = places()
SADDLEPOINT
assert places() == before, "by the import"
during = []

class Looking(event.Listener):
    def on_start(self, event):
        during.append((event.data["dispatcher"].py_func.__qualname__, places() == before))
    def on_end(self, event):
        pass

event.register("numba:compile", Looking())

@numba.njit
def helper(x):
    return x + 1

@jit
def ours(x):
    return helper(x) + 1

print(run(ours, 1))
compiled = numba.njit(users)
print(compiled(1.0))
assert places() == before, "by compiling"
timed = sorted((compiled.get_metadata(compiled.signatures[0]) or {}).get("timers", {}))
library = type(compiled.overloads[compiled.signatures[0]].library).__name__
dynamic = compiled.overloads[compiled.signatures[0]].library.has_dynamic_globals
print(type(compiled).__name__, type(compiled._cache).__name__, library, dynamic, timed)
print(during)
"""


@pytest.mark.slow
@compiles
def test_nothing_of_a_users_own_numba_code_changes(tmp_path: Path):
    """Neither by the import nor while, or after, a function of this library is compiled; and not where that one waits for the user's."""
    imports = "from saddlepoint.compiled import jit, run\nimport saddlepoint.boards.bitboard, saddlepoint.algorithms"
    plain = "jit = lambda function: numba.njit(function)\nrun = lambda function, *args: function(*args)"
    with_us = output_of(
        "-c", OTHERS.replace("SADDLEPOINT\n", imports + "\n"), cache=tmp_path, SADDLEPOINT_QUIET="1"
    ).splitlines()
    without = output_of("-c", OTHERS.replace("SADDLEPOINT\n", plain + "\n"), cache=tmp_path).splitlines()
    assert with_us[:4] == without[:4]
    seen = dict(ast.literal_eval(with_us[4]))
    assert seen == dict.fromkeys(("users", "helper", "ours"), True), "whatever is compiled"


# -- the versions ---------------------------------------------------------------------------------------------------------------


def test_the_project_allows_no_numba_newer_than_the_one_that_is_tested():
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text())["project"]
    (bound,) = (text for text in project["dependencies"] if text.startswith("numba"))
    pins = dict(
        line.split("==")
        for line in (PROJECT / "requirements" / "dev.txt").read_text().splitlines()
        if "==" in line
    )
    major, minor = map(int, pins["numba"].split(".")[:2])
    assert bound.split(",")[1] == f"<{major}.{minor + 1}"
    assert version("numba") == numba.__version__


def test_every_extra_has_code_that_uses_it():
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text())["project"]
    source = "\n".join(path.read_text() for path in (PROJECT / "src").rglob("*.py"))
    for extra, needs in project["optional-dependencies"].items():
        for need in needs:
            name = need.partition(">=")[0]
            assert f"import {name}" in source or f"from {name}" in source or f'"{name}"' in source, (
                f"{extra}: {name} is not used"
            )
