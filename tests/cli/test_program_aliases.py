"""--alias NAME=SPEC: a name for a player, on the command line and in whatever is printed."""

from pathlib import Path

import pytest

from helpers.cli_runs import Program
from saddlepoint.cli.common import read_aliases

GAME = ["--game", "goofspiel(cards=3)", "-j", "1", "--bank", "20"]


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
    cli: Program, spec: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger, page = str(tmp_path / "games.db"), tmp_path / "page.html"
    alias = ["--alias", f"first={spec}"]
    arguments = (
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
    )
    for width in ("80", "120"):
        monkeypatch.setenv("COLUMNS", width)
        out = cli.printed(*arguments)
        assert spec not in out.replace("\n", "")
        assert max(map(len, out.splitlines())) <= int(width)
        assert any(line.split()[1:3] == ["first", "+100"] for line in out.splitlines())
    data = cli.data(*arguments)
    assert {(row["player"], row.get("name")) for row in data["ratings"]} == {
        (spec, "first"),
        ("random", None),
    }
    assert data["names"] == {spec: "first"}
    cli.printed("report", ledger, "-o", str(page), *alias)
    html = page.read_text()
    assert "<bdi>first</bdi>" in html
    assert html.count(spec) == 1  # what the name stands for
    told = cli.data("report", ledger, *alias)
    assert told["names"] == {spec: "first"}
    assert {row["player"] for row in told["games"][0]["players"]} == {spec, "random"}


@pytest.mark.slow
def test_a_match(cli: Program, spec: str) -> None:
    arguments = ["match", "x", "random", "-n", "2", *GAME, "--alias", f"x={spec}"]
    out = cli.printed(*arguments)
    assert "x against random: " in out
    assert spec not in out
    data = cli.data(*arguments)
    assert (data["a"], data["a_name"], data["b"]) == (spec, "x", "random")


@pytest.mark.slow
def test_a_league(cli: Program, spec: str, tmp_path: Path) -> None:
    ledger, alias = str(tmp_path / "league.db"), ["--alias", f"x={spec}"]
    add = ["league", "add", ledger]
    assert cli.printed(*add, "x", *GAME[:2], *GAME[4:], *alias).startswith("x is in the league")
    cli(*add, "random")
    assert spec not in cli.printed("league", "run", ledger, "-n", "2", "-j", "1", *alias)
    assert "in the league: x, random" in cli.printed("league", "show", ledger, *alias)
    assert cli.printed("league", "remove", ledger, "x", *alias) == "x left; its players: random\n"
    assert cli.data("league", "show", ledger)["in_the_league"] == ["random"]


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


def test_play_and_the_list_of_games_know_aliases(cli: Program, tmp_path: Path) -> None:
    search, small = "alphabeta(evaluator=voronoi)", ("--size", "8x6", "--nodes", "50")
    alias = ["--alias", "first=random", "--alias", f"second={search}"]
    out = cli.printed("play", "light_riders", "first", "second", *small, "--seed", "1", *alias)
    assert "first (0) against second (1)" in out
    ledger = str(tmp_path / "games.db")
    cli.printed("match", "random", search, "-n", "2", *small, "-j", "1", "--ledger", ledger)
    out, err = cli.ended(0, "ledger", "list", ledger, "--player", "second", *alias)
    assert "second" in out
    assert search not in out
    assert err == "2 of 2 games\n"
