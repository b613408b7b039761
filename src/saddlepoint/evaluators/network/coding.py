"""How a state's words become the inputs of a network, and what a symmetry of the game does to them."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ...compiled import put_words, word_count
from ...compiled.states import as_machine_words
from ...game import Game

FURTHEST = 4.0
"""A scaled number is cut off at this, to either side."""
HIGHEST = 4.0
"""A unit's output is cut off at 0 and here."""


class Coding(NamedTuple):
    """What is made of the words of a state and of those that follow them: the game's own `features` of player 0 and of player 1, sets
    as they are and other numbers as floats; the last one is who moves (`game.current_player`).

    A set bit of a word, and a word's having one of some values, are inputs that are there or not: each is a row of the first layer's
    weights. Other numbers are scaled. There are two views: the state as it is, and with the players exchanged, where the game's
    symmetries allow it; the second differs in the rows that are taken.
    """

    masks: Any
    """uint64 (words,): the bits that are inputs."""
    bit_rows: Any
    """int32 (2, words, 64): a bit's row in either view, -1 where it is no input."""
    choices: Any
    """int64 (choices, 4): a word, the least of its values, how many values, and where in `choice_rows` they begin."""
    choice_rows: Any
    """int32 (2, values): the row of each value of a choice. A value beyond the ends counts as the one at the end."""
    scaled: Any
    """int64 (scaled, 2): a word, and whether it holds the bits of a float."""
    scales: Any
    """float32 (scaled, 2): what is subtracted, and what the rest is multiplied by."""
    scaled_rows: Any
    """int32 (2, scaled): the row in the weights of scaled inputs."""
    scaled_signs: Any
    """float32 (2, scaled): the sign of the input in either view."""

    @property
    def words(self) -> int:
        """The words that are looked at, those that follow the state's among them."""
        return len(self.masks)

    @property
    def rows(self) -> int:
        """The inputs that are there or not."""
        return int(max(self.bit_rows.max(initial=-1), self.choice_rows.max(initial=-1))) + 1


_BLOCK = 20_000
"""Positions at a time: their bits take memory, one by one."""
KINDS = {
    "masks": (np.uint64, 1), "bit_rows": (np.int32, 3), "choices": (np.int64, 2), "choice_rows": (np.int32, 2), "scaled": (np.int64, 2),
    "scales": (np.float32, 2), "scaled_rows": (np.int32, 2), "scaled_signs": (np.float32, 2),
}  # fmt: skip
"""The types of the arrays of a coding, and their dimensions."""


def words_of(game: Game, states: Sequence[Any]) -> Any:
    """The words of states that a network looks at: uint64 (states, words)."""
    own, sets = int(word_count(states[0])), feature_sets(game, states[0])
    found = np.zeros((len(states), own + 2 * len(sets) + 1), np.uint64)
    for row, state in zip(found, map(as_machine_words, states), strict=True):
        put_words(state, row)
        if sets:
            row[own:-1] = feature_words((*game.features(state, 0), *game.features(state, 1)), sets * 2)
        row[-1] = np.int64(game.current_player(state)).view(np.uint64)
    return found


def feature_sets(game: Game, state: Any) -> tuple[bool, ...]:
    """For each of the features of its own that the game gives of a player, whether it is a set, of type np.uint64, whose bits are inputs.

    Raises ValueError, in one sentence, for what is no tuple of numbers.
    """
    if not game.has_features:
        return ()
    found = game.plain.features(as_machine_words(state), 0)  # a player is made before anything is compiled
    if not isinstance(found, tuple):
        raise ValueError(f"{type(game).__name__}.features must give a tuple of numbers, not {found!r}")
    return tuple(type(number) is np.uint64 for number in found)


def suits_features(coding: Coding, sets: tuple[bool, ...]) -> bool:
    """Whether the words between the state's and who moves were such features when the coding was made."""
    first = coding.words - 1 - 2 * len(sets)
    return first >= 0 and not any(
        word in coding.scaled[:, 0] if is_set else coding.masks[word] for word, is_set in enumerate(sets * 2, first)
    )


def feature_words(features: Sequence[Any], sets: Sequence[Any]) -> list[int]:
    """The word of each feature: a set as it is, another number as the bits of a float."""
    return [
        int(number) if is_set else int(np.float64(number).view(np.uint64)) for number, is_set in zip(features, sets, strict=True)
    ]


def scaled_inputs(coding: Coding, words: Any, furthest: float = FURTHEST) -> Any:
    """The scaled inputs of positions in the first view, float32 (positions, scaled); `words` is uint64 (positions, words)."""
    found = np.zeros((len(words), len(coding.scaled)), np.float32)
    for k, (word, is_float) in enumerate(coding.scaled):
        column = np.ascontiguousarray(words[:, word])
        number = column.view(np.float64 if is_float else np.int64).astype(np.float32)
        found[:, k] = np.clip((number - coding.scales[k, 0]) * coding.scales[k, 1], -furthest, furthest)
    return found


def input_rows(coding: Coding, words: Any) -> tuple[Any, Any]:
    """The rows that are there in positions, in the first view, one after the other: int32 (all,), and int64 (positions + 1,) where each
    position's begin."""
    blocks = [_present(coding, words[first : first + _BLOCK]) for first in range(0, len(words), _BLOCK)]
    rows, counts = (np.concatenate(column) for column in zip(*blocks, strict=True)) if blocks else (np.zeros(0, np.int32), np.zeros(0))
    starts = np.zeros(len(words) + 1, np.int64)
    np.cumsum(counts, out=starts[1:])
    return rows, starts


def _present(coding: Coding, words: Any) -> tuple[Any, Any]:
    """The rows that are there in some positions, and how many in each."""
    parts: list[Any] = []
    for word in np.nonzero(coding.masks)[0]:
        bits = np.unpackbits(np.ascontiguousarray(words[:, word]).view(np.uint8).reshape(-1, 8), axis=1, bitorder="little")
        rows = coding.bit_rows[0, word]
        taken = rows >= 0
        parts.append(np.where(bits[:, taken] != 0, rows[taken], -1))
    for word, low, count, first in coding.choices:
        value = np.clip(np.ascontiguousarray(words[:, word]).view(np.int64) - low, 0, count - 1)
        parts.append(coding.choice_rows[0, first + value][:, None])
    table = np.concatenate(parts, axis=1) if parts else np.zeros((len(words), 0), np.int32)
    present = table >= 0
    return table[present].astype(np.int32), present.sum(axis=1)
