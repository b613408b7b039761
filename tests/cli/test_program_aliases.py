"""--alias NAME=SPEC: a name for a player, on the command line and in whatever is printed."""

import json
from pathlib import Path
from typing import Any

import pytest

from helpers.cli_runs import cli
from saddlepoint.cli.common import read_aliases

GAME = ["--game", "goofspiel(cards=3)", "-j", "1", "--bank", "20"]

__all__ = ["cli"]  # a fixture


@pytest.fixture
def spec(tmp_path: Path) -> str:
    """A player with a long spec."""
    folder = tmp_path / "a_folder_with_a_long_name" / "and_another_one_inside_of_it"
    folder.mkdir(parents=True)
    bot = folder / "a_bot_with_a_long_name_as_well.py"
    bot.write_text(
        "def choose(game, state, clock, player):\n    return game.legal_actions(state, player)[0]\n"
    )
    return str(bot)


@pytest.mark.slow
def test_an_alias_is_a_player_and_its_name_everywhere(
    cli: Any, spec: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger, page = str(tmp_path / "games.db"), tmp_path / "page.html"
    alias = ["--alias", f"first={spec}"]
    arguments = [
        "tournament",
        "first",
        "random",
        "-n",
        "2",
        *GAME,
        "--ledger",
        ledger,
        "--anchor",
        "first=100",
        *alias,
    ]
    for width in ("80", "120"):
        monkeypatch.setenv("COLUMNS", width)
        code, out, err = cli(*arguments)
        assert code == 0, err
        assert spec not in out.replace("\n", "")
        assert max(map(len, out.splitlines())) <= int(width)
        assert any(line.split()[1:3] == ["first", "+100"] for line in out.splitlines())
    data = json.loads(cli(*arguments, "--json")[1])
    assert {(row["player"], row.get("name")) for row in data["ratings"]} == {
        (spec, "first"),
        ("random", None),
    }
    assert data["names"] == {spec: "first"}
    assert cli("report", ledger, "-o", str(page), *alias)[0] == 0
    html = page.read_text()
    assert "<bdi>first</bdi>" in html
    assert html.count(spec) == 1  # what the name stands for
    told = json.loads(cli("report", ledger, "--json", *alias)[1])
    assert told["names"] == {spec: "first"}
    assert {row["player"] for row in told["games"][0]["players"]} == {spec, "random"}


@pytest.mark.slow
def test_without_an_alias_elo_and_score_are_there_at_80_columns(
    cli: Any, spec: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments = ["tournament", spec, "random", "-n", "2", *GAME]
    for width in ("80", "120", ""):
        monkeypatch.setenv("COLUMNS", width)
        lines = cli(*arguments)[1].splitlines()
        head = next(line for line in lines if "Elo" in line)
        assert "score" in head
        rows = [line for line in lines if " to " in line and "%" in line]
        assert len(rows) == 2
        if width:
            assert max(map(len, lines)) <= int(width)
        else:  # in a pipe a row is a line
            assert any(spec in row for row in rows)


@pytest.mark.slow
def test_a_match(cli: Any, spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    arguments = ["match", "x", "random", "-n", "2", *GAME, "--alias", f"x={spec}"]
    out = cli(*arguments)[1]
    assert "x against random: " in out
    assert spec not in out
    data = json.loads(cli(*arguments, "--json")[1])
    assert (data["a"], data["a_name"], data["b"]) == (spec, "x", "random")


@pytest.mark.slow
def test_a_league(cli: Any, spec: str, tmp_path: Path) -> None:
    ledger, alias = str(tmp_path / "league.db"), ["--alias", f"x={spec}"]
    add = ["league", "add", ledger]
    assert cli(*add, "x", *GAME[:2], *GAME[4:], *alias)[1].startswith("x is in the league")
    cli(*add, "random")
    assert spec not in cli("league", "run", ledger, "-n", "2", "-j", "1", *alias)[1]
    assert "in the league: x, random" in cli("league", "show", ledger, *alias)[1]
    assert cli("league", "remove", ledger, "x", *alias)[1] == "x left; its players: random\n"
    assert json.loads(cli("league", "show", ledger, "--json")[1])["in_the_league"] == ["random"]


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        (["x"], "takes NAME=SPEC"),
        (["=random"], "takes NAME=SPEC"),
        (["x="], "takes NAME=SPEC"),
        (["a b=random"], "takes NAME=SPEC"),
        (["best=random"], "a player is called best already"),
        (["alphabeta=random"], "a player is called alphabeta already"),
        (["human=random"], "a player is called human already"),
        (["x=random", "x=best"], "x is there twice"),
        (["x=best(choice=best)", "y=best( choice = best )"], "y and x are the same player"),
        (["x=y", "y=random"], "y is an alias itself"),
        (["x=random("], "expected an option's name"),
    ],
)
def test_what_is_ambiguous_or_no_player_is_refused(texts: list[str], message: str) -> None:
    with pytest.raises(ValueError, match=message.replace("(", r"\(")) as refused:
        read_aliases(texts)
    assert "\n" not in str(refused.value)


def test_names_stand_for_specs_however_these_are_spaced() -> None:
    aliases = read_aliases(["x=alphabeta(evaluator=voronoi,depth=2)"])
    assert aliases.name("alphabeta(evaluator=voronoi, depth=2)") == "x"
    assert aliases.name("alphabeta(evaluator=voronoi, depth=3)") == "alphabeta(evaluator=voronoi, depth=3)"
    assert aliases.spec("x") == "alphabeta(evaluator=voronoi,depth=2)"
    assert aliases.spec("random") == "random"


def test_versions_of_a_player_keep_its_name() -> None:
    aliases = read_aliases(["strong=alphabeta(depth=2)"])
    assert aliases.name("alphabeta(depth=2) (2)") == "strong (2)"
    assert aliases.shown({"ratings": [{"player": "alphabeta(depth=2) (1)"}]}) == {
        "ratings": [{"player": "strong (1)"}]
    }
    assert (
        aliases.beside({"ratings": [{"player": "alphabeta(depth=2) (1)"}]})["ratings"][0]["name"]
        == "strong (1)"
    )
    assert aliases.name("alphabeta(depth=3) (2)") == "alphabeta(depth=3) (2)"


def test_play_and_the_list_of_games_know_aliases(cli: Any, tmp_path: Path) -> None:
    search = "alphabeta(evaluator=voronoi)"
    alias = ["--alias", "first=random", "--alias", f"second={search}"]
    code, out, _ = cli(
        "play", "light_riders", "first", "second", "--size", "8x6", "--nodes", "50", "--seed", "1", *alias
    )
    assert code == 0
    assert "first (0) against second (1)" in out
    ledger = str(tmp_path / "games.db")
    cli("match", "random", search, "-n", "2", "--size", "8x6", "--nodes", "50", "-j", "1", "--ledger", ledger)
    code, out, err = cli("ledger", "list", ledger, "--player", "second", *alias)
    assert code == 0
    assert "second" in out
    assert search not in out
    assert err == "2 of 2 games\n"
