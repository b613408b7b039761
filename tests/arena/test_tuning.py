"""Tuning: it finds the better values through noise, spares games, and goes on where it stopped as if it never had."""

import json
import random
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from helpers.arena_games import NODES, interrupt, numbers, once_played
from saddlepoint.arena.conditions import Job, PlayedGame
from saddlepoint.arena.ledger import Filter, Ledger
from saddlepoint.arena.openings import make_openings
from saddlepoint.arena.schedule import Plan, find_unfinished
from saddlepoint.arena.statistics.sprt import Sprt
from saddlepoint.arena.tuning import (
    KIND,
    Tuner,
    TuningOutcome,
    TuningProgress,
    run_tuning,
    tuning_settings,
    tuning_summary,
)
from saddlepoint.arena.tuning_plan import Parameter, Tuning, Values, written_values
from saddlepoint.cli.program import app

K1, K2 = Parameter("evaluator.k1", -1.0, 1.0), Parameter("evaluator.k2", -1.0, 1.0)
START = "alphabeta(evaluator=voronoi_edges(k1=-0.8, k2=0.9))"
TOP = {K1.path: 0.4, K2.path: -0.2}


def resumable(ledger: Ledger, tuning: Tuning, plan: Plan) -> int:
    settings = tuning_settings(tuning, plan, NODES)
    return find_unfinished(ledger, KIND, tuning.players, lambda seed: settings, plan.seed, "tuning").id


class NoisyGames:
    """Games decided by chance: the nearer a player's values are to `TOP`, the more it wins; strangers are at (0, 0)."""

    def __init__(self) -> None:
        self.played: list[Job] = []

    def play(self, jobs: Iterable[Job]) -> list[PlayedGame]:
        return [
            PlayedGame(job, points, points, "", chance=True) for job in jobs for points in [self._points(job)]
        ]

    def recorded(self, number: int) -> str | None:
        return None

    def _points(self, job: Job) -> float:
        self.played.append(job)
        lead = strength(job.players[0]) - strength(job.players[1])
        draw = random.Random(f"{job.number} {job.players}")
        return float(draw.random() < 1 / (1 + 10 ** (-lead / 400)))


def strength(player: str) -> float:
    values = {K1.path: 0.0, K2.path: 0.0} | written_values(player, (K1, K2))
    return -400 * sum((values[path] - best) ** 2 for path, best in TOP.items())


def searched(tuning: Tuning) -> tuple[TuningProgress, NoisyGames]:
    games = NoisyGames()
    plan = Plan(tuning.games, tuple(map(str, range(tuning.openings_needed))))
    tuner = Tuner(tuning, games.play, games.recorded, plan, {K1.path: -0.8, K2.path: 0.9})
    tuner.search()
    return tuner.progress, games


@pytest.mark.slow
@pytest.mark.parametrize("method", ["tpe", "cmaes"])
def test_every_method_finds_the_better_values_through_the_noise(method: str) -> None:
    tuning = Tuning(START, (K1, K2), ("random",), method, games=2400, finalist_games=200)
    progress, _ = searched(tuning)
    assert strength(START) < -1000
    assert progress.tuned is not None
    assert strength(progress.tuned) > -100
    assert progress.changed
    assert progress.values == written_values(progress.tuned, (K1, K2))


def test_every_trial_plays_the_same_openings_with_the_same_seeds_from_both_sides() -> None:
    progress, games = searched(
        Tuning(START, (K1, K2), ("random", "human"), games=400, trial_games=16, pruner="none")
    )
    first = [job for job in games.played if job.number < 16]
    for trial in progress.trials:
        own = [job for job in games.played if trial.number * 16 <= job.number < (trial.number + 1) * 16]
        assert [(job.opening, job.seed) for job in own] == [(job.opening, job.seed) for job in first]
        assert trial.counts.pairs == 8
        for opponent in ("random", "human"):
            assert len([job for job in own if job.players == (trial.spec, opponent)]) == 4
            assert len([job for job in own if job.players == (opponent, trial.spec)]) == 4
    assert progress.trials[0].spec == START, "the player as it is"
    assert len(progress.trials) == 400 // 16
    assert len({job.number for job in games.played}) == len(games.played)


def test_pruning_spares_games_for_more_trials() -> None:
    settings: dict[str, Any] = {"games": 800, "trial_games": 40}
    whole, _ = searched(Tuning(START, (K1, K2), ("random",), pruner="none", **settings))
    for pruner in ("median", "halving"):
        pruned, games = searched(Tuning(START, (K1, K2), ("random",), pruner=pruner, **settings))
        assert len(pruned.trials) > len(whole.trials) == 20
        assert all(trial.counts.games < 40 for trial in pruned.trials if trial.pruned)
        assert all(trial.counts.games == 40 for trial in pruned.trials if not trial.pruned)
        assert sum(trial.counts.games for trial in pruned.trials) <= 800
        assert len({job.number for job in games.played}) == len(games.played)


def test_finalists_play_openings_that_no_trial_has_played_and_the_surest_is_taken() -> None:
    tuning = Tuning(START, (K1, K2), ("random",), games=600, finalists=3, finalist_games=60)
    progress, games = searched(tuning)
    seen = {job.opening for job in games.played[: sum(trial.counts.games for trial in progress.trials)]}
    new = {job.opening for job in games.played} - seen
    assert (len(seen), len(new)) == (20, 30)
    assert [trial.counts.games for trial in progress.finalists] == [60] * 3
    assert progress.finalists[0].lower == max(trial.lower for trial in progress.finalists)
    assert progress.values == progress.finalists[0].values
    best = sorted((trial.counts.mean for trial in progress.trials if not trial.pruned), reverse=True)
    numbers = {trial.number: trial.counts.mean for trial in progress.trials}
    assert sorted((numbers[trial.number] for trial in progress.finalists), reverse=True) == best[:3]


@pytest.mark.parametrize(
    ("parameters", "settings", "message"),
    [
        ((K1, K2), {"method": "luck"}, "a method of tuning is tpe, cmaes, not 'luck'"),
        ((K1, K2), {"pruner": "axe"}, "a pruner is median, halving, none"),
        ((K1, K2), {"pool": ("random", "random")}, "every opponent is named once"),
        ((K1, K2), {"games": 10}, "10 games are not enough for one trial of 40"),
        ((K1,), {"method": "cmaes"}, "two parameters or more"),
    ],
)
def test_settings_that_do_not_fit_are_refused_in_one_sentence(
    parameters: tuple[Parameter, ...], settings: dict[str, Any], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        Tuning(START, parameters, **settings)


# Real games from here on: few nodes on a small board.

WEAK = "alphabeta(evaluator=voronoi_edges(k1=0.055, k2=-0.194))"
REAL = (Parameter("evaluator.k1", -0.2, 0.2), Parameter("evaluator.k2", -0.2, 0.4))


def real(method: str) -> tuple[Tuning, Plan]:
    tuning = Tuning(
        WEAK,
        REAL,
        ("alphabeta(evaluator=voronoi, depth=1)",),
        method,
        games=48,
        trial_games=8,
        finalists=2,
        finalist_games=8,
        test=Sprt(0.0, 300.0, 0.2, 0.2),
        test_games=60,
    )
    return tuning, Plan(48, tuple(make_openings(NODES.game, "random:2", tuning.openings_needed, 1)), True, 1)


def moves_of(ledger: Ledger, number: int) -> dict[int, Any]:
    return {
        e.played.job.number: (e.played.job, e.played.actions) for e in ledger.games(Filter(tournament=number))
    }


def told(tuning: Tuning, outcome: TuningOutcome) -> dict[str, Any]:
    data = tuning_summary(tuning, outcome)
    if data["test"] is not None:
        data["test"] = {key: data["test"][key] for key in ("wins", "draws", "losses", "sprt", "paired")}
    return {key: data[key] for key in ("games", "trials", "finalists", "values", "tuned", "test")}


@pytest.mark.slow
@pytest.mark.parametrize("method", ["tpe", "cmaes"])
def test_what_was_interrupted_goes_on_as_if_nothing_had_happened_to_a_test_against_the_start(
    method: str, ledger: Ledger
) -> None:
    tuning, plan = real(method)
    whole = run_tuning(tuning, plan, NODES, ledger=ledger)
    assert whole.played == whole.games == ledger.tournaments()[0].games
    played = 0
    number = None
    for games in (7, 22, 19):  # in a trial, in a trial, and with the finalists or in the test
        stopped = run_tuning(
            tuning, plan, NODES, ledger=ledger, number=number, on_game=once_played(games, interrupt)
        )
        number = resumable(ledger, tuning, plan)
        assert stopped.interrupted
        assert stopped.played == games
        played += games
        assert len(numbers(ledger, number)) == played
    again = run_tuning(tuning, plan, NODES, ledger=ledger, number=number)
    assert played + again.played == again.games == whole.games
    assert told(tuning, again) == told(tuning, whole)
    assert moves_of(ledger, number) == moves_of(ledger, 1)
    assert ledger.tournament(number).finished
    with pytest.raises(ValueError, match="has no unfinished tuning"):
        resumable(ledger, tuning, plan)
    data = tuning_summary(tuning, whole)
    assert (data["test"]["a"], data["test"]["b"]) == (data["tuned"], WEAK)
    counts = whole.test.standings.between(data["tuned"], WEAK).counts
    assert data["test"]["paired"]["pairs"] == list(counts.cells)
    assert data["test"]["paired"]["elo"]["low"] == pytest.approx(counts.elo_interval()[0])
    assert json.loads(json.dumps(data, allow_nan=True))["games"] == whole.games
    assert data["changed"] and data["test"]["paired"]["los"] > 0.9
    if method == "tpe":
        assert (data["test"]["sprt"]["says"], tuning.test.decide(counts)) == ("H1 accepted", "H1")
        assert data["test"]["games"] < 60


@pytest.mark.slow
def test_values_that_the_ledger_has_go_before_those_that_optuna_would_propose(ledger: Ledger) -> None:
    """Another version of Optuna may draw differently; the games are played, and count."""
    tuning, plan = real("tpe")
    other = Tuning(**{**vars(tuning), "seed": 2})
    run_tuning(other, plan, NODES, ledger=ledger, on_game=once_played(20, interrupt))
    number = resumable(ledger, other, plan)
    assert tuning_settings(other, plan, NODES) == tuning_settings(tuning, plan, NODES)
    outcome = run_tuning(tuning, plan, NODES, ledger=ledger, number=number)
    assert outcome.games == outcome.played + 20
    recorded: dict[int, Values] = {
        n: dict(written_values(j.players[0], REAL)) for n, (j, _) in moves_of(ledger, number).items()
    }
    assert [outcome.progress.trials[k].values for k in range(3)] == [recorded[8 * k] for k in range(3)]


@pytest.mark.slow
def test_the_command_tunes_tests_and_goes_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    settings = (
        "--param evaluator.k1=-0.2..0.2 --param evaluator.k2=-0.2..0.4 --size 8x6 --nodes 300 -n 16 --trial-games 4 "
        f"--finalists 1 --finalist-games 2 --sprt-games 4 --openings random:2 -j 1 --seed 1 --ledger {tmp_path}/games.db"
    )
    command = ["tune", WEAK, *settings.split()]
    app([*command, "--json"], standalone_mode=False)
    data = json.loads(capsys.readouterr().out)
    assert data["games"] == data["played"] <= 16 + 2 + 4
    assert [len(trial["values"]) for trial in data["trials"]] == [2] * len(data["trials"])
    with pytest.raises(ValueError, match="no unfinished tuning"):
        app([*command, "--resume"], standalone_mode=False)
    app(command, standalone_mode=False)
    said = capsys.readouterr().out
    assert f"recommended: {data['tuned']}" in said
    assert "SPRT elo0=0 elo1=10" in said


@pytest.mark.parametrize(
    ("parameter", "arguments", "message"),
    [
        ("k1=1..0", [], "from low to high"),
        ("q=0..1", [], "has no option 'q'"),
        ("k1=0..1", ["--method", "luck"], "a method of tuning is"),
        ("k1=0..1", ["--resume"], "--resume goes on with a tuning of --ledger FILE"),
        ("k1=0..1", ["--against", "nobody"], "no player is called 'nobody'"),
        ("k1=0..1", ["--ledger", "t.db"], "tune needs optuna: "),
    ],
)
@pytest.mark.usefixtures("here")
def test_a_wrong_command_says_what_was_expected_and_begins_nothing(
    parameter: str, arguments: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if "optuna" in message:
        monkeypatch.setitem(sys.modules, "optuna", None)
    tune = ["tune", WEAK, "--size", "8x6", "--nodes", "10", "--param", f"evaluator.{parameter}"]
    with pytest.raises(ValueError, match=message):
        app([*tune, *arguments], standalone_mode=False)
    assert not list(tmp_path.iterdir())
