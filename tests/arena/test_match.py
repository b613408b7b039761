"""Matches: every start from both sides, repeatable, on one process or several."""

import math
from pathlib import Path

import pytest

from bots import command
from saddlepoint.arena.match import MatchResult, Pairing, make_tasks, run_match
from saddlepoint.games.goofspiel import Goofspiel
from saddlepoint.games.light_riders import LightRiders
from saddlepoint.players.clock import Clock
from saddlepoint.search.limits import Limits

GAME = LightRiders()
SMALL = LightRiders(8, 6)


def test_every_legal_start_is_played_from_both_sides() -> None:
    tasks = make_tasks(GAME, 168, True, seed=1)
    assert len({(task.start, task.swapped) for task in tasks}) == 168
    assert all(a.start == b.start for a, b in zip(tasks[::2], tasks[1::2], strict=True))
    assert [task.start for task in tasks] == [task.start for task in make_tasks(GAME, 168, True, seed=1)]
    assert [task.start for task in tasks] != [task.start for task in make_tasks(GAME, 168, True, seed=2)]
    assert len({task.start for task in make_tasks(GAME, 84, False, seed=1)}) == 84


def test_more_games_than_starts_begin_again_with_other_seeds() -> None:
    tasks = make_tasks(GAME, 200, False, seed=1)
    assert tasks[84].start == tasks[0].start
    assert len({task.seed for task in tasks}) == 200


def test_games_without_a_list_of_starts_have_one() -> None:
    assert len({task.start for task in make_tasks(Goofspiel(), 10, True, seed=1)}) == 1


def played(concurrency: int, seed: int = 1) -> MatchResult:
    pairing = Pairing(SMALL, "alphabeta(evaluator=voronoi)", "random", limits=Limits(nodes=300))
    return run_match(pairing, make_tasks(SMALL, 12, True, seed), concurrency)


def test_the_same_seed_and_nodes_give_the_same_games_however_many_processes() -> None:
    alone, together, other = played(1), played(2), played(1, seed=2)
    assert [o.actions for o in alone.outcomes] == [o.actions for o in together.outcomes]
    assert [o.actions for o in alone.outcomes] != [o.actions for o in other.outcomes]
    assert alone.score == together.score
    assert alone.score.games == 12
    assert alone.score.rate > 0.5


def test_the_score_is_the_first_players_on_either_side(tmp_path: Path) -> None:
    # B goes up and off the field; A, on whichever side, turns small circles and lives longer.
    crash = "cmd:" + command(tmp_path, "crash_at_once")
    pairing = Pairing(SMALL, "random", crash, Clock(5.0, 0.2))
    result = run_match(pairing, make_tasks(SMALL, 4, True, 1))
    assert [o.points for o in result.outcomes] == [1.0] * 4
    assert all("exited with code 3" in o.reason for o in result.outcomes)
    assert [o.reason[:8] for o in result.outcomes] == ["player 1", "player 0"] * 2
    summary = result.summary()
    assert (summary["wins"], summary["losses"], len(summary["faults"])) == (4, 0, 4)


def test_programs_play_in_matches(tmp_path: Path) -> None:
    program = "cmd:" + command(tmp_path, "good", "up left down")
    result = run_match(Pairing(SMALL, program, program, Clock(5.0, 0.2)), make_tasks(SMALL, 2, True, 1))
    assert result.summary()["faults"] == []
    assert result.outcomes[0].steps > 1


def test_an_interruption_keeps_what_was_played() -> None:
    def stop(so_far: MatchResult) -> None:
        if len(so_far.outcomes) == 3:
            raise KeyboardInterrupt

    for concurrency in (1, 2):
        result = run_match(Pairing(SMALL, "random", "random"), make_tasks(SMALL, 40, True, 1), concurrency, stop)
        assert result.interrupted
        assert len(result.outcomes) == 3
        assert result.summary()["games"] == 3


def test_a_match_of_nothing() -> None:
    summary = run_match(Pairing(SMALL, "random", "random"), []).summary()
    assert (summary["games"], summary["interval95"], summary["mean_length"]) == (0, [0.0, 1.0], None)


def test_a_process_that_dies_ends_the_match_with_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    from concurrent.futures.process import BrokenProcessPool

    from saddlepoint.arena import match

    def broken(*arguments: object) -> object:
        raise BrokenProcessPool

    monkeypatch.setattr(match, "_outcomes", broken)
    result = run_match(Pairing(SMALL, "random", "random"), make_tasks(SMALL, 4, True, 1), 2)
    assert "a process of the match died" in result.problem
    assert not math.isnan(result.seconds)
