"""Compiled code is read from places alone that nobody else can write to; what came with the package, or was compiled whole, is found."""

import json
import os
import platform
import shutil
import stat
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import llvmlite.binding as llvm
import pytest
from build_wheel import TARGETS, collect, environment

import saddlepoint
from helpers.programs import compiled_files, output_of, run_python
from saddlepoint.compiled import directory, directory as finished
from saddlepoint.compiled.directory import Manifest, processor_features
from saddlepoint.compiled.numba_private import KIND as PART
from saddlepoint.compiled.sources import package_digest

WHERE = "from saddlepoint.compiled import cache_directory; print(cache_directory())"
CALL = "from saddlepoint.compiled import jit\n@jit\ndef twice(x):\n    return 2 * x\nprint(twice(21))\n"


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_it_is_made_for_this_user_alone_whatever_the_umask(tmp_path):
    where = Path(output_of("-c", "import os; os.umask(0)\n" + WHERE, cache=tmp_path).strip())
    assert where.parent == tmp_path / "saddlepoint"
    assert mode(where) == mode(where.parent) == 0o700


def test_the_temporary_one_is_private_too(tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("")
    where = Path(output_of("-c", WHERE, cache=blocked, TMPDIR=str(tmp_path)).strip())
    assert where.parent == tmp_path / f"saddlepoint-{os.getuid()}"
    assert mode(where) == mode(where.parent) == 0o700


def test_one_that_others_can_write_to_is_emptied_of_compiled_code_and_closed(tmp_path):
    where, _ = directory._private(tmp_path / "saddlepoint", package_digest())
    planted, kept = where / "planted.nbc", where.parent / "notes"
    planted.write_bytes(b"")
    kept.write_text("the user's own")
    where.chmod(0o777)
    where.parent.chmod(0o777)
    assert Path(output_of("-c", WHERE, cache=tmp_path).strip()) == where
    assert not planted.exists()
    assert kept.exists()
    assert not (mode(where) | mode(where.parent)) & 0o022


def test_one_that_others_could_exchange_is_not_used(tmp_path):
    tmp_path.chmod(0o755)
    open_to_all = tmp_path / "shared"
    open_to_all.mkdir()
    open_to_all.chmod(0o777)
    # Or nobody else comes through a folder above.
    assert directory._others_reach(open_to_all) or any(mode(one) & 0o011 == 0 for one in tmp_path.parents)


def test_a_folder_of_somebody_elses_is_not_used(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "getuid", lambda: 12345)
    made = tmp_path / "saddlepoint"
    made.mkdir()
    assert directory._claim(made) == f"{made} belongs to somebody else"
    assert "belongs to somebody else" in directory._others_reach(made) or os.stat("/").st_uid == 0
    found, reason = directory._private(made, "0" * 16)
    assert found is None
    assert reason


def test_a_link_of_somebody_elses_is_not_followed(tmp_path, monkeypatch):
    link = tmp_path / "link"
    link.symlink_to(tmp_path)
    assert directory._claim(link) == ""
    found = link.lstat()
    planted = os.stat_result((*found[:4], 12345, *found[5:]))
    monkeypatch.setattr(Path, "lstat", lambda self: planted)
    assert "link that somebody else made" in directory._claim(link)


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give files away")
def test_planted_code_does_not_run(tmp_path):
    """Somebody made the fallback's folder before us, and left a pickle in it."""
    blocked = tmp_path / "file"
    blocked.write_text("")
    planted = tmp_path / f"saddlepoint-{os.getuid()}"
    planted.mkdir()
    os.chown(planted, 12345, 12345)
    done = run_python("-c", WHERE, cache=blocked, TMPDIR=str(tmp_path))
    where = Path(done.stdout.strip())
    assert not where.is_relative_to(planted)
    assert not where.exists()
    assert done.stderr.count("\n") == 1
    assert "compiled code is not kept" in done.stderr


@pytest.mark.skipif(os.getuid() == 0, reason="root may write anywhere")
def test_a_read_only_folder_of_the_users_is_left_alone(tmp_path):
    tmp_path.chmod(0o500)
    assert not Path(output_of("-c", WHERE, cache=tmp_path).strip()).is_relative_to(tmp_path)


FULL_DISK = """
import errno, os
from saddlepoint.compiled import cache as kept
def full(*args, **named):
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
kept.whole_file = full
"""


def test_on_a_full_disk_the_result_is_the_same_and_it_is_said_once(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(FULL_DISK + CALL + "print(twice(0.5))\n")
    done = run_python(program, cache=tmp_path / "cache", SADDLEPOINT_QUIET="1")
    assert done.stdout.split() == ["42", "1.0"], done.stderr
    (said,) = done.stderr.splitlines()
    assert "cannot be kept" in said
    assert not compiled_files(tmp_path)


@pytest.mark.slow
def test_a_compilation_that_the_machine_ends_is_a_machine_fault(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(
        "from saddlepoint.compiled import jit, run\nfrom saddlepoint.players.base import MachineFault\n"
        "from numba.core import compiler\n"
        "@jit\ndef twice(x):\n    return 2 * x\n"
        "def starved(*args, **kwargs):\n    raise MemoryError\n"
        "compiler.compile_extra = starved\n"
        "try:\n    run(twice, 1)\nexcept MachineFault as fault:\n    print(fault)\n"
    )
    assert output_of(program, cache=tmp_path / "cache").strip() == "twice could not be compiled: MemoryError"


# -- what comes with the package -----------------------------------------------------------------------------------------

PACKAGE = Path(saddlepoint.__file__).parent
CHECKOUT = Path(__file__).parents[2]
TARGET = TARGETS.get(platform.machine())
FITS = TARGET is not None and set(TARGET.required.split()) <= processor_features()
PROGRAM = """
from numba.core import event

class Count(event.Listener):
    compiled = 0
    def on_start(self, event):
        Count.compiled += 1
    def on_end(self, event):
        pass

event.register("numba:compile", Count())
from saddlepoint import Goofspiel
game = Goofspiel(3)
import sys
print(game.current_player(game.initial_state()), Count.compiled > 0, "numba.np.linalg" in sys.modules)
"""
LOADED, COMPILED = "-1 False False\n", "-1 True True\n"
"""What it prints: the answer, whether anything was compiled, and whether Numba made itself ready for that."""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a copy of the package that carries the compiled code of one rule."""
    folder = tmp_path_factory.mktemp("site")
    shutil.copytree(PACKAGE, folder / "saddlepoint", ignore=shutil.ignore_patterns("__pycache__", "*.nbc"))
    cache = folder / "cache"
    assert TARGET is not None
    told = {key: value for key, value in environment(TARGET, cache).items() if key not in os.environ}
    assert output_of("-c", PROGRAM, cache=cache, **{**told, "PYTHONPATH": str(folder)}) == COMPILED
    collect(cache, folder / "saddlepoint" / "compiled" / "bundled", TARGET)
    return folder


def bundled(library: Path) -> Path:
    return library / "saddlepoint" / "compiled" / "bundled"


def manifest(library: Path) -> Manifest:
    return Manifest(**json.loads((bundled(library) / "manifest.json").read_text()))


@pytest.fixture
def other(library: Path, tmp_path: Path) -> Path:
    """A copy of it, to be spoilt."""
    return Path(shutil.copytree(library, tmp_path / "other", ignore=shutil.ignore_patterns("cache")))


def run(library: Path, cache: Path, **environment: str) -> tuple[str, str]:
    done = run_python("-c", PROGRAM, cache=cache, PYTHONPATH=str(library), **environment)
    assert done.returncode == 0, done.stderr
    return done.stdout, "".join(
        line for line in done.stderr.splitlines() if not line.startswith("saddlepoint: compil")
    )


@pytest.mark.skipif(not FITS, reason="no compiled code is bundled for this processor")
def test_what_is_carried_is_not_compiled(library: Path, tmp_path: Path) -> None:
    assert run(library, tmp_path) == (LOADED, "")
    assert not compiled_files(tmp_path)


@pytest.mark.skipif(not FITS, reason="no compiled code is bundled for this processor")
def test_only_what_python_calls_is_carried(library: Path) -> None:
    kept = {name: manifest(library).load(name, bundled(library)) for name in manifest(library).files}
    assert kept
    assert all(payload[0][1] != PART for payload in kept.values())
    assert {path.name for path in bundled(library).iterdir()} == {*kept, "manifest.json"}


@pytest.mark.skipif(not FITS, reason="no compiled code is bundled for this processor")
@pytest.mark.slow
def test_code_for_this_very_processor_comes_first(library: Path, tmp_path: Path) -> None:
    assert run(library, tmp_path, SADDLEPOINT_NATIVE="1") == (COMPILED, "")
    files = compiled_files(tmp_path)
    # Another processor, another key.
    assert not files & compiled_files(library / "cache")
    assert run(library, tmp_path) == (LOADED, "")
    assert compiled_files(tmp_path) == files


@pytest.mark.skipif(not FITS, reason="no compiled code is bundled for this processor")
@pytest.mark.slow
def test_for_another_numba_it_is_compiled_as_ever_and_said_why(other: Path, tmp_path: Path) -> None:
    path = bundled(other) / "manifest.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"numba": "0.60.0"}))
    out, err = run(other, tmp_path / "cache")
    assert out == COMPILED
    assert err.startswith("saddlepoint: the compiled code that came with the package is not used: ")
    assert "it was made with numba 0.60.0, here is " in err


@pytest.mark.skipif(not FITS, reason="no compiled code is bundled for this processor")
@pytest.mark.slow
def test_a_file_that_is_not_what_it_was_is_not_read(other: Path, tmp_path: Path) -> None:
    for path in bundled(other).glob("*.nbc"):
        path.write_bytes(path.read_bytes()[:-1])
    assert run(other, tmp_path / "cache") == (COMPILED, "")


@pytest.mark.skipif(not FITS, reason="no compiled code is bundled for this processor")
@pytest.mark.parametrize(
    "text", ["{}", *(pytest.param(text, marks=pytest.mark.slow) for text in ("", '["numba"]'))]
)
def test_a_broken_manifest_is_told(other: Path, tmp_path: Path, text: str) -> None:
    (bundled(other) / "manifest.json").write_text(text)
    code = "from saddlepoint.compiled.directory import bundled_code; print(bundled_code())"
    done = run_python("-c", code, cache=tmp_path, PYTHONPATH=str(other))
    assert (done.stdout, done.stderr.count("its manifest cannot be read")) == ("None\n", 1)


@pytest.mark.skipif(not FITS, reason="no compiled code is bundled for this processor")
@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({}, ""),
        (
            {"python": "cpython-39"},
            f"it was made with python cpython-39, here is {sys.implementation.cache_tag}",
        ),
        ({"llvmlite": "0.1"}, "it was made with llvmlite 0.1, here is "),
        (
            {"triple": "pdp11-unknown-unix"},
            f"it is for pdp11-unknown-unix, this is {llvm.get_process_triple()}",
        ),
        ({"required": ["turbo", "fma3000"]}, "it needs a processor with fma3000, turbo"),
        ({"sources": "0" * 16}, "the package's sources were changed"),
    ],
)
def test_it_is_refused_in_a_sentence(library: Path, changed: dict[str, object], said: str) -> None:
    reason = replace(manifest(library), **changed).refusal()
    assert reason.startswith(said) and bool(reason) == bool(said)


@pytest.mark.skipif(not FITS, reason="no compiled code is bundled for this processor")
@pytest.mark.slow
def test_changed_sources_are_not_run_with_it(other: Path, tmp_path: Path) -> None:
    rules = other / "saddlepoint" / "games" / "goofspiel" / "game.py"
    rules.write_text(rules.read_text().replace("return TERMINAL if state.deck == 0 else CHANCE", "return 1"))
    out, err = run(other, tmp_path / "cache")
    assert (out, err.endswith("the package's sources were changed")) == ("1 True True\n", True)


@pytest.mark.skipif(not FITS, reason="no compiled code is bundled for this processor")
@pytest.mark.slow
def test_a_wheel_plays_without_compiling(tmp_path: Path) -> None:
    """The whole way, with the quickest game: build, install, play with an empty cache."""
    copy = Path(
        shutil.copytree(
            CHECKOUT,
            tmp_path / "checkout",
            ignore=shutil.ignore_patterns(".*", "__pycache__", "*.nbc", "build", "dist", "*.egg-info"),
        )
    )
    output_of(copy / "tools" / "build_wheel.py", "goofspiel", PYTHONPATH=str(copy / "src"))
    (wheel,) = (copy / "dist").glob("*.whl")
    version = f"cp{sys.version_info[0]}{sys.version_info[1]}"
    assert f"-{version}-{version}-" in wheel.name
    subprocess.run(
        [
            sys.executable,
            "-m",
            "pip",
            "install",
            "--quiet",
            "--no-deps",
            "--target",
            tmp_path / "installed",
            wheel,
        ],
        check=True,
    )
    assert (
        tmp_path / "installed" / "saddlepoint" / "games" / "connect_four" / "usual_board.weights"
    ).is_file()
    cache = tmp_path / "cache"
    output_of(
        "-m",
        "saddlepoint",
        "play",
        "goofspiel",
        "best",
        "best",
        "--nodes",
        "500",
        cache=cache,
        PYTHONPATH=str(tmp_path / "installed"),
    )
    assert not compiled_files(cache)


# -- what was compiled whole ---------------------------------------------------------------------------------------------


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that holds the folders of compiled code; nothing is known there."""
    (tmp_path / "0123456789abcdef").mkdir()
    monkeypatch.setattr(finished, "cache_directory", lambda: tmp_path / "0123456789abcdef")
    return tmp_path


def test_a_task_is_compiled_for_these_sources_alone(home: Path, monkeypatch: pytest.MonkeyPatch):
    finished.note_compiled("game player")
    assert finished.is_compiled("game player")
    (home / "fedcba9876543210").mkdir()
    monkeypatch.setattr(finished, "cache_directory", lambda: home / "fedcba9876543210")
    assert not finished.is_compiled("game player")


def test_what_came_with_a_wheel_is_compiled(home: Path, monkeypatch: pytest.MonkeyPatch):
    assert not finished.is_compiled("game player")
    (home / "bundled").mkdir()
    (home / "bundled" / finished.TASKS).write_text("another player\ngame player\n")
    monkeypatch.setattr(finished, "bundled_code", SimpleNamespace)
    monkeypatch.setattr(finished, "FOLDER", home / "bundled")
    assert finished.is_compiled("game player")
    assert not finished.is_compiled("game")
