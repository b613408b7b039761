"""Matches, tournaments, leagues and ledgers on the command line; the same game again and again; snakes by their address."""

import json
import re
import socket
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from helpers.bots import command
from helpers.cli_runs import Program
from helpers.snakes import Server, serving
from saddlepoint.arena import summary
from saddlepoint.arena.conditions import MatchConditions
from saddlepoint.arena.ledger import Filter, Ledger
from saddlepoint.arena.ledger.versions import player_version
from saddlepoint.arena.openings import make_openings
from saddlepoint.arena.statistics.ratings import rate
from saddlepoint.arena.workers import MatchPlayers, cores_of_game
from saddlepoint.cli import arena_options
from saddlepoint.cli.tournament import _print_cycles
from saddlepoint.game.spec import Spec, SpecError, parse_spec
from saddlepoint.games.battlesnake import Battlesnake
from saddlepoint.players.programs.player import free_port

SEARCH = "alphabeta(evaluator=voronoi)"
SHALLOW = "alphabeta(evaluator=voronoi, depth=1)"
SMALL = ("--size", "8x6", "--nodes", "100")


def test_a_match_is_paired_and_tested(cli: Program) -> None:
    asked = ("match", SEARCH, "random", "-n", "60", "--swap", *SMALL, "-j", "1", "--sprt", "elo0=0 elo1=200")
    data = cli.data(*asked)
    assert data["decided"]
    assert data["sprt"]["decision"] == "H1"
    assert data["games"] < 60
    assert data["paired"]["elo"]["low"] > 0
    out = cli.printed(*asked)
    assert "H1 accepted" in out
    assert "LOS 9" in " ".join(out.split()), "wherever the line is broken"


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("300M", 300 << 20),
        ("300", 300 << 20),
        ("300 MB", 300 << 20),
        ("1.5G", 3 << 29),
        ("2GiB", 2 << 30),
        ("400000000", 400_000_000),
    ],
)
def test_a_size_of_memory_means_what_people_think(text: str, size: int) -> None:
    assert arena_options.read_bytes(text) == size


@pytest.mark.slow
def test_a_tournament_prints_ratings_and_the_cross_table(cli: Program) -> None:
    asked = ("tournament", "random", SEARCH, SHALLOW, "-n", "4", *SMALL, "-j", "1")
    out = cli.printed(*asked, "--anchor", "random=100")
    for text in (
        "12 games",
        "Elo",
        "+100",
        "95 %",
        "Nash average (no player beats it)",
        "score of the player on the left",
    ):
        assert text in out
    data = cli.data(*asked, "--kind", "gauntlet")
    assert data["games"] == 8
    assert {row["player"] for row in data["ratings"]} == {"random", SEARCH, SHALLOW}
    assert len(data["cross_table"]) == 4


def test_a_league(cli: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        summary, "rate", lambda table, anchor, resamples: rate(table, anchor, resamples=20)
    )  # quickly
    ledger = str(tmp_path / "league.db")
    assert "is in the league of light_riders; its players: random" in cli.printed(
        "league", "add", ledger, "random", *SMALL
    )
    cli("league", "add", ledger, SEARCH)
    out = cli.printed("league", "run", ledger, "-n", "6", "-j", "1")
    assert "6 of 6" in out or "6 games" in out
    assert "random left" in cli.printed("league", "remove", ledger, "random")
    data = cli.data("league", "show", ledger)
    assert data["in_the_league"] == [SEARCH]
    assert (data["games"], data["games_per_second"]) == (6, None)  # whoever only looks plays none
    shown = cli.printed("league", "show", ledger)
    assert shown.splitlines()[0] == "6 games"
    assert f"in the league: {SEARCH}" in shown


def test_a_leagues_further_players_are_of_its_own_game(cli: Program, tmp_path: Path) -> None:
    add = ("league", "add", str(tmp_path / "league.db"))
    cli(*add, "random", "--game", "tic_tac_toe", "--time", "0.1")
    # This search is for games in turn, and Light Riders, the game of a command that names none, is not one.
    assert "is in the league of tic_tac_toe" in cli.printed(*add, "pvs(depth=1)")
    assert "riders_smab plays light_riders, not tic_tac_toe" in cli.refused(*add, "riders_smab")
    assert "plays tic_tac_toe, not othello; leave --game out" in cli.refused(
        *add, "best", "--game", "othello"
    )


def test_played_games_are_listed_shown_replayed_and_exported(cli: Program, tmp_path: Path) -> None:
    ledger, target = str(tmp_path / "games.db"), tmp_path / "games.txt"
    crash = "cmd:" + command(tmp_path, "crash_after_a_move")
    into = ("-n", "2", "-j", "1", "--ledger", ledger)
    out = cli.printed("match", SEARCH, crash, "--swap", "--size", "8x6", "--bank", "5", *into)
    assert f"to play these games again: saddlepoint ledger list {ledger} --cause fault" in out
    cli("match", SEARCH, "random", *SMALL, *into)
    out, err = cli.ended(0, "ledger", "list", ledger)
    assert f"saddlepoint ledger replay {ledger} 1" in out  # lost by a fault
    assert "4 of 4 games" in err
    assert f"saddlepoint ledger replay {ledger} 4" not in out
    rows = cli.data("ledger", "list", ledger, "--cause", "rules")
    assert [row["id"] for row in rows] == [3, 4]
    assert all(row["turns"] == row["steps"] for row in rows)  # no chance moves in Light Riders
    assert "result" in cli.printed("ledger", "show", ledger, "3")
    assert cli.printed("ledger", "show", ledger, "3", "--step", "1").startswith("after 1 of ")
    assert "the same moves" in cli.printed("ledger", "replay", ledger, "3")
    assert cli("ledger", "replay", ledger, "1", "--yes")[1].count("exited with code 3") == 2
    exported = cli.printed("ledger", "export", ledger, "--player", "random").splitlines()
    assert [json.loads(line)["id"] for line in exported] == [3, 4]
    cli.printed("ledger", "export", ledger, "--format", "text", "-o", str(target))
    assert target.read_text().count("[Result ") == 4
    for words, said in (
        (("list", ledger, "--since", "tomorrow"), "--since"),
        (("export", ledger, "--format", "xml"), "--format"),
        (("show", ledger, "99"), f"{ledger!r} has no game 99\n"),
    ):
        assert said in cli.refused("ledger", *words)


def cycle(*players, certain):
    return {"players": list(players), "certain": certain}


@pytest.mark.parametrize(
    ("cycles", "said"),
    [
        ([], []),
        (
            [
                cycle("a", "b", "c", certain=False),
                cycle("x", "y", "z", certain=True),
                cycle("a", "c", "d", certain=False),
            ],
            [
                "a cycle (each by more than chance explains): x beats y beats z beats x",
                "cycles that may be chance: 2 (--json lists them)",
            ],
        ),
    ],
    ids=["none", "three"],
)
def test_cycles_beyond_chance_are_named_and_the_others_counted(
    cycles: list[dict[str, object]], said: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    _print_cycles(cycles)
    assert capsys.readouterr().out.splitlines() == said


# -- copies of one game --------------------------------------------------------------------------------------------------

_BOT = """
import sys
for line in sys.stdin:
    words = line.split()
    if words[0] == "begin":
        print("ready", flush=True)
    elif words[0] == "legal":
        legal = words[1:]
    elif words[0] == "go":
        print("move", legal[{choice}], flush=True)
"""
START = ("--game", "tic_tac_toe", "--openings", "start", "--time", "5")


@pytest.fixture
def bots(tmp_path: Path) -> list[str]:
    """Programs of which one always takes the first move, the other the last."""
    paths = tmp_path / "first.py", tmp_path / "last.py"
    for path, choice in zip(paths, (0, -1), strict=True):
        path.write_text(_BOT.format(choice=choice))
    return [f"cmd:{sys.executable} {path}" for path in paths]


def test_copies_of_a_game_are_one_observation_and_no_test_accepts_them(
    cli: Program, tmp_path: Path, bots: list[str]
) -> None:
    ledger, page = str(tmp_path / "games.db"), tmp_path / "report.html"
    asked = (
        "match",
        *bots,
        *START,
        "-n",
        "30",
        "--seed",
        "1",
        "-j",
        "1",
        "--sprt",
        "elo0=0 elo1=200",
        "--ledger",
        ledger,
    )
    data = cli.data(*asked)
    told = " ".join(cli.printed(*asked).split())  # the same games once more
    assert data["wins"] + data["draws"] + data["losses"] == 1
    assert data["sprt"]["decision"] == "continue"
    low, high = data["interval95"]
    assert high - low > 0.75, "of one game hardly anything follows"
    assert data["games"] < 30
    assert data["repeats"] == data["games"] - 1
    assert "--openings random:4" in data["exhausted"]
    assert "move for move, and count once: different games 1" in told
    assert (
        f"what was left was not played: the same games came again and again: of {data['games']} games all are one; "
        in told
    )
    assert "stopped without a decision" in told
    cli.printed("report", ledger, "-o", str(page))
    assert (
        f"{2 * data['games'] - 1} of {2 * data['games']} games repeat an earlier one, move for move"
        in page.read_text()
    )
    with closing(sqlite3.connect(ledger)) as connection:
        assert connection.execute("SELECT count(DISTINCT actions) FROM games").fetchone() == (1,)


# -- snakes --------------------------------------------------------------------------------------------------------------

GAME = ("--game", "battlesnake(width=7, height=7, map=empty, max_rounds=6)")


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with serving(tmp_path) as found:
        yield found


@pytest.mark.parametrize(
    "url",
    ["http://127.0.0.1:8001", "https://snake.example.org", "http://[::1]:8000/a/b", "http://h/p?(x=1),%20"],
)
def test_an_address_is_a_spec_that_is_printed_as_it_was_written(url: str) -> None:
    spec = parse_spec(f"  {url} ")
    assert (spec, str(spec)) == (Spec("snake", {"url": url}), url)
    assert parse_spec(Spec("league", {"of": spec})._written()).options["of"] == spec
    assert (
        str(parse_spec('snake(command="./mysnake --port {port}")'))
        == 'snake(command="./mysnake --port {port}")'
    )
    with pytest.raises(SpecError, match="no blanks"):
        parse_spec(url + " best")


@pytest.mark.slow
def test_a_match_counts_late_answers_and_latency(
    cli: Program, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "160")  # nothing is wrapped
    asked = (
        "match",
        f"{server.url}/silent",
        f"{server.url}/good",
        *GAME,
        "-n",
        "2",
        "--swap",
        "-j",
        "1",
        "--seed",
        "1",
    )
    data = cli.data(*asked)
    assert (data["games"], data["fault_count"], data["late"]) == (2, 0, {"a": 2, "b": 0})
    assert set(data["latency"]["a"]) == {"median", "p99", "longest"}
    assert data["latency"]["a"]["longest"] >= 0.5 > data["latency"]["a"]["median"]
    # The contest's, where nothing is said.
    assert {body["game"]["timeout"] for _, body in server.asked("good")} == {500}
    out = cli.printed(*asked, "--time", "1")
    assert "over time: 2 and 0" in out and re.search(r"/silent: .* ms \(99 %\), .* ms at most", out)


@pytest.mark.slow
def test_a_match_goes_on_with_the_same_version_of_a_server_only(
    cli: Program, tmp_path: Path, server: Server
) -> None:
    ledger, url = str(tmp_path / "games.db"), f"{server.url}/good"
    match = ("match", url, "snake_starter", *GAME, "-n", "4", "--seed", "3", "-j", "1", "--ledger", ledger)
    cli.printed(*match)
    with Ledger(ledger) as book, book.writing() as connection:
        entries = list(book.games(Filter()))
        connection.execute("DELETE FROM games WHERE number = 3")
        connection.execute("UPDATE tournaments SET finished = NULL")
    assert [dict(zip(e.played.job.players, e.versions, strict=True))[url] for e in entries] == ["7"] * 4
    server.notes.with_name("notes.jsonl.version").write_text("8")
    assert player_version(url) == "8"
    assert f"{url} has changed since its games" in cli.ended(2, *match, "--resume")[1]
    server.notes.with_name("notes.jsonl.version").write_text("7")
    assert cli.data(*match, "--resume")["games"] == 4


@pytest.mark.slow
def test_a_league_and_a_server_that_is_down(cli: Program, tmp_path: Path, server: Server) -> None:
    url = f"{server.url}/good"
    league = str(tmp_path / "league.db")
    for player in (url, "snake_starter"):
        cli.printed("league", "add", league, player, *GAME)
    cli.printed("league", "run", league, "-n", "4", "-j", "1", "--json")
    server.notes.with_name("notes.jsonl.version").write_text("8")
    assert f"{url} (2)" in cli("league", "show", league)[1].replace("\n", "")
    with Ledger(league) as book, book.writing() as connection:  # another address of which it has games
        connection.execute("UPDATE players SET spec = ? WHERE spec = ?", ("http://127.0.0.1:9", url))
        connection.execute("UPDATE league_players SET spec = ? WHERE spec = ?", ("http://127.0.0.1:9", url))
    assert cli.data("league", "show", league)["in_the_league"] == ["http://127.0.0.1:9 (2)", "snake_starter"]


@pytest.mark.slow
def test_a_server_that_is_no_snake_has_no_version_and_ends_in_time() -> None:
    with socket.create_server(("127.0.0.1", 0)) as deaf:
        assert player_version(f"http://127.0.0.1:{deaf.getsockname()[1]}") == ""
    assert player_version(f"http://127.0.0.1:{free_port()}") == ""


def test_asking_both_at_once_needs_two_cores() -> None:
    game = Battlesnake(7, 7)
    players = ("http://127.0.0.1:9", "random")
    made = MatchPlayers()
    assert cores_of_game(MatchConditions(game), players, made) == 2
    assert cores_of_game(MatchConditions(game, sequential=True), players, made) == 1
    assert cores_of_game(MatchConditions(game), ("random", "snake_starter"), made) == 1
    assert MatchConditions.from_json(MatchConditions(game, sequential=True).to_json(), game).sequential
    assert "sequential" not in MatchConditions(game).to_json()


def test_a_match_goes_through_all_starts_before_one_is_played_again() -> None:
    game = Battlesnake()
    starts = [game.to_text(state) for state in game.starts()]
    for seed in range(5):
        openings = make_openings(game, "starts", 12, seed)
        assert sorted(openings) == sorted(starts)
        assert len({starts.index(text) // 2 for text in openings[:12]}) == 12  # each pair of spots once
        assert [starts.index(text) // 2 for text in openings[:12]] == [
            starts.index(text) // 2 for text in openings[12:]
        ]
    assert make_openings(game, "starts", 12, 1) != make_openings(game, "starts", 12, 2)
