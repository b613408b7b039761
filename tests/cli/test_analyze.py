"""`analyze`: the table and both mixtures, which search it was, chance to move; any position of any game, as the game writes it."""

import random
import re
from pathlib import Path

import pytest

from helpers.cli_runs import Program
from helpers.sizes import COMPILED_ONLY
from saddlepoint import CHANCE, TERMINAL
from saddlepoint.cli.analyze import read_asked_position
from saddlepoint.compiled import PLAIN_PYTHON
from saddlepoint.games.catalogue.games import make_game, usable_games

pytestmark = [pytest.mark.plain, pytest.mark.compiles_long]
plain_only = pytest.mark.skipif(not PLAIN_PYTHON, reason="another evaluator is another compilation")
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
CLOSED = """light_riders 6x5 round 3 facing up left alive 01
......
.0.1x.
.x..x.
.xx.x.
......
"""
SEPARATED = """light_riders 8x6 round 12 facing left up alive 01
..0x.1..
...xxx..
xxxxxxx.
xxxxxxxx
.xx..xxx
........
"""
BID = "goofspiel hand0=7 hand1=7 deck=5 prize=1 points=0"
DOUBLE_ORACLE = "Double oracle with serialised bounds, evaluator {} (do_alphabeta, Nash equilibrium search)"


@pytest.fixture
def position(tmp_path: Path) -> Path:
    """A file for a position."""
    return tmp_path / "position.txt"


def test_the_table_and_both_mixtures_are_printed(cli: Program) -> None:
    asked = ("analyze", "moves:", "--size", "8x6", "--algorithm", "bi(evaluator=voronoi)", "--depth", "3")
    out = cli.printed(*asked, "--time", "20")
    for shown in ("\n    3 ", "player 0: ", "player 1: ", "principal variation: "):
        assert shown in out
    data = cli.data(*asked)
    assert data["depth"] == 3
    assert sum(data["strategies"][0].values()) == pytest.approx(1)
    assert set(data["strategies"][0]) <= {"up", "right", "down", "left"}


def test_where_chance_is_to_move_every_outcome_is_analysed(
    cli: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before the prizes of Goofspiel with three cards each of them is as likely, and the game is fair whichever comes."""
    monkeypatch.setenv("SADDLEPOINT_QUIET", "1")  # what is compiled is told on stderr
    asked = ("analyze", "moves:", "--game", "goofspiel(cards=3)", "--depth", "6")
    code, out, err = cli(*asked)
    assert (code, err) == (0, "")
    assert "chance is to move: the value is the mean over its outcomes" in out
    assert "value +0.0000 for player 0 (exact)" in out
    data = cli.data(*asked)
    names = ["prize 1", "prize 2", "prize 3"]
    assert [(one["outcome"], one["name"]) for one in data["outcomes"]] == list(enumerate(names))
    assert all(re.search(rf"^ *{name} +0\.333333 ", out, re.MULTILINE) for name in names)
    assert [one["probability"] for one in data["outcomes"]] == pytest.approx([1 / 3] * 3)
    assert data["value"] == pytest.approx(
        sum(one["probability"] * one["value"] for one in data["outcomes"]), abs=1e-12
    )
    assert data["exact"]


@COMPILED_ONLY
def test_a_line_of_the_game_without_chance_has_no_turns_of_chance(cli: Program) -> None:
    """Unless told, Battlesnake is searched without chance: the moves after a round are the next round's, and no food comes."""
    lines = cli.data("analyze", "moves:", "--game", "battlesnake(width=7, height=7)", "--depth", "4")[
        "principal_variation"
    ]
    assert len(lines) > 1
    assert all(set(line.split()) <= {"up", "right", "down", "left"} for line in lines)


@plain_only
def test_the_equilibrium_is_found_where_both_move_at_once(cli: Program, position: Path) -> None:
    position.write_text(CLOSED)
    out = cli.printed("analyze", str(position), "--depth", "20")
    assert DOUBLE_ORACLE.format("Prospects") in out
    assert "value -0.3333 for player 0 (exact)" in out
    assert "player 0: left 66.7 %, right 33.3 %" in out
    out = cli.printed("analyze", str(position), "--algorithm", "best", "--depth", "30")
    assert (
        "Serialised alpha-beta, evaluator Prospects (alphabeta, player 0 commits first: the value is a lower bound of the "
        in out
    )
    assert "equilibrium's at the same depth by the same evaluator)" in out
    assert "value -1.0000 for player 0 (player 0 commits first; proven bounds -1.0000 to +1.0000), " in out
    assert " plies to the end, depth " in out


@plain_only
def test_which_bound_a_one_sided_search_proves_is_said(cli: Program, position: Path) -> None:
    position.write_text(BID)
    asked = "analyze", str(position), "--game", "goofspiel(cards=3,utility=points)", "--depth", "6"
    out = cli.printed(*asked)
    assert DOUBLE_ORACLE.format("Hands") in out
    assert "value +0.0000 for player 0 (exact)" in out
    out = cli.printed(*asked, "--algorithm", "alphabeta(first=1)")
    assert (
        "(alphabeta, player 1 commits first: the value is an upper bound of the equilibrium's at the same depth by the same "
        in out
    )
    assert "(player 1 commits first; proven bounds -6.0000 to +" in out
    data = cli.data(*asked, "--algorithm", "alphabeta")
    assert (data["exact"], data["bounds"][1]) == (False, 6.0)
    assert data["algorithm"].startswith("Serialised alpha-beta, no evaluator (alphabeta, player")


def test_how_long_separated_riders_can_go_on_is_said(cli: Program, position: Path) -> None:
    position.write_text(SEPARATED)
    asked = ("analyze", str(position), "--algorithm", "alphabeta(evaluator=voronoi)", "--depth", "2")
    out = cli.printed(*asked)
    assert "longest path, player 0: 5 steps (proven" in out
    assert "longest path, player 1: 4 steps (proven" in out
    assert [(one["lower"], one["upper"]) for one in cli.data(*asked)["alone"]] == [(5, 5), (4, 4)]


@plain_only
def test_what_best_reads_by_its_own_search_is_shown_beside_the_analysis(cli: Program, position: Path) -> None:
    """In Light Riders `best` searches with one player committed first, which reads a bound for each and looks deeper."""
    position.write_text(OPEN)
    asked = "analyze", str(position), "--depth", "2"
    text = " ".join(cli.printed(*asked).split())
    assert DOUBLE_ORACLE.format("Prospects") in text
    for player in (0, 1):
        assert f"best as player {player} reads " in text
        assert (
            f"by its own search in the same time: Serialised alpha-beta, evaluator Prospects (alphabeta, player {player} commits"
            in text
        )
    assert "what best reads is of other searches: it bounds nothing of the value above" in text
    assert "bound of the equilibrium's" not in text, (
        "it is one at its own depth, and would contradict the value above"
    )
    data = cli.data(*asked)
    assert [(one["player"], one["depth"]) for one in data["best"]] == [(0, 2), (1, 2)]
    differs = [abs(one["value"] - data["value"]) > 0.05 * 2 for one in data["best"]]
    assert [one["differs"] for one in data["best"]] == differs
    assert ("they differ: more than 5% of the range of results" in text) == any(differs)
    assert data["best"][0]["value"] <= data["best"][1]["value"]  # who commits first gets no more
    assert "best" not in cli.data(*asked, "--algorithm", "best")


# -- positions of any game -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [entry.name for entry in usable_games()])
def test_what_a_game_writes_is_read_with_the_games_name_alone(name: str, tmp_path: Path) -> None:
    game, draw = make_game(name), random.Random(name)
    for _ in range(3):
        state, passed = game.initial_state(), []
        while (node := game.current_player(state)) != TERMINAL:
            if node != CHANCE:
                passed.append(state)
            acting = game.players_to_act(state)
            actions = [
                draw.choice(game.choices(state, player)) if player in acting else -1 for player in (0, 1)
            ]
            if node == CHANCE:
                actions[0] = draw.choice(game.chance_outcomes(state))[0]
            state = game.advance(state, *actions)
        text = game.to_text(draw.choice(passed))
        file = tmp_path / "position.txt"
        file.write_text(text, encoding="utf-8")
        rules, read, _ = read_asked_position(str(file), name, None)
        assert rules == game
        assert rules.to_text(read) == text


@pytest.mark.parametrize(
    ("game", "rows"),
    [
        ("tron", "0...\n.x..\n...1"),
        ("light_riders", "0...\n.x..\n...1"),
        ("light_riders", "0,.,.,.\n.,x,.,.\n.,.,.,1"),
    ],
)
def test_the_rows_of_a_field_say_how_large_it_is(game: str, rows: str, tmp_path: Path) -> None:
    file = tmp_path / "position.txt"
    file.write_text(rows, encoding="utf-8")
    rules, state, _ = read_asked_position(str(file), game, None)
    assert (rules.width, rules.height) == (4, 3)  # type: ignore[attr-defined]
    assert rules.to_text(state).splitlines()[-3:] == ["0...", ".x..", "...1"]
    with pytest.raises(ValueError, match="4x3|5x5|rows"):
        read_asked_position(str(file), game, "5x5")
