"""Every block of Python in the docs runs: the blocks of a page in order, in one namespace, and they print what the page says."""

import doctest
import re
import sys
import types
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
_BLOCK = re.compile(r"(<!-- not run: [^\n]+ -->\n)?^```(python|pycon)\n(.*?)^```$", re.M | re.S)


def blocks_of(page: Path) -> list[tuple[str, str]]:
    """(kind, code) of each block that shall run; one before which a comment says why it does not is left out."""
    found = _BLOCK.findall(page.read_text(encoding="utf-8"))
    return [(kind, code) for left_out, kind, code in found if not left_out]


OF_OTHER_LIBRARIES = {"interop", "open_spiel"}
"""Their code runs in tests/interop, where those libraries are installed."""
PAGES = [
    page for page in sorted(DOCS.rglob("*.md")) if blocks_of(page) and page.stem not in OF_OTHER_LIBRARIES
]


def test_most_pages_with_code_are_run():
    assert len(PAGES) >= 15


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(DOCS).as_posix())
def test_the_code_of_a_page_runs_from_top_to_bottom(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
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
            result = doctest.DocTestRunner().run(found, clear_globs=False)
            assert result.failed == 0
            vars(module).update(found.globs)
