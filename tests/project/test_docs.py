"""The documentation holds together: links, lengths, commands. `make docs` makes a site of it (tests/web/test_docs_site.py)."""

import re
import shlex
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = sorted(DOCS.rglob("*.md"))
ALL = [
    *PAGES,
    *(ROOT / f"{name}.md" for name in ("README", "CHANGELOG", "CODE_OF_CONDUCT", "CONTRIBUTING", "SECURITY")),
]
LONGEST = 1500
"""Words of a page; people do not read more at once."""
TABLES = {"commands", "glossary", "mistakes", "page_interface"}
"""Pages in which one looks something up: the rows of their tables are not counted."""
_CODE = re.compile(r"^(```+).*?^\1$", re.M | re.S)


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def anchors_of(page: Path) -> set[str]:
    """As code hosts make them: small letters, - for blanks, without other marks."""
    text = _CODE.sub("", page.read_text(encoding="utf-8"))
    found = set()
    for heading in re.findall(r"^#{1,6} (.+)$", text, re.M):
        words = re.sub(r"[`*]|\[([^\]]*)\]\([^)]*\)", lambda match: match[1] or "", heading).strip().lower()
        found.add(re.sub(r"[^\w\- ]", "", words).replace(" ", "-"))
    return found


@pytest.mark.parametrize("page", ALL, ids=name_of)
def test_every_link_leads_to_a_file_and_to_a_heading_of_it(page: Path) -> None:
    broken = []
    for link in re.findall(r"\]\(([^)\s]+)\)", _CODE.sub("", page.read_text(encoding="utf-8"))):
        name, _, anchor = link.partition("#")
        if re.match(r"[a-z]+:", link):
            continue
        target = (page.parent / name) if name else page
        if not target.exists() or (anchor and anchor not in anchors_of(target)):
            broken.append(link)
    assert broken == []


def test_every_page_of_the_docs_that_something_else_names_is_there() -> None:
    """Docstrings, messages and comments name pages, too."""
    kinds = (".py", ".js", ".c", ".txt", ".html", ".toml")
    folders = ("src", "tests", "tools", "benchmarks", "examples")
    files = [path for folder in folders for path in (ROOT / folder).rglob("*") if path.suffix in kinds]
    named = {
        (path, found)
        for path in files
        for found in re.findall(r"\bdocs/[\w/-]+\.md\b", path.read_text(encoding="utf-8"))
    }
    assert len(named) > 20
    assert [f"{path}: {found}" for path, found in named if not (ROOT / found).exists()] == []


@pytest.mark.parametrize("page", [page for page in PAGES if page.stem != "decisions"], ids=name_of)
def test_no_page_is_too_long(page: Path) -> None:
    lines = page.read_text(encoding="utf-8").splitlines()
    counted = [line for line in lines if page.stem not in TABLES or not line.startswith("|")]
    assert sum(len(line.split()) for line in counted) <= LONGEST


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_a_page_begins_with_a_sentence_of_its_subject(page: Path) -> None:
    heading, first = page.read_text(encoding="utf-8").split("\n\n")[:2]
    assert heading.startswith("# ")
    assert re.match(r"[A-Z`\[*][^|#!]+?[.:]( |$)", " ".join(first.split()))
    assert not first.startswith("**You get**"), "say what it is, and for whom"


def test_the_docs_can_be_read() -> None:
    """More than that nobody reads: a page more takes another one's place."""
    assert len(PAGES) <= 55
    words = [word for page in PAGES for word in page.read_text(encoding="utf-8").split()]
    assert sum(any(map(str.isalnum, word)) for word in words) <= 55_000


def test_every_page_has_its_place_in_the_navigation_once() -> None:
    parts = tomllib.loads((DOCS / "contents.toml").read_text(encoding="utf-8"))["part"]
    listed = [page for part in parts for page in part["pages"] if not page.startswith("reference/")]
    assert len(set(listed)) == len(listed)
    of_root = {"CHANGELOG", "CODE_OF_CONDUCT", "CONTRIBUTING", "SECURITY"}
    assert set(listed) - of_root == {page.relative_to(DOCS).with_suffix("").as_posix() for page in PAGES} - {
        "index",
        "decisions",  # for who changes the library: CONTRIBUTING leads there
    }


def commands_of(page: Path) -> Iterator[list[str]]:
    """The commands of the program in a page's blocks, as words without the program's name; what leaves something out is skipped."""
    text = page.read_text(encoding="utf-8")
    fenced = re.findall(r"^```(?:sh|bash|console)?\n(.*?)^```$", text, re.M | re.S)
    indented = re.findall(r"(?:^\n|\A)((?:^ {4}.*\n)+)", _CODE.sub("", text), re.M)
    for block in (*fenced, *indented):
        for line in block.replace("\\\n", " ").splitlines():
            found = re.search(r"(?:^|[;|&] |\$ |Delegate=yes )saddlepoint (?!:)(.*)", line.strip())
            if found is None or line.strip().startswith(("#", "saddlepoint:")):
                continue
            for command in re.split(r"; saddlepoint ", found[1]):
                lexer = shlex.shlex(command, posix=True, punctuation_chars="|&;<>")
                lexer.whitespace_split, lexer.commenters = True, "#"
                words = []
                for word in lexer:
                    if set(word) <= set("|&;<>"):
                        break
                    words.append(word)
                if words and "..." not in words:
                    yield words


def parsed(words: list[str]) -> None:
    """Have the program's parser read a command, without running it; it raises an error of usage."""
    from saddlepoint.cli.program import app

    command: Any = typer.main.get_command(app)
    context, rest = command.context_class(command, info_name="saddlepoint"), list(words)
    while rest and hasattr(command, "commands"):
        _, command, rest = command.resolve_command(context, rest)
    command.make_context(command.name, rest, parent=context)


@pytest.mark.parametrize("page", ALL, ids=name_of)
def test_every_command_is_one_that_the_program_takes(page: Path) -> None:
    refused = []
    for words in commands_of(page):
        try:
            parsed(words)
        except Exception as error:
            refused.append(f"{shlex.join(words)}: {type(error).__name__}: {getattr(error, 'message', error)}")
    assert refused == []


@pytest.mark.parametrize("page", ALL, ids=name_of)
def test_a_command_within_a_sentence_has_no_word_that_the_program_does_not_know(page: Path) -> None:
    """Such commands may leave out what they need: `saddlepoint match`."""
    refused = []
    for command in re.findall(
        r"`saddlepoint ([a-z][^`\n|\[]*)`", _CODE.sub("", page.read_text(encoding="utf-8"))
    ):
        try:
            parsed(shlex.split(command.replace(" ...", "")))
        except Exception as error:
            if type(error).__name__ not in ("MissingParameter", "NoArgsIsHelpError", "BadOptionUsage"):
                refused.append(f"{command}: {getattr(error, 'message', error)}")
    assert refused == []


def test_the_demo_has_no_clock_to_lose_by_and_ends_with_commands_to_try() -> None:
    demo = re.search(r"^demo:.*\n((?:\t.*\n)+)", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M)
    assert demo
    played, *next_ones = re.findall(r"\$\(BIN\)/saddlepoint ([^'\n]+)", demo[1])
    assert "--nodes" in played and "--time" not in played
    assert len(next_ones) == 2 and demo[1].splitlines()[-1].startswith('\t@echo "Next: ')
    for command in (played, *next_ones):
        parsed(command.split())


def unknown_in_programs(text: str) -> list[str]:
    """Programs of this repository that a text runs and that are not there, and options that they do not name."""
    unknown = []
    for name, arguments in re.findall(
        r"\bpython ((?:benchmarks|examples|tools)/[\w/.]+)([^`\n#|;&]*)", text.replace("\\\n", " ")
    ):
        program = ROOT / name / "__main__.py" if (ROOT / name).is_dir() else ROOT / name
        source = program.read_text(encoding="utf-8") if program.exists() else ""
        options = re.findall(r"(?<!\S)--[a-z][\w-]*", arguments)
        unknown += [f"{name} {option}" for option in options if f'"{option}"' not in source] or (
            [] if source else [name]
        )
    return unknown


@pytest.mark.parametrize("page", ALL, ids=name_of)
def test_every_program_that_a_page_runs_is_there_and_names_its_options(page: Path) -> None:
    assert unknown_in_programs(page.read_text(encoding="utf-8")) == []


def test_an_option_that_a_program_has_no_more_is_found() -> None:
    gone = ["benchmarks/folding.py --gone", "benchmarks/gone.py"]
    assert unknown_in_programs("`python benchmarks/folding.py --gone`\n    python benchmarks/gone.py") == gone


@pytest.mark.parametrize("page", ALL, ids=name_of)
def test_a_command_on_a_line_of_its_own_stands_in_a_block(page: Path) -> None:
    """Outside of one a page shows it as a sentence, with curled quotes that no shell takes."""
    assert (
        re.findall(
            r"^(?:saddlepoint|pip|python|make) [a-z.'./-]+ .*",
            _CODE.sub("", page.read_text(encoding="utf-8")),
            re.M,
        )
        == []
    )


def test_there_are_commands_to_be_tried_and_a_wrong_one_is_found(tmp_path: Path) -> None:
    assert sum(len(list(commands_of(page))) for page in ALL) > 200
    page = tmp_path / "page.md"
    page.write_text("# A page\n\n    saddlepoint match best random --gamme goofspiel    # a comment\n")
    (words,) = commands_of(page)
    assert words == ["match", "best", "random", "--gamme", "goofspiel"]
    with pytest.raises(Exception, match="gamme"):
        parsed(words)
    with pytest.raises(Exception, match="ouput"):
        parsed(["solve", "goofspiel", "--ouput", "g.sol"])
