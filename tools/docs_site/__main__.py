"""`make docs`: the site in build/docs; warnings of Sphinx, among them links that lead nowhere, are errors."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from docs_site.pages import CHECKOUT, first_sentence, write_sources

SOURCES, SITE, BOARDS = (CHECKOUT / "build" / name for name in ("docs-sources", "docs", "site"))


def _accessible(page: str) -> str:
    """A page as axe-core wants it: its two sidebars have names, the page of results a heading, a heading of a table that
    says nothing is none, what scrolls can be scrolled by keys, and the lines of a long signature are no list without terms."""
    page = page.replace(
        '<aside class="sidebar-drawer"', '<aside aria-label="All pages" class="sidebar-drawer"'
    )
    page = page.replace('<aside class="toc-drawer', '<aside aria-label="This page" class="toc-drawer')
    page = re.sub(r'<th class="head[^"]*"><p></p></th>', "<td></td>", page)
    page = page.replace("<pre>", '<pre tabindex="0">').replace(
        '<div class="table-wrapper', '<div tabindex="0" class="table-wrapper'
    )
    page = page.replace('<div id="search-results">', '<h1>Search</h1>\n<div id="search-results">')
    signature = re.compile(r"<dl>\n((?:<dd>.*</dd>\n)+)</dl>")
    return signature.sub(
        lambda match: match[1].replace("<dd>", '<span class="sig-line">').replace("</dd>", "</span>"), page
    )


def _described(page: str) -> str:
    """A page with its first sentence as its description, which search engines show; without a paragraph below its title with that."""
    found = re.search(r"</h1>\s*(?:<p><img [^>]*>\s*</p>\s*)*<p>(?!<img )(.*?)</p>", page, re.S)
    title = page.partition("<title>")[2].partition("</title>")[0]
    text = first_sentence(re.sub(r"<[^>]*>", "", found[1])) if found else title
    return page.replace(
        "</title>", f'</title>\n    <meta name="description" content="{text.replace(chr(34), "&quot;")}">', 1
    )


def main() -> int:
    """Write the sources of the site, and build it. The exit code is that of Sphinx."""
    boards = BOARDS if (BOARDS / "index.html").is_file() else None
    shutil.rmtree(SOURCES, ignore_errors=True)
    write_sources(SOURCES, boards is not None)
    shutil.rmtree(SITE, ignore_errors=True)
    options = ["--quiet", "--fail-on-warning", "--keep-going", "--conf-dir", str(Path(__file__).parent)]
    options += ["--doctree-dir", str(SOURCES / ".doctrees")]
    done = subprocess.run([sys.executable, "-m", "sphinx", *options, str(SOURCES), str(SITE)], check=False)
    if done.returncode == 0:
        for page in SITE.rglob("*.html"):
            page.write_text(_described(_accessible(page.read_text(encoding="utf-8"))), encoding="utf-8")
        if boards is not None:
            shutil.copytree(boards, SITE / "board")
        print(
            f"{SITE / 'index.html'}{'' if boards else ', with pictures in the place of live boards: `make site` first would make them'}"
        )
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
