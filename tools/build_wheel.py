"""`make wheel`: a wheel that carries the compiled code of the library's games, for the Python that builds it.

The games are played by all their players with an empty cache, for the processor that the code is to be for; what Python called
then goes into the wheel. Parts of other functions do not: nothing that is bundled is compiled into anything else.
"""

import argparse
import os
import pickle
import platform
import shutil
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib.metadata import distribution
from pathlib import Path

import llvmlite
import llvmlite.binding as llvm
import numba

from saddlepoint.compiled.directory import TASKS, Manifest, digest_of_file, processor_features, write_manifest
from saddlepoint.compiled.numba_private import KIND as PART
from saddlepoint.compiled.sources import package_digest
from saddlepoint.games.catalogue.games import GAMES, make_game
from saddlepoint.games.catalogue.players import players_of

CHECKOUT = Path(__file__).parents[1]
BUILD = CHECKOUT / "build"
PERSON = "hint\nundo\nhelp\nquit\n"
"""What a person types who plays against `best`."""


@dataclass(frozen=True)
class Target:
    """The processors that code is made for, as LLVM calls them."""

    cpu: str
    required: str
    """What they all have."""


TARGETS = {
    "x86_64": Target(
        "x86-64-v3",
        "avx avx2 bmi bmi2 cmov cx16 cx8 f16c fma fxsr lzcnt mmx movbe popcnt sahf sse sse2 sse3 sse4.1 sse4.2 ssse3 xsave",
    ),
    "aarch64": Target("generic", "neon"),
}
TARGETS["arm64"] = TARGETS["aarch64"]


@dataclass(frozen=True)
class Run:
    """A run of the program, and what is typed meanwhile."""

    words: tuple[str, ...]
    typed: str = ""


def runs(game: str) -> Iterator[Run]:
    """Games of that game by each of its players, and one by a person; against `random` where there is no `best`."""
    names = [entry.name for entry in players_of(game) if entry.is_complete]
    for name in names:
        yield Run(("play", game, name, name, "--nodes", "1000", "--seed", "1", "--json"))
    yield Run(("play", game, "human", "best" if "best" in names else "random", "--time", "0.1"), PERSON)


def environment(target: Target, cache: Path) -> dict[str, str]:
    """The environment of a process that compiles for a target."""
    told = {
        "NUMBA_CACHE_DIR": str(cache),
        "NUMBA_CPU_NAME": target.cpu,
        "NUMBA_CPU_FEATURES": "",
        "SADDLEPOINT_NATIVE": "1",
    }
    return os.environ | told


def compile_games(games: list[str], target: Target, cache: Path) -> None:
    """Fill the cache with what the runs need, two games at a time."""

    def play(game: str) -> None:
        for run in runs(game):
            command = [sys.executable, "-m", "saddlepoint", *run.words]
            subprocess.run(
                command,
                input=run.typed,
                text=True,
                check=True,
                env=environment(target, cache),
                stdout=subprocess.DEVNULL,
            )

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(play, games))


def collect(cache: Path, folder: Path, target: Target) -> Manifest:
    """Put what Python calls of a cache into a folder of its own, with its manifest."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    files: dict[str, str] = {}
    for path in sorted((cache / "saddlepoint" / package_digest()).glob("*.nbc")):
        content = path.read_bytes()
        if pickle.loads(content)[0][1] != PART:
            (folder / path.name).write_bytes(content)
            files[path.name] = digest_of_file(content)
    tasks = cache / "saddlepoint" / package_digest() / TASKS
    if tasks.is_file():
        shutil.copy(tasks, folder)
    manifest = Manifest(
        python=str(sys.implementation.cache_tag),
        numba=numba.__version__,
        llvmlite=llvmlite.__version__,
        sources=package_digest(),
        triple=llvm.get_process_triple(),
        cpu=target.cpu,
        cpu_features="",
        required=target.required.split(),
        files=files,
    )
    write_manifest(folder, manifest)
    return manifest


def platform_tag() -> str:
    """The platforms that the wheel is for: those of the Numba that it needs."""
    text = distribution("numba").read_text("WHEEL") or ""
    tags = [line.rpartition("-")[2] for line in text.splitlines() if line.startswith("Tag: ")]
    return tags[0]


def build(folder: Path, target: Path) -> Path:
    """Build the wheel with this folder's compiled code."""
    for left in BUILD.glob("lib*"):  # setuptools would take along what an earlier build put there
        shutil.rmtree(left)
    for path in target.glob("*.whl"):
        path.unlink()
    subprocess.run(
        [
            sys.executable,
            "-m",
            "pip",
            "wheel",
            "--quiet",
            "--disable-pip-version-check",
            "--no-deps",
            "--wheel-dir",
            str(target),
            f"--config-settings=--build-option=--plat-name={platform_tag()}",
            str(CHECKOUT),
        ],
        check=True,
        env={**os.environ, "SADDLEPOINT_BUNDLED": str(folder)},
    )
    return next(target.glob("*.whl"))


def main() -> None:
    """Build a wheel in dist/."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("games", nargs="*", help="Only these games; all of the library's by default.")
    games = parser.parse_args().games or list(GAMES)
    for name in games:
        make_game(name)  # refuses what there is not
    target = TARGETS.get(platform.machine())
    if target is None:
        raise SystemExit(
            f"compiled code is bundled for {', '.join(TARGETS)}, and this is {platform.machine()}"
        )
    missing = sorted(set(target.required.split()) - processor_features())
    if missing:
        raise SystemExit(
            f"the code would not run here, where it is made: this processor lacks {', '.join(missing)}"
        )
    cache, folder = BUILD / "compiled" / target.cpu, BUILD / "bundled"
    compile_games(games, target, cache)
    manifest = collect(cache, folder, target)
    wheel = build(folder, CHECKOUT / "dist")
    bundled = sum(path.stat().st_size for path in folder.iterdir())
    print(
        f"{wheel.relative_to(CHECKOUT)}: {wheel.stat().st_size / 1e6:.1f} MB, with {len(manifest.files)} compiled functions of "
        f"{', '.join(games)} ({bundled / 1e6:.1f} MB) for {target.cpu}"
    )


if __name__ == "__main__":
    main()
