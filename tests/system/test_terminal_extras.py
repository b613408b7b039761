"""Optional packages: what is said of them is a command that works, and nothing names a package index that does not have the library."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from saddlepoint.system import terminal as _extras
from saddlepoint.system.terminal import how_to_install, shell_path

ROOT = Path(__file__).parents[2]
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
EXAMPLES = [page for page in (ROOT / "examples").rglob("*.*") if "__pycache__" not in page.parts]
PAGES = [ROOT / "README.md", *(ROOT / "docs").glob("*.md"), *(ROOT / "src").rglob("*.py"), *EXAMPLES]


def test_nothing_is_installed_by_a_name_that_nobody_has_registered() -> None:
    assert not [page for page in PAGES if re.search("pip install ['\"]?saddlepoint", page.read_text())]


PYTHON = shell_path(sys.executable)
RECEIPT = '[tool]\nrequirements = [{ name = "saddlepoint", extras = ["terminal", "web"], directory = "/somewhere" }]\n'


@pytest.fixture
def away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An environment, `tools`, that has the library without a checkout around it."""
    monkeypatch.setattr(
        _extras, "__file__", str(tmp_path / "tools/lib/site-packages/saddlepoint/system/terminal.py")
    )
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "tools"))
    monkeypatch.setattr(_extras, "find_spec", lambda name: name)
    noted(monkeypatch, '{"url": "file:///srv/a%20b", "dir_info": {}}')
    (tmp_path / "tools").mkdir()
    return tmp_path / "tools"


def noted(monkeypatch: pytest.MonkeyPatch, text: str | None) -> None:
    """The installer has written this down about where the library came from."""

    class Installed:
        def read_text(self, name: str) -> str | None:
            return text

    monkeypatch.setattr(_extras, "distribution", lambda name: Installed())


def words_of(command: str) -> list[str]:
    """What a shell makes of it."""
    shown = subprocess.run(
        ["sh", "-c", f"printf '%s\n' {command}"], capture_output=True, text=True, check=True
    )
    return shown.stdout.splitlines()


def test_from_a_checkout_the_command_names_the_checkout() -> None:
    installs = [sys.executable, "-m", "pip", "install", "--editable", f"{ROOT}[web]"]
    assert words_of(how_to_install("web")) == installs


def test_every_extra_is_named_where_it_is_told_how_to_install() -> None:
    told = (ROOT / "docs/installing.md").read_text()
    assert all(f"| `{extra}` |" in told for extra in EXTRAS)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ('{"url": "file:///srv/a%20b", "dir_info": {}}', "'/srv/a b[web]'"),
        (
            '{"url": "https://x.example/s.git", "vcs_info": {"vcs": "git"}}',
            "'saddlepoint[web] @ git+https://x.example/s.git'",
        ),
        (
            '{"url": "https://x.example/s.whl", "archive_info": {}}',
            "'saddlepoint[web] @ https://x.example/s.whl'",
        ),
        (None, "'.[web]' in a checkout"),
        ("[1]", "'.[web]' in a checkout"),
        ("{", "'.[web]' in a checkout"),
    ],
)
@pytest.mark.usefixtures("away")
def test_elsewhere_it_names_what_the_library_was_installed_from(
    text: str | None, named: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    noted(monkeypatch, text)
    assert how_to_install("web") == f"{PYTHON} -m pip install {named}"


@pytest.mark.parametrize(
    ("file", "text", "command"),
    [
        ("pipx_metadata.json", "", "pipx runpip tools install '/srv/a b[web]'"),
        ("uv-receipt.toml", RECEIPT, "uv tool install --force '/srv/a b[terminal,web]'"),
        ("uv-receipt.toml", RECEIPT.replace("name", "other"), "uv tool install --force '/srv/a b[web]'"),
        ("uv-receipt.toml", "tool = 3", "uv tool install --force '/srv/a b[web]'"),
        ("uv-receipt.toml", "[", "uv tool install --force '/srv/a b[web]'"),
    ],
)
def test_who_made_the_environment_installs_into_it_and_keeps_its_extras(
    file: str, text: str, command: str, away: Path
) -> None:
    (away / file).write_text(text)
    assert how_to_install("web") == command


@pytest.mark.usefixtures("away")
def test_an_environment_without_pip_is_one_of_uv(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_extras, "find_spec", lambda name: None)
    assert how_to_install("web") == f"uv pip install --python {PYTHON} '/srv/a b[web]'"


@pytest.mark.usefixtures("away")
def test_a_path_in_the_home_directory_does_not_name_the_user_and_a_shell_finds_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr(sys, "executable", str(tmp_path / "my venv/bin/python"))
    noted(monkeypatch, f'{{"url": "file://{tmp_path}/it%27s"}}')
    command = how_to_install("web")
    assert str(tmp_path) not in command
    assert words_of(command) == [
        f"{tmp_path}/my venv/bin/python",
        "-m",
        "pip",
        "install",
        f"{tmp_path}/it's[web]",
    ]


def test_an_extra_that_has_no_package_for_this_python_says_so_and_which_python_has_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "version_info", (3, 15, 0))
    assert how_to_install("open_spiel") == "there is none for Python 3.15 yet; use Python 3.14 for it"
    assert "install" in how_to_install("web")
    monkeypatch.setattr(sys, "version_info", (3, 14, 0))
    assert "[open_spiel]" in how_to_install("open_spiel")
