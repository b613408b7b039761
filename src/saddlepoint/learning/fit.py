"""The loop: games by the player as it has learnt so far, a network fitted to them, a gate; again until time or patience ends."""

import math
import random
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ..arena.workers import LocalWorkers
from ..evaluators.network.file import Weights, content_digest, save_weights
from ..evaluators.network.inputs import Inputs
from ..evaluators.network.training import Layers, Samples, fit_layers, held_out_entropy, new_layers, quantised
from ..game.base import Game
from ..game.own_games import described
from ..game.spec import parse_spec
from ..system.text import count_of
from .games import Openings, Plan, Task
from .models import evaluator_spec, model_of, player_spec
from .players import Comparison, GamePlayers, GateSettings, compare, nash_conv_of
from .run_folder import RunFolder, RunFolderError, plain_data

_GAMES_A_TASK = 8
_HELD_OUT = 20  # the last of this many parts of a generation's games is kept from the fit
_QUEUED = 2  # tasks waiting for each process or worker
_FAIR = 0.45
"""Who scores so much against the best so far plays the next games: what is hardly worse has still learnt from more."""
_GAIN = 0.53
"""Who scores so much against the best so far is better or lucky, though the test cannot tell: the next one may be kept."""
_NEARER, _AT_EQUILIBRIUM = 0.95, 1e-6
"""A generation is nearer to equilibrium where its NashConv is at most so much of the one before, unless that was nothing already."""
_EVERY = 1.0  # seconds
_SLICE, _TEST_SLICE = 1 / 8, 1 / 16
"""Of the time of a whole fit, what the games of one generation may take, and its test: a short fit has several generations, too."""
_BLIND = 0.5
"""How often a move is a random one as long as nothing is known of unfinished positions: a search would take the first of equals."""


@dataclass(frozen=True)
class FitSettings:
    """The settings of a fit."""

    search: str
    """The spec of a search, without an evaluator."""
    start: str | None = None
    """The spec of the evaluator that the first games are played with; None: without one."""
    evaluator: str | None = None
    """The spec of the evaluator whose weights are fitted; None: `fitted`."""
    seed: int = 1
    hours: float | None = 1.0
    generations: int | None = None
    patience: int = 4
    """The number of generations in a row without a gain that ends the fit, see `gains_nothing`."""
    positions: int = 100_000
    """Of a generation."""
    window: int = 1_500_000
    """The latest positions that a network is fitted to."""
    nodes: int = 1_000
    """Of a move in the games."""
    opening: int = 6
    openings: Openings | None = None
    """Where half of the games begin; the tests of generations do not."""
    random_share: float = 0.05
    trace: float = 0.7
    units: int = 32
    second_units: int = 16
    epochs: int = 8
    rate: float = 0.003
    gate: GateSettings = field(default_factory=GateSettings)
    exploit_nodes: int = 1_000
    exploit_positions: int = 20_000
    """NashConv is computed of games of at most this many positions."""

    def __post_init__(self) -> None:
        if self.hours is None and self.generations is None:
            raise ValueError("a fit needs an end: hours, or a number of generations")
        for name, share in (("trace", self.trace), ("random_share", self.random_share)):
            if not 0.0 <= share <= 1.0:
                raise ValueError(f"{name} must be between 0 and 1, not {share}")
        if "evaluator" in parse_spec(self.search).options:
            raise ValueError("the search is given without an evaluator: the fit makes one")


class Generation(NamedTuple):
    """The figures of a generation."""

    number: int
    positions: int
    """All that were played so far."""
    data: str
    """A digest of those of this generation."""
    entropy: float
    """Of results and values, in nats: where fitted."""
    held_out: float
    """Of games kept apart."""
    gate: Comparison
    nash_conv: float | None
    """At fixed nodes; None where it is not computed, see `nash_conv_of`."""
    nash_conv_before: float | None
    """The least one of those that were kept before and of the search that played the first games; None likewise."""

    @property
    def is_nearer(self) -> bool:
        """Whether it is nearer to equilibrium than all that were kept before, and did not lose clearly."""
        return (
            self.nash_conv is not None
            and self.nash_conv_before is not None
            and self.nash_conv_before >= _AT_EQUILIBRIUM
            and self.nash_conv <= _NEARER * self.nash_conv_before
            and self.gate.score >= _FAIR
        )

    @property
    def is_kept(self) -> bool:
        """Whether it is the best so far: by games, or by its distance to equilibrium where that is known."""
        return self.gate.is_better or self.is_nearer

    def to_json(self) -> dict[str, Any]:
        return self._asdict() | {
            "gate": self.gate.to_json(),
            "score": round(self.gate.score, 6),
            "kept": self.is_kept,
        }


class Step(NamedTuple):
    """The progress of a fit, to be shown."""

    generation: int
    what: str
    done: int
    total: int
    standing: str = ""


@dataclass
class FitOutcome:
    """The outcome of a fit."""

    generations: list[dict[str, Any]]
    accepted: int | None
    """The number of the generation that is kept; None where none was better than the start."""
    reason: str = ""
    """Why it ended."""


class Fit:
    """A fit in a folder of its own, in which it can be taken up again."""

    def __init__(
        self,
        game: Game,
        settings: FitSettings,
        output: Path,
        processes: int = 2,
        on_step: Callable[[Step], None] = lambda step: None,
        on_generation: Callable[[Generation], None] = lambda found: None,
        players: Callable[[], GamePlayers] | None = None,
    ) -> None:
        """`players` makes what plays the games, when a run begins; without it `processes` of this machine do, which also play the tests."""
        self._model = model_of(settings.evaluator)
        self._model.check(game)  # which says what is wrong with features before anything is written
        self.game, self.settings, self.output = game, settings, output
        self.folder = RunFolder(output, plain_data({"game": described(game), **_identity(settings)}))
        self._count, self._show_step, self._on_generation = processes, on_step, on_generation
        self._told, self._last, self._ends = -_EVERY, (0, ""), math.inf
        self._make_players = players or (lambda: GamePlayers(processes))
        self._samples: list[Samples] = []
        self.generations: list[dict[str, Any]] = []
        """The figures of all generations so far, those of runs before this one among them: `Generation.to_json` of each."""
        self._layers: Layers | None = None
        self._inputs: Inputs | None = None

    @property
    def _accepted(self) -> list[int]:
        """The numbers of the generations that were kept; the last one is the best so far."""
        return [record["number"] for record in self.generations if record["kept"]]

    def run(self, resume: bool = False) -> FitOutcome:
        """Fit until something ends it; what is kept is in the output at any time. Raises KeyboardInterrupt between whole files.

        Raises RunFolderError, in one sentence, where the folder is another fit's, or another process writes to it.
        """
        with self.folder.held(begins=not resume):
            try:
                return self._run(resume)
            finally:
                self.folder.tell(None)

    def _run(self, resume: bool) -> FitOutcome:
        began = time.monotonic()
        spent = self._take_up() if resume else self.folder.begin()
        self._ends = math.inf if self.settings.hours is None else began - spent + self.settings.hours * 3600
        if resume and (reason := self._is_over(spent)):
            return FitOutcome(self.generations, self._accepted[-1] if self._accepted else None, reason)
        reason = ""
        self._on_step(Step(0, "looking at positions of random games", 0, 0))
        self._inputs = self._model.inputs(
            self.game, self.settings.seed, self._samples[0] if self._samples else None
        )
        if self._inputs is not None:
            self._check_layers(self._inputs)
        with self._make_players() as players, LocalWorkers(self._count) as workers:
            while not reason:
                found = self._generation(len(self.generations) + 1, players, workers)
                self.generations.append(found.to_json())
                self.folder.note(self.generations, spent + time.monotonic() - began)
                self._write_output()
                self._on_generation(found)
                reason = self._is_over(spent + time.monotonic() - began)
        return FitOutcome(self.generations, self._accepted[-1] if self._accepted else None, reason)

    def _until(self, share: float) -> float:
        """The moment at which a part ends that may take this share of the whole time."""
        hours = self.settings.hours
        return math.inf if hours is None else min(self._ends, time.monotonic() + share * hours * 3600)

    def _on_step(self, step: Step) -> None:
        """Show where it is; the folder is written once a second at most, and for each new thing that is done."""
        self._show_step(step)
        now, last = time.monotonic(), (step.generation, step.what)
        if now - self._told >= _EVERY or last != self._last:
            self._told, self._last = now, last
            self.folder.tell(step._asdict())

    def _take_up(self) -> float:
        """Take up the finished part of a run before this one; returns the seconds that it took."""
        known = self.folder.read()
        self.generations = known["generations"]
        self._samples = [self.folder.samples(record["number"]) for record in self.generations]
        self._layers = self.folder.layers(len(self.generations)) if self.generations else None
        self._write_output()
        return float(known["seconds"])

    def _write_output(self) -> None:
        """The generation that is kept, with how it was made: what a run that ends here leaves behind."""
        if self._accepted:
            kept = self._accepted[-1]
            told = _identity(self.settings)  # in a file of weights the openings are among the settings
            record = {"settings": told.pop("settings") | told, "generations": self.generations[:kept]}
            save_weights(self.output, self.folder.load(kept)._replace(record=plain_data(record)))

    def _check_layers(self, inputs: Inputs) -> None:
        """Raise RunFolderError where what was fitted before has other inputs: a compiled loop follows them."""
        if self._layers is None:
            return
        known = self.folder.load(len(self.generations)).coding
        new = new_layers(inputs.coding, self.settings.units, self.settings.second_units, self.settings.seed)
        same = all(np.array_equal(one, other) for one, other in zip(known, inputs.coding, strict=True))
        if not same or any(one.shape != other.shape for one, other in zip(new, self._layers, strict=True)):
            raise RunFolderError(
                f"{str(self.folder.path)!r} was made by another version of saddlepoint: remove it and leave out --resume"
            )

    def _is_over(self, seconds: float) -> str:
        """The reason why it ends here; empty where it goes on."""
        settings = self.settings
        if settings.generations is not None and len(self.generations) >= settings.generations:
            return count_of(settings.generations, "generation")
        if settings.hours is not None and seconds >= settings.hours * 3600:
            return "the time is over"
        if gains_nothing(self.generations, settings.patience):
            several = f"{settings.patience} generations in a row were no better"
            return several if settings.patience > 1 else "the last generation was no better"
        return ""

    def _generation(self, number: int, players: GamePlayers, workers: LocalWorkers) -> Generation:
        settings = self.settings
        samples = self._play(number, players)
        self.folder.keep_samples(number, samples)
        self._samples.append(samples)
        used, apart = _split(self._samples, settings.window)
        self._inputs = inputs = self._inputs or self._model.inputs(self.game, settings.seed, samples)
        assert inputs is not None
        layers = self._layers or self._first_layers(inputs)

        def tell(epoch: int, entropy: float) -> None:
            self._on_step(Step(number, "fitting", epoch, settings.epochs, f"cross entropy {entropy:.4f}"))

        self._layers, entropy = fit_layers(
            inputs,
            used,
            layers,
            settings.epochs,
            settings.rate,
            settings.seed + number,
            self.game.turn_based,
            tell,
        )
        self.folder.keep_layers(number, self._layers)
        file, network = self.folder.weights(number), quantised(self._layers, inputs.coding)
        whose = plain_data(described(self.game))
        save_weights(
            file,
            Weights(
                inputs.coding,
                network,
                inputs.exchanges,
                whose,
                {"generation": number},
                evaluator=self._model.described,
            ),
        )
        new, old = player_spec(self.game, settings.search, self._model.spec(file)), self._best_so_far()

        def tell_game(games: int, standing: str) -> None:
            self._on_step(Step(number, "gate", games, settings.gate.games, standing))

        until = self._until(_TEST_SLICE)
        gate = compare(self.game, new, old, settings.gate, workers, settings.seed + number, tell_game, until)
        return Generation(
            number,
            sum(len(one.targets) for one in self._samples),
            content_digest(samples),
            round(entropy, 6),
            round(held_out_entropy(inputs, apart, self._layers, self.game.turn_based), 6),
            gate,
            self._distance(new, number),
            self._least_distance(),
        )

    def _first_layers(self, inputs: Inputs) -> Layers:
        """The weights that play the first games, where they are those of the evaluator that is fitted; else random numbers."""
        settings = self.settings
        is_its_own = settings.start is not None and settings.start == self._model.start
        known = self._model.layers(inputs) if is_its_own else None
        return known or new_layers(inputs.coding, settings.units, settings.second_units, settings.seed)

    def _distance(self, spec: str, number: int) -> float | None:
        self._on_step(Step(number, "NashConv", 0, 0))
        settings = self.settings
        return nash_conv_of(
            self.game, spec, settings.exploit_nodes, settings.exploit_positions, settings.seed
        )

    def _least_distance(self) -> float | None:
        """The least NashConv of what was kept so far, and of the first search."""
        if not self.generations:
            return self._distance(self._best_so_far(), 0)
        known = [
            self.generations[0]["nash_conv_before"],
            *(self.generations[number - 1]["nash_conv"] for number in self._accepted),
        ]
        return min((distance for distance in known if distance is not None), default=None)

    def _best_so_far(self) -> str:
        """The player that a new generation must beat."""
        evaluator = None if self.settings.start is None else evaluator_spec(self.settings.start)
        if self._accepted:
            evaluator = self._model.spec(self.folder.weights(self._accepted[-1]))
        return player_spec(self.game, self.settings.search, evaluator)

    def _teacher(self) -> int | None:
        """The generation that plays the next games; None: the search as it was given."""
        last = self.generations[-1] if self.generations else None
        if last is not None and last["score"] >= _FAIR:
            return last["number"]
        return self._accepted[-1] if self._accepted else None

    def _play(self, number: int, players: GamePlayers) -> Samples:
        """The games of a generation, in the order of their tasks, whichever process is the faster."""
        settings, teacher = self.settings, self._teacher()
        is_blind = teacher is None and settings.start is None
        share = max(_BLIND, settings.random_share) if is_blind else settings.random_share
        plan = Plan(
            self.game,
            settings.search,
            settings.start,
            settings.nodes,
            settings.opening,
            share,
            settings.trace,
            not is_blind,
            settings.evaluator,
        )
        learner = None if teacher is None else self.folder.load(teacher)
        draw, starts = (random.Random(f"{what} {settings.seed} {number}") for what in ("rivals", "openings"))

        def tasks() -> Iterator[Task]:
            place = 0
            while True:
                earlier = draw.choice(self._accepted[:-1]) if len(self._accepted) > 1 else None
                rival = None if earlier is None else self.folder.load(earlier)
                openings = () if settings.openings is None else settings.openings.drawn(_GAMES_A_TASK, starts)
                yield Task(plan, learner, rival, _GAMES_A_TASK, (settings.seed, number, place), openings)
                place += 1

        waiting: list[Future[Samples]] = []
        parts, count, coming = list[Samples](), 0, tasks()
        until = self._until(_SLICE)
        while count < settings.positions and (not parts or time.monotonic() < until):
            while len(waiting) < players.slots * _QUEUED:
                waiting.append(players.play(next(coming)))
            part = players.wait(waiting.pop(0))
            if not len(part.targets):
                raise ValueError(f"{self.game!r}: games end before anybody has a choice")
            parts.append(part)
            count += len(part.targets)
            self._on_step(
                Step(
                    number,
                    "games",
                    min(count, settings.positions),
                    settings.positions,
                    f"{len(parts) * _GAMES_A_TASK} games",
                )
            )
        for future in (
            waiting
        ):  # what has begun here would be played beside the fit; on a cluster it comes to its end there
            if not future.cancel():
                future.result()
        return _joined(parts)


def gains_nothing(records: list[dict[str, Any]], patience: int) -> bool:
    """Whether none of the last generations, as many as `patience` says, was kept or scored well against the best so far."""
    last = records[-patience:]
    return len(last) == patience and all(not record["kept"] and record["score"] < _GAIN for record in last)


def _identity(settings: FitSettings) -> dict[str, Any]:
    """What must be the same for a fit to be resumed: the settings but for its length, and beside them the openings, if there are any."""
    told = asdict(settings) | {"gate": asdict(settings.gate) | {"test": str(settings.gate.test)}}
    for name in ("hours", "generations", "patience", "openings"):
        del told[name]
    return {"settings": told} | ({"openings": settings.openings.identity} if settings.openings else {})


def _joined(parts: list[Samples]) -> Samples:
    return Samples(
        np.concatenate([part.words for part in parts]), np.concatenate([part.targets for part in parts])
    )


def _split(generations: list[Samples], window: int) -> tuple[Samples, Samples]:
    """The latest positions, and the last ones of each generation, which are kept apart."""
    used, apart = list[Samples](), list[Samples]()
    for samples in generations:
        border = len(samples.targets) - max(1, len(samples.targets) // _HELD_OUT)
        used.append(Samples(samples.words[:border], samples.targets[:border]))
        apart.append(Samples(samples.words[border:], samples.targets[border:]))
    every = _joined(used)
    return Samples(every.words[-window:], every.targets[-window:]), _joined(apart[-3:])
