"""The coding of a state's words as inputs of a network, and files of weights: arrays of numbers and a header
in JSON.
"""

import functools
import hashlib
import json
import zipfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

import msgspec
import numpy as np

from ...compiled import put_words, word_count
from ...compiled.states import as_machine_words
from ...game.base import Game
from ...game.own_games import described
from ...system.foreign import path_of
from ...system.stored import read_array, read_header, reading, write_arrays

FURTHEST = 4.0
"""A scaled number is cut off at this, to either side."""
HIGHEST = 4.0
"""A unit's output is cut off at 0 and here."""


LONGEST_SET = 8
"""The most places of a winning set: the sum of its inputs is kept in 8 bits."""
TAKEN, NO_SET = -5, -128
"""What a place adds that another has, such that the set is counted no more; and where the sum of no set begins."""
MOST_SETS = 1_024
"""Of a player: their sums lie on the stack."""
SET_LANES = 64
"""Sets of either player are looked at so many at once."""
MISSING = 5
"""Sets are counted of which 0, 1, ... places are missing, fewer than this, and none is the other player's."""


class Coding(NamedTuple):
    """The coding of a state as inputs of a network.

    It reads the words of the state and those that follow them: the game's own `features` of player 0 and of
    player 1, sets as they are and other numbers as floats; the last word is `game.current_player`. Where the game has winning sets
    (`winning_sets.py`), the numbers of `open_sets` follow as further words.

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
    set_rows: Any = np.zeros((0, 0), np.int8)
    """int8 (rows, columns): what an input that is there adds to the sum of each winning set. Player 0's are the first half."""
    set_starts: Any = np.zeros(0, np.int8)
    """int8 (columns,): where the sum begins, which is 0 when a player has all places of a set: minus their number."""

    @property
    def words(self) -> int:
        """The words that are looked at, those that follow the state's among them."""
        return len(self.masks)

    @property
    def rows(self) -> int:
        """The inputs that are there or not."""
        return int(max(self.bit_rows.max(initial=-1), self.choice_rows.max(initial=-1))) + 1


_BLOCK, _SET_BLOCK = 20_000, 2_000
"""Positions at a time: their bits take memory, one by one."""
KINDS = {
    "masks": (np.uint64, 1),
    "bit_rows": (np.int32, 3),
    "choices": (np.int64, 2),
    "choice_rows": (np.int32, 2),
    "scaled": (np.int64, 2),
    "scales": (np.float32, 2),
    "scaled_rows": (np.int32, 2),
    "scaled_signs": (np.float32, 2),
}
_SETS = {"set_rows": (np.int8, 2), "set_starts": (np.int8, 1)}
"""Those of a coding with winning sets; a file without them has none."""
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
    """For each of the game's own features of a player, whether it is a set (type np.uint64), whose bits are
    inputs.

    Raises ValueError, in one sentence, where the game's features are no tuple of numbers.
    """
    if not game.has_features:
        return ()
    found = game.plain.features(as_machine_words(state), 0)  # a player is made before anything is compiled
    if not isinstance(found, tuple):
        raise ValueError(f"{type(game).__name__}.features must give a tuple of numbers, not {found!r}")
    return tuple(type(number) is np.uint64 for number in found)


def suits_features(coding: Coding, sets: tuple[bool, ...]) -> bool:
    """Whether the coding was made for features of these kinds (sets or numbers)."""
    first = coding.words - 1 - 2 * len(sets)
    return first >= 0 and not any(
        word in coding.scaled[:, 0] if is_set else coding.masks[word]
        for word, is_set in enumerate(sets * 2, first)
    )


def feature_words(features: Sequence[Any], sets: Sequence[Any]) -> list[int]:
    """The word of each feature: a set as it is, another number as the bits of a float."""
    return [
        int(number) if is_set else int(np.float64(number).view(np.uint64))
        for number, is_set in zip(features, sets, strict=True)
    ]


def scaled_inputs(coding: Coding, words: Any, furthest: float = FURTHEST) -> Any:
    """The scaled inputs of positions in the first view, float32 (positions, scaled); `words` is uint64 (positions, words)."""
    found = np.zeros((len(words), len(coding.scaled)), np.float32)
    words = np.concatenate([words, open_sets(coding, words)], axis=1)
    for k, (word, is_float) in enumerate(coding.scaled):
        column = np.ascontiguousarray(words[:, word]).view(np.float64 if is_float else np.int64)
        number = (column.astype(np.float32) - coding.scales[k, 0]) * coding.scales[k, 1]
        found[:, k] = np.clip(number, -furthest, furthest)
    return found


def open_sets(coding: Coding, words: Any) -> Any:
    """How many winning sets each player can still complete, by how many places are missing: uint64 (positions, 2 * MISSING).

    Without winning sets it is uint64 (positions, 0).
    """
    if not len(coding.set_starts):
        return np.zeros((len(words), 0), np.uint64)
    found = np.zeros((len(words), 2, MISSING), np.uint64)
    for first in range(0, len(words), _SET_BLOCK):
        block = slice(first, first + _SET_BLOCK)
        there = present(coding, words[block]).astype(np.float32)
        sums = (there @ coding.set_rows.astype(np.float32) + coding.set_starts).reshape(len(there), 2, -1)
        for missing in range(MISSING):
            found[block, :, missing] = (sums == -missing).sum(axis=2)
    return found.reshape(len(words), -1)


def present(coding: Coding, words: Any) -> Any:
    """Which rows are there in positions, in the first view: bool (positions, rows)."""
    rows, starts = input_rows(coding, words)
    found = np.zeros((len(words), coding.rows), np.bool_)
    found[np.repeat(np.arange(len(words)), np.diff(starts)), rows] = True
    return found


def input_rows(coding: Coding, words: Any) -> tuple[Any, Any]:
    """The rows that are there in positions, in the first view, one after the other: int32 (all,), and int64 (positions + 1,) where each
    position's begin."""
    blocks = [_present(coding, words[first : first + _BLOCK]) for first in range(0, len(words), _BLOCK)]
    rows, counts = (
        (np.concatenate(column) for column in zip(*blocks, strict=True))
        if blocks
        else (np.zeros(0, np.int32), np.zeros(0))
    )
    starts = np.zeros(len(words) + 1, np.int64)
    np.cumsum(counts, out=starts[1:])
    return rows, starts


def _present(coding: Coding, words: Any) -> tuple[Any, Any]:
    """The rows that are there in some positions, and how many in each."""
    parts: list[Any] = []
    for word in np.nonzero(coding.masks)[0]:
        bits = np.unpackbits(
            np.ascontiguousarray(words[:, word]).view(np.uint8).reshape(-1, 8), axis=1, bitorder="little"
        )
        rows = coding.bit_rows[0, word]
        taken = rows >= 0
        parts.append(np.where(bits[:, taken] != 0, rows[taken], -1))
    for word, low, count, first in coding.choices:
        value = np.clip(np.ascontiguousarray(words[:, word]).view(np.int64) - low, 0, count - 1)
        parts.append(coding.choice_rows[0, first + value][:, None])
    table = np.concatenate(parts, axis=1) if parts else np.zeros((len(words), 0), np.int32)
    present = table >= 0
    return table[present].astype(np.int32), present.sum(axis=1)


# Weights in files: NumPy's .npz, arrays of numbers and a header in JSON. Nothing in it is code, or run when it is read.
#
# Compiled code follows the rows and words that such a file names, so each is compared with the sizes before it is used.

FORMAT = "saddlepoint weights 1"
_ANY_FORMAT = "saddlepoint weights "
UNITS = (8, 16, 32, 64, 128)
"""How many units the first layer of a fit may have; in a file they may be any multiple of `_LANES`."""
_LANES = 8
SECOND_UNITS = (8, 16, 32)
_MOST_ROWS, _LARGEST = 1 << 17, 1e6
_SHORT = 32_767
_LAYERS = {
    "first": (np.int16, 2),
    "first_bias": (np.int16, 1),
    "scaled_first": (np.float32, 2),
    "second": (np.float32, 2),
    "second_bias": (np.float32, 1),
    "last": (np.float32, 1),
}


class WeightsFileError(ValueError):
    """A file that holds no weights, or another game's; the message says which and why."""


class Network(NamedTuple):
    """The layers: sums of rows, cut off at 0 and `HIGHEST`; a second layer, cut off likewise; a weighted sum."""

    first: Any
    """int16 (rows, units): what an input that is there adds to each unit, in parts of `unit`."""
    first_bias: Any
    """int16 (units,)."""
    scaled_first: Any
    """float32 (scaled inputs, units)."""
    second: Any
    """float32 (units, second units)."""
    second_bias: Any
    last: Any
    """float32 (second units,)."""
    last_bias: float
    unit: float


class Weights(NamedTuple):
    """The content of a weights file."""

    coding: Coding
    network: Network
    exchanges: bool
    """Whether the second view has the players exchanged; else both views are the same."""
    game: dict[str, Any]
    """The game, as `own_games.described` has it."""
    record: dict[str, Any]
    """How it was made: command, seed, figures of every generation."""
    digest: str = ""
    """Of the file."""
    evaluator: dict[str, str] | None = None
    """The evaluator whose features the inputs are, see `features.described_evaluator`; None: they are the game's states."""


_Number = Annotated[float, msgspec.Meta(gt=-_LARGEST, lt=_LARGEST)]


class _Game(msgspec.Struct):
    name: str
    parameters: dict[str, Any]


class _Evaluator(msgspec.Struct, rename={"kind": "class"}):
    kind: str
    digest: str


class _Header(msgspec.Struct):
    """The required fields of a weights file's header."""

    format: Literal["saddlepoint weights 1"]
    exchanges: bool
    last_bias: _Number
    unit: _Number
    game: _Game
    record: dict[str, Any]
    evaluator: _Evaluator | None = None


def save_weights(path: str | Path, weights: Weights) -> None:
    """Write weights; the file appears when it is whole. The same weights give the same bytes.

    Raises ValueError for what no reader takes.
    """
    network = weights.network
    check_coding(weights.coding)
    _check_network(network, weights.coding)
    header = {
        "format": FORMAT,
        "exchanges": weights.exchanges,
        "last_bias": network.last_bias,
        "unit": network.unit,
        "game": weights.game,
        "record": weights.record,
        **({"evaluator": weights.evaluator} if weights.evaluator else {}),
    }
    arrays = {name: getattr(network, name) for name in _LAYERS} | weights.coding._asdict()
    if not len(weights.coding.set_starts):
        arrays = {name: array for name, array in arrays.items() if name not in _SETS}
    write_arrays(path, header, arrays)


def load_weights(path: str | Path) -> Weights:
    """The weights in a file. Raises WeightsFileError, in one sentence, for what holds none."""
    file = path_of(path)
    with reading(
        file, WeightsFileError, "holds no weights; `saddlepoint fit GAME -o FILE` writes such a file"
    ):
        with zipfile.ZipFile(file) as archive:
            header = read_header(archive)
            if header["format"] != FORMAT and header["format"].startswith(_ANY_FORMAT):
                raise WeightsFileError(
                    f"{str(path)!r} was written by another version of saddlepoint; `saddlepoint fit GAME -o FILE` writes it anew"
                )
            head = msgspec.convert(header, _Header)
            kinds = KINDS | _LAYERS | (_SETS if "set_starts.npy" in archive.namelist() else {})
            # A copy: the code reads aligned memory, whatever becomes of the file.
            arrays = {name: np.array(read_array(archive, name, *kind)) for name, kind in kinds.items()}
        digest = hashlib.blake2b(file.read_bytes(), digest_size=8).hexdigest()
        network = Network(
            **{name: arrays[name] for name in _LAYERS}, last_bias=head.last_bias, unit=head.unit
        )
        coding = Coding(**{name: arrays[name] for name in kinds if name not in _LAYERS})
        check_coding(coding)
        _check_network(network, coding)
    return Weights(
        coding, network, head.exchanges, header["game"], head.record, digest, header.get("evaluator")
    )


load_weights_once = functools.cache(load_weights)
"""`load_weights`, which reads a file once: for those that come with the library."""


def content_digest(arrays: Iterable[Any]) -> str:
    """A digest of arrays and numbers, by what they hold."""
    digest = hashlib.blake2b(digest_size=8)
    for part in arrays:
        digest.update(np.ascontiguousarray(part).tobytes())
    return digest.hexdigest()


def with_digest(weights: Weights) -> Weights:
    """Weights that lie in no file, with a digest of their own."""
    return weights._replace(digest=weights.digest or content_digest((*weights.coding, *weights.network)))


def is_for(weights: Weights, game: Game) -> bool:
    """Whether weights are fitted to the game of this name, with these parameters; its rules may have changed since."""
    wanted = _plainly(game)
    return all(weights.game[key] == wanted[key] for key in ("name", "parameters"))


def _plainly(game: Game) -> dict[str, Any]:
    """The game as it is written in a header."""
    return json.loads(json.dumps(described(game)))


def check_game(weights: Weights, game: Game, path: str) -> None:
    """Raise WeightsFileError where weights are another game's, or of other rules: their inputs would mean something else."""
    wanted = _plainly(game)
    if wanted != weights.game:
        other = weights.game["parameters"]
        same = weights.game["name"] == wanted["name"] and other == wanted["parameters"]
        owner = "other rules of that name" if same else f"{weights.game['name']} with {_named(other)}"
        raise WeightsFileError(
            f"{path!r} is fitted to {owner}, not to {wanted['name']} with {_named(wanted['parameters'])}"
        )
    state = game.initial_state()
    sets = feature_sets(game, state)
    if weights.coding.words != int(word_count(state)) + 2 * len(sets) + 1 or not suits_features(
        weights.coding, sets
    ):
        raise WeightsFileError(
            f"{path!r} is fitted to positions of {weights.coding.words - 1} numbers, features included, which are not those of {game!r}"
        )


def _named(parameters: dict[str, Any]) -> str:
    return ", ".join(f"{key}={value!r}" for key, value in parameters.items()) or "no parameters"


def _have_shapes(arrays: Any, **shapes: tuple[int, ...]) -> bool:
    return all(getattr(arrays, name).shape == shape for name, shape in shapes.items())


def _refuse_misfits(*fits: Any) -> None:
    if not all(fits):
        raise ValueError("arrays that do not fit each other")


def check_coding(coding: Coding) -> None:
    """Raise ValueError where the arrays do not fit each other, or have more rows than a file may."""
    words, values, count = coding.words, coding.choice_rows.shape[1], len(coding.scaled)
    columns = len(coding.set_starts)
    _refuse_misfits(
        words > 0,
        _have_shapes(
            coding, bit_rows=(2, words, 64), choices=(len(coding.choices), 4), choice_rows=(2, values)
        ),
        _have_shapes(coding, scaled=(count, 2), scales=(count, 2)),
        _have_shapes(coding, scaled_rows=(2, count), scaled_signs=(2, count)),
    )
    bits = (coding.masks[:, None] >> np.arange(64, dtype=np.uint64)) & np.uint64(1)
    word, low, number, first = coding.choices.T
    _refuse_misfits(
        ((coding.bit_rows >= 0) == (bits != 0)).all(),
        (coding.bit_rows >= -1).all(),
        (coding.choice_rows >= 0).all(),
        number.clip(0).sum() <= _MOST_ROWS,
        ((word >= 0) & (word < words) & (abs(low.astype(np.float64)) < 1 << 40)).all(),
        ((number > 0) & (number <= values) & (first >= 0) & (first <= values - number)).all(),
        ((coding.scaled[:, 0] >= 0) & (coding.scaled[:, 0] < words + (2 * MISSING if columns else 0))).all(),
        columns % (2 * SET_LANES) == 0 and columns <= 2 * MOST_SETS,
        _have_shapes(coding, set_rows=(coding.rows if columns else 0, columns)),
        np.isin(coding.set_rows, (0, 1, TAKEN)).all(),
        ((coding.scaled_rows >= 0) & (coding.scaled_rows < count)).all(),
        np.isin(coding.scaled[:, 1], (0, 1)).all(),
        np.isfinite(coding.scales).all(),
        np.isin(coding.scaled_signs, (-1.0, 1.0)).all(),
    )


def _check_network(network: Network, coding: Coding) -> None:
    """Raise ValueError where the layers do not fit the inputs and each other, or a sum could be more than 16 bits hold."""
    rows, units = network.first.shape
    second = len(network.last)
    _refuse_misfits(
        units % _LANES == 0 and 0 < units <= UNITS[-1],
        second in SECOND_UNITS,
        coding.rows <= rows <= _MOST_ROWS,
        _have_shapes(network, first_bias=(units,), scaled_first=(len(coding.scaled), units)),
        _have_shapes(network, second=(units, second), second_bias=(second,)),
    )
    sums = largest_sums(coding, network.first.astype(np.int64), network.first_bias.astype(np.int64))
    reals = (network.scaled_first, network.second, network.second_bias, network.last)
    _refuse_misfits(int(sums.max()) <= _SHORT, *((np.abs(one) < _LARGEST).all() for one in reals))


def largest_sums(coding: Coding, first: Any, bias: Any) -> Any:
    """For each unit the largest absolute sum that its bias and any inputs can have, in either view."""
    most = []
    for view in (0, 1):
        bits = coding.bit_rows[view][coding.bit_rows[view] >= 0]
        total = np.abs(bias) + np.abs(first[bits]).sum(axis=0)
        for _, _, count, start in coding.choices.tolist():
            total = total + np.abs(first[coding.choice_rows[view, start : start + count]]).max(axis=0)
        most.append(total)
    return np.max(most, axis=0)
