"""Games that are nothing new: a repeated game counts once, an independent one always counts."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from helpers.arena_games import NODES, SEARCH, SMALL, plan, standings_of
from helpers.report_pages import report_of
from saddlepoint import Goofspiel, Limits
from saddlepoint.arena.conditions import Job, MatchConditions, PlayedGame
from saddlepoint.arena.ledger import Ledger
from saddlepoint.arena.openings import make_openings
from saddlepoint.arena.schedule import Plan, RoundRobin
from saddlepoint.arena.standings import Standings
from saddlepoint.arena.statistics.repeats import Repeats
from saddlepoint.arena.statistics.sprt import Sprt
from saddlepoint.arena.summary import match_summary
from saddlepoint.arena.tournament import run_tournament
from saddlepoint.players.base import Fault, FaultKind

TINY = MatchConditions(Goofspiel(cards=3, order="descending"), limits=Limits(nodes=20))


def game(
    number: int, moves: str, seed: int | None = None, players: tuple[str, str] = ("a", "b"), **more: object
) -> PlayedGame:
    """A game whose moves are pairs of digits."""
    actions = tuple((int(x), int(y)) for x, y in zip(moves[::2], moves[1::2], strict=True))
    job = Job(number, number, players, "start", number if seed is None else seed)
    return PlayedGame(job, 1.0, 1.0, "", actions=actions, **({"chance": False} | more))  # type: ignore[arg-type]


def counted(*games: PlayedGame, seeds: frozenset[int] = frozenset()) -> int:
    repeats = Repeats(seeds)
    found = [new for one in games for new in repeats.new_games(one)]
    assert len(games) - repeats.repeated == len(found) == len({one.job.number for one in found})
    return len(found)


def again(moves: str, games: int = 5, **more: Any) -> list[PlayedGame]:
    """The same moves in so many games."""
    return [game(number, moves, **more) for number in range(games)]


CRASH = (Fault(FaultKind.CRASH, 0, 1, ""), None)
LATE, WRONG = ((Fault(kind, 0, 1, ""), None) for kind in (FaultKind.LATE, FaultKind.ILLEGAL))
WENT_ON = again("011200", 3)
VARIED = [game(0, "0112"), game(1, "0112"), game(2, "0113"), game(3, "0112")]
ELSEWHERE = [game(number, "22", players=("a", "c")) for number in (4, 5)]
"""Where a did not vary so far, and b does not play."""
THEIRS = [game(number, "22", players=("c", "b")) for number in (4, 5)]
A_VARIES, B_VARIES = [game(0, "01"), game(1, "11")], [game(0, "01"), game(1, "00")]
SWAPPED = [game(number, "0112", players=("ab", "ba")[number % 2]) for number in range(6)]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("games", "expected"),
    [
        (again("0112"), 1),
        (SWAPPED, 2),
        (VARIED, 4),
        ([*A_VARIES, *ELSEWHERE], 4),
        ([*ELSEWHERE, *A_VARIES], 4),
        ([*ELSEWHERE, *B_VARIES], 3),
        (again("0112", chance=True), 5),
        (again("0112", faults=CRASH), 1),
        (again("", faults=CRASH), 1),
        (again(""), 1),
        ([*WENT_ON, game(3, "0112", faults=LATE)], 4),
        ([game(3, "0112", faults=LATE), *WENT_ON], 4),
        ([*again("0112", 3, faults=LATE), game(3, "0112", faults=WRONG)], 4),
        ([*WENT_ON, game(3, "0112", faults=LATE), *THEIRS], 5),
    ],
    ids=[
        "players that always do the same",
        "from either side",
        "who ever chose otherwise may do so again",
        "also with somebody else, where nothing else came out so far",
        "in whatever order",
        "it was the other one who varied",
        "chance could have made a difference",
        "the same fault after the same moves",
        "the same fault at the start",
        "no move at all",
        "who is sometimes at fault varies",
        "in whatever order, too",
        "so does who has another fault",
        "what the other one does may still be all that it does",
    ],
)
def test_a_repeated_game_counts_once_and_an_independent_one_always(
    games: list[PlayedGame], expected: int
) -> None:
    assert counted(*games) == expected


def test_the_same_seed_is_the_same_choices_whatever_the_clock() -> None:
    same = [game(k, "0112", seed=7, chance=True) for k in range(5)]
    assert counted(*same, seeds=frozenset({7})) == 1
    assert counted(same[0], game(9, "0113", seed=7, chance=True), seeds=frozenset({7})) == 2


def in_pairs(*lines: tuple[int, int, str]) -> list[PlayedGame]:
    """Games as (pair, which of its two games, moves), between a and b with sides swapped."""
    found = [game(2 * pair + half, moves, players=("ab", "ba")[half]) for pair, half, moves in lines]  # type: ignore[arg-type]
    return [replace(one, job=replace(one.job, pair=one.job.number // 2 * 2)) for one in found]


@given(st.permutations([(pair, half, ("0112", "1201")[half]) for pair in range(4) for half in (0, 1)]))
def test_of_an_opening_played_again_and_again_one_pair_counts_in_whatever_order_games_end(
    order: list[tuple[int, int, str]],
) -> None:
    standings = standings_of(in_pairs(*order))
    assert standings.between("a", "b").counts.cells == (0, 0, 1, 0, 0)
    assert standings.between("a", "b").counts.games == 2


@given(st.permutations([(pair, half, f"{int(pair == 3)}112") for pair in range(4) for half in (0, 1)]))
def test_pairs_are_whole_where_games_turn_out_to_be_new_after_all(order: list[tuple[int, int, str]]) -> None:
    standings = standings_of(in_pairs(*order))
    assert standings.between("a", "b").counts.cells == (0, 0, 4, 0, 0)
    assert standings.games - standings.repeats.repeated == 8


def test_a_player_against_itself_is_seen_from_both_sides() -> None:
    games = in_pairs(*((pair, half, "0112") for pair in range(3) for half in (0, 1)))
    standings = standings_of(replace(one, job=replace(one.job, players=("a", "a"))) for one in games)
    assert standings.between("a", "a").counts.cells == (0, 0, 1, 0, 0)


def test_games_that_count_and_are_alike_are_told() -> None:
    repeats = Repeats()
    for one in VARIED:
        repeats.new_games(one)
    assert (repeats.repeated, repeats.alike) == (0, 2)


@given(st.lists(st.text("012", min_size=2, max_size=2), min_size=1, max_size=40), st.randoms())
def test_the_order_of_a_meetings_games_makes_no_difference(moves: list[str], shuffle) -> None:
    games = [game(k, pair) for k, pair in enumerate(moves)]
    expected = len(games) if len(set(moves)) > 1 else 1
    for _ in range(3):
        assert counted(*games) == expected
        shuffle.shuffle(games)


def test_independent_random_games_are_never_dropped() -> None:
    """In so short a game many are alike, and all of them are observations."""
    outcome = run_tournament(RoundRobin(("random", "random")), _tiny_plan(80), TINY)
    assert outcome.standings.repeats.repeated == 0
    assert outcome.standings.between("random", "random").score.games == 80


def _tiny_plan(games: int) -> Plan:
    return Plan(games, tuple(make_openings(TINY.game, "start", games, 1)), True, 1)


@pytest.mark.compiles_long
@pytest.mark.plain
def test_a_test_that_gets_the_same_games_again_is_given_up_and_accepts_nothing() -> None:
    players = ("smab", "saddle")
    test = Sprt.parse("elo0=0 elo1=10")
    outcome = run_tournament(
        RoundRobin(players),
        _tiny_plan(1000),
        TINY,
        decided=lambda standings: test.decide(standings.between(*players).counts) != "continue",
    )
    data = match_summary(outcome, *players, test)
    assert not outcome.decided
    assert data["sprt"]["decision"] == "continue"
    assert data["games"] < 100
    assert (data["games"] - data["repeats"], data["wins"] + data["draws"] + data["losses"]) == (2, 2)
    assert "only 2 differ" in data["exhausted"]


@pytest.mark.slow
def test_a_report_counts_three_runs_of_one_match_as_one(tmp_path: Path) -> None:
    """The same seed draws the same random choices, whatever the other conditions."""
    for conditions in (NODES, MatchConditions(SMALL, limits=Limits(nodes=300), tolerance=1.0)):
        with Ledger(tmp_path / "games.db") as ledger:
            for _ in range(3):
                run_tournament(RoundRobin((SEARCH, "random")), plan(8), conditions, ledger=ledger)
    data = report_of(tmp_path / "games.db")[0]["games"][0]
    assert (data["games"], data["repeats"]) == (48, 32)
    assert sum(row["games"] for row in data["ratings"]) == 2 * 16
    with Ledger(tmp_path / "more.db") as ledger:
        for seed in (1, 2, 3):
            run_tournament(RoundRobin((SEARCH, "random")), plan(8, seed), NODES, ledger=ledger)
    data, page = report_of(tmp_path / "more.db")
    assert data["games"][0]["repeats"] == 0
    assert "repeat an earlier one" not in page
    assert "32 of 48 games repeat an earlier one" in report_of(tmp_path / "games.db")[1]


def test_repeated_games_count_for_times_and_not_for_scores() -> None:
    standings = Standings(paired=False, repeats=Repeats())
    for number in range(4):
        standings.add(replace(game(number, "0112"), times=((0.5, 0.5), (0.1, 0.1))))
    assert (standings.games, standings.repeats.repeated) == (4, 3)
    a = standings.player_summary("a")
    assert (a["games"], a["wins"]) == (1, 1)
    assert standings.players["a"].latency.moves == 8
    assert standings.table().paired("a", "b").games == 1


def test_memory_grows_with_meetings_and_not_with_random_games() -> None:
    repeats = Repeats()
    for number in range(2000):
        repeats.new_games(game(number, f"{number % 10}{number // 10 % 10}"))
    assert len(repeats._cells) <= 1
    assert not repeats._seen
    assert sum(len(cell.held) for cell in repeats._cells.values()) == 0
