"""What is said of the searches elsewhere follows from their catalogue."""

import re
from dataclasses import fields
from pathlib import Path

import pytest

from saddlepoint import algorithms
from saddlepoint.algorithms import ALGORITHMS
from saddlepoint.game.spec import Spec
from saddlepoint.games.catalogue.searches import make_algorithm

PAGE = Path(__file__).parents[2] / "docs" / "algorithms.md"
pytestmark = pytest.mark.plain


ROWS = re.findall(
    r"^\| `(\w+)` \[(\w+)\]\((algorithms/\w+\.md)#\2\) \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE
)
"""Of each search its class, its name in specs, and its page, where this name is a heading."""


def test_the_docs_tables_list_every_search_with_its_name_in_specs():
    assert [row[:2] for row in ROWS] == [(kind.__name__, name) for name, kind in ALGORITHMS.items()]


@pytest.mark.parametrize(("name", "kind"), ALGORITHMS.items(), ids=str)
def test_a_searchs_part_of_its_page_has_every_setting_of_its_own(name, kind):
    page = (PAGE.parent / next(row[2] for row in ROWS if row[1] == name)).read_text(encoding="utf-8")
    own, shared = (
        page.partition(f"\n## {heading}\n")[2].partition("\n## ")[0] for heading in (name, "Shared settings")
    )
    rows = re.findall(r"^\| `([a-z][\w, ]*)` \| [^|]+ \| [^|]+ \|$", own, re.MULTILINE)
    told = {word for row in rows for word in row.split(", ")}
    common = set(re.findall(r"^\| `(\w+)` \|", shared, re.MULTILINE)) | {
        "evaluator",
        "chance",
        "chance_samples",
    }
    settings = {field.name for field in fields(kind) if field.init}
    assert told - settings == set() and settings - told - common == set()


@pytest.mark.parametrize("name", ALGORITHMS)
def test_a_search_is_public_and_made_from_a_spec(name):
    assert getattr(algorithms, ALGORITHMS[name].__name__) is ALGORITHMS[name]
    assert type(make_algorithm(Spec(name))) is ALGORITHMS[name]


@pytest.mark.parametrize("gone", ["reduction", "reply_reduction"])
def test_a_setting_that_is_no_more_gets_the_error_that_lists_the_known_ones(gone):
    with pytest.raises(ValueError, match=rf"alphabeta has no option '{gone}'.*killers"):
        make_algorithm(Spec("alphabeta", {gone: 1}))
