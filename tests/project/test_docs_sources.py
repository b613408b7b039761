"""What `make docs` gives to Sphinx: every public name is described, and nothing leads out of the site but to other hosts."""

import os
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import docs_site
import pytest
from docs_site.__main__ import _described
from docs_site.pages import contents, first_sentence, root_pages, write_sources
from docs_site.reference import described_names, names_by_page

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


@pytest.mark.parametrize(
    "first",
    [
        '<strong>You get</strong> a <em>"game"</em>\nof 2 &lt; 3. <strong>Time:</strong> two minutes.',
        'A <em>"game"</em> of\n2 &lt; 3. It has <code>rules</code>.',
        'A <em>"game"</em> of 2 &lt; 3.',
    ],
)
def test_the_first_sentence_is_a_page_s_description_without_marks(first: str) -> None:
    head = "<title>Page - Saddlepoint</title>"
    picture = '<p><img alt="A board" src="board.png" />\n</p>'
    for page in (f"<h1>Page</h1>\n<p>{first}</p>", f"<h1>Page</h1>\n{picture}\n<p>{first}</p>\n<p>More.</p>"):
        assert '<meta name="description" content="A &quot;game&quot; of 2 &lt; 3.">' in _described(
            head + page
        )
    for page in ("<h1>Page</h1><table><p>A cell.</p></table>", f"<p>{first}</p>"):
        assert '<meta name="description" content="Page - Saddlepoint">' in _described(head + page)


@pytest.mark.parametrize(
    ("paragraph", "sentence"),
    [
        ("**You get** a bot, and\nits strength. **Time:** ten minutes.", "A bot, and its strength."),
        (
            "You write a bot, e.g. in C, with riddles.io's engine. It plays.",
            "You write a bot, e.g. in C, with riddles.io's engine.",
        ),
        ("It takes `a. B`, or 3.5 s! Then more.", "It takes `a. B`, or 3.5 s!"),
        ("Is it (really?) Yes.", "Is it (really?)"),
        ("No end", "No end"),
        ("", ""),
    ],
)
def test_a_sentence_ends_before_a_new_one(paragraph: str, sentence: str) -> None:
    assert first_sentence(paragraph) == sentence


def test_a_part_says_of_each_of_its_pages_its_first_sentence(sources: tuple[Path, bool]) -> None:
    for part in contents()["part"]:
        name = part["title"].lower().replace(" ", "-")
        rows = re.findall(
            r"^\| \[.*?\]\(\.\./(.*?)\.md\) \| (.*) \|$",
            (sources[0] / "parts" / f"{name}.md").read_text(encoding="utf-8"),
            re.M,
        )
        assert [page for page in part["pages"] if page not in dict(rows)] in ([], ["reference/*"])
        assert [page for page, words in rows if "**" in words or not (words or page in root_pages())] == []


def test_nothing_names_a_page_that_the_navigation_has_not() -> None:
    listed = {page for part in contents()["part"] for page in part["pages"]} | {"index", "reference/*"}
    named: set[str] = {*contents()["boards"]}
    for path in Path(str(docs_site.__file__)).parent.rglob("*"):
        if path.suffix in (".py", ".js", ".css"):
            named |= {*re.findall(r"\bdocs/([\w/-]+)\.md\b", path.read_text(encoding="utf-8"))}
    assert named - listed == set()


EXAMPLES = [
    (package, name)
    for names in described_names().values()
    for package, name in names
    if callable(value := getattr(import_module(package), name)) and ">>> " in (value.__doc__ or "")
]


def test_the_examples_of_public_names_give_what_they_say() -> None:
    """As plain Python: nothing is compiled."""
    code = (
        "import doctest, importlib\n"
        f"for package, name in {EXAMPLES!r}:\n"
        "    value = getattr(importlib.import_module(package), name)\n"
        "    (found,) = doctest.DocTestFinder(recurse=False).find(value, name, globs={})\n"
        "    print(name, doctest.DocTestRunner().run(found))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
    )
    assert len(EXAMPLES) >= 110
    assert re.findall(r"failed=(\d+), attempted=[1-9]", done.stdout) == ["0"] * len(EXAMPLES), done.stdout
