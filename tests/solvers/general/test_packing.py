"""The table of positions: it loses nothing, confuses nothing, grows and moves under everybody's hands, and is put in order where it is."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

from saddlepoint.compiled import run
from saddlepoint.games.goofspiel import Goofspiel
from saddlepoint.solvers.general import Solution, certificate_of, save_solution
from saddlepoint.solvers.general.induction import new_record
from saddlepoint.solvers.general.packing import (
    Packing,
    arranged,
    close_up,
    first_packing,
    inverse,
    order_by_height,
    sort_by_words,
)
from saddlepoint.solvers.general.positions import PositionTable, slots_of
from saddlepoint.solvers.general.reached import row_of_key
from saddlepoint.solvers.general.solve import Induction
from saddlepoint.solvers.shared.chunks import enter_all

ALL = (1 << 64) - 1
NUMBERS = st.integers(0, 40) | st.integers(0, ALL)


@pytest.fixture(autouse=True)
def small_tables() -> Iterator[None]:
    """Tables that begin with 128 rows and grow by a quarter from there on."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("saddlepoint.solvers.general.positions._FIRST_ROWS", 128)
        patch.setattr("saddlepoint.solvers.general.positions._SMALL", 64)
        patch.setattr("saddlepoint.solvers.general.positions._FEW", 64)
        yield


def packing_of(width: int) -> Packing:
    """The packing of so many words that may be anything."""
    return arranged([0] * width, [ALL] * width)


def entered(table: PositionTable, keys: Any) -> list[int]:
    """The rows of some keys, those that are new entered; the table grows where it must."""
    record, links, done = new_record(), np.zeros(len(keys), np.uint32), 0
    record["row"] = table.used
    while True:
        done = run(
            enter_all,
            keys.reshape(-1),
            done,
            len(keys),
            table.packing.width,
            table.rows,
            table.heights,
            table.slots,
            record,
            links,
        )
        table.used = table.filled = int(record["row"])
        if done == len(keys):
            return links.tolist()
        assert table.used == table.capacity
        table.grow()


def row_in(table: PositionTable, key: Any) -> int:
    return int(run(row_of_key, np.array(key, np.uint64), table.packing.width, table.rows, table.slots))


@pytest.mark.parametrize("width", [1, 2])
@given(data=st.data())
def test_the_table_is_a_dict_of_keys_to_rows(width: int, data: Any) -> None:
    """Keys come in lots, new ones and old ones, up to a table that is nearly full, and over several steps of growth."""
    table, known = PositionTable(packing_of(width)), dict[tuple[int, ...], int]()
    rng = np.random.default_rng(data.draw(st.integers(0, 1000)))
    for size in data.draw(st.lists(st.integers(1, 130), min_size=1, max_size=8)):
        own = data.draw(st.lists(st.tuples(*[NUMBERS] * width), max_size=20))
        drawn = rng.integers(0, 1 << 64, (size, width), np.uint64)
        keys = np.concatenate([drawn, np.array(own, np.uint64).reshape(-1, width), table.words()[::3]])
        for key, row in zip(keys.tolist(), entered(table, keys), strict=True):
            assert known.setdefault(tuple(key), row) == row
        assert sorted(known.values()) == list(range(table.used))
        for key, row in known.items():
            assert row_in(table, key) == row
            other = ((key[0] + 1) & ALL, *key[1:])
            assert row_in(table, other) == known.get(other, -1)


@pytest.mark.parametrize("free", [0, 1])
def test_a_table_that_is_full_to_the_last_row_still_answers(free: int) -> None:
    table = PositionTable(packing_of(1))
    keys = np.arange(1, table.capacity + 1 - free, dtype=np.uint64)[:, None]
    assert entered(table, keys) == list(range(len(keys)))
    assert table.capacity == 128
    assert int(np.count_nonzero(table.slots)) == len(keys)
    assert [row_in(table, [int(key)]) for key in (*keys[:, 0], 0, 999)] == [*range(len(keys)), -1, -1]


def test_rows_stay_where_they_are_while_the_table_grows() -> None:
    table = PositionTable(packing_of(1))
    table.grow()
    place = table.rows.ctypes.data
    for _ in range(20):
        table.grow()
    assert table.rows.ctypes.data == place


@given(
    states=st.lists(
        st.tuples(st.integers(-20, 20), NUMBERS, st.integers(0, 3), NUMBERS),
        min_size=1,
        max_size=300,
        unique=True,
    ),
    mapped=st.booleans(),
)
def test_positions_stay_the_same_while_they_are_packed_otherwise_and_sorted(
    states: list[tuple[int, ...]], mapped: bool, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """The packing widens, from one word to several and back to the least, and all rows move where they are."""
    folder = tmp_path_factory.getbasetemp() if mapped else None
    words = [[number & ALL for number in state] for state in states]
    table = PositionTable(first_packing(words[0]), 0 if mapped else float("inf"), folder, None, 1000)
    for number, state in enumerate(words):
        for k, word in enumerate(state):
            if not table.packing.fits(k, word):
                table.widen(table.packing.widened(k, word))
        assert entered(table, np.array([table.packing.packed(state)], np.uint64)) == [number]
        row = (number + 1) * (table.packing.width + 1) - 1
        table.rows[row], table.heights[number] = number, 1 + 7 * number % 900
    assert table.in_file == mapped
    rows, heights = table.sort()
    assert [tuple(row) for row in rows[:, :-1]] == sorted(tuple(row) for row in rows[:, :-1])
    assert sorted(rows[:, -1].tolist()) == list(range(len(states)))
    for row, height in zip(rows, heights, strict=True):
        number = int(row[-1])
        assert table.packing.unpacked(row[:-1]).tolist() == words[number]
        assert height == 1 + 7 * number % 900
    slots = slots_of(rows)
    assert [
        int(run(row_of_key, row[:-1].copy(), table.packing.width, rows.reshape(-1), slots)) for row in rows
    ] == list(range(len(rows)))


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("bits", [20, 64])
def test_ctrl_c_while_rows_are_packed_otherwise_leaves_a_whole_table(
    monkeypatch: pytest.MonkeyPatch, when: str, bits: int
) -> None:
    """It comes before compiled code or when that comes back; the table has the one packing then, or the other."""
    table, keys = PositionTable(arranged([0, 0], [1023, 1023])), np.arange(500, dtype=np.uint64)[:, None]
    entered(table, keys)
    kept = table.packing

    def interrupted(*args: Any) -> None:
        if when == "after":
            run(*args)
        raise KeyboardInterrupt

    wide = arranged([0, 0], [(1 << bits) - 1, 1023])
    with monkeypatch.context() as patch:
        patch.setattr("saddlepoint.solvers.general.positions.run", interrupted)
        with pytest.raises(KeyboardInterrupt):
            table.widen(wide)
    assert table.packing is (kept if when == "before" else wide)
    states = [table.packing.unpacked(words).tolist() for words in table.words()]
    assert states == [kept.unpacked(key).tolist() for key in keys]
    assert [row_in(table, words) for words in table.words()] == list(range(500))


@pytest.mark.parametrize("threads", [2, 3, 5])
def test_threads_enter_positions_while_the_table_grows_again_and_again(tmp_path: Path, threads: int) -> None:
    files = []
    for count in (1, threads):
        work = Induction(Goofspiel(4), threads=count)
        while not work.go_on(100):
            assert work.positions.filled == int(
                np.count_nonzero(work.positions.heights[: work.positions.used])
            )
        assert work.positions.capacity > 128 * 1.25**10
        words = work.positions.words()
        assert len(np.unique(words, axis=0)) == len(words) == work.positions.filled == 3417
        solution = Solution.of(work)
        save_solution(tmp_path / "a.sol", solution, certificate_of(solution, threads=count))
        files.append((tmp_path / "a.sol").read_bytes())
    assert files[0] == files[1]


def drawn_rows(seed: int, count: int, width: int, bits: int, kind: Any = np.uint8) -> tuple[Any, Any]:
    """Different rows whose words have so many random bits, at random places, and their heights."""
    rng = np.random.default_rng(seed)
    mask = np.uint64(sum(1 << int(k) for k in rng.choice(64, bits, replace=False)))
    words = np.unique(rng.integers(0, 1 << 64, (count, width), np.uint64) & mask, axis=0)
    rng.shuffle(words)
    values = rng.integers(0, 1 << 64, (len(words), 1), np.uint64)
    return np.hstack([words, values]), rng.integers(1, 1 + np.iinfo(kind).max, len(words)).astype(kind)


@pytest.mark.plain
@pytest.mark.parametrize("width", [1, 2, 3])
@given(seed=st.integers(0, 10**6), count=st.integers(0, 400), bits=st.integers(1, 64))
def test_rows_are_sorted_word_by_word_with_their_values_and_heights(
    width: int, seed: int, count: int, bits: int
) -> None:
    rows, heights = drawn_rows(seed, count, width, bits)
    expected = np.lexsort(rows[:, -2::-1].T)
    sorted_, high = rows.copy(), heights.copy()
    sort_by_words(sorted_.reshape(-1), high, len(rows), width)
    assert np.array_equal(sorted_, rows[expected])
    assert np.array_equal(high, heights[expected])


@pytest.mark.plain
@given(seed=st.integers(0, 10**6), count=st.integers(1, 300))
def test_rows_that_hold_nothing_are_left_out(seed: int, count: int) -> None:
    rows, heights = drawn_rows(seed, count, 1, 40, np.uint16)
    heights[np.random.default_rng(seed).random(len(heights)) < 0.3] = 0
    held, moved, high = heights != 0, rows.copy(), heights.copy()
    kept = run(close_up, moved.reshape(-1), high, len(rows), 1)
    assert np.array_equal(moved[:kept], rows[held])
    assert np.array_equal(high[:kept], heights[held])
    assert not high[kept:].any()


@pytest.mark.plain
@given(heights=st.lists(st.integers(1, 9) | st.integers(1, 70_000), max_size=200))
def test_the_order_is_by_height_and_then_as_they_are(heights: list[int]) -> None:
    array = np.array(heights, np.uint32)
    order = order_by_height(array)
    assert np.array_equal(np.argsort(array, kind="stable"), inverse(order))
    assert np.array_equal(inverse(inverse(order)), order)
