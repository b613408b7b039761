"""A league without an end: players join and leave while it runs; the most informative pairing is played next."""

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations

from .conditions import Job, MatchConditions, unreported, with_names
from .ledger import Filter, Ledger, LedgerError
from .ledger.versions import player_version
from .schedule import Plan, settings_of
from .standings import Standings
from .tournament import OnGame, Runner, Say, TournamentOutcome, until_interrupted
from .workers import HereWorkers, Workers

KIND = "league"
_PRIOR_GAMES = (
    2.0  # drawn games that every pair of players is taken to have played: nobody is infinitely strong
)


@dataclass(frozen=True)
class League:
    """A league in a ledger."""

    ledger: Ledger
    number: int
    """Of its tournament in the ledger."""

    @property
    def players(self) -> list[str]:
        """The current players."""
        return self.ledger.league_players(self.number)

    def add(self, spec: str) -> None:
        """Let a player in; its earlier games count again. Raises LedgerError if it is in it."""
        if not self.ledger.add_league_player(self.number, spec):
            raise LedgerError(f"{spec} is in the league already")

    def remove(self, spec: str) -> None:
        """Take a player out; its games stay. Raises LedgerError if it is not in it."""
        if not self.ledger.remove_league_player(self.number, spec):
            raise LedgerError(
                f"{spec} is not in the league; its players: {', '.join(self.players) or 'nobody'}"
            )

    def labels(self) -> dict[str, str]:
        """The label of every current player, by spec.

        A player that has changed since its last games is a new player.
        """
        known = self.ledger.labels()  # a server that does not answer is what it was
        versions = {spec: player_version(spec) or known.newest(spec) for spec in self.players}
        if not self.ledger.read_only:
            for spec, version in versions.items():
                self.ledger.know(spec, version)
        names = self.ledger.labels()
        return {spec: names.of(spec, version) for spec, version in versions.items()}

    def standings(self) -> Standings:
        """All games of the league, also those of players that left, and of earlier versions of players."""
        standings, names = Standings(), self.ledger.labels()
        for entry in self.ledger.games(Filter(tournament=self.number)):
            called = {
                spec: names.of(spec, entry.versions[side])
                for side, spec in enumerate(entry.played.job.players)
            }
            standings.add(with_names(entry.played, called))
        for entry in self.ledger.voids(self.number):
            standings.add_void(entry.void)
        return standings


def has_league(ledger: Ledger) -> bool:
    """Whether a league was begun in the ledger."""
    return any(one.kind == KIND for one in ledger.tournaments())


def open_league(
    ledger: Ledger, conditions: MatchConditions | None = None, plan: Plan | None = None
) -> League:
    """The ledger's league; with conditions and plan a new one is begun if there is none. Raises LedgerError."""
    found = [one for one in ledger.tournaments() if one.kind == KIND]
    if found:
        return League(ledger, found[-1].id)
    if conditions is None or plan is None:
        raise LedgerError(
            f"{str(ledger.path)!r} has no league; `saddlepoint league add LEDGER PLAYER` begins one"
        )
    return League(ledger, ledger.begin(KIND, (), settings_of(conditions, plan), None))


def next_pairing(
    players: Sequence[str], standings: Standings, waiting: Sequence[tuple[str, str]] = ()
) -> tuple[str, str] | None:
    """The pairing whose next pair of games tells most about the players' order.

    None where no pair would tell anything.

    Each pair of players is weighed by the variance of a result between them, as their ratings foresee it,
    over the games that each of them has: an even match between players of few games first. Pairs of games
    under way (`waiting`) count as played. Players that play the same games again and again do not meet any
    more, and where this holds of all pairs, there is no pairing. Raises LedgerError with fewer than two
    players.
    """
    if len(players) < 2:
        raise LedgerError("a league needs two players to play; add them with `saddlepoint league add`")
    strength = rough_strengths(players, standings)
    games = Counter({one: standings.players[one].played for one in standings.players})
    met: Counter[frozenset[str]] = Counter()
    for pair in waiting:
        met[frozenset(pair)] += 2
        games.update(dict.fromkeys(pair, 2))

    def information(a: str, b: str) -> float:
        expected = 1 / (1 + math.exp(strength[b] - strength[a]))
        together = standings.between(a, b).played + met[frozenset((a, b))]
        # How much two more games shrink the variance of the difference of two strengths, known from so many.
        known = 1 / (1 + games[a]) + 1 / (1 + games[b]) + 1 / (1 + together) ** 2
        return expected * (1 - expected) * known

    telling = [pair for pair in combinations(players, 2) if not standings.exhausted(*pair)]
    return max(telling, key=lambda pair: information(*pair), default=None)


def rough_strengths(players: Sequence[str], standings: Standings, rounds: int = 50) -> dict[str, float]:
    """Strengths in natural units (odds are e to their difference), quick enough to be found before every pairing.

    Bradley and Terry's model, half points for draws, by Hunter's minorisation (Annals of Statistics 32, 2004).
    """
    weight = dict.fromkeys(players, 1.0)
    prior = _PRIOR_GAMES / len(players)
    table = {
        (a, b): (standings.points(a, b) + prior / 2, standings.between(a, b).score.games + prior)
        for a in players
        for b in players
        if a != b
    }
    for _ in range(rounds):
        for a in players:
            points = sum(table[a, b][0] for b in players if b != a)
            games = sum(table[a, b][1] / (weight[a] + weight[b]) for b in players if b != a)
            weight[a] = points / games
    return {one: math.log(weight[one]) for one in players}


def run_league(
    league: League,
    conditions: MatchConditions,
    plan: Plan,
    games: int | None,
    workers: Workers | None = None,
    on_game: OnGame | None = None,
    say: Say = lambda text: None,
    starts: Callable[[str], bool] = lambda spec: True,
) -> TournamentOutcome:
    """Play `games` games (endlessly if None), each pairing chosen when its turn comes, from the players then in it.

    Of each player it is asked once whether it `starts`; one that does not is set aside, and the others play. Ctrl-C ends the
    run and not the result. The workers are closed.
    """
    workers = workers or HereWorkers()
    labels = dict(league.labels())
    outcome = TournamentOutcome(league.standings(), games)
    outcome.unreported = unreported(league.players) if conditions.timed else ""
    under_way: list[tuple[str, str]] = []
    known: dict[str, bool] = {}
    book = league.ledger.path

    def pairs():  # type: ignore[no-untyped-def]
        given = 0
        while games is None or given < games:
            if set(league.players) - set(labels):
                labels.update({spec: name for spec, name in league.labels().items() if spec not in labels})
            present = league.players
            if new := [spec for spec in present if spec not in known]:
                known.update({spec: starts(spec) for spec in new})
                runner.conditions = conditions.hiding(known, book)
            called = {labels[spec]: spec for spec in present if known[spec]}
            pairing = next_pairing(list(called), outcome.standings, under_way)
            if pairing is None:
                outcome.left_out = True
                return
            under_way.append(pairing)
            a, b = (called[name] for name in pairing)
            del under_way[: -2 * workers.slots]
            first = league.ledger.take_number(league.number, 2)
            opening = plan.openings[first // 2 % len(plan.openings)]
            for number, players in ((first, (a, b)), (first + 1, (b, a))):
                yield Job(number, first, players, opening, plan.seed_of(number))
                given += 1

    with until_interrupted(workers, outcome):
        # A pairing chosen long before it is played would not be the one that tells most by then.
        runner = Runner(
            conditions,
            workers,
            outcome,
            league.ledger,
            league.number,
            on_game,
            largest_batch=2,
            labels=labels,
            say=say,
        )
        runner.play(pairs())
    return outcome
