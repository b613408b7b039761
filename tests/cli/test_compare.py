"""`compare`: every search of the catalogue on one position, and double oracle step by step."""

import itertools
import json
from typing import Any

import pytest

from helpers.cli_runs import Program
from saddlepoint import ALGORITHMS, BackwardInduction, BiasedRPS, DoubleOracle, Goofspiel, search
from saddlepoint.algorithms.analysis.fair import Comparison
from saddlepoint.algorithms.simultaneous.double_oracle import trace_double_oracle
from saddlepoint.matrix import matrix_nash_conv

CARDS = "goofspiel(cards=3, order=descending)"


@pytest.fixture(autouse=True)
def quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is compiled is told on stderr."""
    monkeypatch.setenv("SADDLEPOINT_QUIET", "1")


def compared(cli: Program, *arguments: str) -> Any:
    """What `compare --json` prints."""
    code, out, err = cli("compare", *arguments, "--json")
    assert (code, err) == (0, "")
    return json.loads(out)


@pytest.mark.compiles_long
def test_every_search_is_run_or_says_why_not_and_all_exact_ones_agree(cli: Program) -> None:
    """Without a position it is the game's start; both serialisations are there, and bracket the value."""
    data = compared(cli, "--game", CARDS, "--depth", "6")
    assert {one["search"].partition("(")[0] for one in data["searches"]} | {
        one["search"] for one in data["refused"]
    } == set(ALGORITHMS)
    assert all(one["reason"] for one in data["refused"])
    exact = [one["value"] for one in data["searches"] if one["exact"]]
    assert len(exact) >= 6
    assert exact == pytest.approx([0.0] * len(exact), abs=1e-9)
    assert data["agree"] is True
    assert data["interrupted"] is False
    first, second = (
        next(one for one in data["searches"] if one["search"] == f"alphabeta(first={k})") for k in (0, 1)
    )
    assert first["bounds"][0] <= 0.0 <= second["bounds"][1]
    assert all(
        one["stages"] > 0 and one["statistics"]["nodes"] > 0
        for one in data["searches"]
        if one["search"] in ("bi", "do", "smab")
    )


@pytest.mark.parametrize(
    ("game", "position"),
    [
        ("tic_tac_toe", "moves: 0 4 8 1"),
        ("goofspiel(cards=3)", "moves: prize_3"),
    ],
)
@pytest.mark.compiles_long
def test_games_in_turn_and_with_chance_are_compared_too(cli: Program, game: str, position: str) -> None:
    data = compared(cli, position, "--game", game, "--depth", "9")
    exact = [one["value"] for one in data["searches"] if one["exact"]]
    assert len(exact) >= 6
    assert max(exact) - min(exact) <= 1e-9


@pytest.mark.slow
def test_the_table_has_a_row_for_each_chosen_search_with_its_settings(cli: Program) -> None:
    code, out, err = cli(
        "compare", "--game", CARDS, "--algorithm", "do", "--algorithm", "smab(table=false)", "--depth", "6"
    )
    assert (code, err) == (0, "")
    rows = [line.split() for line in out.splitlines()]
    # Columns that a narrow terminal has no room for are left out.
    own = next(row for row in rows if row[:1] == ["do"])
    assert own[own.index("+0.0000") + 1] == "exact"
    assert any(row[:1] == ["smab(table=false)"] for row in rows)
    assert not any(row[:1] == ["bi"] for row in rows)
    assert "2 of 2 values are exact; they are the same" in out


def test_the_trace_grows_until_its_bounds_meet(cli: Program) -> None:
    """Each step has what the step before had and its best responses; in the end nothing gains."""
    steps = compared(cli, "--game", "biased_rps", "--algorithm", "do", "--trace")["trace"]["steps"]
    assert steps[0]["actions"] == [["rock"], ["rock"]]
    for before, after in itertools.pairwise(steps):
        for player in (0, 1):
            assert set(after["actions"][player]) == set(before["actions"][player]) | (
                {before["responses"][player]} - {None}
            )
        assert before["responses"] != [None, None]
        assert before["bounds"][0] <= 0.0 <= before["bounds"][1]
    last = steps[-1]
    assert last["responses"] == [None, None]
    assert last["bounds"] == pytest.approx([0.0, 0.0], abs=1e-9)
    assert last["strategies"][0] == pytest.approx(
        {"rock": 1 / 16, "paper": 10 / 16, "scissors": 5 / 16}, abs=1e-9
    )
    out = cli.printed("compare", "--game", "biased_rps", "--algorithm", "do", "--trace")
    assert f"step {len(steps)}: 3 x 3, worth +0.0000" in out
    assert "player 0's best response is paper, which gets +25.0000" in out
    assert "no action gains any more: the value is +0.0000" in out


@pytest.mark.plain
@pytest.mark.compiles_long
@pytest.mark.parametrize("moves", [(), ((2, 0),), ((0, 1),)])
def test_what_the_trace_ends_with_is_an_equilibrium_of_the_whole_matrix(
    moves: tuple[tuple[int, int], ...],
) -> None:
    """The best-response gap is counted over all actions, of a matrix that backward induction fills."""
    game = Goofspiel(3, "2 3 1", utility="points")
    state = game.initial_state()
    for joint in moves:
        state = game.advance(state, *joint)
    trace = trace_double_oracle(game, state, DoubleOracle())
    matrix = [
        [search(game, game.advance(state, a, b), BackwardInduction()).value for b in trace.actions[1]]
        for a in trace.actions[0]
    ]
    x, y = (
        [trace.last.strategies[player].get(action, 0.0) for action in trace.actions[player]]
        for player in (0, 1)
    )
    assert matrix_nash_conv(matrix, x, y) < 1e-9
    assert trace.last.value == pytest.approx(search(game, state, DoubleOracle()).value, abs=1e-9)
    assert trace.last.bounds == pytest.approx((trace.last.value, trace.last.value), abs=1e-9)


def test_the_trace_searches_the_cells_that_double_oracle_searches() -> None:
    """At one stage alone, where every cell is a result: as many joint actions, and as many matrices, as the compiled search counts."""
    game = BiasedRPS(1000, 1, 1)
    done = search(game, game.initial_state(), DoubleOracle()).statistics
    trace = trace_double_oracle(game, game.initial_state(), DoubleOracle())
    assert (trace.last.cells, len(trace.steps)) == (done.cells, done.stages)


@pytest.mark.plain
@pytest.mark.compiles_long
def test_a_depth_bounds_what_the_cells_are_worth() -> None:
    """With a ply to look ahead the cells are unfinished positions, which are worth nothing without an evaluator."""
    game = Goofspiel(3, "descending")
    trace = trace_double_oracle(game, game.initial_state(), DoubleOracle(), depth=1)
    assert len(trace.steps) == 1
    assert trace.last.value == 0.0


@pytest.mark.slow
def test_what_was_finished_is_shown_when_somebody_stops_it(
    cli: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    searched = Comparison._searched

    def stopped(compared: Any, label: str, *rest: Any) -> Any:
        if label == "smab":
            raise KeyboardInterrupt
        return searched(compared, label, *rest)

    monkeypatch.setattr(Comparison, "_searched", stopped)
    data = json.loads(cli.ended(130, "compare", "--game", CARDS, "--depth", "6", "--json")[0])
    assert data["interrupted"]
    assert [one["search"] for one in data["searches"]] == ["bi", "saddle"]
    two = ("--algorithm", "bi", "--algorithm", "smab")
    assert "not finished: smab" in cli.ended(130, "compare", "--game", CARDS, "--depth", "6", *two)[0]
