"""Run the examples of a page of the docs, by its headings."""

import doctest
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"


def block_after(page: str, words: str) -> str:
    """The first block of Python on a page after these words, which it must have."""
    text = (DOCS / page).read_text(encoding="utf-8")
    return text[text.index(words) :].split("```python\n", 1)[1].split("```", 1)[0]


def run_examples(page: str, *headings: str) -> None:
    """Run what stands behind `>>>` under these headings (`## ...`) of a page, or on all of it; each must have some."""
    path = DOCS / page
    text = path.read_text(encoding="utf-8")
    parts = {part.partition("\n")[0]: part for part in text.split("\n## ")} if headings else {"": text}
    for heading in headings or parts:
        found = doctest.DocTestParser().get_doctest(
            parts[heading].replace("```", ""), {}, heading, str(path), 0
        )
        result = doctest.DocTestRunner().run(found)
        assert result.failed == 0
        assert result.attempted == parts[heading].count(">>> ") > 0
