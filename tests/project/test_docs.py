"""The documentation and the README hold together: links, lengths, commands, code, and what the site is made of.

(`make docs`: tests/web/test_docs_site.py.)
"""

import doctest
import os
import re
import shlex
import subprocess
import sys
import tomllib
import types
from collections.abc import Iterable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import docs_site
import pytest
import typer
from docs_site.__main__ import _described
from docs_site.pages import contents, first_sentence, root_pages, write_sources
from docs_site.reference import described_names, names_by_page

import saddlepoint
from saddlepoint.cli.program import commands as all_commands

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


def without_blocks(page: Path) -> str:
    """The text of a page but for its blocks of code."""
    return _CODE.sub("", page.read_text(encoding="utf-8"))


def anchors_of(page: Path) -> set[str]:
    """As code hosts make them: small letters, - for blanks, without other marks."""
    found = set()
    for heading in re.findall(r"^#{1,6} (.+)$", without_blocks(page), re.M):
        words = re.sub(r"[`*]|\[([^\]]*)\]\([^)]*\)", lambda match: match[1] or "", heading).strip().lower()
        found.add(re.sub(r"[^\w\- ]", "", words).replace(" ", "-"))
    return found


@pytest.mark.parametrize("page", ALL, ids=name_of)
def test_every_link_leads_to_a_file_and_to_a_heading_of_it(page: Path) -> None:
    broken = []
    for link in re.findall(r"\]\(([^)\s]+)\)", without_blocks(page)):
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


def refused(commands: Iterable[list[str]], *but: str) -> list[str]:
    """Those of the commands that the parser does not take, and why; but for errors of these names."""
    found = []
    for words in commands:
        try:
            parsed(words)
        except Exception as error:
            if type(error).__name__ not in but:
                found.append(
                    f"{shlex.join(words)}: {type(error).__name__}: {getattr(error, 'message', error)}"
                )
    return found


@pytest.mark.parametrize("page", ALL, ids=name_of)
def test_every_command_is_one_that_the_program_takes(page: Path) -> None:
    assert refused(commands_of(page)) == []


@pytest.mark.parametrize("page", ALL, ids=name_of)
def test_a_command_within_a_sentence_has_no_word_that_the_program_does_not_know(page: Path) -> None:
    """Such commands may leave out what they need: `saddlepoint match`."""
    found = re.findall(r"`saddlepoint ([a-z][^`\n|\[]*)`", without_blocks(page))
    commands = [shlex.split(command.replace(" ...", "")) for command in found]
    assert refused(commands, "MissingParameter", "NoArgsIsHelpError", "BadOptionUsage") == []


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
        unknown += [
            f"{name} {option}"
            for option in re.findall(r"(?<!\S)--[a-z][\w-]*", arguments)
            if f'"{option}"' not in source
        ] or ([] if source else [name])
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
    line = r"^(?:saddlepoint|pip|python|make) [a-z.'./-]+ .*"
    assert re.findall(line, without_blocks(page), re.M) == []


def test_there_are_commands_to_be_tried_and_a_wrong_one_is_found(tmp_path: Path) -> None:
    assert sum(len(list(commands_of(page))) for page in ALL) > 200
    page = tmp_path / "page.md"
    page.write_text("# A page\n\n    saddlepoint match best random --gamme goofspiel    # a comment\n")
    (words,) = commands_of(page)
    assert words == ["match", "best", "random", "--gamme", "goofspiel"]
    wrong = refused([words, ["solve", "goofspiel", "--ouput", "g.sol"], ["solve", "goofspiel"]])
    assert ["--gamme" in wrong[0], "--ouput" in wrong[1], len(wrong)] == [True, True, 2]


_BLOCK = re.compile(r"(<!-- not run: [^\n]+ -->\n)?^```(python|pycon)\n(.*?)^```$", re.M | re.S)


def blocks_of(page: Path) -> list[tuple[str, str]]:
    """(kind, code) of each block that shall run; one before which a comment says why it does not is left out."""
    found = _BLOCK.findall(page.read_text(encoding="utf-8"))
    return [(kind, code) for left_out, kind, code in found if not left_out]


OF_OTHER_LIBRARIES = {"interop", "open_spiel"}
"""Their code runs in tests/interop, where those libraries are installed."""
WITH_CODE = [
    page for page in sorted(DOCS.rglob("*.md")) if blocks_of(page) and page.stem not in OF_OTHER_LIBRARIES
]


def test_most_pages_with_code_are_run():
    assert len(WITH_CODE) >= 15


@pytest.mark.slow
@pytest.mark.parametrize("page", WITH_CODE, ids=name_of)
@pytest.mark.usefixtures("here")
def test_the_code_of_a_page_runs_from_top_to_bottom(page, tmp_path, monkeypatch):
    module = types.ModuleType("code_of_a_page")
    monkeypatch.setitem(sys.modules, module.__name__, module)  # where a dataclass looks for its module
    for number, (kind, code) in enumerate(blocks_of(page), 1):
        where = f"{page.name}, block {number}"
        if kind == "python":
            file = tmp_path / f"block{number}.py"  # rules are read from their file
            file.write_text(code)
            exec(compile(code, str(file), "exec"), vars(module))
        else:
            found = doctest.DocTestParser().get_doctest(code, vars(module), where, str(page), 0)
            assert doctest.DocTestRunner().run(found, clear_globs=False).failed == 0
            vars(module).update(found.globs)


TEXT = (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", "docs/installing.md", "docs/versions.md"])
def test_every_make_target_exists(page: str) -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    text = (ROOT / page).read_text(encoding="utf-8")
    targets = {"".join(found) for found in re.findall(r"^make ([\w-]+)|`make ([\w-]+)", text, re.MULTILINE)}
    assert targets
    assert not [name for name in targets if not re.search(rf"^{name}:", makefile, re.MULTILINE)]


def test_the_page_of_commands_has_an_example_of_every_command() -> None:
    page = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    commands = set(re.findall(r"(?:^|; )saddlepoint ([\w-]+)", page, re.MULTILINE))
    assert commands == {name for group in all_commands().values() for name in group}


def test_the_readme_is_short_and_leaves_the_rest_to_the_site() -> None:
    assert len(TEXT.split()) <= 450
    assert "docs/index.md" in TEXT


def test_the_readme_names_every_game_once_by_how_it_is_played() -> None:
    from saddlepoint.games.catalogue.games import GAMES

    line = " ".join(TEXT.split())
    at_once, in_turn = re.findall(r"\*\*(?:At the same time|In turn):\*\* ([^.]*)\.", line)
    assert sorted([*at_once.split(", "), *in_turn.split(", ")]) == sorted(
        game.title for game in GAMES.values()
    )
    assert set(in_turn.split(", ")) == {game.title for game in GAMES.values() if game.game_class.turn_based}


def test_what_installing_says_that_stays_is_where_the_program_writes(monkeypatch: pytest.MonkeyPatch) -> None:
    from saddlepoint.compiled.directory import _cache_home
    from saddlepoint.games.rubiks_flip.database import default_path, expected_size

    for name in ("NUMBA_CACHE_DIR", "XDG_CACHE_HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    page = (ROOT / "docs/installing.md").read_text(encoding="utf-8")
    for system, name in (("linux", "Linux"), ("darwin", "macOS")):
        monkeypatch.setattr("sys.platform", system)
        removed = re.search(rf"^rm -rf (.*?) +# {name}$", page, re.M)
        assert removed and [Path(path).expanduser() for path in removed[1].split()] == [
            _cache_home(),
            default_path().parent,
        ]
    assert f"({expected_size() / 1e6:.0f} MB)" in page


# -- what the site is made of --------------------------------------------------------------------------------------------


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
