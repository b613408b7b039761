"""Snakes by their address on the command line: matches, ledgers, versions, clocks, errors."""

import re
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from helpers.cli_runs import Program
from helpers.snakes import Server, serving
from saddlepoint.arena.conditions import MatchConditions
from saddlepoint.arena.ledger import Filter, Ledger
from saddlepoint.arena.ledger.versions import player_version
from saddlepoint.arena.openings import make_openings
from saddlepoint.arena.workers import MatchPlayers, cores_of_game
from saddlepoint.game.spec import Spec, SpecError, parse_spec
from saddlepoint.games.battlesnake import Battlesnake
from saddlepoint.players.programs.player import free_port

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
    code, _, err = cli(*match, "--resume")
    assert code == 2 and f"{url} has changed since its games" in err
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
