"""The README's commands and its example do what they say."""

import doctest
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "README.md").read_text()


@pytest.mark.plain
@pytest.mark.compiles_long
def test_the_example_runs():
    failures, tried = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert failures == 0
    assert tried == 6


def test_every_make_target_exists():
    makefile = (ROOT / "Makefile").read_text()
    for target in set(re.findall(r"^make (\w+)|`make (\w+)", TEXT, re.MULTILINE)):
        name = "".join(target)
        assert re.search(rf"^{name}:", makefile, re.MULTILINE), name


def test_every_command_exists():
    cli = pytest.importorskip("saddlepoint.cli")
    commands = set(re.findall(r"(?:^|; )saddlepoint ([\w-]+)", TEXT, re.MULTILINE))
    known = {info.name or info.callback.__name__ for info in cli.app.registered_commands}
    known |= {group.name for group in cli.app.registered_groups}
    assert commands == known


@pytest.mark.parametrize("page", ["README.md", "CHANGELOG.md", *(f"docs/{page.name}" for page in (ROOT / "docs").glob("*.md"))])
def test_links_lead_somewhere(page):
    path = ROOT / page
    for link in re.findall(r"\]\(([^)#:]+)\)", path.read_text()):
        assert (path.parent / link).exists(), link
