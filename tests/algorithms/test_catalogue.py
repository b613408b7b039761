"""What is said of the searches elsewhere follows from their catalogue."""

import re
from dataclasses import fields
from pathlib import Path

import pytest

from helpers.small_games import Turns
from saddlepoint import (
    ALGORITHMS,
    SMAB,
    DecoupledPUCTTree,
    DecoupledUCTTree,
    Exp3Tree,
    Goofspiel,
    Limits,
    MonteCarlo,
    OshiZumo,
    OutcomeSamplingTree,
    PrincipalVariation,
    ProofNumber,
    RegretMatchingTree,
    SaddlePruning,
    Searcher,
    SerialisedAlphaBeta,
    UnsupportedGameError,
    algorithms,
    search,
)
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


@pytest.mark.parametrize(
    ("kind", "setting", "value"),
    [
        (Limits, "depth", -1),
        (Limits, "nodes", 0),
        (Limits, "seconds", 0.0),
        (SaddlePruning, "tremble", -0.1),
        (SaddlePruning, "tremble", 1.0),
        (SerialisedAlphaBeta, "contempt", 1.5),
        (PrincipalVariation, "discount", 0.5),
        (PrincipalVariation, "discount", -1.0),
        (PrincipalVariation, "late_reduction", -1),
        (PrincipalVariation, "late_moves", 0),
        (PrincipalVariation, "megabytes", 0.0),
        (PrincipalVariation, "quiescence_plies", 2),
        (PrincipalVariation, "samples", -3),
        (ProofNumber, "megabytes", 0.0),
        (ProofNumber, "target", "much"),
        (MonteCarlo, "megabytes", 0.0),
        (MonteCarlo, "exploration", -1.0),
        (MonteCarlo, "batch", 0),
        (RegretMatchingTree, "exploration", 1.0),
        (RegretMatchingTree, "threads", 0),
        (Exp3Tree, "exploration", -0.1),
        (DecoupledUCTTree, "tolerance", -1.0),
        (DecoupledPUCTTree, "temperature", -1.0),
        (OutcomeSamplingTree, "megabytes", 0.0),
        (OutcomeSamplingTree, "batch", 0),
    ],
)
def test_a_setting_that_makes_no_sense_is_refused_in_one_sentence(kind, setting, value):
    with pytest.raises(ValueError, match=rf"^{setting} (must be|needs|is) ") as error:
        kind(**{setting: value})
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("algorithm", "game", "why"),
    [
        (
            PrincipalVariation(),
            Goofspiel(3),
            "^pvs searches turn-based games.*Goofspiel lets both players move",
        ),
        (MonteCarlo(), Goofspiel(3), "^mcts searches turn-based games.*Goofspiel lets both players move"),
        (ProofNumber(), Goofspiel(3), "^dfpn searches turn-based games.*Goofspiel lets both players move"),
        (ProofNumber(), Turns(), "^dfpn .*without chance"),
        (PrincipalVariation(null_move=2), Turns(), "pass_turn"),
        (
            SMAB(chance="quiet"),
            Turns(),
            "^chance=quiet needs a game that names its quiet outcome .*; Turns names none$",
        ),
        (SMAB(chance="never"), Goofspiel(3), "^chance must be expect, sample or quiet, not 'never'$"),
        (SMAB(chance="sample", chance_samples=0), Goofspiel(3), "^chance_samples must be 1 or more, not 0$"),
    ],
    ids=str,
)
def test_a_game_that_a_search_is_not_made_for_is_refused_in_one_sentence(algorithm, game, why):
    with pytest.raises(UnsupportedGameError, match=why) as error:
        Searcher(game, algorithm)
    assert "\n" not in str(error.value)


def test_a_game_with_more_actions_than_a_search_has_room_for_is_refused_in_one_sentence():
    game = OshiZumo(coins=1000)
    with pytest.raises(ValueError, match="^oshi_zumo has up to 1000 actions: a search has no room for that"):
        search(game, game.initial_state(), SaddlePruning())
