"""Transposition tables: what is found again, what is replaced, and what is said where a table is too small for an exact search."""

from typing import Any

import numpy as np
import pytest

from saddlepoint import BackwardInduction, Goofspiel, Limits, Memory, Searcher, search
from saddlepoint.algorithms.table import BUCKET, ENTRY, SAMPLED, new_table, slot_of, store
from saddlepoint.compiled import PLAIN_PYTHON, jit, run
from saddlepoint.compiled.directory import warn_once

RECORD = np.dtype(
    [
        ("buckets", "u1"),
        ("age", "i8"),
        ("sampled", "u8", (SAMPLED,)),
        ("solved_once", "i8"),
        ("solved_again", "i8"),
    ],
    align=True,
)
EXACT = BackwardInduction()


@jit
def keep(table, key, depth, ws):
    store(table, key, depth, 0.25, 0.5, 1, 2, 1, ws)


@jit
def depth_of(table, key, ws):
    """The depth under which a key is found, or -1."""
    slot = slot_of(table, key, ws.buckets)
    return np.int64(table[slot].depth) if table[slot].key == key else np.int64(-1)


def record(buckets: bool, age: int = 1) -> Any:
    memory = np.zeros(1, RECORD)
    memory["buckets"], memory["age"] = buckets, age
    return memory.view(np.recarray)[0] if PLAIN_PYTHON else memory[0]


def found(table: Any, keys: list[int], ws: Any) -> list[int]:
    return [int(run(depth_of, table, np.uint64(key), ws)) for key in keys]


def kept(depths: list[int], buckets: bool, ages: list[int] | None = None) -> list[int]:
    """The depths under which keys with one slot are found after they were stored with these, one after the other."""
    table, keys = new_table(64), [(k << 40) | 5 for k in range(1, len(depths) + 1)]
    for key, depth, age in zip(keys, depths, ages or [1] * len(keys), strict=True):
        run(keep, table, np.uint64(key), depth, record(buckets, age))
    return found(table, keys, record(buckets))


@pytest.mark.plain
def test_a_bucket_lies_on_two_cache_lines_and_a_table_has_one_at_least() -> None:
    assert ENTRY.itemsize * BUCKET == 128
    for entries, slots in ((1, BUCKET), (4, 4), (5, 8), (1000, 1024)):
        table = new_table(entries)
        assert (len(table), table.ctypes.data % 128) == (slots, 0)


@pytest.mark.plain
@pytest.mark.parametrize(
    ("buckets", "depths", "ages", "left"),
    [
        (False, [3, 5], None, [-1, 5]),
        (False, [5, 3], None, [5, -1]),
        (False, [5, 3], [1, 2], [-1, 3]),
        (True, [3, 5, 2, 4], None, [3, 5, 2, 4]),
        (True, [3, 5, 2, 4, 6], None, [3, 5, -1, 4, 6]),
        (True, [3, 5, 2, 4, 1], None, [3, 5, -1, 4, 1]),
        (True, [3, 5, 9, 4, 1], [2, 2, 1, 2, 2], [3, 5, -1, 4, 1]),
    ],
)
def test_without_buckets_the_deeper_of_a_search_stays_and_with_them_the_least_deep_or_an_earlier_one_goes(
    buckets: bool, depths: list[int], ages: list[int] | None, left: list[int]
) -> None:
    assert kept(depths, buckets, ages) == left


@pytest.mark.plain
def test_a_key_is_in_one_slot_of_its_bucket_alone() -> None:
    table, ws = new_table(64), record(True)
    for depth in (2, 7, 3):
        run(keep, table, np.uint64(5), depth, ws)
    assert int((table["key"] != 0).sum()) == 1
    assert found(table, [5], ws) == [3]


def stages(memory: Memory, limits: Limits | None = None) -> tuple[float, int]:
    game = Goofspiel(4)
    result = search(game, game.initial_state(), EXACT, limits, deepen=False, memory=memory, variation=False)
    told = result.statistics
    return result.value, told.saddle_stages + told.closed_form_stages + told.lp_stages


def test_an_exact_search_solves_hardly_a_position_twice() -> None:
    """Those a step before the end are not kept; a table eight times as large has the same to do, a tiny one much more."""
    (value, some), (same, fewest), (tiny, most) = (stages(Memory(1 << bits)) for bits in (14, 19, 2))
    assert value == pytest.approx(same) == pytest.approx(tiny)
    assert fewest <= some <= 1.01 * fewest
    assert most > 2 * fewest


def test_buckets_are_for_searches_to_the_end_alone() -> None:
    game, seen = Goofspiel(4), list[int]()
    searcher = Searcher(game, EXACT)

    def look(_: Any) -> None:
        seen.append(int(searcher._workspace["buckets"]))

    many = Limits(nodes=10**6)
    for limits, deepen in ((Limits(), None), (Limits(depth=3), None), (many, None), (many, False)):
        searcher.search(game.initial_state(), limits, deepen=deepen, variation=False, on_iteration=look)
        assert int(searcher._workspace["buckets"]) == 0
    assert seen[0] == seen[-1] == 1
    assert len(seen) > 4 and not any(seen[1:-1])


@pytest.mark.skipif(PLAIN_PYTHON, reason="millions of stages")
def test_a_table_in_which_most_is_lost_is_told_once_with_the_way_out(
    capsys: pytest.CaptureFixture[str],
) -> None:
    game = Goofspiel(5)
    warn_once.cache_clear()
    for _ in range(2):
        search(game, game.initial_state(), EXACT, memory=Memory(64), variation=False)
    search(game, game.initial_state(), EXACT, variation=False)
    assert capsys.readouterr().err.replace("saddlepoint: compiling", "").count("saddlepoint: ") == 1
    search(game, game.initial_state(), EXACT, memory=Memory(128), variation=False)
    err = capsys.readouterr().err
    assert (
        "the search's table of 128 entries (4 kB) is too small: most positions are lost and solved again; give search(..., "
        in err
    )
    assert "memory=Memory(1024)), or use `saddlepoint solve`, whose table grows" in err
