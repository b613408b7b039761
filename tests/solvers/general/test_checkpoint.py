"""Checkpoints: a run that goes on from one ends with the same file, and what is none is refused."""

import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from helpers.solution_files import damaged
from saddlepoint.games.goofspiel import Goofspiel
from saddlepoint.solvers.general import BrokenSolution, Solution, certificate_of, save_solution
from saddlepoint.solvers.general.checkpoint import (
    CheckpointError,
    Run,
    checked_checkpoint,
    load_checkpoint,
    save_checkpoint,
)
from saddlepoint.solvers.general.reached import check_reached
from saddlepoint.solvers.general.solve import Induction, solve_the_rest

GAME = Goofspiel(3)
NO_CHECKPOINT = "is no checkpoint, or damaged"


def file_of(work: Induction, path: Path) -> bytes:
    solution = Solution.of(work)
    save_solution(path, solution, certificate_of(solution))
    return path.read_bytes()


def solved(path: Path, game: Any = GAME, state: Any = None, **options: Any) -> bytes:
    work = Induction(game, state, **options)
    solve_the_rest(work)
    return file_of(work, path)


@pytest.fixture
def half(tmp_path: Path) -> Path:
    work = Induction(GAME, fold=False)
    work.go_on(120)
    path = tmp_path / "half.part"
    save_checkpoint(path, work)
    return path


@pytest.mark.parametrize("options", [{"fold": True}, {"fold": False}, {"fold": True, "threads": 2}])
@pytest.mark.parametrize("mapped", [False, True])
def test_a_run_that_goes_on_many_times_ends_with_the_same_file(
    tmp_path: Path, options: dict[str, Any], mapped: bool
) -> None:
    path, rounds = tmp_path / "a.part", 0
    options = {**options, **({"memory": 1000, "folder": tmp_path} if mapped else {})}
    while True:
        work = Induction(GAME, **options)
        if rounds:
            load_checkpoint(path, work)
        before, rounds = work.counts(), rounds + 1
        if work.go_on(5 if work.is_folded else 30):
            break
        assert before.positions < work.counts().positions
        assert before.seconds < work.counts().seconds
        save_checkpoint(path, work)
    assert rounds > 2
    assert work.positions.in_file == mapped
    whole = Induction(GAME, fold=work.is_folded)
    solve_the_rest(whole)
    assert work.counted() == whole.counted()
    check_reached(Solution.of(work))
    assert file_of(work, tmp_path / "a.sol") == solved(tmp_path / "b.sol", fold=work.is_folded)


def test_a_solved_game_is_a_checkpoint_too(tmp_path: Path) -> None:
    first, second = Induction(GAME), Induction(GAME)
    solve_the_rest(first)
    save_checkpoint(tmp_path / "a.part", first)
    load_checkpoint(tmp_path / "a.part", second)
    assert second.go_on(1)
    assert second.value == first.value
    assert second.counted() == first.counted()


def test_a_checkpoint_of_another_game_start_or_kind_is_refused(half: Path) -> None:
    other_start = GAME.next_state(GAME.initial_state(), 1)
    for work, what in (
        (Induction(Goofspiel(4), fold=False), "of another game, or of other rules"),
        (Induction(Goofspiel(3, "descending"), fold=False), "of another game, or of other rules"),
        (Induction(GAME, other_start, fold=False), "of another start"),
        (Induction(GAME, fold=True), "of other options"),
    ):
        with pytest.raises(CheckpointError, match=f"is the checkpoint {what}: this is Goofspiel"):
            load_checkpoint(half, work)


def test_damage_is_refused_or_harmless(half: Path, tmp_path: Path) -> None:
    whole, rng = half.read_bytes(), np.random.default_rng(7)
    for _ in range(150):
        half.write_bytes(damaged(whole, rng))
        work = Induction(GAME, fold=False)
        try:
            load_checkpoint(half, work)
        except CheckpointError:
            assert work.positions.filled == 0
        else:
            assert work.positions.filled == 120
    half.write_bytes(b"nothing")
    with pytest.raises(CheckpointError, match="is no checkpoint, or damaged; delete it to begin anew"):
        load_checkpoint(half, Induction(GAME, fold=False))
    with pytest.raises(CheckpointError, match="cannot be read"):
        load_checkpoint(tmp_path / "missing.part", Induction(GAME, fold=False))


def rewrite(
    path: Path, change: Callable[[Any, Any, Any], Any], compression: int = zipfile.ZIP_STORED
) -> None:
    """Write a checkpoint anew, with right checksums, after a change of header, rows and heights in place."""
    with zipfile.ZipFile(path) as archive:
        header = json.loads(archive.read("header"))
        rows = np.frombuffer(archive.read("rows"), np.uint64).reshape(header["positions"], -1).copy()
        heights = np.frombuffer(archive.read("heights"), np.uint8).copy()
    change(header, rows, heights)
    with zipfile.ZipFile(path, "w", compression) as archive:
        for name, data in (
            ("header", json.dumps(header)),
            ("rows", rows.tobytes()),
            ("heights", heights.tobytes()),
        ):
            archive.writestr(name, data)


def assign(where: str, key: Any, value: Any) -> Callable[[Any, Any, Any], None]:
    def change(header: Any, rows: Any, heights: Any) -> None:
        {"header": header, "rows": rows, "heights": heights, "counts": header["counts"]}[where][key] = value

    return change


@pytest.mark.parametrize(
    ("change", "compression", "said"),
    [
        (
            assign("header", "program", "0123456789abcdef"),
            zipfile.ZIP_STORED,
            "was written by another version of this program",
        ),
        (lambda *_: None, zipfile.ZIP_DEFLATED, NO_CHECKPOINT),
    ]
    + [
        (change, zipfile.ZIP_STORED, NO_CHECKPOINT)
        for change in (
            assign("header", "positions", 10**9),
            assign("header", "positions", -1),
            assign("header", "positions", 119),
            assign("header", "positions", 120.0),
            assign("header", "positions", 10**30),
            assign("header", "format", "other"),
            assign("header", "base", []),
            assign("header", "base", [0, 1, 2]),
            assign("header", "base", None),
            assign("header", "mask", [2] * 40),
            assign("header", "mask", [(1 << 64) - 1] * 6),
            assign("header", "mask", [-1] * 6),
            assign("header", "mask", ["1"] * 6),
            assign("header", "seconds", float("nan")),
            assign("header", "seconds", None),
            assign("header", "counts", {}),
            assign("counts", "edges", -1),
            assign("counts", "edges", 1 << 70),
            assign("heights", 5, 0),
            assign("heights", 5, 255),
            lambda _, __, heights: heights.resize(119, refcheck=False),
            assign("rows", (5, -1), 0x7FF8000000000000),
            assign("rows", (5, -1), 0xFFF0000000000000),
            assign("rows", (5, 0), (1 << 64) - 1),
            lambda _, rows, __: rows.__setitem__(5, rows[6]),
        )
    ],
)
def test_what_somebody_made_up_and_another_version_are_refused(
    half: Path, change: Callable[[Any, Any, Any], Any], compression: int, said: str
) -> None:
    rewrite(half, change, compression)
    with pytest.raises(CheckpointError, match=said):
        load_checkpoint(half, Induction(GAME, fold=False))


def test_made_up_positions_never_meet_the_rules(half: Path) -> None:
    rewrite(half, lambda _, rows, heights: rows[:, 0].__ixor__(np.uint64(1)))
    work = Induction(GAME, fold=False)
    load_checkpoint(half, work)
    solve_the_rest(work)
    with pytest.raises(BrokenSolution, match="cannot come about from the start"):
        check_reached(Solution.of(work))


def test_checkpoints_are_written_now_and_then_and_removed(tmp_path: Path) -> None:
    path = checked_checkpoint(tmp_path / "a.sol", resume=False)
    assert path == tmp_path / "a.sol.part"
    work = Induction(GAME)
    (tmp_path / ".a.sol.part.k1lled00").touch()  # as a process leaves it that is killed while it writes
    often, rarely = (
        Run(where, seconds, lambda *_: None, pytest.fail)
        for where, seconds in ((path, 0.0), (tmp_path / "b.sol.part", 3600.0))
    )
    often.work = rarely.work = work
    for _ in range(3):
        work.go_on(20)
        often.write_if_due()
        rarely.write_if_due()
    assert [one.name for one in tmp_path.iterdir()] == ["a.sol.part"]
    often.close(is_solved=False)
    assert path.exists()
    often.close(is_solved=True)
    rarely.close(is_solved=True)
    assert not list(tmp_path.iterdir())


def test_a_checkpoint_that_cannot_be_written_leaves_the_last_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, work = tmp_path / "a.part", Induction(GAME)
    work.go_on(20)
    save_checkpoint(path, work)
    before = path.read_bytes()
    work.go_on(20)

    def fail(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", fail)
    with pytest.raises(OSError, match="No space left"):
        save_checkpoint(path, work)
    assert path.read_bytes() == before
    assert [one.name for one in tmp_path.iterdir()] == ["a.part"]
