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


def test_the_docs_tables_list_every_search_with_its_name_in_specs():
    rows = re.findall(
        r"^\| `(\w+)` \[(\w+)\]\(algorithms/\2\.md\) \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE
    )
    assert rows == [(kind.__name__, name) for name, kind in ALGORITHMS.items()]


@pytest.mark.parametrize(("name", "kind"), ALGORITHMS.items(), ids=str)
def test_a_searchs_page_has_every_setting_of_its_own(name, kind):
    page = (PAGE.parent / "algorithms" / f"{name}.md").read_text(encoding="utf-8")
    page = page.partition("## Settings\n")[2].partition("\n## ")[0]
    told = {word for row in re.findall(r"^\| `([\w, ]+)` \|", page, re.MULTILINE) for word in row.split(", ")}
    shared = {"evaluator", "chance", "chance_samples"}
    assert told == {field.name for field in fields(kind) if field.init} - shared


@pytest.mark.parametrize("name", ALGORITHMS)
def test_a_search_is_public_and_made_from_a_spec(name):
    assert getattr(algorithms, ALGORITHMS[name].__name__) is ALGORITHMS[name]
    assert type(make_algorithm(Spec(name))) is ALGORITHMS[name]


@pytest.mark.parametrize("gone", ["reduction", "reply_reduction"])
def test_a_setting_that_is_no_more_gets_the_error_that_lists_the_known_ones(gone):
    with pytest.raises(ValueError, match=rf"alphabeta has no option '{gone}'.*killers"):
        make_algorithm(Spec("alphabeta", {gone: 1}))
