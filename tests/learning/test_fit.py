"""The whole loop on a game that it learns in seconds: repeatable, taken up where it was killed, and better than nothing."""

import dataclasses
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from helpers import own_evaluators
from saddlepoint import Goofspiel, Othello
from saddlepoint.arena.statistics.sprt import Sprt
from saddlepoint.evaluators.network.file import load_weights
from saddlepoint.evaluators.network.inputs import random_positions
from saddlepoint.game.spec import parse_spec
from saddlepoint.games.catalogue.make import make_player
from saddlepoint.learning.fit import Fit, FitOutcome, FitSettings, Generation, Step, gains_nothing
from saddlepoint.learning.games import openings_of
from saddlepoint.learning.models import evaluator_spec, model_of, player_spec
from saddlepoint.learning.players import Comparison, GateSettings, nash_conv_of
from saddlepoint.learning.run_folder import RunFolderError

pytestmark = pytest.mark.slow
GATE = GateSettings(None, 100, 96, Sprt(0.0, 100.0))
SETTINGS = FitSettings(
    "pvs",
    hours=None,
    generations=2,
    positions=3000,
    nodes=60,
    units=8,
    second_units=8,
    epochs=8,
    rate=0.01,
    gate=GATE,
)
GAME = Othello(6)


def alone(game: Any, settings: FitSettings, file: Path, **options: Any) -> Fit:
    """A fit with one process for its games: a second one starts for seconds and finds the same, as the first test says."""
    return Fit(game, settings, file, processes=1, **options)


def fitted(
    folder: Path, name: str = "x.weights", settings: FitSettings = SETTINGS, **options: Any
) -> tuple[Fit, Any]:
    fit = alone(GAME, settings, folder / name, **options)
    return fit, fit.run()


def stopping(moment: str) -> Callable[[Step], None]:
    """Interrupts a fit in its second generation."""

    def stop(step: Step) -> None:
        if step.generation == 2 and step.what == moment and step.done:
            raise KeyboardInterrupt

    return stop


class Whole(NamedTuple):
    """A fit that nothing interrupted."""

    file: Path
    outcome: FitOutcome
    steps: list[Step]
    generations: list[Generation]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Whole:
    folder, steps, generations = tmp_path_factory.mktemp("whole"), list[Step](), list[Generation]()
    outcome = Fit(
        GAME, SETTINGS, folder / "x.weights", on_step=steps.append, on_generation=generations.append
    ).run()
    return Whole(folder / "x.weights", outcome, steps, generations)


def test_a_game_learns_and_the_same_seed_gives_the_same_file(tmp_path: Path, whole: Whole) -> None:
    file, outcome, steps, generations = whole
    assert outcome.accepted is not None
    assert outcome.reason == "2 generations"
    assert (
        [found.number for found in generations]
        == [1, 2]
        == [record["number"] for record in outcome.generations]
    )
    assert {"games", "fitting", "gate"} <= {step.what for step in steps}
    fitted(tmp_path, "again.weights")  # however many processes play
    assert file.read_bytes() == (tmp_path / "again.weights").read_bytes()
    weights = load_weights(file)
    assert weights.record["settings"]["seed"] == 1
    assert [one["number"] for one in weights.record["generations"]] == list(range(1, outcome.accepted + 1))
    make_player(f'pvs(evaluator=fitted("{file}"))', GAME).close()


@pytest.mark.parametrize("moment", ["fitting", "gate"])
def test_what_is_interrupted_goes_on_to_the_same_file(moment: str, tmp_path: Path, whole: Whole) -> None:
    with pytest.raises(KeyboardInterrupt):
        fitted(tmp_path, on_step=stopping(moment))
    state = json.loads((tmp_path / "x.weights.fit" / "state.json").read_text())
    assert [record["number"] for record in state["generations"]] == [1]
    alone(GAME, SETTINGS, tmp_path / "x.weights").run(resume=True)
    assert (tmp_path / "x.weights").read_bytes() == whole.file.read_bytes()
    (tmp_path / "x.weights").unlink()  # what is over stays over, and what it left is there again
    assert len(alone(GAME, SETTINGS, tmp_path / "x.weights").run(resume=True).generations) == 2
    assert (tmp_path / "x.weights").read_bytes() == whole.file.read_bytes()


@pytest.fixture(scope="module")
def own() -> str:
    """An evaluator with features, in a file."""
    return f"{Path(own_evaluators.__file__)}:OthelloCounts"


def test_an_evaluators_features_are_fitted_to_and_what_is_interrupted_goes_on_to_the_same_file(
    own: str, tmp_path: Path
) -> None:
    openings = openings_of(GAME, "random:12", 1)
    settings = dataclasses.replace(SETTINGS, evaluator=own, positions=1500, openings=openings)
    _, outcome = fitted(tmp_path, settings=settings)
    assert outcome.accepted is not None
    assert outcome.generations[-1]["held_out"] < 0.68
    with pytest.raises(KeyboardInterrupt):
        fitted(tmp_path, "again.weights", settings, on_step=stopping("fitting"))
    alone(GAME, settings, tmp_path / "again.weights").run(resume=True)
    assert (tmp_path / "again.weights").read_bytes() == (tmp_path / "x.weights").read_bytes()
    assert load_weights(tmp_path / "x.weights").record["settings"]["openings"] == openings.identity
    evaluator: Any = model_of(own).evaluator(load_weights(tmp_path / "x.weights"))
    assert evaluator.evaluate(GAME, GAME.initial_state()) != 0.0
    make_player(f'pvs(evaluator={own}(weights="{tmp_path}/x.weights"))', GAME).close()
    with pytest.raises(RunFolderError, match="other settings"):
        alone(GAME, dataclasses.replace(settings, evaluator=None), tmp_path / "x.weights").run(resume=True)


def test_a_fit_goes_on_from_the_weights_of_its_evaluator_and_from_none_does_not(
    own: str, tmp_path: Path
) -> None:
    """With steps of no length what it begins with stays."""
    settings = dataclasses.replace(
        SETTINGS, evaluator=own, generations=1, positions=1000, gate=GateSettings(None, 50, 2)
    )
    begun, _ = fitted(tmp_path, settings=settings)
    there = begun.folder.weights(1)
    known: Any = model_of(f'{own}(weights="{there}")')
    states = random_positions(GAME, 5, 100, random.Random(1))
    for name, start in (("same.weights", known.start), ("other.weights", None)):
        again = dataclasses.replace(settings, evaluator=known.start, start=start, rate=0.0)
        fit, _ = fitted(tmp_path, name, again)
        one, other = (known.evaluator(load_weights(file)) for file in (fit.folder.weights(1), there))
        differences = [abs(one.evaluate(GAME, state) - other.evaluate(GAME, state)) for state in states]
        assert (max(differences) < 0.01) == (start is not None)


class Uneven(Othello):
    """Its first player has nothing to lose."""

    @property
    def min_utility(self) -> float:
        return 0.0


@pytest.mark.parametrize(
    ("game", "evaluator", "said"),
    [
        (GAME, "constant", "constant has no weights that can be fitted"),
        (GAME, "prospects", "is not made for othello"),
        (Uneven(6), f"{own_evaluators.__file__}:OthelloCounts", "can win or lose as much"),
    ],
)
def test_what_is_wrong_with_an_evaluators_features_is_said_before_anything_is_played(
    game: Any, evaluator: str, said: str, tmp_path: Path
) -> None:
    with pytest.raises(ValueError, match=said):
        alone(game, dataclasses.replace(SETTINGS, evaluator=evaluator), tmp_path / "x.weights")
    assert not list(tmp_path.iterdir())


def test_what_is_no_better_ends_it_and_nothing_is_written(tmp_path: Path) -> None:
    """A gate that nothing passes."""
    gate = dataclasses.replace(GATE, games=24, test=Sprt(900.0, 1000.0))
    settings = dataclasses.replace(
        SETTINGS, generations=3, patience=1, positions=300, epochs=1, start="mobility", gate=gate
    )
    _, outcome = fitted(tmp_path, settings=settings)
    assert (outcome.accepted, outcome.reason, len(outcome.generations)) == (
        None,
        "the last generation was no better",
        1,
    )
    assert not (tmp_path / "x.weights").exists()


@pytest.mark.parametrize(
    ("scores", "kept", "ends"),
    [
        ([], None, False),
        ([0.5], None, False),
        ([0.5, 0.4], None, True),
        ([0.5, 0.4], 2, False),  # by its distance to equilibrium
        ([0.9, 0.5], 1, False),
        ([0.9, 0.5, 0.5], 1, True),
        ([0.9, 0.5, 0.55], 1, False),  # too few games to tell, and not even
    ],
)
def test_a_fit_goes_on_as_long_as_a_generation_gains(
    scores: list[float], kept: int | None, ends: bool
) -> None:
    found = [{"score": score, "kept": number == kept} for number, score in enumerate(scores, 1)]
    assert gains_nothing(found, 2) == ends


def test_the_distance_to_equilibrium_is_not_told_of_more_positions_than_asked_for(tmp_path: Path) -> None:
    settings = dataclasses.replace(
        SETTINGS, search="saddle", generations=1, exploit_nodes=30, exploit_positions=10
    )
    outcome = alone(Goofspiel(4, order="descending"), settings, tmp_path / "h.weights").run()
    assert outcome.generations[0]["nash_conv"] is None


@pytest.mark.parametrize(
    ("wins", "verdict", "nash_conv", "before", "kept"),
    [
        (70, "H1", None, None, True),
        (70, "H1", 0.3, 0.1, True),  # games decide for themselves
        (50, "H0", 0.08, 0.1, True),  # near an equilibrium games hardly tell two players apart
        (50, "H0", None, None, False),
        (50, "H0", 0.1, 0.1, False),
        (50, "H0", 0.0, 0.0, False),  # an equilibrium cannot be bettered
        (50, "continue", 0.12, 0.1, False),
        (30, "H0", 0.08, 0.1, False),  # nearer, and worse against this opponent
    ],
)
def test_a_generation_is_kept_by_games_or_by_its_distance_to_equilibrium(
    wins: int, verdict: str, nash_conv: float | None, before: float | None, kept: bool
) -> None:
    games = Comparison(wins, 0, 100 - wins, 0.0, verdict)
    assert Generation(1, 100, "", 0.6, 0.6, games, nash_conv, before).is_kept == kept


def test_players_nearer_and_nearer_to_equilibrium_are_kept_though_games_cannot_tell(tmp_path: Path) -> None:
    """At equal nodes nearly all games are even: five cards are few enough to look to the end of."""
    game = Goofspiel(5, order="descending")
    gate = GateSettings(None, 200, 24)
    settings = dataclasses.replace(
        SETTINGS,
        search="saddle",
        generations=3,
        positions=6000,
        random_share=0.3,
        nodes=100,
        exploit_nodes=100,
        gate=gate,
    )
    outcome = alone(game, settings, tmp_path / "g.weights").run()
    before, kept = outcome.generations[0]["nash_conv_before"], outcome.accepted
    found = outcome.generations[kept - 1]["nash_conv"]
    assert found < 0.5 * before
    assert load_weights(tmp_path / "g.weights").record["generations"][-1]["nash_conv"] == found
    policy = f'saddle(evaluator=fitted("{tmp_path / "g.weights"}"), choice=mixture)'
    assert nash_conv_of(game, policy, 100, 20_000, settings.seed) == pytest.approx(found, abs=1e-12)


@pytest.mark.parametrize(
    ("game", "search", "evaluator", "spec"),
    [
        (
            Goofspiel(4),
            "saddle",
            'fitted("x.weights")',
            'saddle(evaluator=fitted(file="x.weights"), choice=mixture)',
        ),
        (Goofspiel(4), "saddle(choice=best)", "", "saddle(choice=best)"),
        (GAME, "pvs", 'fitted("x.weights")', 'pvs(evaluator=fitted(file="x.weights"))'),
    ],
)
def test_where_both_move_at_once_the_player_draws_from_its_mixture(
    game: Any, search: str, evaluator: str, spec: str
) -> None:
    assert player_spec(game, search, parse_spec(evaluator) if evaluator else None) == spec


@pytest.mark.parametrize(
    ("search", "settings", "said"),
    [
        ("pvs", {"hours": None}, "a fit needs an end"),
        ("pvs", {"trace": float("nan")}, "trace must be between 0 and 1, not nan"),
        ("pvs(evaluator=threats)", {}, "without an evaluator"),
    ],
)
def test_settings_that_make_no_fit_are_refused(search: str, settings: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        FitSettings(search, **settings)


MINE = """
from dataclasses import dataclass
from saddlepoint.compiled import Component, kernel, popcount

@dataclass(frozen=True)
class Mine(Component):
    @kernel
    def evaluate(self, game, state):
        return 0.02 * (popcount(state.discs0) - popcount(state.discs1))
"""


def test_the_first_evaluator_may_be_in_a_file_of_ones_own_and_layers_of_other_inputs_are_not_gone_on_with(
    tmp_path: Path,
) -> None:
    """They index what compiled code follows."""
    (tmp_path / "mine.py").write_text(MINE)
    start = f"{tmp_path}/mine.py:Mine"
    assert evaluator_spec(start).is_own
    gate = dataclasses.replace(GATE, games=24)
    settings = dataclasses.replace(SETTINGS, start=start, generations=1, positions=300, epochs=1, gate=gate)
    fit, outcome = fitted(tmp_path, settings=settings)
    assert len(outcome.generations) == 1
    layers = fit.folder.layers(1)
    fit.folder.keep_layers(1, layers._replace(first=layers.first[:5]))
    with pytest.raises(RunFolderError, match="was made by another version of saddlepoint"):
        alone(GAME, dataclasses.replace(settings, generations=2), tmp_path / "x.weights").run(resume=True)
