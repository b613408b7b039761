"""`analyze`: which search it was, what `best` reads by its own, and positions in which chance is to move."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from helpers.cli_runs import cli
from helpers.sizes import COMPILED_ONLY
from saddlepoint.arena.openings import openings_from
from saddlepoint.compiled import PLAIN_PYTHON
from saddlepoint.game.base import GameError
from saddlepoint.games.battlesnake import Battlesnake
from saddlepoint.games.goofspiel import Goofspiel
from saddlepoint.games.light_riders import LightRiders
from saddlepoint.games.soccer import Soccer

__all__ = ["cli"]  # a fixture
pytestmark = pytest.mark.plain
OPEN = """light_riders 8x7 round 3 facing up left alive 01
........
.0.1x...
.x..x...
.xx.x...
........
........
........
"""
"""Prospects reads it after some plies, and no search ends it within 3."""


def position(tmp_path: Path, text: str) -> str:
    path = tmp_path / "position.txt"
    path.write_text(text)
    return str(path)


@pytest.mark.compiles_long
def test_where_chance_is_to_move_every_outcome_is_analysed(
    cli: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before the prizes of Goofspiel with three cards each of them is as likely, and the game is fair whichever comes."""
    monkeypatch.setenv("SADDLEPOINT_QUIET", "1")  # what is compiled is told on stderr
    game = Goofspiel(3)
    asked = (
        "analyze",
        position(tmp_path, game.to_text(game.initial_state())),
        "--game",
        "goofspiel(cards=3)",
        "--depth",
        "6",
    )
    code, out, err = cli(*asked)
    assert (code, err) == (0, "")
    assert "chance is to move: the value is the mean over its outcomes" in out
    assert "value +0.0000 for player 0 (exact)" in out
    data = json.loads(cli(*asked, "--json")[1])
    assert [one["outcome"] for one in data["outcomes"]] == [0, 1, 2]
    assert [one["name"] for one in data["outcomes"]] == ["prize 1", "prize 2", "prize 3"]
    assert all(
        re.search(rf"^ *{name} +0\.333333 ", out, re.MULTILINE) for name in ("prize 1", "prize 2", "prize 3")
    )
    assert [one["probability"] for one in data["outcomes"]] == pytest.approx([1 / 3] * 3)
    assert data["value"] == pytest.approx(
        sum(one["probability"] * one["value"] for one in data["outcomes"]), abs=1e-12
    )
    assert data["exact"]


@COMPILED_ONLY
@pytest.mark.compiles_long
def test_a_line_of_the_game_without_chance_has_no_turns_of_chance(cli: Any, tmp_path: Path) -> None:
    """Unless told, Battlesnake is searched without chance: the moves after a round are the next round's, and no food comes."""
    game = Battlesnake(7, 7)
    asked = (
        position(tmp_path, game.to_text(game.initial_state())),
        "--game",
        "battlesnake(width=7, height=7)",
        "--depth",
        "4",
    )
    lines = json.loads(cli("analyze", *asked, "--json")[1])["principal_variation"]
    assert len(lines) > 1
    assert all(set(line.split()) <= {"up", "right", "down", "left"} for line in lines)


@pytest.mark.compiles_long
def test_a_game_whose_chance_is_not_fair_to_both_weighs_the_outcomes(cli: Any, tmp_path: Path) -> None:
    """Littman's soccer: chance gives the ball to one or the other, each is worth as much more for its player."""
    game = Soccer()
    asked = (
        "analyze",
        position(tmp_path, game.to_text(game.initial_state())),
        "--game",
        "soccer",
        "--depth",
        "2",
        "--json",
    )
    data = json.loads(cli(*asked)[1])
    assert data["value"] == pytest.approx(0.0, abs=1e-12)
    assert data["outcomes"][0]["value"] == pytest.approx(-data["outcomes"][1]["value"])


def test_a_game_that_is_over_is_refused_and_one_of_chance_is_an_opening(cli: Any, tmp_path: Path) -> None:
    game = Goofspiel(2)
    over = game.initial_state()
    path = position(tmp_path, game.to_text(over))
    assert openings_from(game, path) == [game.to_text(over)]
    for outcome, bids in ((0, (0, 0)), (1, (1, 1))):
        over = game.next_state(game.next_state(over, outcome), *bids)
    path = position(tmp_path, game.to_text(over))
    with pytest.raises(GameError, match="position 1: the game is over there"):
        openings_from(game, path)
    code, _, err = cli("analyze", path, "--game", "goofspiel(cards=2)")
    assert code == 2
    assert "the game is over in this position; nothing is left to analyse" in err


@pytest.mark.skipif(not PLAIN_PYTHON, reason="another evaluator is another compilation")
def test_what_best_reads_by_its_own_search_is_shown_beside_the_analysis(cli: Any, tmp_path: Path) -> None:
    """In Light Riders `best` searches with one player committed first, which reads a bound for each and looks deeper."""
    assert LightRiders(8, 7).from_text(OPEN) is not None
    asked = "analyze", position(tmp_path, OPEN), "--depth", "2"
    out = cli(*asked)[1]
    assert (
        "Double oracle with serialised bounds, evaluator Prospects (do_alphabeta, Nash equilibrium search)"
        in out
    )
    text = " ".join(out.split())
    for player in (0, 1):
        assert f"best as player {player} reads " in text
        assert (
            f"by its own search in the same time: Serialised alpha-beta, evaluator Prospects (alphabeta, player {player} commits"
            in text
        )
    assert "what best reads is of other searches: it bounds nothing of the value above" in text
    assert text.count("bound of the equilibrium's at the same depth by the same evaluator") == 2
    data = json.loads(cli(*asked, "--json")[1])
    assert [one["player"] for one in data["best"]] == [0, 1]
    for one in data["best"]:
        assert one["depth"] == 2
        assert one["differs"] == (abs(one["value"] - data["value"]) > 0.05 * 2)
    assert ("they differ: more than 5% of the range of results" in text) == any(
        one["differs"] for one in data["best"]
    )
    assert data["best"][0]["value"] <= data["best"][1]["value"]  # who commits first gets no more
    assert "best" not in json.loads(cli(*asked, "--algorithm", "best", "--json")[1])
