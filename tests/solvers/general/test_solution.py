"""Solutions: asked at any position, kept in files, checked against best responses and exact fractions, and played against who errs."""

import itertools
import os
import pickle
import tracemalloc
import zipfile
from fractions import Fraction
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from helpers.random_trees import MIXED, ONLY_SIMULTANEOUS, ONLY_TURNS, RandomGame
from helpers.sizes import COMPILED_ONLY, scaled
from helpers.solution_files import with_values
from helpers.walks import after_one_step
from saddlepoint import GameError, Goofspiel, OshiZumo, PursuitEvasion, TicTacToe, solve
from saddlepoint.compiled import PLAIN_PYTHON
from saddlepoint.games.catalogue.games import make_game
from saddlepoint.policies import SolutionPolicy, UniformPolicy, nash_conv, value_of
from saddlepoint.solvers.general import (
    BrokenSolution,
    Certificate,
    Solution,
    SolutionFileError,
    certificate_of,
    exact_value,
    file,
    load_solution,
    save_solution,
)
from saddlepoint.solvers.general.check import Erring, matrix_value
from saddlepoint.solvers.general.solution import rows_of
from saddlepoint.solvers.general.solve import solve_positions

pytestmark = pytest.mark.plain


TREE = RandomGame()


@cache
def goofspiel(cards: int, order: str = "random", utility: str = "win") -> Solution:
    return Solution.of(solve_positions(Goofspiel(cards, order, utility)))


def trees():
    for kinds in (ONLY_SIMULTANEOUS, ONLY_TURNS, MIXED):
        for seed in range(scaled(30, 2)):
            yield TREE.initial_state(
                seed, 2 if PLAIN_PYTHON else 3, branching=3, kinds=kinds, levels=seed % 4
            )


def test_a_start_that_is_over_is_worth_its_result_and_needs_no_position():
    over = Goofspiel(3).from_text("goofspiel hand0=0 hand1=0 deck=0 prize=-1 points=2")
    found = Solution.of(solve_positions(Goofspiel(3), over))
    assert certificate_of(found) == Certificate(1.0, 1.0, 0.0, 0)


@pytest.mark.compiles_long
def test_strategies_have_no_best_response_that_gains_and_the_certificate_bounds_the_exact_value():
    for state in trees():
        solution = Solution.of(solve_positions(TREE, state))
        certificate, exact = certificate_of(solution), exact_value(solution)
        assert max(certificate.worst_gap, certificate.gap) < 1e-9
        assert exact.largest_error < 1e-9
        assert exact.positions == len(solution)
        assert certificate.lower - 1e-12 <= exact.value <= certificate.upper + 1e-12


@pytest.mark.parametrize("threads", [2, 5])
def test_threads_compute_the_same_certificate(threads: int):
    solution, told = goofspiel(3 if PLAIN_PYTHON else 4), list[int]()
    assert certificate_of(solution, told.append, threads=threads) == certificate_of(solution)
    assert told == [len(solution)]


def test_a_wrong_value_shows_in_the_certificate_which_still_bounds_the_true_one():
    """What best responses gain together is the gap."""
    solution = goofspiel(3, "descending")
    values = solution.values.copy()
    values[::3] *= -0.5
    certificate = certificate_of(with_values(solution, values))
    assert certificate.worst_gap > 0.01
    assert certificate.lower <= solution.value <= certificate.upper
    points = goofspiel(3, "descending", "points")
    certificate = certificate_of(with_values(points, -points.values))
    assert certificate.gap == certificate.upper - certificate.lower > 0.01


@pytest.mark.parametrize("threads", [1, 3])
def test_positions_in_another_order_and_a_missing_one_are_told(threads: int):
    solution = goofspiel(3)
    turned, keep = solution.order.copy(), solution.order != 5
    turned[[turned.argmin(), turned.argmax()]] = turned.max(), turned.min()
    fewer = solution.order[keep].astype(np.int64)
    fewer = (fewer - (fewer > 5)).astype(np.uint32)
    for rows, order in ((solution.rows, turned), (solution.rows[keep], fewer)):
        broken = Solution(solution.game, solution.root, solution.packing, rows, order)
        with pytest.raises(BrokenSolution, match="has a successor that was not solved before it"):
            certificate_of(broken, threads=threads)


@COMPILED_ONLY
def test_the_first_bids_of_four_cards_are_the_published_ones():
    """A prize of 3 of the cards 1 to 4, win or lose: (8/35, 0, 18/35, 9/35); equilibria need not be unique."""
    solution = goofspiel(4)
    stage = solution.at(solution.game.next_state(solution.root, 2))
    published = np.array([8 / 35, 0, 18 / 35, 9 / 35])
    assert (published @ np.array(stage.matrix)).min() == pytest.approx(stage.value, abs=1e-9)
    assert stage.strategies[0].keys() == stage.strategies[1].keys() == {0, 1, 2, 3}


def test_a_stage_has_the_values_of_its_successors_and_mixtures_in_equilibrium():
    solution, game = goofspiel(3), Goofspiel(3)
    for state in itertools.islice(solution.states(), 60):
        stage = solution.at(state)
        after = [solution.value_of(one) for one in after_one_step(game, state)]
        assert list(itertools.chain.from_iterable(stage.matrix)) == pytest.approx(after)
        chances = [chance for _, chance in game.chance_outcomes(state)]
        x, y = (np.array([*mixture.values()] or [1.0]) for mixture in stage.strategies)
        matrix = np.array(chances)[None] @ np.array(stage.matrix) if chances else np.array(stage.matrix)
        assert (x @ matrix).min() == pytest.approx(stage.value, abs=1e-9)
        assert (matrix @ y).max() == pytest.approx(stage.value, abs=1e-9)


def test_a_position_that_cannot_come_about_is_refused():
    solution = goofspiel(3)
    with pytest.raises(GameError, match=r"^this position cannot come about from the start that was solved"):
        solution.at(solution.root._replace(hand0=1))
    with pytest.raises(GameError, match="cannot come about"):
        solution.at(solution.root._replace(points=400))


def test_a_file_gives_the_solution_back_and_the_same_solution_the_same_bytes(tmp_path: Path):
    solution, certificate = goofspiel(3), certificate_of(goofspiel(3))
    for name in ("a.sol", "b.sol"):
        save_solution(tmp_path / name, solution, certificate)
    assert (tmp_path / "a.sol").read_bytes() == (tmp_path / "b.sol").read_bytes()
    assert sorted(os.listdir(tmp_path)) == ["a.sol", "b.sol"]
    again, kept = load_solution(tmp_path / "a.sol", find=make_game)
    assert kept == certificate == certificate_of(again)
    assert (again.game, again.root) == (solution.game, solution.root)
    assert again.at(again.root) == solution.at(solution.root)
    with zipfile.ZipFile(tmp_path / "a.sol") as archive:
        assert all(name.endswith(".npy") for name in archive.namelist())


def test_a_solution_of_another_game_is_refused(tmp_path: Path):
    save_solution(tmp_path / "a.sol", goofspiel(3))
    assert load_solution(tmp_path / "a.sol", Goofspiel(3))[1] is None
    with pytest.raises(GameError, match=r"is a solution of goofspiel\(cards=3.*, not of goofspiel\(cards=4"):
        load_solution(tmp_path / "a.sol", Goofspiel(4))


def test_a_solution_of_rules_that_were_changed_since_says_so(tmp_path, monkeypatch):
    path, before = tmp_path / "small.sol", file.described
    save_solution(path, solve(Goofspiel(cards=2)))
    monkeypatch.setattr(file, "described", lambda game: before(game) | {"digest": "of other rules"})
    with pytest.raises(GameError, match=r"goofspiel\(.*\), whose rules were others then; solve it again"):
        load_solution(path, Goofspiel(cards=2))


def test_what_is_no_solution_is_refused_in_one_sentence(tmp_path: Path):
    (tmp_path / "text.sol").write_text("nothing")
    (tmp_path / "pickle.sol").write_bytes(pickle.dumps({"header": 1}))
    np.savez(tmp_path / "other.npz", header=np.zeros(3, np.uint8))
    for name in ("text.sol", "pickle.sol", "other.npz"):
        with pytest.raises(
            SolutionFileError,
            match=r"holds no solution of a game; `saddlepoint solve GAME -o FILE.sol` writes one$",
        ):
            load_solution(tmp_path / name, find=make_game)
    with pytest.raises(SolutionFileError, match="cannot be read"):
        load_solution(tmp_path / "missing.sol", find=make_game)


def large_solution(count: int) -> Solution:
    """A solution of Goofspiel, with made-up positions behind its own, so that its arrays are large."""
    small = goofspiel(3)
    assert small.packing.width == 1
    extra = small.words[-1] + np.arange(1, count + 1, dtype=np.uint64)[:, None]
    return Solution(
        small.game,
        small.root,
        small.packing,
        rows_of(np.concatenate([small.words, extra]), np.concatenate([small.values, np.zeros(count)])),
        np.concatenate([small.order, np.arange(len(small), len(small) + count, dtype=np.uint32)]),
    )


def test_a_large_file_is_not_read_as_a_whole(tmp_path: Path):
    path, large = tmp_path / "large.sol", large_solution(1 << 19)
    save_solution(path, large)
    expected = load_solution(path, find=make_game)[0].at(
        large.root
    )  # what is compiled for it is no part of the file
    assert expected == large.at(large.root)
    tracemalloc.start()
    again, _ = load_solution(path, find=make_game)
    stage, taken = again.at(again.root), tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert stage == expected
    assert path.stat().st_size > 10_000_000
    assert taken < 1_000_000
    for name in ("rows", "order"):
        assert np.array_equal(getattr(again, name), getattr(large, name))
        assert not getattr(again, name).flags.writeable


def test_positions_that_are_not_sorted_are_found_anywhere_in_a_large_file(tmp_path: Path):
    path, large = tmp_path / "large.sol", large_solution(1 << 18)
    for first in (0, len(large) // 2, len(large) - 2):
        rows = large.rows.copy()
        rows[[first, first + 1]] = rows[[first + 1, first]]
        save_solution(path, Solution(large.game, large.root, large.packing, rows, large.order))
        with pytest.raises(SolutionFileError, match="holds no solution of a game"):
            load_solution(path, find=make_game)


def test_a_file_is_on_the_disk_before_it_has_its_name_and_may_be_read_by_whom_any_new_file_may(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    calls: list[str] = []
    for name in ("fsync", "replace"):
        monkeypatch.setattr(
            os, name, lambda *words, name=name, real=getattr(os, name): calls.append(name) or real(*words)
        )
    save_solution(tmp_path / "a.sol", goofspiel(3))
    assert calls == ["fsync", "replace"]
    (tmp_path / "plain").write_text("")
    assert (tmp_path / "a.sol").stat().st_mode == (tmp_path / "plain").stat().st_mode


def test_a_large_file_that_is_cut_off_or_changed_in_its_headers_is_refused(tmp_path: Path):
    path = tmp_path / "large.sol"
    save_solution(path, large_solution(1 << 19))
    whole = path.read_bytes()
    header = whole.index(b"NUMPY", whole.index(b"rows.npy"))
    for damaged in (whole[: len(whole) // 2], whole[:header] + b"X" + whole[header + 1 :]):
        path.write_bytes(damaged)
        with pytest.raises(SolutionFileError, match="holds no solution of a game"):
            load_solution(path, find=make_game)


@pytest.mark.parametrize(
    ("matrix", "value"),
    [
        ([[0, -25, 50], [25, 0, -5], [-50, 5, 0]], Fraction(0)),  # biased rock-paper-scissors
        ([[2, -1], [-1, 1]], Fraction(1, 5)),  # matching pennies with a bonus
        ([[3, 5], [1, 9]], Fraction(3)),  # a saddle point
        ([[2, -1], [-1, 1], [-1, -2]], Fraction(1, 5)),  # a dominated row beside a mixture
    ],
)
def test_exact_values_of_matrices(matrix, value):
    assert matrix_value([[Fraction(entry) for entry in row] for row in matrix]) == value


GAMES = [
    Goofspiel(4),
    Goofspiel(4, order="ascending"),
    *(
        pytest.param(game, marks=pytest.mark.compiles_long)
        for game in (TicTacToe(), PursuitEvasion(3, 3, 3), PursuitEvasion(), OshiZumo(6))
    ),
]
GAINS = [Goofspiel(4), pytest.param(TicTacToe(), marks=pytest.mark.compiles_long)]


def kept(game, solution):
    """The policy of both players that errors are punished by."""

    erring = Erring(solution)

    def mixtures(state):
        found = solution.at(state).strategies
        return tuple(
            erring.better(state, player, one) if len(one) > 1 else one for player, one in enumerate(found)
        )

    return mixtures


@COMPILED_ONLY
@pytest.mark.parametrize("fold", [False, True])
@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_it_is_an_equilibrium_all_the_same(game, fold):
    assert nash_conv(game, kept(game, solve(game, fold=fold))) == pytest.approx(0.0, abs=1e-8)


@COMPILED_ONLY
@pytest.mark.parametrize("fold", [False, True])
@pytest.mark.parametrize("game", GAINS, ids=repr)
def test_it_gets_no_less_against_random_moves_and_more_than_the_solution_alone(game, fold):
    solution, uniform = solve(game, fold=fold), UniformPolicy(game)
    told, usual = kept(game, solution), SolutionPolicy(solution)
    gains = (
        value_of(game, told, uniform) - value_of(game, usual, uniform),
        value_of(game, uniform, usual) - value_of(game, uniform, told),
    )
    assert min(gains) >= -1e-9
    assert max(gains) > 0.01
