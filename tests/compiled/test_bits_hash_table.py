"""Tables of a fixed size: how large they are, and that keys use all of them."""

import numpy as np
import pytest

from saddlepoint.compiled import jit, run
from saddlepoint.compiled.bits import bucket_of, empty_table

pytestmark = pytest.mark.plain

ENTRY = np.dtype([("key", "u8"), ("what", "u8")])


@jit
def first_of(table, key, size):
    return bucket_of(table, key, size)


@pytest.mark.parametrize("size", [1, 2, 4])
def test_odd_keys_lead_to_every_bucket_alike(size):
    table = empty_table(ENTRY, size, 32 * 16 / 2**20)
    assert len(table) == 32
    firsts = [int(run(first_of, table, np.uint64(2 * k + 1), size)) for k in range(2 * len(table) // size)]
    assert sorted(firsts) == sorted(2 * list(range(0, len(table), size)))


def test_a_table_is_no_larger_than_asked_for_but_has_a_bucket():
    for megabytes, entries in ((0.0, 4), (1.0, 2**16), (1.9, 2**16), (2.0, 2**17)):
        table = empty_table(ENTRY, 4, megabytes)
        assert (len(table), table.ctypes.data % 128, int(table["key"].sum())) == (entries, 0, 0)
