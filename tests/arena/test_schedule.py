"""Who plays whom, from which opening, under which number."""

from collections import Counter

import pytest
from hypothesis import given, strategies as st

from saddlepoint.arena.conditions import Job
from saddlepoint.arena.schedule import (
    SCHEDULES,
    Gauntlet,
    Knockout,
    Ladder,
    PairingStage,
    Plan,
    RoundRobin,
    Schedule,
)


def all_jobs(schedule: Schedule, plan: Plan, better: dict[str, float]) -> list[Job]:
    """The games that are played where the better player wins everything."""
    return [job for stage in schedule.stages(plan, lambda a, b: better[a]) for job in plan.jobs(stage)]


NAMES = st.integers(2, 9).map(lambda n: tuple("abcdefghi"[:n]))


@given(st.sampled_from(list(SCHEDULES)), NAMES, st.integers(1, 7), st.booleans(), st.randoms())
def test_every_game_has_a_number_and_every_pair_one_opening_from_both_sides(
    kind, players, games, swap, random
) -> None:
    order = list(players)
    random.shuffle(order)
    plan = Plan(games, ("one", "two", "three"), swap, seed=5)
    schedule = SCHEDULES[kind](players)
    jobs = all_jobs(schedule, plan, {name: float(rank) for rank, name in enumerate(order)})
    assert len(jobs) == schedule.planned(plan)
    assert len({job.number for job in jobs}) == len({job.seed for job in jobs}) == len(jobs)
    pairs: dict[int, list[Job]] = {}
    for job in jobs:
        pairs.setdefault(job.pair, []).append(job)
    for pair in pairs.values():
        assert len({job.opening for job in pair}) == 1
        assert len(pair) <= (2 if swap else 1)
        if len(pair) == 2:
            assert pair[0].players == pair[1].players[::-1]


@pytest.mark.parametrize(("kind", "met"), [(RoundRobin, ("ab", "ac", "bc")), (Gauntlet, ("ab", "ac"))])
def test_everybody_meets_everybody_or_the_first_meets_all_others(
    kind: type[Schedule], met: tuple[str, ...]
) -> None:
    jobs = all_jobs(kind(("a", "b", "c")), Plan(2, ("start",)), dict.fromkeys("abc", 0.0))
    assert Counter(frozenset(job.players) for job in jobs) == {frozenset(two): 2 for two in met}


@pytest.mark.parametrize(
    ("schedule", "strengths", "games", "pairings", "first"),
    [
        (
            Knockout(tuple("abcde")),
            dict(zip("abcde", (1.0, 5.0, 2.0, 3.0, 4.0))),
            2,
            [("de",), ("ae", "bc"), ("be",)],
            [0, 2, 6],
        ),
        (Knockout(tuple("abcd")), dict.fromkeys("abcd", 1.0), 2, [("ad", "bc"), ("ab",)], [0, 4]),
        (Ladder(tuple("abc")), dict.fromkeys("abc", 1.0), 2, [("bc",), ("ab",)], [0, 2]),
        (Ladder(tuple("abc")), dict(zip("abc", (1.0, 0.0, 2.0))), 1, [("bc",), ("ac",)], [0, 1]),
    ],
    ids=[
        "of five the lowest two play first",
        "a drawn match goes to the higher seed",
        "also on a ladder",
        "a climber goes on up the ladder",
    ],
)
def test_a_stage_is_between_those_who_won(
    schedule: Schedule,
    strengths: dict[str, float],
    games: int,
    pairings: list[tuple[str, ...]],
    first: list[int],
) -> None:
    stages = list(schedule.stages(Plan(games, ("start",)), lambda a, b: strengths[a]))
    assert [tuple("".join(pair) for pair in stage.pairings) for stage in stages] == pairings
    assert [stage.first for stage in stages] == first


def test_pairings_are_equally_far_at_any_time() -> None:
    jobs = list(Plan(4, ("one", "two")).jobs(PairingStage((("a", "b"), ("a", "c")))))
    assert [job.players for job in jobs[:4]] == [("a", "b"), ("b", "a"), ("a", "c"), ("c", "a")]
    assert [job.opening for job in jobs] == ["one"] * 4 + ["two"] * 4


@pytest.mark.parametrize(
    ("players", "openings", "said"),
    [
        ("a", ("start",), "at least two players"),
        ("aba", ("start",), "a is there twice"),
        ("ab", (), "one opening"),
    ],
)
def test_who_cannot_play(players: str, openings: tuple[str, ...], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        all_jobs(RoundRobin(tuple(players)), Plan(2, openings), dict.fromkeys("ab", 0.0))
