"""Files that hold no solution, or a made-up one: refused in one sentence, and the rules never meet a position that cannot come about."""

import io
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from helpers.solution_files import Arrays, damaged, rewritten, set_array, set_header, set_item, set_values
from saddlepoint import GameError, Goofspiel, Soccer
from saddlepoint.games.catalogue.games import make_game
from saddlepoint.solvers.cycles import certificate_of_cycles, explored_again, solve_cycles
from saddlepoint.solvers.general import (
    BrokenSolution,
    Solution,
    SolutionFileError,
    certificate_of,
    load_solution,
    save_solution,
)
from saddlepoint.solvers.general.reached import check_reached
from saddlepoint.solvers.general.solve import solve_positions


@pytest.fixture(scope="module", params=[False, True], ids=["whole", "folded"])
def written(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("solved") / "goofspiel3.sol"
    solution = Solution.of(solve_positions(Goofspiel(3), fold=request.param))
    save_solution(path, solution, certificate_of(solution))
    return path.read_bytes()


def checked(path: Path) -> None:
    solution, _ = load_solution(path, find=make_game)
    check_reached(solution)
    certificate_of(solution)


def test_a_header_that_would_take_much_memory_is_refused(written: bytes, tmp_path: Path) -> None:
    path = tmp_path / "a.sol"
    nested = b"-" * 9000 + b"1"
    with zipfile.ZipFile(io.BytesIO(written)) as whole, zipfile.ZipFile(path, "w") as file:
        for name in whole.namelist():
            data = whole.read(name)
            file.writestr(
                name, data[:8] + len(nested).to_bytes(2, "little") + nested if name == "rows.npy" else data
            )
    with pytest.raises(SolutionFileError):
        load_solution(path, find=make_game)
    with zipfile.ZipFile(path, "w") as file, file.open("header.npy", "w") as member:
        np.lib.format.write_array(member, np.zeros(70_000_000, np.uint8))
    tracemalloc.start()
    with pytest.raises(SolutionFileError):
        load_solution(path, find=make_game)
    taken = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert taken < 1_000_000


def test_damage_is_refused_or_harmless(written: bytes, tmp_path: Path) -> None:
    path, rng = tmp_path / "a.sol", np.random.default_rng(3)
    path.write_bytes(written)
    checked(path)
    for _ in range(100):
        path.write_bytes(damaged(written, rng))
        try:
            solution, _ = load_solution(path, find=make_game)
        except SolutionFileError:
            continue
        assert len(solution) in (263, 28)


def with_bit(bit: int) -> Callable[[Arrays, Any], None]:
    """Positions in which this bit is turned."""

    def change(arrays: Arrays, header: Any) -> None:
        rows = arrays["rows"]
        rows[:, :-1] ^= np.uint64(1 << bit)
        place = np.argsort(rows[:, 0])
        arrays.update(rows=rows[place], order=arrays["order"][place])

    return change


NOT_REACHED = "cannot come about from the start|the start is not among the positions"
NO_SOLUTION = r"holds no solution of a game; `saddlepoint solve GAME -o FILE.sol` writes one$"


@pytest.mark.parametrize(
    ("change", "error", "said"),
    [
        *(
            (change, SolutionFileError, NO_SOLUTION)
            for change in (
                set_item("order", 3, 10**6),
                set_item("order", 3, 4),
                set_item("place", 1, 10**9),
                set_item("place", 1, -1),
                set_item("shift", 2, 64),
                set_item("shift", 2, 0),
                set_item("mask", 0, 2),
                set_item("mask", 0, 2**64 - 1),
                set_values(lambda a: np.where(np.arange(len(a)) == 5, np.nan, a)),
                set_values(lambda a: np.where(np.arange(len(a)) == 5, np.inf, a)),
                set_array("rows", lambda a: a[::-1]),
                set_array("rows", lambda a: a[:-1]),
                set_array("rows", lambda a: np.repeat(a, 2, 1)),
                set_array("rows", lambda a: a[:, :1]),
                set_array("rows", lambda a: a.astype(">u8")),
                set_array("rows", lambda a: a.astype(np.float64)),
                set_array("rows", lambda a: a[:, 0]),
                set_array("order", lambda a: a[:0]),
                set_array("base", lambda a: a[1:]),
                set_array("mask", lambda a: np.append(a, a[0])),
                set_array("place", lambda a: a.astype(np.int32)),
                lambda a, _: a.update({name: a[name][:0] for name in ("rows", "order")}),
                lambda a, _: a.pop("shift"),
                set_header("positions", 10**12),
                set_header("positions", None),
                set_header("folded", None),
                set_header("format", "saddlepoint checkpoint 1"),
                set_header("format", 3),
                lambda _, header: header.pop("discount"),
                set_header("discount", 2.0),
                set_header("discount", "1"),
                set_header("certificate", {}),
                set_header("certificate", [1, 2, 3, 4]),
                set_header("certificate", {"lower": "0", "upper": 0, "worst_gap": 0, "positions": 1}),
                set_header("start", 5),
                set_header("game", "goofspiel"),
                set_header("game", {"name": "goofspiel", "parameters": [1]}),
                lambda _, header: header.clear(),
            )
        ),
        # Hands of different sizes, and numbers that no machine word holds.
        *(
            (
                set_header("start", f"goofspiel {start}"),
                GameError,
                "^the start in '.*a.sol' is none of this game: .",
            )
            for start in (
                "hand0=0 hand1=7 deck=7 prize=-1 points=0",
                f"hand0=7 hand1=7 deck=7 prize=-1 points={10**30}",
                "hand0=99 hand1=7",
            )
        ),
        # Found out before the rules meet them.
        *((with_bit(bit), BrokenSolution, NOT_REACHED) for bit in (0, 3, 8)),
        (
            set_array("order", lambda a: (len(a) - 1 - a).astype(np.uint32)),
            BrokenSolution,
            "or one after it was not solved",
        ),
    ],
)
def test_what_somebody_made_up_is_refused(
    written: bytes, tmp_path: Path, change: Callable[[Arrays, Any], None], error: type[Exception], said: str
) -> None:
    path = tmp_path / "a.sol"
    path.write_bytes(rewritten(written, change))
    with pytest.raises(error, match=said):
        checked(path)


@pytest.mark.parametrize("number", [1, 2, 3, 4, 6])
def test_a_solution_of_another_format_is_refused_with_the_way_out(
    written: bytes, tmp_path: Path, number: int
) -> None:
    path = tmp_path / "a.sol"
    path.write_bytes(rewritten(written, set_header("format", f"saddlepoint solution {number}")))
    with pytest.raises(SolutionFileError) as caught:
        load_solution(path)
    assert str(caught.value) == (
        f"{str(path)!r} was written by another version of saddlepoint; `saddlepoint solve GAME -o FILE.sol` writes it anew"
    )


def test_compressed_files_and_huge_arrays_take_no_memory(written: bytes, tmp_path: Path) -> None:
    path = tmp_path / "a.sol"
    path.write_bytes(rewritten(written, lambda *_: None, np.savez_compressed))
    with pytest.raises(SolutionFileError):
        load_solution(path, find=make_game)
    with zipfile.ZipFile(io.BytesIO(written)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    for shape in ((1 << 50, 1), (-1, -263), (1 << 31, 1 << 33), (1 << 64, 1)):
        fake = io.BytesIO()
        np.lib.format.write_array_header_1_0(fake, {"descr": "<u8", "fortran_order": False, "shape": shape})
        with zipfile.ZipFile(path, "w") as archive:
            for name, data in members.items():
                archive.writestr(name, fake.getvalue() + bytes(8) if name == "rows.npy" else data)
        with pytest.raises(SolutionFileError):
            load_solution(path, find=make_game)


@pytest.mark.compiles_long
def test_positions_of_a_game_with_cycles_are_those_that_the_rules_find(tmp_path: Path) -> None:
    path = tmp_path / "soccer.sol"
    found = solve_cycles(Soccer(width=2, height=2), discount=0.9)
    save_solution(path, found.solution, found.certificate)
    whole = path.read_bytes()
    assert load_solution(path, find=make_game)[1] == certificate_of_cycles(
        load_solution(path, find=make_game)[0]
    )

    def larger(_: Any, header: Any) -> None:
        header["game"]["parameters"].update(width=5, height=5)
        header["start"] = Soccer(width=5, height=5).to_text(Soccer(width=5, height=5).initial_state())

    for change in (
        larger,
        set_array("order", lambda a: a[::-1]),
        lambda arrays, _: arrays["base"].__iadd__(np.uint64(1)),
    ):
        path.write_bytes(rewritten(whole, change))
        solution, _ = load_solution(path, find=make_game)
        with pytest.raises(BrokenSolution, match="the positions are not those of"):
            explored_again(solution)
