"""A player that changed is another player, until somebody says that it is the same."""

from pathlib import Path
from typing import Any

import pytest

from helpers.arena_games import NODES, SEARCH, interrupt, once_played, plan, resumable
from helpers.report_pages import enter, real_games, renamed, report_of
from saddlepoint.arena.league import next_pairing, open_league
from saddlepoint.arena.ledger import Ledger, LedgerError
from saddlepoint.arena.ledger.versions import player_version
from saddlepoint.arena.schedule import RoundRobin
from saddlepoint.arena.tournament import run_tournament

BOT = "def choose(game, state, clock, player):\n    return game.legal_actions(state, player)[0]\n"


def test_the_library_is_its_sources_and_not_its_number() -> None:
    assert player_version("random") == player_version("best") != ""
    assert "0.1.0" not in player_version("random")


def test_a_bots_file_and_all_that_it_imports_beside_it_are_its_version(tmp_path: Path) -> None:
    bot, helper, deep = tmp_path / "bot.py", tmp_path / "helper.py", tmp_path / "parts" / "deep.py"
    deep.parent.mkdir()
    (deep.parent / "__init__.py").write_text("")
    bot.write_text("import os, helper\n" + BOT)
    helper.write_text("def late():\n    from parts import deep\n")
    deep.write_text("NUMBER = 1\n")
    (tmp_path / "unused.py").write_text("")
    versions = [player_version(str(bot))]
    (tmp_path / "unused.py").write_text("x = 1")
    (tmp_path / "os.txt").write_text("x")
    assert player_version(str(bot)) == versions[0]
    for file, text in (
        (bot, "import os, helper\n\n" + BOT),
        (helper, "from parts import deep\n"),
        (deep, "NUMBER = 2\n"),
    ):
        file.write_text(text)
        versions.append(player_version(str(bot)))
    assert len(set(versions)) == 4
    assert player_version(f"cmd:python {bot} --fast") == player_version(f"cmd:python {bot}") == versions[-1]
    assert player_version(f"{bot}:Player") == versions[-1]


def test_files_in_a_command_and_in_a_spec_are_its_version(tmp_path: Path) -> None:
    weights = tmp_path / "weights.bin"
    weights.write_text("1")
    command, spec = f"cmd:sh --weights={weights}", f'database(path="{weights}")'
    before = [player_version(one) for one in (command, spec)]
    weights.write_text("2")
    assert all(x != y for x, y in zip(before, (player_version(one) for one in (command, spec)), strict=True))
    assert player_version("cmd:sh -c true") == player_version("cmd:no_such_program") == ""


def changing(path: Path) -> None:
    """A ledger in which `b` changed after four of its eight games, and then lost them all."""
    games = [
        renamed(game, "ab"[number % 2], "ba"[number % 2], number, float(number % 2))
        for number, game in enumerate(real_games(4))
    ]
    with Ledger(path) as ledger:
        for version in ("one", "two"):
            number = enter(ledger, [])
            for game in games:
                points = game.points if version == "one" else 1 - game.points
                versions = tuple("x" if player == "a" else version for player in game.job.players)
                ledger.add(number, renamed(game, *game.job.players, game.job.number, points), versions)  # type: ignore[arg-type]


def test_a_report_rates_an_edited_bot_apart_from_what_it_was(cli: Any, tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    changing(path)
    data = report_of(path)[0]["games"][0]
    rated = [(row["player"], row["games"], row["points"]) for row in data["ratings"]]
    assert rated == [("b (1)", 4, 4.0), ("a", 8, 4.0), ("b (2)", 4, 0.0)]
    assert cli("ledger", "merge-versions", str(path), "nobody")[0] == 2
    assert "one player" in cli.printed("ledger", "merge-versions", str(path), "b")
    data = report_of(path)[0]["games"][0]
    assert sorted((row["player"], row["games"]) for row in data["ratings"]) == [("a", 8), ("b", 8)]
    cli("ledger", "merge-versions", str(path), "b", "--separate")
    assert len(report_of(path)[0]["games"][0]["ratings"]) == 3


def test_a_match_does_not_go_on_with_another_player(ledger: Ledger, tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(BOT)
    schedule = RoundRobin((str(bot), "random"))
    run_tournament(schedule, plan(4), NODES, ledger=ledger, on_game=once_played(2, interrupt))
    number = resumable(ledger, schedule, plan(4), NODES)
    old = player_version(str(bot))
    bot.write_text(BOT + "# better\n")
    said = "has changed since its games in tournament 1: begin a new one, or say that it is the same"
    with pytest.raises(LedgerError, match=said):
        run_tournament(schedule, plan(4), NODES, ledger=ledger, tournament=number)
    assert ledger.labels().of(str(bot), old) == str(bot)  # only one version of it has games
    ledger.know(str(bot), player_version(str(bot)))
    assert ledger.declare_same(str(bot)) == 2
    assert run_tournament(schedule, plan(4), NODES, ledger=ledger, tournament=number).standings.games == 4


def test_in_a_league_an_edited_bot_starts_anew(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(BOT)
    with Ledger(tmp_path / "league.db") as ledger:
        league = open_league(ledger, NODES, plan(2))
        for spec in (str(bot), "random", SEARCH):
            league.add(spec)
        old = player_version(str(bot))
        for number, game in enumerate(real_games(6)):
            a, b = [(str(bot), "random"), ("random", SEARCH), (SEARCH, str(bot))][number // 2][
                :: 1 - number % 2 * 2
            ]
            versions = tuple(old if spec == str(bot) else player_version(spec) for spec in (a, b))
            ledger.add(league.number, renamed(game, a, b, number), versions)  # type: ignore[arg-type]
        assert league.labels()[str(bot)] == str(bot)
        bot.write_text(BOT + "# better\n")
        labels = league.labels()
        assert labels[str(bot)] == f"{bot} (2)"
        standings = league.standings()
        assert standings.players[f"{bot} (1)"].score.games == 4
        assert f"{bot} (2)" in next_pairing(list(labels.values()), standings)
