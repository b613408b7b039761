"""The README, and the page that says what it leaves to the site, do what they say."""

import doctest
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.plain
@pytest.mark.compiles_long
@pytest.mark.parametrize(("page", "examples"), [("searching", 6), ("stage", 4)])
def test_the_examples_with_answers_of_the_docs_run(page: str, examples: int) -> None:
    failures, tried = doctest.testfile(str(ROOT / "docs" / f"{page}.md"), module_relative=False)
    assert failures == 0
    assert tried == examples


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", "docs/installing.md", "docs/versions.md"])
def test_every_make_target_exists(page: str) -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    text = (ROOT / page).read_text(encoding="utf-8")
    targets = {"".join(found) for found in re.findall(r"^make ([\w-]+)|`make ([\w-]+)", text, re.MULTILINE)}
    assert targets
    assert not [name for name in targets if not re.search(rf"^{name}:", makefile, re.MULTILINE)]


def test_the_page_of_commands_has_an_example_of_every_command() -> None:
    cli = pytest.importorskip("saddlepoint.cli")
    page = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    commands = set(re.findall(r"(?:^|; )saddlepoint ([\w-]+)", page, re.MULTILINE))
    known = {info.name or info.callback.__name__ for info in cli.app.registered_commands}
    known |= {group.name for group in cli.app.registered_groups}
    assert commands == known


def test_the_readme_is_short_and_leaves_the_rest_to_the_site() -> None:
    assert len(TEXT.split()) <= 450
    assert "docs/index.md" in TEXT
