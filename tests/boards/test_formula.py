"""Formulas compute the same compiled, on boards of one word and of several, as on Python's ints."""

from dataclasses import dataclass

import numpy as np
import pytest

from saddlepoint.boards.formula import Bits, formula
from saddlepoint.boards.grid import words_of
from saddlepoint.compiled import Component, jit, run

pytestmark = pytest.mark.compiles_long


@dataclass(frozen=True)
class Room(Component):
    """Sets of so many words."""

    words: int

    @property
    def everything(self) -> int:
        return (1 << 64 * self.words) - 1

    @property
    def table(self) -> tuple[int, ...]:
        """Constant sets with bits in every word."""
        return tuple(self.everything // (3 + 2 * k) for k in range(4))


@formula
def arithmetic(room: Room, a: Bits, b: Bits) -> tuple[Bits, Bits, Bits, Bits]:
    return a & b | (a ^ b), (a + b) & room.everything, (a - b) & room.everything, ~a & room.everything


@formula
def shifts(room: Room, a: Bits) -> tuple[Bits, Bits, Bits, Bits, Bits, Bits]:
    all_ = room.everything
    return (a << 1) & all_, (a << 63) & all_, (a << 64) & all_, a >> 7, a >> 64, (a << 70) & all_ | a >> 130


@formula
def answers(room: Room, a: Bits, b: Bits, index: int, flag: bool) -> tuple[int, bool, bool, Bits, Bits, int]:
    picked, chosen = Bits.pick(room.table, index, a), Bits.choose(flag, a, 0)
    return Bits.size(a) - Bits.size(b), Bits.nonzero(a), Bits.nonzero(a & b), picked, chosen, 3 * 5


@formula
def together(room: Room, a: Bits, b: Bits) -> tuple[Bits, Bits, int, int]:
    both = Bits.side_by_side(a, b)
    first, second = Bits.split((both >> 3 | both << 5) & Bits.side_by_side(b, a) & room.everything)
    counts = Bits.split(Bits.size(both) + Bits.size(both & 255))
    return first, second, counts[0], counts[1]


@jit
def call(room, a, b, index, flag):
    return arithmetic(room, a, b), shifts(room, a), answers(room, a, b, index, flag), together(room, a, b)


@pytest.mark.plain
@pytest.mark.parametrize("words", [1, pytest.param(2, marks=pytest.mark.compiles_soon), 3, 7])
def test_compiled_and_on_ints(words):
    room, rng = Room(words), np.random.default_rng(words)
    for number in range(40):
        a, b = (int.from_bytes(rng.bytes(8 * words), "little") for _ in range(2))
        if number % 4 == 0:
            a = 0 if number % 8 else room.everything  # carries through every word
        index, flag = int(rng.integers(4)), bool(rng.integers(2))
        boards = [tuple(map(np.uint64, words_of(board, words))) for board in (a, b)]
        found = run(call, room, *boards, index, flag)
        expected = (
            arithmetic.on_ints(room, a, b),
            shifts.on_ints(room, a),
            answers.on_ints(room, a, b, index, flag),
            together.on_ints(room, a, b),
        )
        for answer, right in zip(found, expected, strict=True):
            for one, other in zip(answer, right, strict=True):
                assert one == (words_of(other, words) if isinstance(one, tuple) else other)


@pytest.mark.plain
def test_called_from_python_it_takes_and_gives_words():
    room = Room(2)
    assert shifts(room, (1 << 63, 1))[0] == (0, 3)
    assert answers(room, (7, 0), (0, 1), 0, False) == (2, True, False, words_of(room.table[0], 2), (0, 0), 15)
