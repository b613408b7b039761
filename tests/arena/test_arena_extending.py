"""Tournaments that grow, ledgers that are put together, clocks that differ."""

import json
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from helpers.arena_games import NODES, SEARCH, SMALL, plan, problems
from helpers.cli_runs import cli
from saddlepoint.arena.conditions import MatchConditions
from saddlepoint.arena.league import open_league, run_league
from saddlepoint.arena.ledger import Filter, Ledger
from saddlepoint.arena.ledger.merging import merge_ledger
from saddlepoint.arena.schedule import Plan, RoundRobin, conditions_of, settings_of
from saddlepoint.arena.tournament import TournamentOutcome, run_tournament
from saddlepoint.players.clock import Clock

__all__ = ["cli"]  # a fixture
THIRD = "alphabeta(evaluator=voronoi, depth=1)"
SLOW = "import time\ndef choose(game, state, clock, player):\n    time.sleep(0.12)\n    return game.legal_actions(state, player)[0]\n"
OPTIONS = ["--size", "8x6", "--nodes", "100", "-j", "1"]


def pairs_of(ledger: Ledger, tournament: int) -> Counter[tuple[frozenset[str], str, int]]:
    """Whole pairs by players and opening, with the number of their games."""
    found: dict[int, list[Any]] = {}
    for entry in ledger.games(Filter(tournament=tournament)):
        found.setdefault(entry.played.job.pair, []).append(entry.played.job)
    for jobs in found.values():
        assert len({job.opening for job in jobs}) == 1
        assert len(jobs) < 2 or jobs[0].players == jobs[1].players[::-1]
    return Counter((frozenset(jobs[0].players), jobs[0].opening, len(jobs)) for jobs in found.values())


@pytest.mark.parametrize("stopped_after", [3, pytest.param(8, marks=pytest.mark.slow)])
def test_more_games_and_more_players_add_what_is_missing(tmp_path: Path, stopped_after: int) -> None:
    small, large = plan(4), plan(8)
    schedule = RoundRobin((SEARCH, "random", THIRD))

    def stop(game: object, outcome: TournamentOutcome) -> None:
        if outcome.played == stopped_after:
            raise KeyboardInterrupt

    with Ledger(tmp_path / "games.db") as ledger:
        run_tournament(RoundRobin((SEARCH, "random")), small, NODES, ledger=ledger, on_game=stop)
        outcome = run_tournament(schedule, large, NODES, ledger=ledger, tournament=1, extension=True)
        assert outcome.standings.games == ledger.count() == 24
        fresh = run_tournament(schedule, large, NODES, ledger=ledger)
        assert fresh.standings.games == 24
        assert pairs_of(ledger, 1) == pairs_of(ledger, 2)
        assert run_tournament(schedule, large, NODES, ledger=ledger, tournament=1, extension=True).played == 0
        seeds = [entry.played.job.seed for entry in ledger.games(Filter(tournament=1))]
        assert len(set(seeds)) == 24


def test_an_extension_that_was_stopped_is_resumed_with_what_is_missing(tmp_path: Path) -> None:
    schedule = RoundRobin((SEARCH, "random", THIRD))

    def stop(game: object, outcome: TournamentOutcome) -> None:
        if outcome.played == 3:
            raise KeyboardInterrupt

    with Ledger(tmp_path / "games.db") as ledger:
        run_tournament(RoundRobin((SEARCH, "random")), plan(4), NODES, ledger=ledger)
        run_tournament(schedule, plan(4), NODES, ledger=ledger, tournament=1, on_game=stop, extension=True)
        run_tournament(schedule, plan(4), NODES, ledger=ledger, tournament=1)
        run_tournament(schedule, plan(4), NODES, ledger=ledger)
        assert pairs_of(ledger, 1) == pairs_of(ledger, 2)


@pytest.mark.slow
def test_the_command_extends_a_match_and_a_tournament(cli: Any, tmp_path: Path) -> None:
    ledger = str(tmp_path / "games.db")
    assert cli("tournament", SEARCH, "random", "-n", "2", *OPTIONS, "--ledger", ledger)[0] == 0
    code, out, err = cli(
        "tournament", SEARCH, "random", THIRD, "-n", "4", *OPTIONS, "--ledger", ledger, "--extend", "--json"
    )
    assert code == 0, err
    assert json.loads(out)["games"] == 12
    with Ledger(ledger) as book:
        assert [(one.games, one.planned, len(one.players)) for one in book.tournaments()] == [(12, 12, 3)]
    assert "would extend" in cli("tournament", "random", "best", *OPTIONS, "--ledger", ledger, "--extend")[2]
    assert (
        "cannot be extended"
        in cli("tournament", SEARCH, "random", "--kind", "ladder", *OPTIONS, "--ledger", ledger, "--extend")[
            2
        ]
    )
    assert (
        "has no unfinished match"
        in cli("match", SEARCH, "random", *OPTIONS, "--ledger", ledger, "--resume")[2]
    )
    assert (
        "--extend goes on with a match of --ledger FILE"
        in cli("match", SEARCH, "random", *OPTIONS, "--extend")[2]
    )


def test_a_run_without_a_seed_can_be_gone_on_with_and_repeated(cli: Any, tmp_path: Path) -> None:
    seeds: list[str] = []
    for name in ("one.db", "two.db"):
        data = json.loads(
            cli("match", SEARCH, "random", "-n", "2", *OPTIONS, "--ledger", str(tmp_path / name), "--json")[1]
        )
        seeds.append(data["seed"])
    assert seeds[0] != seeds[1]
    with Ledger(tmp_path / "one.db") as ledger:
        ledger.connection.execute("DELETE FROM games WHERE number = 1")
        ledger.connection.execute("UPDATE tournaments SET finished = NULL")
    code, out, err = cli(
        "match",
        SEARCH,
        "random",
        "-n",
        "2",
        *OPTIONS,
        "--ledger",
        str(tmp_path / "one.db"),
        "--resume",
        "--json",
    )
    assert code == 0, err
    assert (json.loads(out)["games"], json.loads(out)["seed"]) == (2, seeds[0])
    out = cli("match", SEARCH, "random", "-n", "2", *OPTIONS)[1]
    assert "to repeat the random choices: --seed " in out


def test_merging_loses_nothing_and_is_the_same_however_often(cli: Any, tmp_path: Path) -> None:
    a, b, together = (tmp_path / name for name in ("a.db", "b.db", "all.db"))
    for path, seed in ((a, 1), (b, 2)):
        with Ledger(path) as ledger:
            run_tournament(RoundRobin((SEARCH, "random")), plan(4, seed), NODES, ledger=ledger)
    for times in range(3):
        code, out, _ = cli("ledger", "merge", str(a), str(b), "-o", str(together))
        assert code == 0
        assert out.count("4 games added, 0 were there" if times == 0 else "0 games added, 4 were there") == 2
    with Ledger(together) as ledger, Ledger(a) as first, Ledger(b) as second:
        assert problems(ledger) == []
        assert [one.settings for one in ledger.tournaments()] == [
            book.tournament(1).settings for book in (first, second)
        ]
        merged = [entry.played for entry in ledger.games()]
        assert merged == [entry.played for book in (first, second) for entry in book.games()]
        assert ledger.versions(1) == first.versions(1)


def test_copies_of_a_league_that_went_on_apart_are_put_together(tmp_path: Path) -> None:
    with Ledger(tmp_path / "a.db") as ledger:
        league = open_league(ledger, NODES, plan(2))
        for spec in ("random", SEARCH):
            league.add(spec)
        run_league(league, NODES, plan(2), 4)
    shutil.copyfile(tmp_path / "a.db", tmp_path / "b.db")
    for name in ("a.db", "b.db"):
        with Ledger(tmp_path / name) as ledger:
            run_league(open_league(ledger), NODES, plan(2), 4)
    with Ledger(tmp_path / "all.db") as target:
        for expected in ((8, 0), (4, 4)):
            with Ledger(tmp_path / f"{'ab'[expected[1] // 4]}.db") as source:
                assert merge_ledger(source, target) == expected
        for name in ("a.db", "b.db"):
            with Ledger(tmp_path / name) as source:
                assert merge_ledger(source, target) == (0, 8)
        assert set(pairs_of(target, 1).values()) and target.count() == 12
        assert {key[2] for key in pairs_of(target, 1)} == {2}
        assert open_league(target).players == ["random", SEARCH]
        run_league(open_league(target), NODES, plan(2), 2)
        assert target.count() == 14


@pytest.mark.slow
def test_clocks_may_differ_by_player(cli: Any, tmp_path: Path) -> None:
    conditions = MatchConditions(SMALL, Clock(5.0, 0.1), clocks=(("random", Clock(9.0, 0.5)),))
    assert conditions.clock_of("random") == Clock(9.0, 0.5)
    assert conditions.clock_of(SEARCH) == Clock(5.0, 0.1)
    with Ledger(tmp_path / "conditions.db") as ledger:
        assert (
            conditions_of(ledger.tournament(ledger.begin("match", (), settings_of(conditions, plan(2)), 2)))
            == conditions
        )
    bot, path = tmp_path / "slow.py", str(tmp_path / "games.db")
    bot.write_text(SLOW)
    arguments = [
        "match",
        str(bot),
        "random",
        "-n",
        "2",
        "--size",
        "4x4",
        "--time",
        "0.1",
        "-j",
        "1",
        "--ledger",
        path,
        "--json",
    ]
    assert json.loads(cli(*arguments, "--tolerance", "0")[1])["fault_count"] == 2
    assert json.loads(cli(*arguments, "--time-of", f"{bot}=20")[1])["fault_count"] == 0
    with Ledger(path) as ledger:
        assert ledger.tournament(2).settings["terms"]["clocks"] == {
            str(bot): {"bank": 20.0, "increment": 20.0, "cap": 20.0}
        }
    assert "--time-of names 'nobody', who does not play" in cli(*arguments, "--time-of", "nobody=1")[2]
    assert "--bank-of takes PLAYER=SECONDS" in cli(*arguments, "--bank-of", "random")[2]


@pytest.mark.slow
def test_who_left_a_league_leaves_the_mixture(cli: Any, tmp_path: Path) -> None:
    path = str(tmp_path / "league.db")
    cli("league", "add", path, "random", "--size", "8x6", "--nodes", "100")
    for spec in (SEARCH, THIRD):
        cli("league", "add", path, spec)
    cli("league", "run", path, "-n", "12", "-j", "1")
    everybody = json.loads(cli("league", "show", path, "--json")[1])
    assert set(everybody["mixture"]["shares"]) == {"random", SEARCH, THIRD}
    cli("league", "remove", path, SEARCH)
    shown = json.loads(cli("league", "show", path, "--json")[1])
    assert set(shown["mixture"]["shares"]) == {"random", THIRD}
    assert len(shown["ratings"]) == 3
    report = json.loads(cli("report", path, "--json")[1])["games"][0]
    assert set(report["mixture"]["shares"]) == {"random", THIRD}


def test_a_plan_without_pairs_is_extended_too(tmp_path: Path) -> None:
    small, large = (Plan(n, plan(6).openings, False, 1) for n in (2, 5))
    with Ledger(tmp_path / "games.db") as ledger:
        run_tournament(RoundRobin((SEARCH, "random")), small, NODES, ledger=ledger)
        outcome = run_tournament(
            RoundRobin((SEARCH, "random")), large, NODES, ledger=ledger, tournament=1, extension=True
        )
        assert (outcome.played, ledger.count()) == (3, 5)
        assert all(entry.played.job.pair == entry.played.job.number for entry in ledger.games())
