"""A standing league: players come and go, and the next pairing is the one that tells most."""

from pathlib import Path

import pytest

from helpers.arena_games import NODES, SEARCH, plan
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


def test_a_player_without_games_is_asked_first() -> None:
    standings = stand(*[("a", "b", 1.0)] * 10, *[("b", "c", 1.0)] * 10, *[("a", "c", 1.0)] * 10)
    assert "new" in next_pairing(["a", "b", "c", "new"], standings)


def test_an_even_match_tells_more_than_a_decided_one() -> None:
    standings = stand(*[("a", "weak", 2.0)] * 10, *[("b", "weak", 2.0)] * 10, *[("a", "b", 1.0)] * 10)
    assert set(next_pairing(["a", "b", "weak"], standings)) == {"a", "b"}


def test_pairs_under_way_count_as_played() -> None:
    first = next_pairing(["a", "b", "c", "d"], Standings())
    second = next_pairing(["a", "b", "c", "d"], Standings(), [first])
    assert not set(first) & set(second)


def test_a_meeting_that_only_repeats_itself_is_not_asked_for_ever() -> None:
    standings = Standings()
    for number in range(40):
        players = ("a", "b") if number % 2 == 0 else ("b", "a")
        job = Job(number, number // 2 * 2, players, "", number)
        standings.add(PlayedGame(job, 0.0, 0.5, "", actions=((0, 0),), chance=False))
    assert standings.between("a", "b").score.games == 2
    assert "c" in next_pairing(["a", "b", "c"], standings)
    standings = stand(*[("a", "c", 1.0)] * 3, *[("b", "c", 1.0)] * 3)
    for number in range(100, 140):
        job = Job(number, number // 2 * 2, ("a", "b") if number % 2 == 0 else ("b", "a"), "", number)
        standings.add(PlayedGame(job, 0.0, 0.5, "", actions=((0, 0),), chance=False))
    assert "c" in next_pairing(["a", "b", "c"], standings)


def test_rough_strengths_order_players_as_the_ratings_do() -> None:
    standings = stand(*[("a", "b", 1.5)] * 20, *[("b", "c", 1.5)] * 20, *[("a", "c", 2.0)] * 20)
    rough = rough_strengths(["a", "b", "c"], standings)
    assert (
        sorted(rough, key=lambda one: -rough[one])
        == [row.player for row in rate(standings.table()).rows]
        == ["a", "b", "c"]
    )


def test_players_come_and_go_while_it_runs(tmp_path: Path) -> None:
    with Ledger(tmp_path / "league.db") as ledger, Ledger(tmp_path / "league.db") as elsewhere:
        league = open_league(ledger, NODES, plan(2))
        for spec in ("random", SEARCH):
            league.add(spec)
        third = "alphabeta(evaluator=voronoi, depth=1)"

        def come_and_go(game: PlayedGame, outcome: TournamentOutcome) -> None:
            other = League(elsewhere, league.number)
            if outcome.played == 10:
                other.add(third)
            if outcome.played == 30:
                other.remove("random")

        run_league(league, NODES, plan(2), 60, on_game=come_and_go)
        games = [entry.played.job for entry in ledger.games()]
        assert len(games) == len({job.number for job in games}) == 60
        assert not any(third in job.players for job in games[:10])
        assert any(third in job.players for job in games[10:])
        assert not any("random" in job.players for job in games[34:])  # a pair under way is played to its end
        assert league.players == [SEARCH, third]
        assert open_league(ledger).number == league.number
        assert league.standings().games == 60


def test_an_interrupted_league_goes_on(tmp_path: Path) -> None:
    with Ledger(tmp_path / "league.db") as ledger:
        league = open_league(ledger, NODES, plan(2))
        for spec in ("random", SEARCH):
            league.add(spec)

        def stop(game: PlayedGame, outcome: TournamentOutcome) -> None:
            if outcome.played == 5:
                raise KeyboardInterrupt

        assert run_league(league, NODES, plan(2), None, on_game=stop).interrupted
        again = run_league(league, NODES, plan(2), 6)
        assert (again.played, again.standings.games) == (6, 11)


def test_mistakes_are_one_sentence(tmp_path: Path) -> None:
    with Ledger(tmp_path / "league.db") as ledger:
        with pytest.raises(LedgerError, match="has no league"):
            open_league(ledger)
        league = open_league(ledger, NODES, plan(2))
        league.add("random")
        with pytest.raises(LedgerError, match="is in the league already"):
            league.add("random")
        with pytest.raises(LedgerError, match="is not in the league; its players: random"):
            league.remove("best")
        with pytest.raises(LedgerError, match="needs two players"):
            run_league(league, NODES, plan(2), 2)
