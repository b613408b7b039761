"""Positions shared out over processes: the same file as one thread writes, whatever comes back in which order."""

import random
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

from helpers.random_trees import MIXED, ONLY_SIMULTANEOUS, RandomGame, ToldGame
from helpers.sizes import COMPILED_ONLY, scaled
from helpers.small_games import Die
from helpers.written_games import Written
from saddlepoint import Game, Goofspiel, OshiZumo, UnsupportedGameError
from saddlepoint.solvers.general import Solution, certificate_of, save_solution
from saddlepoint.solvers.general.checkpoint import load_checkpoint, save_checkpoint
from saddlepoint.solvers.general.packing import Packing, first_packing
from saddlepoint.solvers.general.positions import PositionTable
from saddlepoint.solvers.general.solve import Induction, solve_positions, solve_the_rest
from saddlepoint.solvers.shared import chunks, tasks
from saddlepoint.solvers.shared.solve import SharedInduction
from saddlepoint.solvers.shared.tasks import evaluate, pack_rules, warm_rules

pytestmark = [pytest.mark.plain, pytest.mark.compiles_long]


def far_and_near(places: int = 60, ends: bool = True) -> Written:
    """Joint actions lead one position further or up to eight, so that a position comes after any number of moves; or one back."""
    draw, rows = random.Random(1), list[str]()
    for place in range(places):
        leads = [min(place + draw.randint(1, 8), places + 2) for _ in range(3)]
        rows.append(f"2x2 {place + 1} {' '.join(map(str, leads))}")
    if not ends:
        rows[-1] = f"2x2 {places} {places} {places} {places - 2}"
    return Written("; ".join([*rows, "end 1", "end -0.25", "end -1"]), places)


class Shuffled:
    """Two processes of a kind: what is asked is computed here, and ready in another order."""

    slots = 2

    def __init__(self, seed: int = 0) -> None:
        self._draw, self._open, self.asked = random.Random(seed), list[tuple[Future[Any], Any]](), 0

    def submit(self, function: Any, *args: Any) -> "Future[Any]":
        future: Future[Any] = Future()
        self._open.append((future, lambda: function(lambda: None, *args)))
        self.asked += 1
        while len(self._open) > 2:
            future_, compute = self._open.pop(self._draw.randrange(len(self._open)))
            future_.set_result(compute())
        if self.asked % 3:
            self.flush()
        return future

    def flush(self) -> None:
        while self._open:
            future, compute = self._open.pop()
            future.set_result(compute())


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Many chunks of few positions, and none of them is worked on by the process that hands them out."""
    monkeypatch.setattr(chunks, "_LEAST", 2)
    monkeypatch.setattr(chunks, "_MOST", 7)
    monkeypatch.setattr("saddlepoint.solvers.shared.solve._HERE", 0.0)
    # Whoever waits for answers gets them: nothing is computed meanwhile but there.
    waiting = "saddlepoint.solvers.shared.solve.wait"

    def answered(futures: Any, timeout: float, when: Any) -> Any:
        if timeout:
            for pool in POOLS:
                pool.flush()
        return {future for future in futures if future.done()}, set()

    monkeypatch.setattr(waiting, answered)


POOLS: list[Shuffled] = []


def shared(game: Game, state: Any = None, seed: int = 0, **options: Any) -> SharedInduction:
    POOLS[:] = [Shuffled(seed)]
    return SharedInduction(game, state, pool=POOLS[0], **options)


def files(path: Path, game: Game, state: Any, seed: int, fold: bool) -> tuple[bytes, bytes]:
    """The files that one thread, and several processes, write."""
    alone = solve_positions(game, state, fold=fold)
    work = shared(game, state, seed, fold=fold)
    work.solve()
    solution = Solution.of(alone)
    save_solution(path / "alone.sol", solution, certificate_of(solution))
    save_solution(path / "shared.sol", Solution.of(work), work.certificate())
    assert work.value == alone.value
    there, here = work.counts(), alone.counts()
    assert (there.positions, there.stages, there.edges, there.ends) == (
        here.positions,
        here.stages,
        here.edges,
        here.ends,
    )
    return (path / "alone.sol").read_bytes(), (path / "shared.sol").read_bytes()


def trees(game: RandomGame, depth: int, kinds: int) -> list[Any]:
    return [game.initial_state(seed, depth, 3, kinds) for seed in range(scaled(20, 2))]


USUAL: list[Any] = [None]
"""The usual start."""
CASES = {
    "moves at once": (RandomGame(), trees(RandomGame(), 2, ONLY_SIMULTANEOUS), False),
    "moves at once, in turn and of chance": (RandomGame(), trees(RandomGame(), 2, MIXED), False),
    "choices within positions of chance": (ToldGame(), trees(ToldGame(), 3, MIXED), True),
    "positions that meet": (Goofspiel(3), USUAL, False),
    "positions that meet and are folded": (Goofspiel(3), USUAL, True),
    "other mixtures": (OshiZumo(coins=5), USUAL, False),
    "other mixtures, folded": (OshiZumo(coins=5), USUAL, True),
    "scores": (Goofspiel(3, utility="points"), USUAL, False),
    "scores left out": (Goofspiel(3, utility="points"), USUAL, True),
    "a die": (Die(6), USUAL, True),
    "many more outcomes than actions": (Die(60), USUAL, True),
    "positions of a chunk that follow from each other and from those of other chunks": (
        far_and_near(),
        USUAL * 3,
        False,
    ),
}
LONG = [name for name in CASES if name.startswith(("scores", "positions of a chunk"))]


@pytest.mark.parametrize(
    "what", [pytest.param(name, marks=COMPILED_ONLY if name in LONG else []) for name in CASES]
)
def test_several_processes_write_the_file_that_one_thread_writes(tmp_path: Path, what: str) -> None:
    game, states, fold = CASES[what]
    for seed, state in enumerate(states):
        alone, together = files(tmp_path, game, state, seed, fold)
        assert alone == together, seed


@COMPILED_ONLY
@pytest.mark.parametrize("seconds", [0.0, 10.0], ids=["no sample", "a sample"])
@pytest.mark.parametrize("size", [1, 64])
def test_what_a_sample_of_the_positions_shows_does_not_change_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seconds: float, size: int
) -> None:
    """With a sample they are packed alike from the beginning (here one position a level is enough); without, again and again."""
    monkeypatch.setattr("saddlepoint.solvers.shared.tasks._FORESIGHT", seconds)
    monkeypatch.setattr("saddlepoint.solvers.shared.tasks._SAMPLE", size)
    packed_again = list[int]()
    widen = PositionTable.widen

    def counted(table: PositionTable, packing: Packing) -> None:
        if table is work.positions:
            packed_again.append(table.used)
        widen(table, packing)

    game = Goofspiel(3, utility="points")
    work = shared(game)
    monkeypatch.setattr(PositionTable, "widen", counted)
    work.solve()
    assert (max(packed_again) > 1) == (seconds == 0.0)
    save_solution(tmp_path / "shared.sol", Solution.of(work))
    monkeypatch.undo()
    save_solution(tmp_path / "alone.sol", Solution.of(solve_positions(game)))
    assert (tmp_path / "shared.sol").read_bytes() == (tmp_path / "alone.sol").read_bytes()


@given(seed=st.integers(0, 10**6), workers=st.integers(1, 4))
def test_positions_are_handed_out_once_whatever_comes_in_between(seed: int, workers: int) -> None:
    """Positions of the next level are found while chunks of this one are worked on, and some are taken before all are found."""
    draw = random.Random(seed)

    def mixed(rows: Any) -> Any:
        return np.array(draw.sample(rows.tolist(), len(rows)), np.uint32)

    waiting, used, flying, taken = chunks.OpenPositions(mixed), 1, list[int](), list[int]()
    waiting.add(0, 0, 1)
    while True:
        rows = (
            waiting.take(workers, draw.choice([0.0, 1e-3, 1.0]), flying)
            if len(flying) <= 2 * workers
            else None
        )
        if rows is not None:
            taken += rows.tolist()
            flying.append(waiting.level)
        elif flying:
            level, more = flying.pop(draw.randrange(len(flying))), draw.randrange(40) if used < 300 else 0
            waiting.add(level + 1, used, used + more)
            used += more
        else:
            break
    assert sorted(taken) == list(range(used))


@pytest.mark.parametrize(
    ("worked_on", "handed_out"),
    [([1, 1], False), ([1], True), ([2, 2], True)],
    ids=["busy", "idle", "complete"],
)
def test_a_level_to_which_more_is_added_is_left_while_the_workers_are_busy(
    worked_on: list[int], handed_out: bool
) -> None:
    waiting = chunks.OpenPositions(lambda rows: rows)
    waiting.add(2, 0, 30)
    assert (waiting.take(1, 0.0, worked_on) is not None) == handed_out


def test_a_game_without_an_end_is_refused_in_the_same_sentence() -> None:
    said = list[str]()
    for ask in (
        lambda: solve_positions(far_and_near(5, False)),
        lambda: shared(far_and_near(5, False)).solve(),
    ):
        with pytest.raises(UnsupportedGameError) as refused:
            ask()
        said.append(str(refused.value))
    assert said[0] == said[1]


def test_a_start_that_is_over_has_its_result() -> None:
    work = shared(Written("end 1"))
    work.solve()
    assert (work.value, len(Solution.of(work)), work.certificate().gap) == (1.0, 0, 0.0)


def test_what_was_solved_before_an_interruption_is_gone_on_with_by_threads(tmp_path: Path) -> None:
    def interrupt(standing: Any) -> None:
        if standing.solved > 40:
            raise KeyboardInterrupt

    game = Goofspiel(3)
    work = shared(game)
    with pytest.raises(KeyboardInterrupt):
        work.solve(interrupt)
    solved = work.write_known()
    assert 40 < solved < work.positions.used
    save_checkpoint(tmp_path / "part", work)
    rest = Induction(game)
    load_checkpoint(tmp_path / "part", rest)
    assert rest.positions.filled == solved
    solve_the_rest(rest)
    for name, found in (("rest", rest), ("alone", solve_positions(game))):
        save_solution(tmp_path / name, Solution.of(found))
    assert (tmp_path / "rest").read_bytes() == (tmp_path / "alone").read_bytes()


def test_rules_that_tell_something_else_the_second_time_are_refused() -> None:
    """More follows from the start than did before."""
    game = far_and_near()
    root = game.initial_state()
    rules, packing = pack_rules(game, root), first_packing(np.array(root, np.uint64))
    with pytest.raises(ValueError, match="tells other successors of a position than before"):
        evaluate(lambda: None, rules, False, packing, np.zeros((1, 1), np.uint64), np.ones((1, 4)), None)


def test_a_worker_whose_file_of_the_game_is_another_refuses_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """It may have joined long after the workers were looked at."""
    game = OshiZumo(coins=7)
    asked = pack_rules(game, game.initial_state())
    monkeypatch.setattr(tasks, "described", lambda game: {"rules": "edited"})
    with pytest.raises(ValueError, match="a worker has another file for OshiZumo"):
        warm_rules(asked, False, False)


def test_packings_of_two_processes_are_united_to_one_in_which_all_fits() -> None:
    draw, ends = random.Random(3), (1 << 64) - 1
    for _ in range(200):
        packings, fitting = [], list[int]()
        for _ in range(2):
            words = [draw.getrandbits(draw.choice((3, 60, 64))) for _ in range(3)]
            packing = first_packing(words[:1])
            for word in words[1:]:
                packing = packing if packing.fits(0, word) else packing.widened(0, word)
            reach, base = int(packing.mask[0]) + 1, int(packing.base[0])
            packings.append(packing)
            fitting += [*words, *((base + draw.randrange(reach)) & ends for _ in range(5))]
        united = packings[0].united(packings[1])
        assert all(united.fits(0, word) for word in fitting)
        assert united.united(packings[0]) is united.united(packings[1]) is united
