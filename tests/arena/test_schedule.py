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


def test_round_robin_and_gauntlet() -> None:
    plan = Plan(2, ("start",))
    meetings = Counter(
        frozenset(job.players)
        for job in all_jobs(RoundRobin(("a", "b", "c")), plan, dict.fromkeys("abc", 0.0))
    )
    assert meetings == {frozenset("ab"): 2, frozenset("ac"): 2, frozenset("bc"): 2}
    meetings = Counter(
        frozenset(job.players) for job in all_jobs(Gauntlet(("a", "b", "c")), plan, dict.fromkeys("abc", 0.0))
    )
    assert meetings == {frozenset("ab"): 2, frozenset("ac"): 2}


def test_a_knockout_of_five_lets_the_lowest_two_play_first() -> None:
    better = {"a": 1.0, "b": 5.0, "c": 2.0, "d": 3.0, "e": 4.0}
    stages = list(Knockout(tuple("abcde")).stages(Plan(2, ("start",)), lambda x, y: better[x]))
    assert [stage.pairings for stage in stages] == [(("d", "e"),), (("a", "e"), ("b", "c")), (("b", "e"),)]
    assert [stage.first for stage in stages] == [0, 2, 6]


def test_a_drawn_match_goes_to_the_higher_seed() -> None:
    stages = list(Knockout(tuple("abcd")).stages(Plan(2, ("start",)), lambda x, y: 1.0))
    assert stages[-1].pairings == (("a", "b"),)
    stages = list(Ladder(tuple("abc")).stages(Plan(2, ("start",)), lambda x, y: 1.0))
    assert [stage.pairings for stage in stages] == [(("b", "c"),), (("a", "b"),)]


def test_a_climber_goes_on_up_the_ladder() -> None:
    better = {"a": 1.0, "b": 0.0, "c": 2.0}
    stages = list(Ladder(tuple("abc")).stages(Plan(1, ("start",)), lambda x, y: better[x]))
    assert [stage.pairings for stage in stages] == [(("b", "c"),), (("a", "c"),)]
    assert [stage.first for stage in stages] == [0, 1]


def test_pairings_are_equally_far_at_any_time() -> None:
    jobs = list(Plan(4, ("one", "two")).jobs(PairingStage((("a", "b"), ("a", "c")))))
    assert [job.players for job in jobs[:4]] == [("a", "b"), ("b", "a"), ("a", "c"), ("c", "a")]
    assert [job.opening for job in jobs] == ["one"] * 4 + ["two"] * 4


def test_who_cannot_play() -> None:
    with pytest.raises(ValueError, match="at least two players"):
        RoundRobin(("a",))
    with pytest.raises(ValueError, match="a is there twice"):
        RoundRobin(("a", "b", "a"))
    with pytest.raises(ValueError, match="at least one opening"):
        list(Plan(2, ()).jobs(PairingStage((("a", "b"),))))
