"""What `make docs` gives to Sphinx: every public name is described, and nothing leads out of the site but to other hosts."""

import re
from pathlib import Path

import pytest
from docs_site.__main__ import _described
from docs_site.pages import contents, write_sources
from docs_site.reference import names_by_page

import saddlepoint


@pytest.fixture(scope="module", params=[False, True], ids=["pictures", "boards"])
def sources(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, bool]:
    """All sources, and whether they have live boards."""
    folder = tmp_path_factory.mktemp("sources")
    write_sources(folder, request.param)
    return folder, request.param


def test_every_public_name_is_described_on_one_page() -> None:
    named = [name for names in names_by_page().values() for name in names]
    assert sorted(named) == sorted(saddlepoint.__all__)


def test_every_link_leads_to_a_page_of_the_site(sources: tuple[Path, bool]) -> None:
    folder, _ = sources
    broken = []
    for page in folder.rglob("*.md"):
        text = re.sub(r"^(```+).*?^\1$", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
        for link in re.findall(r"\]\((?![a-z]+:)([^)#\s]+)", text):
            target = (page.parent / link).resolve()
            if not (target.is_relative_to(folder) and target.is_file()):
                broken.append(f"{page.relative_to(folder)}: {link}")
    assert broken == []


def test_code_that_a_page_links_to_is_shown_on_the_site(sources: tuple[Path, bool]) -> None:
    folder, _ = sources
    assert "class Undercut(Game):" in (folder / "code" / "examples" / "undercut-py.md").read_text(
        encoding="utf-8"
    )
    assert "## `take_away/entry.py`" in (folder / "code" / "examples" / "take_away.md").read_text(
        encoding="utf-8"
    )


def test_live_boards_stand_only_where_they_were_made(sources: tuple[Path, bool]) -> None:
    folder, has_boards = sources
    with_board = {
        page.stem for page in folder.glob("*.md") if 'class="board"' in page.read_text(encoding="utf-8")
    }
    assert with_board == (set(contents()["boards"]) if has_boards else set())


def test_the_matrix_of_the_stage_has_a_place_before_its_table(sources: tuple[Path, bool]) -> None:
    text = (sources[0] / "stage.md").read_text(encoding="utf-8")
    assert re.search(r'<div class="matrix"></div>\n```\n\n\| \| left \|', text)
    assert [
        page.stem
        for page in sources[0].glob("**/*.md")
        if 'class="matrix"' in page.read_text(encoding="utf-8")
    ] == ["stage"]


def test_what_one_gets_is_a_page_s_description_without_marks() -> None:
    head = "<title>Page - Saddlepoint</title>"
    first = (
        '<p><strong>You get</strong> a <em>"game"</em>\nof 2 &lt; 3. <strong>Time:</strong> two minutes.</p>'
    )
    assert '<meta name="description" content="A &quot;game&quot; of 2 &lt; 3.">' in _described(head + first)
    assert '<meta name="description" content="Page - Saddlepoint">' in _described(head)


def test_a_part_says_of_its_pages_what_they_say_themselves(sources: tuple[Path, bool]) -> None:
    part = (sources[0] / "parts" / "enter-a-contest.md").read_text(encoding="utf-8")
    assert "| [Battlesnake](../battlesnake.md) | a snake that plays over the internet | ten minutes |" in part
