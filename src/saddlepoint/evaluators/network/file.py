"""Weights in files: NumPy's .npz, arrays of numbers and a header in JSON. Nothing in it is code, or run when it is read.

Compiled code follows the rows and words that such a file names, so each is compared with the sizes before it is used.
"""

import hashlib
import json
import zipfile
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ...compiled import word_count
from ...foreign_files import ForeignFileError, check_readable, path_of
from ...game import Game
from ...own_games import described
from ...stored import DAMAGE, read_array, read_header, write_arrays
from .coding import KINDS, Coding, feature_sets, suits_features

FORMAT = "saddlepoint weights 1"
_ANY_FORMAT = "saddlepoint weights "
UNITS = (8, 16, 32, 64, 128)
"""How many units the first layer of a fit may have; in a file they may be any multiple of `_LANES`."""
_LANES = 8
SECOND_UNITS = (8, 16, 32)
_MOST_ROWS, _LARGEST = 1 << 17, 1e6
_SHORT = 32_767
_LAYERS = {
    "first": (np.int16, 2), "first_bias": (np.int16, 1), "scaled_first": (np.float32, 2), "second": (np.float32, 2),
    "second_bias": (np.float32, 1), "last": (np.float32, 1),
}  # fmt: skip


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
    """What a file holds."""

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


def save_weights(path: str | Path, weights: Weights) -> None:
    """Write weights; the file appears when it is whole. The same weights give the same bytes.

    Raises ValueError for what no reader takes.
    """
    network = weights.network
    check_coding(weights.coding)
    _check_network(network, weights.coding)
    header = {
        "format": FORMAT, "exchanges": weights.exchanges, "last_bias": network.last_bias, "unit": network.unit, "game": weights.game,
        "record": weights.record, **({"evaluator": weights.evaluator} if weights.evaluator else {}),
    }  # fmt: skip
    arrays = {name: getattr(network, name) for name in _LAYERS} | weights.coding._asdict()
    write_arrays(path, header, arrays)


def load_weights(path: str | Path) -> Weights:
    """The weights in a file. Raises WeightsFileError, in one sentence, for what holds none."""
    file = path_of(path)
    try:
        check_readable(file)
        with zipfile.ZipFile(file) as archive:
            header = read_header(archive)
            if isinstance(header["format"], str) and header["format"] != FORMAT and header["format"].startswith(_ANY_FORMAT):
                raise WeightsFileError(
                    f"{str(path)!r} was written by another version of saddlepoint; `saddlepoint fit GAME -o FILE` writes it anew"
                )
            if header["format"] != FORMAT or type(header["exchanges"]) is not bool or not isinstance(header["record"], dict):
                raise ValueError("no header")
            # A copy: the code reads aligned memory, whatever becomes of the file.
            arrays = {name: np.array(read_array(archive, name, *kind)) for name, kind in (KINDS | _LAYERS).items()}
        digest = hashlib.blake2b(file.read_bytes(), digest_size=8).hexdigest()
        numbers = (header["last_bias"], header["unit"])
        if not all(isinstance(number, float) and abs(number) < _LARGEST for number in numbers):
            raise ValueError("no numbers")
        if not (isinstance(header["game"]["name"], str) and isinstance(header["game"]["parameters"], dict)):
            raise ValueError("no game")
        evaluator = header.get("evaluator")
        if evaluator is not None and not all(isinstance(evaluator[key], str) for key in ("class", "digest")):
            raise ValueError("no evaluator")
        network = Network(**{name: arrays[name] for name in _LAYERS}, last_bias=numbers[0], unit=numbers[1])
        coding = Coding(*(arrays[name] for name in KINDS))
        weights = Weights(coding, network, header["exchanges"], header["game"], header["record"], digest, evaluator)
        check_coding(weights.coding)
        _check_network(network, weights.coding)
        return weights
    except OSError as error:
        raise WeightsFileError(f"{str(path)!r} cannot be read: {error.strerror or error}") from error
    except ForeignFileError as error:
        raise WeightsFileError(str(error)) from None
    except WeightsFileError:
        raise
    except DAMAGE as error:
        raise WeightsFileError(f"{str(path)!r} holds no weights; `saddlepoint fit GAME -o FILE` writes such a file") from error


def content_digest(weights: Weights) -> str:
    """A digest of weights that lie in no file."""
    digest = hashlib.blake2b(digest_size=8)
    for part in (*weights.coding, *weights.network):
        digest.update(np.ascontiguousarray(part).tobytes())
    return digest.hexdigest()


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
        told = "other rules of that name" if same else f"{weights.game['name']} with {_told(other)}"
        raise WeightsFileError(f"{path!r} is fitted to {told}, not to {wanted['name']} with {_told(wanted['parameters'])}")
    state = game.initial_state()
    sets = feature_sets(game, state)
    if weights.coding.words != int(word_count(state)) + 2 * len(sets) + 1 or not suits_features(weights.coding, sets):
        raise WeightsFileError(
            f"{path!r} is fitted to positions of {weights.coding.words - 1} numbers, features included, which are not those of {game!r}"
        )


def _told(parameters: dict[str, Any]) -> str:
    return ", ".join(f"{key}={value!r}" for key, value in parameters.items()) or "no parameters"


def check_coding(coding: Coding) -> None:
    """Raise ValueError where the arrays do not fit each other, or have more rows than a file may."""
    words, values, count = coding.words, coding.choice_rows.shape[1], len(coding.scaled)
    shapes = {
        "bit_rows": (2, words, 64), "choices": (len(coding.choices), 4), "choice_rows": (2, values), "scaled": (count, 2),
        "scales": (count, 2), "scaled_rows": (2, count), "scaled_signs": (2, count),
    }  # fmt: skip
    if words < 1 or any(getattr(coding, name).shape != shape for name, shape in shapes.items()):
        raise ValueError("arrays of other sizes")
    bits = (coding.masks[:, None] >> np.arange(64, dtype=np.uint64)) & np.uint64(1)
    if ((coding.bit_rows >= 0) != (bits != 0)[None]).any() or coding.bit_rows.min() < -1:
        raise ValueError("bits without rows")
    if values and int(coding.choice_rows.min()) < 0:
        raise ValueError("values without rows")
    if int(coding.choices[:, 2].clip(0).sum()) > _MOST_ROWS:
        raise ValueError("too many values")
    for word, low, number, first in coding.choices.tolist():
        if not (0 <= word < words and 0 < number <= values and 0 <= first <= values - number and abs(low) < 1 << 40):
            raise ValueError("a choice that is none")
    if count:
        inside = 0 <= int(coding.scaled[:, 0].min()) <= int(coding.scaled[:, 0].max()) < words
        rows = 0 <= int(coding.scaled_rows.min()) <= int(coding.scaled_rows.max()) < count
        if not (inside and rows and np.isin(coding.scaled[:, 1], (0, 1)).all() and np.isfinite(coding.scales).all()):
            raise ValueError("scaled numbers that are none")
        if not np.isin(coding.scaled_signs, (-1.0, 1.0)).all():
            raise ValueError("signs that are none")


def _check_network(network: Network, coding: Coding) -> None:
    """Raise ValueError where the layers do not fit the inputs and each other, or a sum could be more than 16 bits hold."""
    rows, units = network.first.shape
    second = len(network.last)
    if units % _LANES or not 0 < units <= UNITS[-1] or second not in SECOND_UNITS or not coding.rows <= rows <= _MOST_ROWS:
        raise ValueError("layers of other sizes")
    shapes = {"first_bias": (units,), "scaled_first": (len(coding.scaled), units), "second": (units, second), "second_bias": (second,)}
    if any(getattr(network, name).shape != shape for name, shape in shapes.items()):
        raise ValueError("layers of other sizes")
    if any(not (np.abs(getattr(network, name)) < _LARGEST).all() for name in ("scaled_first", "second", "second_bias", "last")):
        raise ValueError("weights that are no numbers")
    if int(largest_sums(coding, network.first.astype(np.int64), network.first_bias.astype(np.int64)).max()) > _SHORT:
        raise ValueError("sums beyond 16 bits")


def largest_sums(coding: Coding, first: Any, bias: Any) -> Any:
    """For each unit the largest absolute sum that its bias and any inputs can have, in either view."""
    most = []
    for view in (0, 1):
        total = np.abs(bias)
        bits = coding.bit_rows[view][coding.bit_rows[view] >= 0]
        total = total + np.abs(first[bits]).sum(axis=0)
        for _, _, count, start in coding.choices.tolist():
            total = total + np.abs(first[coding.choice_rows[view, start : start + count]]).max(axis=0)
        most.append(total)
    return np.max(most, axis=0)
