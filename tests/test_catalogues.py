"""The tables of the documents list what the catalogues do, and former names are still read."""

import re
from pathlib import Path

import pytest

import saddlepoint
from saddlepoint import evaluators
from saddlepoint.evaluators.catalogue import EVALUATORS, FORMER_NAMES, spec_name
from saddlepoint.games.catalogue import GAMES, make_game
from saddlepoint.roster.algorithms import make_evaluator
from saddlepoint.spec import parse_spec

pytestmark = pytest.mark.plain

DOCS = Path(__file__).parents[1] / "docs"


def test_the_table_of_games():
    rows = re.findall(r"^\| `(\w+)` \| `(\w+)` \| (.*) \|$", (DOCS / "writing-a-game.md").read_text(encoding="utf-8"), re.M)
    assert rows == [(entry.name, entry.class_name, entry.summary) for entry in GAMES.values()]
    for entry in GAMES.values():
        assert (entry.game_class.name, entry.game_class.__name__) == (entry.name, entry.class_name)
        assert getattr(saddlepoint, entry.class_name) is entry.game_class


def test_the_table_of_evaluators():
    page = (DOCS / "algorithms.md").read_text(encoding="utf-8").partition("## Evaluators")[2]
    rows = dict(re.findall(r"^\| `(\w+)` \| `(\w+)` \|", page, re.M))
    assert rows == {spec_name(name): name for name in evaluators.__all__}


@pytest.mark.parametrize("name", EVALUATORS)
def test_every_evaluator_can_be_named(name):
    made = make_evaluator(parse_spec(name))
    assert type(made) is EVALUATORS[name] is getattr(evaluators, type(made).__name__)


@pytest.mark.parametrize("former", FORMER_NAMES)
def test_former_names_of_evaluators_are_read(former):
    assert make_evaluator(parse_spec(f"{former}(scale=7)")) == make_evaluator(parse_spec(f"{FORMER_NAMES[former]}(scale=7)"))


def test_former_options_are_read():
    made = make_evaluator(parse_spec("tron_control(scale_apart=2, trap_apart=1.5)"))
    assert made == evaluators.TronControl(scale_separated=2.0, trap_separated=1.5)


def test_evaluators_within_evaluators():
    made = make_evaluator(parse_spec("endgame(inner=chambers(separated_bonus=true))"))
    assert made == evaluators.Endgame(inner=evaluators.Chambers(separated_bonus=True))


def test_former_names_of_games_are_read():
    assert make_game("rubiks_tile") == make_game("rubiks_flip")
