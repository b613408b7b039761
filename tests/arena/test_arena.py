"""However the arena ends, nothing of it lives on; tournaments that grow, ledgers that are put together, clocks that differ."""

import json
import os
import shutil
import signal
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import psutil
import pytest

from helpers.arena_games import FEW_NODES, SEARCH, SMALL, interrupt, once_played, plan, problems
from helpers.cli_runs import program
from helpers.programs import is_alive, wait_until
from saddlepoint.arena.conditions import MatchConditions
from saddlepoint.arena.league import open_league, run_league
from saddlepoint.arena.ledger import Filter, Ledger
from saddlepoint.arena.ledger.merging import merge_ledger
from saddlepoint.arena.schedule import Plan, RoundRobin, conditions_of, settings_of
from saddlepoint.arena.tournament import TournamentOutcome, run_tournament
from saddlepoint.players.clock import Clock

# Both ignore that they are to end, and have a child in a session of its own.
BOT = """
import os, signal, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
for line in sys.stdin:
    if line.startswith("begin"): print("ready", flush=True)
    if line.startswith("go"):
        if os.fork() == 0: os.setsid()
        while True: time.sleep(1)
"""
FILE = """
import os, signal, time
def choose(game, state, clock, player):
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if os.fork() == 0: os.setsid()
    while True: time.sleep(1)
"""


def is_bot(process: psutil.Process, folder: Path) -> bool:
    try:
        words = process.cmdline()
    except psutil.Error:
        return False
    return str(folder) in " ".join(words) and not any("supervisor.main" in word for word in words)


def below(arena: int) -> list[psutil.Process]:
    try:
        return psutil.Process(arena).children(recursive=True)
    except psutil.NoSuchProcess:
        return []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "mode"),
    [("SIGKILL", "auto"), ("SIGKILL", "supervisor"), ("SIGTERM", "auto"), ("SIGHUP", "auto")],
)
def test_an_arena_that_is_ended_leaves_nothing(name: str, mode: str, tmp_path: Path) -> None:
    bots = tmp_path / "bots"
    bots.mkdir()
    (bots / "program.py").write_text(BOT)
    (bots / "file.py").write_text(FILE)
    players = (f"cmd:{sys.executable} -I -S {bots}/program.py", f"{bots}/file.py")
    match = f"--game goofspiel --time 900 -n 4 -j 2 --swap --isolate={mode} --ledger {tmp_path}/games.db"
    running = program("match", *players, *match.split())
    try:
        # Of two games: in one the program was asked first and has its child, in the other the file.
        wait_until(
            lambda: running.poll() is not None or sum(is_bot(one, bots) for one in below(running.pid)) >= 6,
            300,
        )
        everybody = below(running.pid)
        assert sum(is_bot(one, bots) for one in everybody) == 6
        assert sum(any("multiprocessing" in word for word in one.cmdline()) for one in everybody) >= 2
    finally:
        running.send_signal(getattr(signal, name))
    _, errors = running.communicate(timeout=60)
    if name == "SIGKILL":
        assert running.returncode == -signal.SIGKILL
    else:
        assert running.returncode == 128 + getattr(signal, name)
        assert f"saddlepoint: ended by {name}" in errors
        assert "has the finished games" in errors
        assert "Traceback" not in errors
    _, left = psutil.wait_procs(everybody, timeout=30)
    assert [one for one in left if is_alive(one.pid)] == []


@pytest.mark.slow
def test_the_first_signal_counts_and_what_is_ignored_stays_ignored(tmp_path: Path) -> None:
    file = tmp_path / "ended.py"
    file.write_text(
        "import os, signal, sys\nfrom saddlepoint.cli import end_signals\n"
        "signal.signal(signal.SIGHUP, signal.SIG_IGN)\n"
        "with end_signals() as ending:\n"
        "    os.kill(os.getpid(), signal.SIGHUP)\n"
        "    try:\n        os.kill(os.getpid(), signal.SIGTERM)\n        signal.pause()\n"
        "    except KeyboardInterrupt:\n"
        "        os.kill(os.getpid(), signal.SIGTERM)\n"
        "os._exit(ending.code())\n"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = psutil.Popen([sys.executable, file], env=environment, stderr=-1)
    _, errors = done.communicate(timeout=60)
    assert done.returncode == 143
    assert errors == b"saddlepoint: ended by SIGTERM\n"


# -- what goes on --------------------------------------------------------------------------------------------------------

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


@pytest.mark.parametrize(
    ("begun", "begun_until", "extended_until", "larger", "games"),
    [
        (plan(4), 3, 0, plan(8), 24),
        (plan(4), 0, 3, plan(4), 12),
        (Plan(2, plan(6).openings, False, 1), 0, 0, Plan(5, plan(6).openings, False, 1), 15),
    ],
    ids=["one that was stopped", "stopped while it is extended", "without pairs"],
)
def test_more_games_and_more_players_add_what_is_missing(
    ledger: Ledger, begun: Plan, begun_until: int, extended_until: int, larger: Plan, games: int
) -> None:
    schedule = RoundRobin((SEARCH, "random", THIRD))

    def extended(until: int = 0) -> TournamentOutcome:
        stop = once_played(until, interrupt)
        return run_tournament(
            schedule, larger, FEW_NODES, ledger=ledger, tournament=1, extension=True, on_game=stop
        )

    stop = once_played(begun_until, interrupt)
    run_tournament(RoundRobin((SEARCH, "random")), begun, FEW_NODES, ledger=ledger, on_game=stop)
    assert extended(extended_until).interrupted == bool(extended_until)
    run_tournament(schedule, larger, FEW_NODES, ledger=ledger, tournament=1)
    assert ledger.count() == games == len({entry.played.job.seed for entry in ledger.games()})
    assert extended().played == 0
    assert run_tournament(schedule, larger, FEW_NODES, ledger=ledger).standings.games == games
    assert pairs_of(ledger, 1) == pairs_of(ledger, 2)


@pytest.mark.slow
def test_the_command_extends_a_match_and_a_tournament(cli: Any, tmp_path: Path) -> None:
    ledger = str(tmp_path / "games.db")
    assert cli("tournament", SEARCH, "random", "-n", "2", *OPTIONS, "--ledger", ledger)[0] == 0
    more = ("-n", "4", *OPTIONS, "--ledger", ledger, "--extend")
    assert cli.data("tournament", SEARCH, "random", THIRD, *more)["games"] == 12
    with Ledger(ledger) as book:
        assert [(one.games, one.planned, len(one.players)) for one in book.tournaments()] == [(12, 12, 3)]
    extend = ("--ledger", ledger, "--extend")
    for arguments, said in (
        (("tournament", "random", "best", *extend), "would extend"),
        (("tournament", SEARCH, "random", "--kind", "ladder", *extend), "cannot be extended"),
        (("match", SEARCH, "random", "--ledger", ledger, "--resume"), "has no unfinished match"),
        (("match", SEARCH, "random", "--extend"), "--extend goes on with a match of --ledger FILE"),
    ):
        assert said in cli(*arguments, *OPTIONS)[2]


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
    match = ("match", SEARCH, "random", "-n", "2", *OPTIONS)
    data = cli.data(*match, "--ledger", str(tmp_path / "one.db"), "--resume")
    assert (data["games"], data["seed"]) == (2, seeds[0])
    assert "to repeat the random choices: --seed " in cli(*match)[1]


def test_merging_loses_nothing_and_is_the_same_however_often(cli: Any, tmp_path: Path) -> None:
    a, b, together = (tmp_path / name for name in ("a.db", "b.db", "all.db"))
    for path, seed in ((a, 1), (b, 2)):
        with Ledger(path) as ledger:
            run_tournament(RoundRobin((SEARCH, "random")), plan(4, seed), FEW_NODES, ledger=ledger)
    for times in range(3):
        out = cli.printed("ledger", "merge", str(a), str(b), "-o", str(together))
        assert out.count("4 games added, 0 were there" if times == 0 else "0 games added, 4 were there") == 2
    with Ledger(together) as ledger, Ledger(a) as first, Ledger(b) as second:
        assert problems(ledger) == []
        assert [one.settings for one in ledger.tournaments()] == [
            book.tournament(1).settings for book in (first, second)
        ]
        merged = [entry.played for entry in ledger.games()]
        assert merged == [entry.played for book in (first, second) for entry in book.games()]
        assert ledger.versions(1) == first.versions(1)


def test_copies_of_a_league_that_went_on_apart_are_put_together(ledger: Ledger, tmp_path: Path) -> None:
    with Ledger(tmp_path / "a.db") as one:
        league = open_league(one, FEW_NODES, plan(2))
        for spec in ("random", SEARCH):
            league.add(spec)
        run_league(league, FEW_NODES, plan(2), 4)
    shutil.copyfile(tmp_path / "a.db", tmp_path / "b.db")
    with Ledger(tmp_path / "a.db") as one, Ledger(tmp_path / "b.db") as other:
        for book in (one, other):
            run_league(open_league(book), FEW_NODES, plan(2), 4)
        assert [merge_ledger(book, ledger) for book in (one, other)] == [(8, 0), (4, 4)]
        assert [merge_ledger(book, ledger) for book in (one, other)] == [(0, 8), (0, 8)]
    assert set(pairs_of(ledger, 1).values()) and ledger.count() == 12
    assert {key[2] for key in pairs_of(ledger, 1)} == {2}
    assert open_league(ledger).players == ["random", SEARCH]
    run_league(open_league(ledger), FEW_NODES, plan(2), 2)
    assert ledger.count() == 14


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
    arguments = f"match {bot} random -n 2 --size 4x4 --time 0.1 -j 1 --ledger {path} --json".split()
    assert json.loads(cli(*arguments, "--tolerance", "0")[1])["fault_count"] == 2
    assert json.loads(cli(*arguments, "--time-of", f"{bot}=20")[1])["fault_count"] == 0
    with Ledger(path) as ledger:
        assert ledger.tournament(2).settings["terms"]["clocks"] == {
            str(bot): {"bank": 20.0, "increment": 20.0, "cap": 20.0}
        }


@pytest.mark.slow
def test_who_left_a_league_leaves_the_mixture(cli: Any, tmp_path: Path) -> None:
    path = str(tmp_path / "league.db")
    cli("league", "add", path, "random", "--size", "8x6", "--nodes", "100")
    for spec in (SEARCH, THIRD):
        cli("league", "add", path, spec)
    cli("league", "run", path, "-n", "12", "-j", "1")

    def shown(*command: str) -> Any:
        return json.loads(cli(*command, path, "--json")[1])

    assert set(shown("league", "show")["mixture"]["shares"]) == {"random", SEARCH, THIRD}
    cli("league", "remove", path, SEARCH)
    after = shown("league", "show")
    assert len(after["ratings"]) == 3
    for told in (after, shown("report")["games"][0]):
        assert set(told["mixture"]["shares"]) == {"random", THIRD}
