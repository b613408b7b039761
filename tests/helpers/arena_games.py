"""Small tournaments for the tests of the arena."""

from collections.abc import Callable, Iterable
from typing import Any

from saddlepoint import LightRiders, Limits
from saddlepoint.arena.conditions import MatchConditions, PlayedGame
from saddlepoint.arena.ledger import Filter, Ledger
from saddlepoint.arena.openings import make_openings
from saddlepoint.arena.schedule import Plan, RoundRobin, Schedule, find_unfinished, settings_of
from saddlepoint.arena.standings import Standings
from saddlepoint.arena.tournament import TournamentOutcome, run_tournament
from saddlepoint.arena.workers import Workers
from saddlepoint.players.clock import Clock

SMALL = LightRiders(8, 6)
NODES = MatchConditions(SMALL, limits=Limits(nodes=300))
FEW_NODES = MatchConditions(SMALL, limits=Limits(nodes=20))
TIMED = MatchConditions(SMALL, Clock(5.0, 0.2))
SEARCH = "alphabeta(evaluator=voronoi)"


def plan(games: int, seed: int = 1, swap: bool = True, conditions: MatchConditions = NODES) -> Plan:
    """So many games a pairing, from the game's own starts."""
    return Plan(games, tuple(make_openings(conditions.game, "starts", games, seed)), swap, seed)


def resumable(ledger: Ledger, schedule: Schedule, plan: Plan, conditions: MatchConditions = NODES) -> int:
    """The number of the tournament that goes on with just these settings."""
    settings = settings_of(conditions, plan)
    return find_unfinished(ledger, type(schedule).kind, schedule.players, lambda seed: settings, plan.seed).id


def played(
    *players: str,
    games: int = 4,
    conditions: MatchConditions = NODES,
    workers: Workers | None = None,
    seed: int = 1,
    watch: Callable[[TournamentOutcome], None] | None = None,
) -> tuple[TournamentOutcome, list[PlayedGame]]:
    """The outcome of a round robin and its games, by their numbers."""
    seen: list[PlayedGame] = []

    def keep(game: PlayedGame, outcome: TournamentOutcome) -> None:
        seen.append(game)
        if watch is not None:
            watch(outcome)

    outcome = run_tournament(
        RoundRobin(players), plan(games, seed, conditions=conditions), conditions, workers, on_game=keep
    )
    return outcome, sorted(seen, key=lambda game: game.job.number)


def standings_of(games: Iterable[PlayedGame]) -> Standings:
    """The standings after these games."""
    standings = Standings()
    for one in games:
        standings.add(one)
    return standings


def numbers(ledger: Ledger, tournament: int) -> set[int]:
    """The numbers of a tournament's finished games."""
    return {entry.played.job.number for entry in ledger.games(Filter(tournament=tournament))}


def problems(ledger: Ledger) -> list[str]:
    """What SQLite's integrity check finds wrong with the file; nothing if it is sound."""
    with ledger.reading() as connection:
        found = [row[0] for row in connection.execute("PRAGMA integrity_check")]
    return [] if found == ["ok"] else found


def once_played(games: int, do: Callable[[], object]) -> Callable[..., None]:
    """Does something when so many games are played: for `on_game`, and for `watch`."""

    def look(*told: Any) -> None:
        if told[-1].played == games:
            do()

    return look


def interrupt() -> None:
    """What Ctrl-C does."""
    raise KeyboardInterrupt
