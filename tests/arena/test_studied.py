"""What is said to be won from a player was won from it: whatever it does, in the study or later."""

import random
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from helpers.arena_games import plan
from helpers.sizes import scaled
from saddlepoint import BiasedRPS, Goofspiel, Soccer, nash_conv
from saddlepoint.arena.conditions import MatchConditions
from saddlepoint.arena.ledger import Ledger
from saddlepoint.arena.replaying import export_json
from saddlepoint.arena.schedule import RoundRobin
from saddlepoint.arena.studied import Study
from saddlepoint.arena.tournament import run_tournament
from saddlepoint.games.catalogue.games import make_game
from saddlepoint.play.reading import choices_in
from saddlepoint.play.replay import to_line
from saddlepoint.players.base import Player, PlayerError, RandomPlayer
from saddlepoint.players.clock import Clock
from saddlepoint.policies.opponents import Habits, choices_within

RPS = BiasedRPS()
START = RPS.initial_state()
PAYOFFS = [[0.0, -25.0, 50.0], [25.0, 0.0, -5.0], [-50.0, 5.0, 0.0]]
FAIR = [1 / 16, 10 / 16, 5 / 16]
"""The equilibrium, of which nothing can be won."""
STUDY = 24
pytestmark = [pytest.mark.plain, pytest.mark.compiles_long]


@cache
def every_choice() -> Any:
    return choices_within(RPS, START, 1e9)


class Mixing(Player):
    """Plays by the mixture that `plan` gives for the number of its game, and what was won from it before."""

    def __init__(self, plan: Callable[[int, list[float]], list[float]]) -> None:
        self._plan, self._games, self._draw = plan, -1, random.Random(1)
        self.lost: list[float] = []
        self.mixtures: list[list[float]] = []

    def begin(self, game: Any, player: int, seed: int | None = None) -> None:
        super().begin(game, player, seed)
        self._games += 1
        self._draw = random.Random(seed)
        self.mixtures.append(self._plan(self._games, self.lost))

    def choose(self, state: Any, clock: Clock) -> int:
        return self._draw.choices(range(3), self.mixtures[-1])[0]

    def end(self, result: float) -> None:
        self.lost.append(-result if self.player == 0 else result)


def studied(player: Player, seed: int, games: int = 40, study: int = STUDY) -> Study:
    task = Study("it", MatchConditions(RPS), START, Habits(RPS, every_choice()), games, seed)
    task.meet(player, study)
    return task


def worth(task: Study, player: Mixing) -> float:
    """What the frozen answer is expected to win a game, given what the player did in each fresh game."""
    (first, second), _ = task.habits.answers()
    own = first(START), second(START)
    each = [
        sum(
            chance * (PAYOFFS[own[0]][b] if number % 2 == 0 else -PAYOFFS[b][own[1]])
            for b, chance in enumerate(mixture)
        )
        for number, mixture in enumerate(player.mixtures[STUDY:])
    ]
    return sum(each) / len(each)


LIKES_ROCK, LIKES_PAPER = [0.6, 0.2, 0.2], [0.2, 0.6, 0.2]


def learns(number: int, lost: list[float]) -> list[float]:
    """Changes its play each time it has lost more than it won lately."""
    return LIKES_ROCK if sum(lost[-5:]) <= 0 else FAIR if number % 2 else LIKES_PAPER


@pytest.mark.parametrize(
    "play",
    [
        pytest.param(lambda number, lost: LIKES_ROCK, id="always the same"),
        pytest.param(learns, id="learns"),
        pytest.param(lambda number, lost: LIKES_ROCK if number < STUDY + 20 else FAIR, id="well after some fresh games"),
        pytest.param(lambda number, lost: LIKES_ROCK if number < STUDY else FAIR, id="well as soon as the study is over"),
        pytest.param(lambda number, lost: LIKES_ROCK if number < STUDY else LIKES_PAPER, id="lures"),
    ],
)  # fmt: skip
def test_the_bound_is_at_most_what_was_to_be_won_in_the_fresh_games_19_times_of_20(play):
    times, wrong = scaled(400, least=40), 0
    for seed in range(times):
        player = Mixing(play)
        task = studied(player, seed)
        wrong += task.figures()["at_least"] > worth(task, player)
    assert wrong <= 0.05 * times


def test_who_plays_well_as_soon_as_the_study_is_over_loses_nothing_for_certain():
    task = studied(Mixing(lambda number, lost: LIKES_ROCK if number < STUDY else FAIR), 1, games=200)
    assert task.expected is not None and task.expected > 0
    assert task.figures()["at_least"] <= 0


def test_most_of_what_can_be_won_is_won_and_shown():
    def policy(state: Any) -> Any:
        return (mixture := dict(enumerate(LIKES_ROCK))), mixture

    task = studied(Mixing(lambda number, lost: LIKES_ROCK), 1, games=2000, study=200)
    exact, found = nash_conv(RPS, policy) / 2, task.figures()
    assert 0.6 * exact < found["at_least"] < exact
    assert (found["games"], found["studied"], found["positions"], found["is_exact"]) == (2000, 200, 2, True)
    assert found["mean"] == pytest.approx(sum(found["results"]) / 2)


def test_what_was_won_until_now_counts_at_any_time_in_whole_pairs():
    told: list[int] = []
    task = Study("it", MatchConditions(RPS), START, Habits(RPS, every_choice()), 1000)

    def tell(done: int, what: str) -> None:
        told.append(done)
        if done == STUDY + 101:
            raise KeyboardInterrupt

    task.tell = tell
    with pytest.raises(KeyboardInterrupt):
        task.meet(Mixing(lambda number, lost: [1.0, 0.0, 0.0]), STUDY)
    assert told == list(range(1, STUDY + 102))
    assert len(task.won) == 101
    assert task.figures()["games"] == 100
    assert 0 < task.figures()["at_least"] < task.figures()["mean"]


class Failing(RandomPlayer):
    """Raises an exception in every fifth game."""

    games = 0

    def choose(self, state: Any, clock: Clock) -> int:
        self.games += 1
        if self.games % 5 == 0:
            raise PlayerError("its process ended")
        return super().choose(state, clock)


def test_a_fault_loses_the_game_and_is_counted():
    task = studied(Failing(), 1, games=50, study=20)
    found = task.figures()
    assert found["faults"] == [4, 10]
    assert "its process ended" in found["first_fault"]
    assert [won for number, won in enumerate(task.won) if number % 5 == 4] == [RPS.max_utility] * 10


class Crashing(RandomPlayer):
    """Raises an exception in every game."""

    def choose(self, state: Any, clock: Clock) -> int:
        raise PlayerError("its process ended")


def test_who_loses_every_game_by_a_fault_is_soon_left_alone():
    task = studied(Crashing(), 1, games=1000, study=1000)
    found = task.figures()
    assert found["only_fails"]
    assert (found["studied"], found["games"], found["faults"]) == (10, 10, [10, 10])
    assert not studied(Failing(), 1, games=50, study=20).only_fails


def test_the_same_seed_gives_the_same_games():
    first, again, other = (studied(RandomPlayer(), seed).won for seed in (1, 1, 2))
    assert first == again != other


@pytest.mark.parametrize(
    "game", [Goofspiel(cards=3), pytest.param(Soccer(width=3, height=2, max_moves=8), marks=pytest.mark.slow)]
)
def test_where_the_positions_are_not_gone_through_the_answer_looks_ahead_and_wins_from_random_play(game):
    task = Study("random", MatchConditions(game), game.initial_state(), Habits(game), 30, look=3)
    task.meet(RandomPlayer(), 10)
    found = task.figures()
    assert found["is_exact"] is False
    assert found["expected"] is None
    assert found["mean"] > 0


def test_games_of_a_ledger_and_of_replays_are_habits_on_both_sides_where_the_rules_are_the_same(
    ledger: Ledger, tmp_path: Path
):
    conditions = MatchConditions(RPS)
    pairing = RoundRobin(("random", "saddle(depth=1)"))
    run_tournament(pairing, plan(12, conditions=conditions), conditions, ledger=ledger)
    lines = [to_line(export_json(RPS, entry)) for entry in ledger.games()]
    replays = tmp_path / "games.jsonl"
    replays.write_text("\n".join(lines) + "\n")
    for file in (ledger.path, replays):
        known = Study("random", conditions, START, Habits(RPS, every_choice()), 2)
        assert known.learn(choices_in(file, RPS, "random", make_game)) == 12
        assert known.habits.met == 2
        assert not list(choices_in(file, RPS, "best", make_game))
        assert not list(choices_in(file, Goofspiel(cards=3), "random", make_game))
    both = [list(choices_in(file, RPS, "", make_game)) for file in (ledger.path, replays)]
    assert both[0] == both[1]
    assert sum(map(len, both[0])) == 2 * 12
