"""Optional packages: what is said of them is a command that works, and nothing names a package index that does not have the library."""

import re
import shlex
import tomllib
from pathlib import Path

import pytest

from saddlepoint import _extras
from saddlepoint._extras import how_to_install

ROOT = Path(__file__).parents[1]
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
EXAMPLES = [page for page in (ROOT / "examples").rglob("*.*") if "__pycache__" not in page.parts]
PAGES = [ROOT / "README.md", *(ROOT / "docs").glob("*.md"), *(ROOT / "src").rglob("*.py"), *EXAMPLES]


def test_nothing_is_installed_by_a_name_that_nobody_has_registered() -> None:
    assert not [page for page in PAGES if re.search("pip install ['\"]?saddlepoint", page.read_text())]


def test_from_a_checkout_the_command_names_the_checkout() -> None:
    words = shlex.split(how_to_install("web"))
    assert words == ["pip", "install", "--editable", f"{ROOT}[web]"]


def test_every_extra_is_named_where_it_is_told_how_to_install() -> None:
    told = (ROOT / "docs/installing.md").read_text()
    assert all(f"| `{extra}` |" in told for extra in EXTRAS)


@pytest.mark.parametrize(
    ("noted", "command"),
    [
        ('{"url": "file:///home/me/a b", "dir_info": {}}', "pip install 'saddlepoint[web] @ file:///home/me/a b'"),
        ('{"url": "https://x.example/s.git", "vcs_info": {"vcs": "git"}}', "pip install 'saddlepoint[web] @ git+https://x.example/s.git'"),
        (None, "pip install '.[web]' in a checkout"),
        ("[1]", "pip install '.[web]' in a checkout"),
        ("{", "pip install '.[web]' in a checkout"),
    ],
)
def test_elsewhere_it_names_what_the_library_was_installed_from(
    noted: str | None, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Installed:
        def read_text(self, name: str) -> str | None:
            return noted

    monkeypatch.setattr(_extras, "__file__", str(tmp_path / "site-packages/saddlepoint/_extras.py"))
    monkeypatch.setattr(_extras, "distribution", lambda name: Installed())
    assert how_to_install("web") == command
