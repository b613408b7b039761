"""Compiled code of users' files is found again, and only while everything it came from is the same."""

import json
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from helpers.programs import compiled_files, output_of
from saddlepoint.compiled import PLAIN_PYTHON
from saddlepoint.compiled.identity import captured_digest
from saddlepoint.compiled.sources import PACKAGE, source_closure

pytestmark = pytest.mark.skipif(PLAIN_PYTHON, reason="nothing is compiled")

GAME = """
from dataclasses import dataclass
from typing import NamedTuple
from saddlepoint import SIMULTANEOUS, TERMINAL, Game, kernel
{imports}

class State(NamedTuple):
    step: int

@dataclass(frozen=True)
class Once(Game):
    max_actions = 1
    max_depth = 1
    max_utility = 1000.0
    {attributes}
    def initial_state(self): return State(0)
    @kernel
    def current_player(self, state): return SIMULTANEOUS if state.step == 0 else TERMINAL
    @kernel
    def legal_actions(self, state, player, out):
        out[0] = 0
        return 1
    @kernel
    def next_state(self, state, action0, action1): return State(state.step + 1)
    @kernel
    def returns(self, state): return float({value})
"""
USE = """
from saddlepoint.game.base import _next_state
game = Once()
print(game.returns(State(1)))
"""


NUMBERS = (10, 200)
"""Of other lengths: what Python has compiled of a module it takes again where the file's second and size are the same."""


def write_game(folder: Path, imports: str, value: str, attributes: str = "") -> None:
    (folder / "mine.py").write_text(GAME.format(imports=imports, value=value, attributes=attributes))
    (folder / "use.py").write_text("from mine import Once, State\n" + USE)


def value_of(folder: Path, **environment: str) -> float:
    return float(output_of(folder / "use.py", cache=folder / "cache", SADDLEPOINT_QUIET="1", **environment))


SLOW = pytest.mark.slow
WAYS = {
    "a constant": ("from helper import FACTOR", "FACTOR"),
    "a module": ("import helper", "helper.FACTOR"),
    "a module under another name": (
        "import folder.helper as h\nfrom folder import helper as h2",
        "h2.FACTOR",
    ),
    "all names": ("from helper import *", "FACTOR"),
    "a conditional import": (
        "try:\n    import no_such_module\nexcept ImportError:\n    from helper import FACTOR",
        "FACTOR",
    ),
    "through another file": ("from between import FACTOR", "FACTOR"),
    "a package": ("from folder import FACTOR", "FACTOR"),
}


def write_helpers(folder: Path) -> None:
    (folder / "between.py").write_text("from helper import FACTOR\n")
    (folder / "folder").mkdir()
    (folder / "folder" / "__init__.py").write_text("from .helper import FACTOR\n")


def change_helpers(folder: Path, number: int) -> None:
    for file in (folder / "helper.py", folder / "folder" / "helper.py"):
        file.write_text(f"FACTOR = {number}\n")


INSIDE = "@property\n    def factor(self):\n        from helper import FACTOR\n        return FACTOR"


@pytest.mark.parametrize(
    "game",
    [WAYS["a constant"], pytest.param(("", "self.factor", INSIDE), marks=pytest.mark.slow)],
    ids=["at the top", "inside a function"],
)
def test_a_changed_import_is_a_changed_game(tmp_path, game):
    write_game(tmp_path, *game)
    write_helpers(tmp_path)
    for number in NUMBERS:
        change_helpers(tmp_path, number)
        assert value_of(tmp_path) == number


@SLOW
def test_so_it_is_in_whatever_way_it_is_imported(tmp_path):
    """Each way has a game in a file of its own, and one process asks all of them."""
    write_helpers(tmp_path)
    for way, (imports, value) in WAYS.items():
        (tmp_path / f"{way.replace(' ', '_')}.py").write_text(
            GAME.format(imports=imports, value=value, attributes="")
        )
    (tmp_path / "use.py").write_text(
        "import importlib, json\nfound = {}\n"
        f"for way in {[*WAYS]}:\n"
        "    mine = importlib.import_module(way.replace(' ', '_'))\n"
        "    found[way] = mine.Once().returns(mine.State(1))\n"
        "print(json.dumps(found))\n"
    )
    for number in NUMBERS:
        change_helpers(tmp_path, number)
        found = output_of(tmp_path / "use.py", cache=tmp_path / "cache", SADDLEPOINT_QUIET="1")
        assert json.loads(found) == dict.fromkeys(WAYS, number)


@SLOW
def test_a_constant_that_is_no_part_of_any_source_counts(tmp_path):
    write_game(
        tmp_path,
        "import os\nFACTOR = int(os.environ['FACTOR'])",
        "FACTOR + self.more",
        "more = len(os.environ['FACTOR'])",
    )
    assert value_of(tmp_path, FACTOR="10") == 12
    assert value_of(tmp_path, FACTOR="200") == 203


TABLES = {
    "above a megabyte": "np.arange(200_000) + {number}",
    "every second of an array": "(np.arange(4000) + {number})[::2]",
    "by columns": "np.asfortranarray(np.arange(200_000).reshape(2, -1) + {number})",
}


@SLOW
@pytest.mark.parametrize("way", TABLES)
def test_a_table_is_kept_with_the_code_and_found_again_until_it_changes(tmp_path, way):
    value = "TABLE[0, 1] + TABLE[1, 0] * 1000" if "reshape" in TABLES[way] else "TABLE[1] + TABLE[100] * 1000"
    cache = tmp_path / "cache"
    for number in NUMBERS:
        table = TABLES[way].format(number=number)
        write_game(tmp_path, f"import numpy as np\nTABLE = {table}", value, "max_utility = 1e9")
        expected = float(eval(value, {"TABLE": eval(table, {"np": np})}))
        assert value_of(tmp_path) == expected
        kept = compiled_files(cache)
        assert value_of(tmp_path) == expected
        assert compiled_files(cache) == kept != set()


LINES = "".join(f"        total += TABLE[i * {number} + {number % 17}] % 7\n" for number in range(1, 301))
LONG = f"@kernel\n    def deep(self, i):\n        total = 0\n{LINES}        return total\n"
"""A long function is linked in only where Python calls; what has its code still reads the table of this process."""


@SLOW
@pytest.mark.parametrize(
    ("value", "attributes", "expected"),
    [
        ("TABLE[300]", "", 300),
        ("self.deep(300)", LONG, sum((300 * number + number % 17) % 7 for number in range(1, 301))),
    ],
    ids=["read", "read by what it calls"],
)
def test_a_table_too_large_to_keep_is_used_all_the_same_and_what_reads_it_is_not_kept(
    tmp_path, value, attributes, expected
):
    write_game(tmp_path, "import numpy as np\nTABLE = np.arange(9_000_000)", value, attributes)
    assert [value_of(tmp_path), value_of(tmp_path)] == [expected, expected]
    assert not any("returns" in file or "deep" in file for file in compiled_files(tmp_path / "cache"))


@SLOW
def test_what_did_not_change_is_found_again(tmp_path):
    write_game(tmp_path, "from helper import FACTOR", "FACTOR")
    (tmp_path / "helper.py").write_text("FACTOR = 10\n")
    value_of(tmp_path)
    files = compiled_files(tmp_path / "cache")
    assert files
    (tmp_path / "another.py").write_text("FACTOR = 11\n")  # nobody imports it
    assert value_of(tmp_path) == 10
    assert compiled_files(tmp_path / "cache") == files


@pytest.mark.slow
def test_a_game_works_imported_and_run(tmp_path):
    write_game(tmp_path, "", "7")
    with (tmp_path / "mine.py").open("a") as file:
        file.write(
            "\nif __name__ == '__main__':\n    g = Once()\n    s = g.next_state(g.initial_state(), 0, 0)\n"
            "    print(type(s) is State, g.returns(s))\n"
        )
    check = "from mine import *\nfrom saddlepoint import check_game\ncheck_game(Once(), playouts=2)\n"
    (tmp_path / "check.py").write_text(check)
    output_of(tmp_path / "check.py", cache=tmp_path / "cache")
    for _ in range(2):
        assert output_of(tmp_path / "mine.py", cache=tmp_path / "cache").split() == ["True", "7.0"]
    output_of(tmp_path / "check.py", cache=tmp_path / "cache")


SEARCHED = "search(g, g.initial_state(), BackwardInduction(table=False)).value"


@SLOW
@pytest.mark.parametrize("value", ["g.returns(s)", SEARCHED], ids=["rules", "search"])
def test_a_game_piped_into_python_works_and_leaves_nothing(tmp_path, value):
    code = GAME.format(imports="", value="7", attributes="") + (
        "from saddlepoint import BackwardInduction, search\n"
        f"g = Once()\ns = g.next_state(g.initial_state(), 0, 0)\nprint(type(s) is State, {value})\n"
    )
    kept: list[set[str]] = []
    for _ in range(2):
        assert output_of("-", cache=tmp_path, given=code).split() == ["True", "7.0"]
        kept.append(compiled_files(tmp_path))
        assert not any("Once" in name or "next_state" in name for name in kept[-1])
    assert kept[0] == kept[1]


def test_the_closure_follows_every_import_and_stops_at_libraries(tmp_path):
    package = tmp_path / "pack"
    (package / "inner").mkdir(parents=True)
    files = {
        package / "__init__.py": "",
        package / "inner" / "__init__.py": "from . import deep\n",
        package / "inner" / "deep.py": "from ..side import x\nimport numpy\n",
        package / "side.py": "x = 1\n",
        tmp_path / "game.py": "import pack.inner as p\ndef f():\n    import late\n",
        tmp_path / "late.py": "import importlib\nm = importlib.import_module('named')\n",
        tmp_path / "named.py": "import saddlepoint, os, game\n",
        tmp_path / "foreign.py": "",
    }
    for path, text in files.items():
        path.write_text(text)
    assert source_closure(tmp_path / "game.py") == tuple(sorted(set(files) - {tmp_path / "foreign.py"}))


def test_modules_that_name_each_other_can_both_be_named_in_a_rule():
    """`import one` in two.py and `import two` in one.py: neither is looked into for ever."""
    one, two = ModuleType("one"), ModuleType("two")
    vars(one).update(two=two, factor=2)
    vars(two).update(one=one, term=3)

    scope: dict[str, Any] = {"one": one, "two": two}
    exec("def rule(state): return one.factor * state + two.term", scope)
    rule = scope["rule"]
    digest = captured_digest([rule])
    assert captured_digest([rule]) == digest
    for module, name in ((one, "factor"), (two, "term")):
        old = vars(module)[name]
        vars(module)[name] = 7
        assert captured_digest([rule]) != digest
        vars(module)[name] = old


def test_a_function_made_by_this_package_for_other_numbers_is_another_one():
    """Weights that a rule has read from a file are in no source: what is compiled with others must not be found."""

    def digest(weight: float) -> str:
        scope: dict[str, Any] = {}
        made = "def made_for(weight):\n    def lead(number): return weight * number\n    return lead"
        exec(compile(made, str(PACKAGE / "made.py"), "exec"), scope)
        lead = scope["made_for"](weight)

        def rule(state):
            return lead(state)

        return captured_digest([rule])

    assert digest(1.0) == digest(1.0)
    assert digest(1.0) != digest(2.0)
