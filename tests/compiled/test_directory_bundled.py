"""Compiled code that comes with the package is used where it fits, and nowhere else."""

import json
import os
import platform
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import llvmlite.binding as llvm
import pytest
from build_wheel import TARGETS, collect, environment

import saddlepoint
from helpers.programs import compiled_files, output_of, run_python
from saddlepoint.compiled.directory import BundledCode, Manifest, processor_features
from saddlepoint.compiled.numba_private import KIND as PART

PACKAGE = Path(saddlepoint.__file__).parent
CHECKOUT = Path(__file__).parents[2]
TARGET = TARGETS.get(platform.machine())
FITS = TARGET is not None and set(TARGET.required.split()) <= processor_features()

pytestmark = pytest.mark.skipif(not FITS, reason="no compiled code is bundled for this processor")

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


def test_what_is_carried_is_not_compiled(library: Path, tmp_path: Path) -> None:
    assert run(library, tmp_path) == (LOADED, "")
    assert not compiled_files(tmp_path)


def test_only_what_python_calls_is_carried(library: Path) -> None:
    kept = {
        name: BundledCode(bundled(library), manifest(library)).load(name) for name in manifest(library).files
    }
    assert kept
    assert all(payload[0][1] != PART for payload in kept.values())
    assert {path.name for path in bundled(library).iterdir()} == {*kept, "manifest.json"}


@pytest.mark.slow
def test_code_for_this_very_processor_comes_first(library: Path, tmp_path: Path) -> None:
    assert run(library, tmp_path, SADDLEPOINT_NATIVE="1") == (COMPILED, "")
    files = compiled_files(tmp_path)
    # Another processor, another key.
    assert not files & compiled_files(library / "cache")
    assert run(library, tmp_path) == (LOADED, "")
    assert compiled_files(tmp_path) == files


@pytest.mark.slow
def test_for_another_numba_it_is_compiled_as_ever_and_said_why(other: Path, tmp_path: Path) -> None:
    path = bundled(other) / "manifest.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"numba": "0.60.0"}))
    out, err = run(other, tmp_path / "cache")
    assert out == COMPILED
    assert err.startswith("saddlepoint: the compiled code that came with the package is not used: ")
    assert "it was made with numba 0.60.0, here is " in err


@pytest.mark.slow
def test_a_file_that_is_not_what_it_was_is_not_read(other: Path, tmp_path: Path) -> None:
    for path in bundled(other).glob("*.nbc"):
        path.write_bytes(path.read_bytes()[:-1])
    assert run(other, tmp_path / "cache") == (COMPILED, "")


@pytest.mark.parametrize(
    "text", ["{}", *(pytest.param(text, marks=pytest.mark.slow) for text in ("", '["numba"]'))]
)
def test_a_broken_manifest_is_told(other: Path, tmp_path: Path, text: str) -> None:
    (bundled(other) / "manifest.json").write_text(text)
    code = "from saddlepoint.compiled.directory import bundled_code; print(bundled_code())"
    done = run_python("-c", code, cache=tmp_path, PYTHONPATH=str(other))
    assert (done.stdout, done.stderr.count("its manifest cannot be read")) == ("None\n", 1)


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


@pytest.mark.slow
def test_changed_sources_are_not_run_with_it(other: Path, tmp_path: Path) -> None:
    rules = other / "saddlepoint" / "games" / "goofspiel" / "game.py"
    rules.write_text(rules.read_text().replace("return TERMINAL if state.deck == 0 else CHANCE", "return 1"))
    out, err = run(other, tmp_path / "cache")
    assert (out, err.endswith("the package's sources were changed")) == ("1 True True\n", True)


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
