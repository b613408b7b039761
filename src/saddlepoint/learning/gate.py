"""Whether a new generation is better: games at equal time, or with equal nodes, until a sequential test decides."""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from itertools import islice
from typing import Any

from ..algorithms import Limits
from ..arena.conditions import MatchConditions
from ..arena.job import PlayedGame
from ..arena.openings import random_openings
from ..arena.schedule import PairingStage, Plan
from ..arena.standings import Standings
from ..arena.statistics.repeats import Repeats
from ..arena.statistics.sprt import Sprt
from ..arena.tournament import Runner, TournamentOutcome
from ..arena.workers import Workers
from ..compiled import MachineFault
from ..game import Game, GameError
from ..players.clock import Clock

_LOOK = 24
"""Games between two looks at the test: each look waits for all of them, so that it does not depend on which process is the faster."""


@dataclass(frozen=True)
class GateSettings:
    """How generations are compared."""

    seconds: float | None = 0.02
    """Of a move; None: `nodes` bound it."""
    nodes: int | None = None
    games: int = 400
    """At most; undecided by then, the new generation is not accepted."""
    test: Sprt = Sprt(0.0, 40.0)
    opening: int = 4
    """Random moves at the beginning of a game, where the game lasts that long."""


@dataclass(frozen=True)
class Comparison:
    """What came of it, from the new player's view."""

    wins: int
    draws: int
    losses: int
    ratio: float
    """The log-likelihood ratio."""
    verdict: str
    """H1: it is better; H0: it is not; continue: the games were not enough to tell."""

    @property
    def is_better(self) -> bool:
        """Whether the test accepted that it is better."""
        return self.verdict == "H1"

    @property
    def score(self) -> float:
        """The share of the points."""
        games = self.wins + self.draws + self.losses
        return (self.wins + 0.5 * self.draws) / games if games else 0.5

    def to_json(self) -> dict[str, Any]:
        """Plain data, without what a clock decides in the last digit."""
        return asdict(self) | {"ratio": round(self.ratio, 6)}


def compare(
    game: Game, new: str, old: str, settings: GateSettings, workers: Workers, seed: int,
    on_game: Callable[[int, str], None] = lambda games, standing: None,
) -> Comparison:  # fmt: skip
    """Play the player of one spec against that of another, until the test decides or the games are played.

    Each opening is played with both sides. `on_game` is told how many games are played, and how it stands. Raises MachineFault where
    the machine could not play a game, ValueError where a player's fault decided one.
    """
    clock = Clock(settings.seconds, settings.seconds, settings.seconds) if settings.seconds else None
    limits = None if settings.nodes is None else Limits(nodes=settings.nodes)
    conditions = MatchConditions(game, limits=limits) if clock is None else MatchConditions(game, clock, limits, tolerance=10.0)
    conditions = conditions.hiding((new, old))
    plan = Plan(settings.games, tuple(_openings(game, settings, seed)), True, seed)
    jobs = plan.jobs(PairingStage(((new, old),)))
    counted = Standings(True, Repeats())
    outcome, found = TournamentOutcome(Standings(True, Repeats()), settings.games), list[PlayedGame]()

    def note(played: PlayedGame, _: TournamentOutcome) -> None:
        found.append(played)
        score = outcome.standings.between(new, old).score
        on_game(outcome.standings.games, f"+{score.wins} ={score.draws} -{score.losses}")

    runner = Runner(conditions, workers, outcome, on_game=note)
    while look := list(islice(jobs, _LOOK)):
        found.clear()
        runner.play(iter(look))
        if outcome.unplayable or outcome.standings.voids:
            why = "; ".join(outcome.unplayable) or "the machine failed in it"
            raise MachineFault(f"a game of the test could not be played: {why}; --resume goes on with the fit")
        for played in sorted(found, key=lambda one: one.job.number):
            counted.add(played)
        if counted.fault_count:
            raise ValueError(f"a game was decided by a fault, which says nothing of strength: {counted.faults[0]}")
        if settings.test.decide(counted.between(new, old).counts) != "continue":
            break
    figures = counted.between(new, old)
    ratio, verdict = settings.test.llr(figures.counts), settings.test.decide(figures.counts)
    return Comparison(figures.score.wins, figures.score.draws, figures.score.losses, ratio, verdict)


def _openings(game: Game, settings: GateSettings, seed: int) -> list[str]:
    """Positions after a few random moves; of a game that is shorter, its start."""
    try:
        return random_openings(game, settings.opening, (settings.games + 1) // 2, seed)
    except GameError:
        return [game.to_text(game.initial_state())]
