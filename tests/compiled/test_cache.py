"""Where compiled code is kept, that it is never stale, and that no function is compiled twice by processes that need it at once."""

import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from filelock import FileLock

import saddlepoint
from helpers.programs import compiled_files, output_of
from saddlepoint.compiled import PLAIN_PYTHON, cache as kept, directory, sources
from saddlepoint.compiled.cache import PackageCache, _acquired as acquired
from saddlepoint.compiled.sources import package_digest

PACKAGE = Path(saddlepoint.__file__).parent
SHOWING = """
from saddlepoint import *
from saddlepoint.compiled import cache_directory
game = {game}
print(cache_directory())
print(game.render(game.next_state(game.initial_state(), 1, {action})))
"""
BOARD = SHOWING.format(game="LightRiders(5, 4)", action=3)
PROGRAM = SHOWING.format(game="Goofspiel(2, 'descending')", action=0)  # compiled quickly


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere it is another directory")
def test_by_default_it_is_the_users_cache_directory(tmp_path, monkeypatch):
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    for chosen, there in (("", tmp_path / ".cache"), (str(tmp_path / "own"), tmp_path / "own")):
        monkeypatch.setenv("XDG_CACHE_HOME", chosen)
        assert directory._cache_home() == there / "saddlepoint"


@pytest.mark.slow
def test_a_changed_package_has_another_directory(tmp_path):
    copy, compiled = tmp_path / "library" / "saddlepoint", tmp_path / "cache"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    environment = {"PYTHONPATH": str(copy.parent)}
    before = output_of("-c", BOARD, cache=compiled, **environment)
    assert output_of("-c", BOARD, cache=compiled, **environment) == before
    # A helper that every step of the game has inlined: no cell to the right is ever free any more.
    rules = copy / "boards" / "grid.py"
    source = rules.read_text()
    edited = source.replace("return cell + 1 if x < grid.width - 1 else -1", "return -1")
    assert edited != source
    rules.write_text(edited)
    after = output_of("-c", BOARD, cache=compiled, **environment)
    assert after.splitlines()[0] != before.splitlines()[0]
    assert after.splitlines()[1:] != before.splitlines()[1:]
    rules.write_text(source)
    assert output_of("-c", BOARD, cache=compiled, **environment) == before


USERS = """
from saddlepoint.compiled import jit
from helper import factor

@jit
def scaled(x):
    return x * 3 * factor(x)

print(scaled(2))
"""
HELPER = """
from saddlepoint.compiled import jit

@jit
def factor(x):
    return 10
"""


@pytest.mark.slow
def test_a_number_changed_in_a_users_function_is_a_changed_function(tmp_path):
    known = set[str]()
    for own, others, printed, is_new in (
        (3, 10, 60, True),
        (3, 10, 60, False),
        (4, 10, 80, True),
        (4, 100, 800, True),
    ):
        (tmp_path / "program.py").write_text(USERS.replace("3", str(own)))
        (tmp_path / "helper.py").write_text(HELPER.replace("10", str(others)))
        assert output_of(tmp_path / "program.py", cache=tmp_path / "cache").strip() == str(printed)
        before, known = known, compiled_files(tmp_path / "cache")
        assert (known != before) == is_new, "what did not change is found again"


@pytest.mark.compiles_long
def test_plain_python_gives_the_same_and_keeps_nothing(tmp_path):
    plain = output_of("-c", PROGRAM, cache=tmp_path, NUMBA_DISABLE_JIT="1")
    assert not compiled_files(tmp_path)
    assert output_of("-c", PROGRAM, cache=tmp_path) == plain


@pytest.mark.slow
def test_a_damaged_file_is_compiled_again(tmp_path):
    expected = output_of("-c", PROGRAM, cache=tmp_path)
    for name in compiled_files(tmp_path):
        (tmp_path / name).write_bytes(b"not machine code")
    assert output_of("-c", PROGRAM, cache=tmp_path) == expected


def test_directories_of_old_sources_are_removed_after_a_while(tmp_path, monkeypatch):
    old, recent, current = (tmp_path / (digit * 16) for digit in "abc")
    foreign = tmp_path / "a users own folder"
    for folder in (old, recent, current, foreign):
        folder.mkdir()
    for unused in (old, foreign):
        os.utime(unused, (0, 0))
    directory._remove_unused(current)
    assert [d.exists() for d in (old, recent, current, foreign)] == [False, True, True, True]


SCRIPT = """
from dataclasses import dataclass
from typing import NamedTuple
from saddlepoint import SIMULTANEOUS, TERMINAL, Game, kernel

class State(NamedTuple):
    step: int

@dataclass(frozen=True)
class Once(Game):
    max_actions = 1
    max_depth = 1
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
    def returns(self, state): return 0.5

game = Once()
from saddlepoint.game.base import _next_state, _legal_actions
print(game.returns(game.next_state(game.initial_state(), 0, 0)))
stats = _next_state._python_entry.stats
print(sum(stats.cache_hits.values()), sum(stats.cache_misses.values()))
"""


def test_a_script_is_found_again_in_its_second_run(tmp_path):
    script = tmp_path / "once.py"
    script.write_text(SCRIPT)
    assert output_of(script, cache=tmp_path).split() == ["0.5", "0", "1"]
    assert output_of(script, cache=tmp_path).split() == ["0.5", "1", "0"]


@pytest.mark.slow
def test_what_was_typed_into_a_prompt_is_never_taken_from_disk(tmp_path):
    for _ in range(2):
        assert output_of("-c", SCRIPT, cache=tmp_path).split() == ["0.5", "0", "1"]


def test_folders_left_out_of_the_digest_hold_no_compiled_code():
    left_out = set(PACKAGE.rglob("*.py")) - set(sources.source_files())
    assert {path.relative_to(PACKAGE).parts[0] for path in left_out} >= {"arena", "cli"}
    for path in left_out:
        text = path.read_text()
        for word in ("import numba", "from numba", "@jit", "@kernel", "jit_inline", "(Component)"):
            assert word not in text, f"{path.name} has {word}: its folder belongs in the digest"


NAMES = """
import sys
import numpy as np
from numba import from_dtype
from numba.core.itanium_mangler import mangle_type
from saddlepoint.compiled import jit
for number in range(int(sys.argv[1])):
    from_dtype(np.dtype([(f"another{number}", "i8")]))
one, two = (from_dtype(np.dtype([("first", kind), ("second", "i8")])) for kind in ("i8", "f8"))
print(mangle_type(one), mangle_type(two))
"""


def test_the_names_of_compiled_functions_tell_records_apart_the_same_way_in_every_process(tmp_path):
    """Else code that two processes kept would call each other's functions, which look for other fields."""
    (tmp_path / "names.py").write_text(NAMES)
    found = [output_of(tmp_path / "names.py", number).split() for number in ("0", "3")]
    assert found[0] == found[1]
    assert len(set(found[0])) == 2


# -- only once -----------------------------------------------------------------------------------------------------------

KEY, OTHER = "0000010abcdef", "0000020abcdef"
HOLDER = """
import sys, time
from filelock import FileLock
from saddlepoint.compiled.cache import _acquired, cache_directory
lock = FileLock(cache_directory() / f"{sys.argv[1]}.lock")
assert _acquired(lock, 0.0)
print("locked", flush=True)
time.sleep(60)
"""


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the locks, here and in processes."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    folder = tmp_path / "saddlepoint" / package_digest()
    monkeypatch.setattr(kept, "cache_directory", lambda: folder)
    return folder


def lock_of(name: str) -> FileLock:
    return FileLock(kept.cache_directory() / f"{name}.lock", thread_local=False)


@pytest.fixture
def holder(home: Path):
    with subprocess.Popen([sys.executable, "-c", HOLDER, KEY], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "locked\n"
        yield process
        process.kill()


def test_who_wants_what_another_process_has_locked_waits_until_that_process_ends_however_it_ends(holder):
    assert acquired(lock_of(OTHER), 0.0), "nobody else has this one"
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(acquired, lock_of(KEY), 60.0)
        with pytest.raises(TimeoutError):
            waiting.result(0.3)
        holder.kill()
        assert waiting.result(30)


def test_a_lock_that_was_released_makes_nobody_wait_and_leaves_no_file(home: Path):
    home.mkdir(parents=True)
    cache = PackageCache(lock_of)
    for _ in range(2):
        assert not cache._lock(None, KEY), "nobody else had it"
        assert list(home.iterdir())
        cache.release_locks()
    assert not list(home.glob("*.lock"))


def test_where_no_file_can_be_made_everybody_compiles(home: Path):
    assert not home.exists()
    assert acquired(lock_of(KEY), 0.0)


AT_ONCE = """
from dataclasses import dataclass
from saddlepoint.compiled import Component, jit, kernel, run

@dataclass(frozen=True)
class Sum(Component):
    @kernel
    def value(self, x):
        total = 0
        for k in range(x):
            total += k * x // (k + 1)
        return total

@jit
def twice(sum, x):
    return 2 * sum.value(x)

print("ready", flush=True)
input()
run(twice, Sum(), 5)
print(sum(twice.stats.cache_misses.values()) + sum(Sum.kernels["value"].stats.cache_misses.values()))
"""


@pytest.mark.slow
@pytest.mark.usefixtures("home")
@pytest.mark.skipif(PLAIN_PYTHON, reason="nothing is compiled")
def test_processes_that_begin_at_the_same_time_compile_each_function_once_between_them(tmp_path: Path):
    (tmp_path / "program.py").write_text(AT_ONCE)
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path / "cache"), "SADDLEPOINT_QUIET": "1"}
    command = [sys.executable, str(tmp_path / "program.py")]
    processes = [
        subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for _ in range(3)
    ]
    for process in processes:
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        process.stdin.write("\n")
        process.stdin.flush()
    misses = [int(process.communicate(timeout=120)[0]) for process in processes]
    assert sum(misses) == 2, "the kernel and the function that calls it"
