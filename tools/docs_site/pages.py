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
_LANGUAGES = {".py": "python", ".js": "js", ".c": "c", ".toml": "toml", ".md": "markdown", ".ipynb": "python"}
EDITABLE = "<!-- On the site this matrix can be changed. -->"
"""Before a table that is a matrix game: static/matrix_editor.js takes its place."""
_SENTENCE = re.compile(
    r"(?:`[^`]*`|\b(?:e\.g|i\.e|etc|vs|cf|al)\.|[^`])*?(?:[.!?][\"')*\u201d\u2019]*(?=\s+[^\sa-z])|\Z)", re.S
)
"""The first sentence: it ends at a mark before a new one, but not within code."""
_GETS = re.compile(r"(?:\*\*)?You get(?:\*\*)?\s+(?=\S)")
_LINK = re.compile(r"(?<!!)\[([^\[\]]*)\]\((?![a-z]+:)([^)#\s]+)(#[^)\s]*)?\)")


def contents() -> dict[str, Any]:
    """docs/contents.toml."""
    return tomllib.loads((DOCS / "contents.toml").read_text(encoding="utf-8"))


def root_pages() -> list[str]:
    """The pages of the navigation that lie in the root of the repository."""
    listed = [page for part in contents()["part"] for page in part["pages"]]
    return [
        page for page in listed if not (DOCS / f"{page}.md").is_file() and (CHECKOUT / f"{page}.md").is_file()
    ]


def first_sentence(paragraph: str) -> str:
    """Of a page's first paragraph what its description takes: the first sentence, without `You get`, which some begin with."""
    words = " ".join(paragraph.split())
    text = _GETS.sub("", words, count=1) if _GETS.match(words) else words
    found = _SENTENCE.match(text)
    sentence = found[0].strip() if found else text
    return sentence[:1].upper() + sentence[1:]


def write_sources(folder: Path, has_boards: bool) -> None:
    """All sources of the site into a new folder."""
    table = contents()
    reference = reference_pages()
    shown: set[Path] = set()
    in_parts = {"index", *(name for part in table["part"] for name in part["pages"])}
    for page in sorted(DOCS.rglob("*.md")):
        name = page.relative_to(DOCS).with_suffix("").as_posix()
        text = _site_links(page.read_text(encoding="utf-8"), page, name, shown)
        text = text if name in in_parts else f"---\norphan: true\n---\n{text}"
        text = text.replace(EDITABLE, '```{raw} html\n<div class="matrix"></div>\n```')
        if has_boards and name in table["boards"]:
            text = _with_board(text, table["boards"][name])
        _write(folder / f"{name}.md", text + (_navigation(table) if name == "index" else ""))
    for name in root_pages():
        page = CHECKOUT / f"{name}.md"
        _write(folder / f"{name}.md", _site_links(page.read_text(encoding="utf-8"), page, name, shown))
    for name, text in reference.items():
        _write(folder / f"{name}.md", text)
    for path in shown:
        _write(folder / f"{_code_page(path)}.md", "---\norphan: true\n---\n" + "\n".join(_code_of(path)))
    for part in table["part"]:
        _write(folder / "parts" / f"{_slug(part['title'])}.md", _part_page(part, folder, reference))
    shutil.copytree(DOCS / "images", folder / "images")
    shutil.copytree(DOCS / "data", folder / "data")


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
    """A part's own page: each of its pages, with its first sentence."""
    pages = [page for one in part["pages"] for page in (reference if one == "reference/*" else [one])]
    told = [
        f"# {part['title']}",
        "",
        f"{part['gives'][:1].upper()}{part['gives'][1:]}.",
        "",
        "| page | |",
        "|---|---|",
    ]
    for page in pages:
        text = (folder / f"{page}.md").read_text(encoding="utf-8")
        words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", first_sentence(_first_paragraph(text)))
        told.append(f"| [{_title_of(text)}](../{page}.md) | {words.replace('|', chr(92) + '|')} |")
    return "\n".join(told) + "\n" + _toctree(f"/{page}" for page in pages)


def _title_of(text: str) -> str:
    return text.partition("# ")[2].partition("\n")[0]


def _first_paragraph(text: str) -> str:
    """The first paragraph below the title, "" where something else comes before any."""
    for part in _below_title(text):
        if not part.startswith(("![", "<!--")):
            return "" if re.match(r"#|[-+*] |\d+\. |\||>|```|:::|---", part) else part
    return ""


def _below_title(text: str) -> list[str]:
    return [part.strip("\n") for part in text.partition("# ")[2].split("\n\n")[1:] if part.strip()]


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
        elif path.suffix != ".md" or path.with_suffix("").as_posix() not in root_pages():
            shown.add(path)
            path, anchor = Path(f"{_code_page(path)}.md"), ""
        return f"[{words}]({up}{path.as_posix()}{anchor})"

    parts = re.split(r"(^```.*?^```$)", text, flags=re.M | re.S)
    return "".join(part if part.startswith("```") else _LINK.sub(on_site, part) for part in parts)


def _with_board(text: str, address: str) -> str:
    """A place for a live board: below the first picture, which it replaces (static/site.js), or below the first paragraph."""
    picture = re.search(r"^!\[[^\]]*\]\([^)]*\)$", text, re.M)
    first = _first_paragraph(text)
    if picture is None and not first:
        raise ValueError("a page with a board has a picture on a line of its own, or begins with a paragraph")
    end = picture.end() if picture else text.index(first) + len(first)
    frame = f'```{{raw}} html\n<div class="board" data-address="{address}"></div>\n```'
    return f"{text[:end]}\n\n{frame}{text[end:]}"


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
