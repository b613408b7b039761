"""Each file of tests lies where the file that it tests lies in the package, and is called after it."""

from pathlib import Path

import pytest
import typer

import saddlepoint
from saddlepoint.cli.program import app

PACKAGE = Path(saddlepoint.__file__).parent
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
