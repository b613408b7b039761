"""The inputs of a network, found from positions of games, random ones above all; the game declares nothing."""

import random
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ...compiled.states import as_machine_words
from ...compiled.words import numbers_of
from ...game.base import TERMINAL, Game
from ...game.steps import random_step
from .file import (
    FURTHEST,
    MISSING,
    Coding,
    check_coding,
    feature_sets,
    open_sets,
    present,
    scaled_inputs,
    words_of,
)
from .winning_sets import Boards, find_winning_sets, with_sets


def random_start(game: Game, draw: random.Random) -> Any:
    starts = getattr(game, "starts", None)
    return game.initial_state() if starts is None else draw.choice(starts())


def random_positions(game: Game, games: int, most: int, draw: random.Random) -> list[Any]:
    """Positions of `games` random games that are not over, chance nodes included; `most` at most."""
    found: list[Any] = []
    for _ in range(games):
        state = random_start(game, draw)
        while game.current_player(state) != TERMINAL and len(found) < most:
            found.append(state)
            state = random_step(game, state, draw)
    return found


# What a network can look at: found out from positions of random games, without anything said by the game.

_GAMES, _POSITIONS = 400, 20_000
_PAIRED, _OF_EACH_ROW = 600, 4
"""Positions whose images are looked at: the first number of any kind, and the second number more in which each input is there."""
_CHOICES = 400
"""Up to this many values are inputs of their own; a number with more is bits, or scaled."""
_CLOSE = 1e-4
_EXCEPTIONS = 0.01
"""Of the positions that a symmetry is tried on. A value that was hardly ever met may be taken for another such one."""


class Symmetries(NamedTuple):
    """The images of inputs under the game's symmetries, the identity first; images have the same value."""

    rows: Any
    """int32 (symmetries, rows): the row that is there in the image, for each that is there in a position."""
    scaled_rows: Any
    """int32 (symmetries, scaled)."""
    scaled_signs: Any
    """float32 (symmetries, scaled)."""
    swaps: Any
    """bool (symmetries,): whether the players are exchanged, so that the value is the other's."""


class Inputs(NamedTuple):
    """The coding of a game's positions as inputs."""

    coding: Coding
    symmetries: Symmetries
    exchanges: bool
    """Whether the second view of the coding has the players exchanged."""
    furthest: float = FURTHEST
    """Where scaled numbers are cut off, to either side."""


def find_inputs(game: Game, seed: int, games: int = _GAMES, played: Sequence[Any] = ()) -> Inputs:
    """The inputs of a game, from positions of random games and their images; the same seed finds the same ones.

    What random games never meet is no input, so positions of better ones may be added: `played`.
    """
    states = [*random_positions(game, games, _POSITIONS, random.Random(f"inputs {seed}")), *played]
    words = words_of(game, states)
    kinds = _kinds(game, states[0])
    places = _places(present(_coding(kinds, words), words), random.Random(f"pairs {seed}"))
    images = [game.symmetries(states[place]) for place in places]
    count = len(images[0]) if len({len(found) for found in images}) == 1 else 0
    pictured = [words_of(game, [found[k].state for found in images]) for k in range(count)]
    pairs = words[places]
    coding = _coding(kinds, np.concatenate([words, *pictured]), np.concatenate([pairs, *pictured]))
    # Who is exchanged gets the other's result: a share of the range of results only where that is even.
    is_even = game.min_utility == -game.max_utility
    same = [
        k
        for k in range(count)
        if len({found[k].swap for found in images}) == 1 and (is_even or not images[0][k].swap)
    ]
    coding = _without_places(coding, pairs, [pictured[k] for k in same])
    mappings = ((k, _mapping(coding, pairs, pictured[k])) for k in same)
    found = [(*mapping, images[0][k].swap) for k, mapping in mappings if mapping is not None]
    rows, scaled = np.arange(coding.rows, dtype=np.int32), np.arange(len(coding.scaled), dtype=np.int32)
    every = [(rows, scaled, np.ones(len(scaled), np.float32), False), *found]
    try:
        check_coding(coding)
    except ValueError as error:
        raise ValueError(f"{game!r}: its states cannot be a network's inputs: {error}") from error
    symmetries = Symmetries(*(np.array([one[part] for one in every]) for part in range(4)))
    exchange = next((k for k in range(len(every)) if symmetries.swaps[k]), None)
    if exchange is not None:
        coding = _with_exchange(coding, symmetries, exchange)
    boards = Boards(game, coding)
    if sets := find_winning_sets(game, boards, seed):
        coding, symmetries = _with_sets(with_sets(coding, boards, sets), symmetries, words)
    return Inputs(coding, symmetries, exchange is not None)


def _with_sets(coding: Coding, symmetries: Symmetries, words: Any) -> tuple[Coding, Symmetries]:
    """The coding and its symmetries with the numbers of winning sets as inputs, which an exchange of the players exchanges.

    In a view with the players exchanged they are so already: its rows are those of the other's places.
    """
    count, numbers = 2 * MISSING, open_sets(coding, words).astype(np.float64)
    width = np.tile(numbers.reshape(-1, MISSING).std(axis=0), 2)
    here = len(coding.scaled) + np.arange(count, dtype=np.int32)
    exchanged = np.roll(here, MISSING)
    coding = coding._replace(
        scaled=np.concatenate([coding.scaled, [(coding.words + k, 0) for k in range(count)]]),
        scales=np.concatenate(
            [coding.scales, [(0.0, 1.0 / (one or 1.0)) for one in width]], dtype=np.float32
        ),
        scaled_rows=np.concatenate([coding.scaled_rows, [here, here]], axis=1),
        scaled_signs=np.concatenate([coding.scaled_signs, np.ones((2, count), np.float32)], axis=1),
    )
    return coding, symmetries._replace(
        scaled_rows=np.concatenate(
            [symmetries.scaled_rows, [exchanged if swap else here for swap in symmetries.swaps]], axis=1
        ),
        scaled_signs=np.concatenate(
            [symmetries.scaled_signs, np.ones((len(symmetries.swaps), count), np.float32)], axis=1
        ),
    )


def _places(table: Any, draw: random.Random) -> list[int]:
    """Which positions to look at for symmetries: some, and for every input some in which it is there, mixed."""
    chosen = set(draw.sample(range(len(table)), min(_PAIRED, len(table))))
    for row in range(table.shape[1]):
        there = np.nonzero(table[:, row])[0].tolist()
        chosen.update(draw.sample(there, min(_OF_EACH_ROW, len(there))))
    places = sorted(chosen)
    draw.shuffle(places)
    return places


def _kinds(game: Game, state: Any) -> list[tuple[type, str]]:
    own = [type(number) for number in numbers_of(as_machine_words(state))]
    features = [np.uint64 if is_set else float for is_set in feature_sets(game, state)]
    named = [(kind, f"number {k} of the game's states") for k, kind in enumerate(own, 1)]
    return [*named, *[(kind, "one of the game's features") for kind in features * 2], (int, "who moves")]


def _coding(columns: list[tuple[type, str]], words: Any, typical: Any = None) -> Coding:
    """The coding of these words as inputs.

    Numbers are scaled by those of the positions that are `typical`, by default of all.
    """
    kinds = [kind for kind, _ in columns]
    masks, bit_rows = np.zeros(len(kinds), np.uint64), np.full((len(kinds), 64), -1, np.int32)
    choices: list[tuple[int, int, int, int]] = []
    scaled: list[tuple[int, int]] = []
    scales: list[tuple[float, float]] = []
    values = row = 0
    for word, kind in enumerate(kinds):
        column = np.ascontiguousarray(words[:, word])
        if (column == column[0]).all():
            continue
        is_float = issubclass(kind, (float, np.floating))
        number = column.view(np.float64 if is_float else np.int64)
        is_unsigned = kind is np.uint64
        low, high = number.min().item(), number.max().item()
        if not (np.isfinite(low) and np.isfinite(high)):
            raise ValueError(f"{columns[word][1]} is not always finite: a network cannot look at it")
        if not is_float and not is_unsigned and high - low < _CHOICES:
            choices.append((word, low, high - low + 1, values))
            values += high - low + 1
        elif not is_float and (is_unsigned or low >= 0):
            masks[word] = np.bitwise_or.reduce(column) & ~np.bitwise_and.reduce(column)
            bits = [bit for bit in range(64) if int(masks[word]) >> bit & 1]
            bit_rows[word, bits] = np.arange(row, row + len(bits))
            row += len(bits)
        if is_float or (not is_unsigned and high - low > 2 and word < len(kinds) - 1):
            scaled.append((word, int(is_float)))
            usual = number if typical is None else np.ascontiguousarray(typical[:, word]).view(number.dtype)
            middle = 0.0 if low < 0 < high else float(usual.mean())
            scales.append((middle, 1.0 / max(float(np.sqrt(((usual - middle) ** 2.0).mean())), 1e-6)))
    choice_rows = np.arange(row, row + values, dtype=np.int32)
    taken = np.arange(len(scaled), dtype=np.int32)
    return Coding(
        masks,
        np.array([bit_rows, bit_rows]),
        np.array(choices, np.int64).reshape(-1, 4),
        np.array([choice_rows, choice_rows]),
        np.array(scaled, np.int64).reshape(-1, 2),
        np.array(scales, np.float32).reshape(-1, 2),
        np.array([taken, taken]),
        np.ones((2, len(scaled)), np.float32),
    )


def _without_places(coding: Coding, words: Any, images: list[Any]) -> Coding:
    """The coding without scaled numbers that symmetries do not keep, where each of their values is an input of its own.

    They number places, such as a cell of a board: what is larger is only elsewhere.
    """
    chosen = {int(word) for word in coding.choices[:, 0]}
    numbers = scaled_inputs(coding, words)
    dropped: set[int] = set()
    for image in images:
        if _wrong_rows(coding, words, image)[1].mean() <= _EXCEPTIONS:
            wrong = (np.abs(_turned(coding, words, image)[2] - numbers) > _CLOSE).mean(axis=0)
            dropped |= {
                k
                for k in range(len(coding.scaled))
                if wrong[k] > _EXCEPTIONS and int(coding.scaled[k, 0]) in chosen
            }
    left = [k for k in range(len(coding.scaled)) if k not in dropped]
    taken = np.arange(len(left), dtype=np.int32)
    return coding._replace(
        scaled=coding.scaled[left],
        scales=coding.scales[left],
        scaled_rows=np.array([taken, taken]),
        scaled_signs=np.ones((2, len(left)), np.float32),
    )


def _wrong_rows(coding: Coding, words: Any, images: Any) -> tuple[Any, Any]:
    """The row in the image for each row, found in four of five positions, and which positions it is wrong in."""
    first = len(words) * 4 // 5
    one, other = present(coding, words), present(coding, images)
    waiting: dict[bytes, list[int]] = {}
    for row in range(coding.rows):
        waiting.setdefault(np.packbits(other[:first, row]).tobytes(), []).append(row)
    rows = np.full(coding.rows, -1, np.int32)
    for row in range(coding.rows):
        alike = waiting.get(np.packbits(one[:first, row]).tobytes(), [])
        if alike:
            rows[row] = alike.pop(alike.index(row) if row in alike else 0)
    rows[rows < 0] = sorted(set(range(coding.rows)) - set(rows.tolist()))
    return rows, (other[:, rows] != one).any(axis=1)


def _turned(coding: Coding, words: Any, images: Any) -> tuple[Any, Any, Any]:
    """For each scaled input the one in the image that is nearest to it, its sign there, and what it is there."""
    numbers, pictured = scaled_inputs(coding, words), scaled_inputs(coding, images)
    scaled, signs = np.zeros(len(coding.scaled), np.int32), np.ones(len(coding.scaled), np.float32)
    for k in range(len(scaled)):
        free = [j for j in (k, *range(len(scaled))) if j not in scaled[:k]]
        pairs = [(j, sign) for j in free for sign in (1.0, -1.0)]
        scaled[k], signs[k] = min(
            pairs, key=lambda pair: float(np.abs(pictured[:, pair[0]] * pair[1] - numbers[:, k]).max())
        )
    return scaled, signs, pictured[:, scaled] * signs


def _mapping(coding: Coding, words: Any, images: Any) -> tuple[Any, Any, Any] | None:
    """The rows, the scaled inputs and their signs that a symmetry makes of each; None where it does not only exchange inputs."""
    rows, wrong = _wrong_rows(coding, words, images)
    scaled, signs, turned = _turned(coding, words, images)
    wrong = wrong | (np.abs(turned - scaled_inputs(coding, words)) > _CLOSE).any(axis=1)
    is_kept = max(wrong.mean(), wrong[len(words) * 4 // 5 :].mean()) <= _EXCEPTIONS
    return (rows, scaled, signs) if is_kept else None


def _with_exchange(coding: Coding, symmetries: Symmetries, k: int) -> Coding:
    """The coding whose second view is the image under the k-th symmetry."""
    rows = symmetries.rows[k]
    bits = coding.bit_rows[0]
    turned = np.where(bits >= 0, rows[np.maximum(bits, 0)], -1).astype(np.int32) if len(rows) else bits
    return coding._replace(
        bit_rows=np.array([bits, turned]),
        choice_rows=np.array([coding.choice_rows[0], rows[coding.choice_rows[0]]], np.int32),
        scaled_rows=np.array([coding.scaled_rows[0], symmetries.scaled_rows[k]], np.int32),
        scaled_signs=np.array([coding.scaled_signs[0], symmetries.scaled_signs[k]], np.float32),
    )
