"""A standing league: players come and go, and the next pairing is the one that tells most."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from helpers.arena_games import NODES, SEARCH, interrupt, once_played, plan
from saddlepoint.arena.conditions import Job, PlayedGame
from saddlepoint.arena.league import League, next_pairing, open_league, rough_strengths, run_league
from saddlepoint.arena.ledger import Ledger, LedgerError
from saddlepoint.arena.standings import Standings
from saddlepoint.arena.statistics.ratings import rate
from saddlepoint.arena.tournament import TournamentOutcome


def stand(*results: tuple[str, str, float]) -> Standings:
    """Standings after pairs of games in which the first player took so many points of two."""
    standings = Standings()
    for number, (a, b, points) in enumerate(results):
        for game, (players, taken) in enumerate((((a, b), points / 2), ((b, a), 1 - points / 2))):
            standings.add(PlayedGame(Job(2 * number + game, 2 * number, players, "", 0), 0.0, taken, ""))
    return standings


def met_again(standings: Standings, games: range) -> Standings:
    """Further pairs of a and b in which both do what they always do."""
    for number in games:
        players = ("a", "b") if number % 2 == 0 else ("b", "a")
        job = Job(number, number // 2 * 2, players, "", number)
        standings.add(PlayedGame(job, 0.0, 0.5, "", actions=((0, 0),), chance=False))
    return standings


EVEN = [("a", "b", 1.0)] * 10
TOLD = stand(*[("a", "c", 1.0)] * 3, *[("b", "c", 1.0)] * 3)


@pytest.mark.parametrize(
    ("standings", "under_way", "players", "asked"),
    [
        (stand(*EVEN, *[("b", "c", 1.0)] * 10, *[("a", "c", 1.0)] * 10), [], "abcn", "n"),
        (stand(*EVEN, *[("a", "w", 2.0)] * 10, *[("b", "w", 2.0)] * 10), [], "abw", "ab"),
        (Standings(), [("a", "b")], "abcd", "cd"),
        (met_again(Standings(), range(40)), [], "abc", "c"),
        (met_again(TOLD, range(100, 140)), [], "abc", "c"),
    ],
    ids=[
        "a player without games first",
        "an even match rather than a decided one",
        "who is not playing already",
        "not those whose meeting only repeats itself",
        "also where other games have been played",
    ],
)
def test_the_next_pairing_is_the_one_that_tells_most(
    standings: Standings, under_way: list[tuple[str, str]], players: str, asked: str
) -> None:
    assert set(asked) <= set(next_pairing(list(players), standings, under_way))


def test_rough_strengths_order_players_as_the_ratings_do() -> None:
    standings = stand(*[("a", "b", 1.5)] * 20, *[("b", "c", 1.5)] * 20, *[("a", "c", 2.0)] * 20)
    rough = rough_strengths(["a", "b", "c"], standings)
    assert (
        sorted(rough, key=lambda one: -rough[one])
        == [row.player for row in rate(standings.table()).rows]
        == ["a", "b", "c"]
    )


@pytest.fixture
def league(tmp_path: Path) -> Iterator[League]:
    """One of two players."""
    with Ledger(tmp_path / "league.db") as ledger:
        league = open_league(ledger, NODES, plan(2))
        for spec in ("random", SEARCH):
            league.add(spec)
        yield league


def test_players_come_and_go_while_it_runs(league: League, tmp_path: Path) -> None:
    third = "alphabeta(evaluator=voronoi, depth=1)"
    with Ledger(tmp_path / "league.db") as elsewhere:
        other = League(elsewhere, league.number)

        def come_and_go(game: PlayedGame, outcome: TournamentOutcome) -> None:
            if outcome.played == 10:
                other.add(third)
            if outcome.played == 30:
                other.remove("random")

        run_league(league, NODES, plan(2), 60, on_game=come_and_go)
        games = [entry.played.job for entry in elsewhere.games()]
        assert len(games) == len({job.number for job in games}) == 60
        assert not any(third in job.players for job in games[:10])
        assert any(third in job.players for job in games[10:])
        assert not any("random" in job.players for job in games[34:])  # a pair under way is played to its end
        assert league.players == [SEARCH, third]
        assert open_league(elsewhere).number == league.number
        assert league.standings().games == 60


def test_an_interrupted_league_goes_on(league: League) -> None:
    assert run_league(league, NODES, plan(2), None, on_game=once_played(5, interrupt)).interrupted
    again = run_league(league, NODES, plan(2), 6)
    assert (again.played, again.standings.games) == (6, 11)


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (lambda league: league.add("random"), "is in the league already"),
        (lambda league: league.remove("best"), "is not in the league; its players: random"),
        (lambda league: run_league(league, NODES, plan(2), 2), "needs two players"),
    ],
)
def test_mistakes_are_one_sentence(ledger: Ledger, ask: Callable[[League], object], said: str) -> None:
    with pytest.raises(LedgerError, match="has no league"):
        open_league(ledger)
    league = open_league(ledger, NODES, plan(2))
    league.add("random")
    with pytest.raises(LedgerError, match=said):
        ask(league)
