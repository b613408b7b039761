"""The players of a fit, and the gate that a new one must pass."""

import math
import pickle
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import asdict, dataclass
from itertools import islice
from typing import Any

from ..algorithms import Limits
from ..algorithms.algorithm import UnsupportedGameError
from ..arena.conditions import MatchConditions, PlayedGame
from ..arena.ledger.versions import player_version
from ..arena.openings import random_openings
from ..arena.schedule import PairingStage, Plan
from ..arena.standings import Standings
from ..arena.statistics.repeats import Repeats
from ..arena.statistics.sprt import Sprt
from ..arena.tournament import Runner, TournamentOutcome
from ..arena.workers import ClosedAtEnd, Workers
from ..compiled import MachineFault
from ..evaluators.network.training import Samples
from ..game.base import Game, GameError
from ..game.own_games import described
from ..games.catalogue.policies import policy_of
from ..players.clock import Clock
from ..policies import Evaluation, all_choices
from ..solvers.general.positions import TooManyPositions
from ..solvers.general.reached import Walks
from ..solvers.general.solve import SolveCounts
from ..system.cluster import connect, library_digest
from ..system.processes import Processes
from .games import Task, play_games

_SAME = "put the same at the same path, and start the workers again"
_GO_ON = "the same command with --resume goes on with the fit"


class GamePlayers(ClosedAtEnd):
    """Plays tasks, several at a time, in processes of this machine.

    The same task gives the same positions everywhere.
    """

    def __init__(self, count: int) -> None:
        self._count, self._processes = count, Processes(count)

    @property
    def slots(self) -> int:
        return self._count

    def play(self, task: Task) -> Future[Samples]:
        """The positions of a task, once it is played."""
        return self._processes.run(play_games, task)

    def wait(self, played: Future[Samples]) -> Samples:
        """The samples of a played task; raises in one sentence an error that kept it from being played."""
        return played.result()

    def close(self, at_once: bool = False) -> None:
        """End them; what is under way is not waited for with `at_once`."""
        self._processes.close(at_once)


class ClusterPlayers(GamePlayers):
    """The workers of a Dask cluster that `executor` names, dask://HOST:PORT; give each worker one thread.

    `say` gets what takes long. `specs` name the search and the first evaluator: files in them must be the same on all workers, as the
    game's own file must. Raises ConnectionError where no scheduler answers, and ValueError, both in one sentence, for a worker that has
    another version of something.
    """

    def __init__(self, executor: str, say: Callable[[str], None], game: Game, specs: tuple[str, ...]) -> None:
        self._cluster = connect(executor, say, _GO_ON)
        self._specs, self._here = specs, _versions(game, specs)

        def check(worker: str, there: Any) -> None:
            if there != self._here:
                said = f" ({there})" if isinstance(there, str) else ""
                raise ValueError(
                    f"the worker {worker} has no or another file for {game!r} or for the search{said}: {_SAME}"
                )

        try:
            self._cluster.prepare(_inspect, (pickle.dumps(game), specs), check, _warm, ())
        except BaseException:
            self._cluster.close()
            raise

    @property
    def slots(self) -> int:
        return self._cluster.slots

    def play(self, task: Task) -> Future[Samples]:
        return self._cluster.submit(_play_remotely, self._here, self._specs, _packed(task))

    def wait(self, played: Future[Samples]) -> Samples:
        try:
            return played.result()
        except Exception as error:
            if self._cluster.is_death(error):
                raise ValueError(
                    "the same games ended several workers, one after the other, perhaps for want of memory"
                ) from error
            raise

    def close(self, at_once: bool = False) -> None:
        self._cluster.close()


def _packed(task: Task) -> bytes:
    """A task as the scheduler passes it on, which does not look into it."""
    return pickle.dumps(task)


def _versions(game: Game, specs: tuple[str, ...]) -> tuple[Any, ...]:
    """The game as this process has it, and the versions of what specs name."""
    return described(game), tuple(map(player_version, specs))


def _play_remotely(leave: Callable[[], None], wanted: Any, specs: tuple[str, ...], packed: bytes) -> Samples:
    """The positions of a task; raises ValueError where the game or the search is another here, since any worker may join at any time."""
    try:
        task = pickle.loads(packed)
        here = _versions(task.plan.game, specs)
    except Exception as error:
        raise ValueError(
            f"a worker cannot load the game or the search ({type(error).__name__}: {error}): {_SAME}"
        ) from error
    if here != wanted:
        raise ValueError(f"a worker has another file for {task.plan.game!r} or for the search: {_SAME}")
    return play_games(task, leave)


def _inspect(packed: bytes, specs: tuple[str, ...]) -> tuple[str, Any]:
    """The digest of this worker's library; the game as it has it, and the versions of what specs name."""
    digest = library_digest()
    try:
        return digest, _versions(pickle.loads(packed), specs)
    except Exception as error:  # shown as it is: another version may fail in any way
        return digest, f"{type(error).__name__}: {error}"


def _warm() -> None:
    """Nothing: what a game and a search need is compiled in the first games, when it is known what was learnt."""


# Whether a new generation is better: games until a sequential test decides; and how far a player is from an equilibrium.

_BYTES = 1e9
_WALKS = 256


def nash_conv_of(game: Game, spec: str, nodes: int, most: int, seed: int) -> float | None:
    """The NashConv of a player that searches `nodes` nodes in each position; None where it takes too long.

    None for a game in turn, whose searches would have to fill a table for each position; for one of more
    positions than `most`, and for one whose positions recur.

    Random walks show of most large games that they are large, but not of those in which random players soon
    lose. So positions are counted too while they are found, and finding them ends at that number or little
    later.
    """

    def count(so_far: SolveCounts) -> None:
        if so_far.positions > most:
            raise TooManyPositions(f"{game!r} has more than {most:,} positions")

    if game.turn_based or game.clock:
        return None
    start = game.initial_state()
    try:
        if Walks(game, start, fold=False).size(_WALKS).positions > most:
            return None
        choices = all_choices(game, start, memory=_BYTES, on_progress=count)
        if len(choices.positions) > most:
            return None
        return Evaluation(choices, policy_of(spec, game, start, nodes=nodes, seed=seed).policy).nash_conv
    except (UnsupportedGameError, TooManyPositions):
        return None


# Whether a new generation is better: games at equal time, or with equal nodes, until a sequential test decides.

_LOOK = 24
"""Games between two looks at the test: each look waits for all of them, so that it does not depend on which process is the faster."""

_LIKELY = 0.95
"""The likelihood of superiority with which a test is passed that the time has ended: a short fit has no time for more games."""


@dataclass(frozen=True)
class GateSettings:
    """The settings of the comparison of generations."""

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
    """The result of a comparison, from the new player's view."""

    wins: int
    draws: int
    losses: int
    ratio: float
    """The log-likelihood ratio."""
    verdict: str
    """H1: it is better; H0: it is not; ahead: the time ended the test, and it is better with 95 %; continue: the games were not enough."""

    @property
    def is_better(self) -> bool:
        """Whether the test accepted that it is better, or was ended by the time when that was likely."""
        return self.verdict in ("H1", "ahead")

    @property
    def score(self) -> float:
        games = self.wins + self.draws + self.losses
        return (self.wins + 0.5 * self.draws) / games if games else 0.5

    def to_json(self) -> dict[str, Any]:
        """Plain data, without what a clock decides in the last digit."""
        return asdict(self) | {"ratio": round(self.ratio, 6)}


def compare(
    game: Game,
    new: str,
    old: str,
    settings: GateSettings,
    workers: Workers,
    seed: int,
    on_game: Callable[[int, str], None] = lambda games, standing: None,
    until: float = math.inf,
) -> Comparison:
    """Play the player of one spec against that of another, until the test decides, the games are played, or the time is over.

    `until` is a moment of the monotonic clock; the games that are under way then still count. Each opening is played with both sides.
    `on_game` is called with how many games are played, and how it stands. Raises MachineFault where the machine could not play a game,
    ValueError where a player's fault decided one.
    """
    clock = Clock(settings.seconds, settings.seconds, settings.seconds) if settings.seconds else None
    limits = None if settings.nodes is None else Limits(nodes=settings.nodes)
    conditions = (
        MatchConditions(game, limits=limits)
        if clock is None
        else MatchConditions(game, clock, limits, tolerance=10.0)
    ).hiding((new, old))
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
            raise MachineFault(
                f"a game of the test could not be played: {why}; --resume goes on with the fit"
            )
        for played in sorted(found, key=lambda one: one.job.number):
            counted.add(played)
        if counted.fault_count:
            raise ValueError(
                f"a game was decided by a fault, which says nothing of strength: {counted.faults[0]}"
            )
        if settings.test.decide(counted.between(new, old).counts) != "continue" or time.monotonic() >= until:
            break
    figures = counted.between(new, old)
    ratio, verdict = settings.test.llr(figures.counts), str(settings.test.decide(figures.counts))
    if verdict == "continue" and time.monotonic() >= until and figures.counts.los >= _LIKELY:
        verdict = "ahead"
    return Comparison(figures.score.wins, figures.score.draws, figures.score.losses, ratio, verdict)


def _openings(game: Game, settings: GateSettings, seed: int) -> list[str]:
    """Positions after a few random moves; of a game that is shorter, its start."""
    try:
        return random_openings(game, settings.opening, (settings.games + 1) // 2, seed)
    except GameError:
        return [game.to_text(game.initial_state())]
