"""Games of installed packages are found wherever Python finds packages, and where there are none nothing is loaded to look for them."""

import subprocess
import sys
import zipfile
from importlib.metadata import Distribution, entry_points
from pathlib import Path
from typing import Any

import pytest

from saddlepoint.roster.installed import ENTRY_POINTS, entry_points_of_games

_NAMED = f"[console_scripts]\nmine = mine:main\n\n[{ENTRY_POINTS}]\nmine = mine.entry:GAME\n"
_METADATA = "Metadata-Version: 2.1\nName: mine\nVersion: 1.0\n"


def _put(folder: Path, name: str) -> Path:
    (folder / name).mkdir(parents=True)
    (folder / name / ("METADATA" if "dist" in name else "PKG-INFO")).write_text(_METADATA)
    (folder / name / "entry_points.txt").write_text(_NAMED)
    return folder


def _zipped(folder: Path) -> Path:
    archive = folder / "mine.zip"
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("mine-1.0.dist-info/METADATA", _METADATA)
        file.writestr("mine-1.0.dist-info/entry_points.txt", _NAMED)
    return archive


_PLACES = {
    "installed": lambda folder: _put(folder, "mine-1.0.dist-info"),
    "installed by setuptools of old": lambda folder: _put(folder, "mine-1.0-py3.11.egg-info"),
    "an egg": lambda folder: _put(folder / "mine-1.0-py3.11.egg", "EGG-INFO"),
    "an archive": _zipped,
}  # fmt: skip


@pytest.mark.parametrize("place", _PLACES)
def test_a_package_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str) -> None:
    monkeypatch.setattr(sys, "path", [str(tmp_path / "missing"), str(_PLACES[place](tmp_path))])
    assert [(point.name, point.value) for point in entry_points_of_games()] == [("mine", "mine.entry:GAME")]


def test_a_package_that_a_finder_of_its_own_knows_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    class Known(Distribution):
        def read_text(self, filename: str) -> str | None:
            return {"METADATA": _METADATA, "entry_points.txt": _NAMED}.get(filename)

        def locate_file(self, path: Any) -> Any:
            return path

    class Finder:
        def find_spec(self, name: str, path: Any = None, target: Any = None) -> None:
            return None

        def find_distributions(self, context: Any) -> list[Distribution]:
            return [Known()] if context.name in (None, "mine") else []

    monkeypatch.setattr(sys, "path", [])
    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path, Finder()])
    assert [point.name for point in entry_points_of_games()] == ["mine"]


def test_others_entry_points_are_not_taken_for_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _put(tmp_path, "mine-1.0.dist-info")
    (tmp_path / "mine-1.0.dist-info" / "entry_points.txt").write_text(f"[console_scripts]\n{ENTRY_POINTS} = mine:main\n")
    monkeypatch.setattr(sys, "path", [str(tmp_path)])
    assert entry_points_of_games() == []


@pytest.mark.skipif(bool(list(entry_points(group=ENTRY_POINTS))), reason="a package with a game is installed here")
def test_where_none_is_installed_the_lists_do_not_load_what_reads_entry_points() -> None:
    for command in ("games", "players"):
        program = f"import sys; from saddlepoint.cli import main; sys.argv[1:] = [{command!r}]\ntry: main()\nfinally: print([*sys.modules])"
        told = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True, timeout=300)
        assert "'saddlepoint.roster.games'" in told.stdout
        assert "'importlib.metadata'" not in told.stdout
