"""The Markdown of the repository as sources of the site."""

import json
import re
import shutil
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from docs_site.reference import reference_pages

CHECKOUT = Path(__file__).parents[2]
DOCS = CHECKOUT / "docs"
ROOT_PAGES = ("CHANGELOG", "CODE_OF_CONDUCT", "CONTRIBUTING", "SECURITY")
"""Pages in the root of the repository."""
_LANGUAGES = {".py": "python", ".js": "js", ".c": "c", ".toml": "toml", ".md": "markdown", ".ipynb": "python"}
_EDITABLE = "<!-- On the site this matrix can be changed. -->"
"""Before a table that is a matrix game: static/matrix_editor.js takes its place."""
_LINK = re.compile(r"(?<!!)\[([^\[\]]*)\]\((?![a-z]+:)([^)#\s]+)(#[^)\s]*)?\)")


def contents() -> dict[str, Any]:
    """docs/contents.toml."""
    return tomllib.loads((DOCS / "contents.toml").read_text(encoding="utf-8"))


def write_sources(folder: Path, has_boards: bool) -> None:
    """All sources of the site into a new folder."""
    table = contents()
    reference = reference_pages()
    shown: set[Path] = set()
    for page in sorted(DOCS.rglob("*.md")):
        name = page.relative_to(DOCS).with_suffix("").as_posix()
        text = _site_links(page.read_text(encoding="utf-8"), page, name, shown)
        text = text.replace(_EDITABLE, '```{raw} html\n<div class="matrix"></div>\n```')
        if has_boards and name in table["boards"]:
            text = _with_board(text, table["boards"][name])
        _write(folder / f"{name}.md", text + (_navigation(table) if name == "index" else ""))
    for name in ROOT_PAGES:
        page = CHECKOUT / f"{name}.md"
        _write(folder / f"{name}.md", _site_links(page.read_text(encoding="utf-8"), page, name, shown))
    for name, text in reference.items():
        _write(folder / f"{name}.md", text)
    for path in shown:
        _write(folder / f"{_code_page(path)}.md", "---\norphan: true\n---\n" + "\n".join(_code_of(path)))
    for part in table["part"]:
        _write(folder / "parts" / f"{_slug(part['title'])}.md", _part_page(part, folder, reference))
    shutil.copytree(DOCS / "images", folder / "images")
    for data in DOCS.glob("*.json"):
        shutil.copy(data, folder)


def _write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


def _navigation(table: dict[str, Any]) -> str:
    """The parts as a hidden table of contents, below the first page."""
    return _toctree(f"parts/{_slug(part['title'])}" for part in table["part"])


def _toctree(pages: Iterable[str]) -> str:
    return "\n".join(["", "```{toctree}", ":hidden:", "", *pages, "```", ""])


def _slug(title: str) -> str:
    return title.lower().replace(" ", "-")


def _part_page(part: dict[str, Any], folder: Path, reference: Iterable[str]) -> str:
    """A part's own page: each of its pages, with what it says that one gets."""
    pages = [page for one in part["pages"] for page in (reference if one == "reference/*" else [one])]
    told = [
        f"# {part['title']}",
        "",
        f"**You get** {part['gives']}.",
        "",
        "| page | you get | time |",
        "|---|---|---|",
    ]
    for page in pages:
        text = (folder / f"{page}.md").read_text(encoding="utf-8")
        title = _title_of(text)
        found = re.search(r"^\*\*You get\*\* (.*?)\.?(?: \*\*Time:\*\* (.*?)\.?)?$", _first_paragraph(text))
        gets, time = (found[1], found[2] or "") if found else (_first_paragraph(text), "")
        gets, time = (
            re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", words).replace("|", "\\|") for words in (gets, time)
        )
        told.append(f"| [{title}](../{page}.md) | {gets} | {time} |")
    return "\n".join(told) + "\n" + _toctree(f"/{page}" for page in pages)


def _title_of(text: str) -> str:
    return text.partition("# ")[2].partition("\n")[0]


def _first_paragraph(text: str) -> str:
    return next(
        (" ".join(part.split()) for part in text.split("\n\n")[1:] if part[:1].isalnum() or part[:1] in "*`"),
        "",
    )


def _site_links(text: str, page: Path, name: str, shown: set[Path]) -> str:
    """Links to pages and to code as they are on the site; the code that is linked to is entered in `shown`."""
    up = "../" * name.count("/")

    def on_site(match: re.Match[str]) -> str:
        words, target, anchor = match[1], (page.parent / match[2]).resolve(), match[3] or ""
        if words == target.name and target.suffix == ".md":
            words = _title_of(target.read_text(encoding="utf-8"))
        path = target.relative_to(CHECKOUT)
        if target.is_relative_to(DOCS):
            path = target.relative_to(DOCS)
        elif path.suffix != ".md" or path.with_suffix("").as_posix() not in ROOT_PAGES:
            shown.add(path)
            path, anchor = Path(f"{_code_page(path)}.md"), ""
        return f"[{words}]({up}{path.as_posix()}{anchor})"

    parts = re.split(r"(^```.*?^```$)", text, flags=re.M | re.S)
    return "".join(part if part.startswith("```") else _LINK.sub(on_site, part) for part in parts)


def _with_board(text: str, address: str) -> str:
    """A place for a live board: below the first picture, which it replaces (static/site.js), or below the first paragraph."""
    place = re.search(r"^!\[[^\]]*\]\([^)]*\)$", text, re.M) or re.search(
        r"^\*\*You get\*\*.*?(?=\n\n)", text, re.M | re.S
    )
    if place is None:
        raise ValueError(
            "a page with a board has a picture on a line of its own, or begins with what one gets"
        )
    frame = f'```{{raw}} html\n<div class="board" data-address="{address}"></div>\n```'
    return f"{text[: place.end()]}\n\n{frame}{text[place.end() :]}"


def _code_page(path: Path) -> str:
    return f"code/{path.as_posix().replace('.', '-')}"


def _code_of(path: Path) -> list[str]:
    """A page that shows a file, or all files of a folder."""
    whole = CHECKOUT / path
    files = (
        [whole]
        if whole.is_file()
        else sorted(file for file in whole.rglob("*") if file.is_file() and "__pycache__" not in file.parts)
    )
    told = [f"# `{path.as_posix()}`", ""]
    for file in files:
        if len(files) > 1:
            told += [f"## `{file.relative_to(whole).as_posix()}`", ""]
        text = file.read_text(encoding="utf-8")
        if file.suffix == ".ipynb":
            text = _cells(json.loads(text))
        fence = "`" * max(3, *(len(run) + 1 for run in re.findall(r"`{3,}", text)), 3)
        told += [f"{fence}{_LANGUAGES.get(file.suffix, 'text')}", text.rstrip("\n"), fence, ""]
    return told


def _cells(notebook: dict[str, Any]) -> str:
    """A notebook as Python, with its text as comments."""
    parts = []
    for cell in notebook["cells"]:
        text = "".join(cell["source"])
        parts.append(
            text
            if cell["cell_type"] == "code"
            else "\n".join(f"# {line}".rstrip() for line in text.split("\n"))
        )
    return "\n\n".join(parts)
