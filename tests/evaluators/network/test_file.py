"""Files of weights: the same bytes for the same weights; whatever is wrong with one is a sentence, before compiled code sees it."""

import json
import random
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from helpers.fitted_files import random_weights, random_weights_file
from helpers.sizes import scaled
from saddlepoint import Game, Goofspiel, TicTacToe, kernel
from saddlepoint.compiled import popcount
from saddlepoint.evaluators import Fitted
from saddlepoint.evaluators.network.file import (
    Weights,
    WeightsFileError,
    check_game,
    load_weights,
    save_weights,
)
from saddlepoint.game.spec import SpecError
from saddlepoint.games.catalogue.make import make_player
from saddlepoint.system.stored import write_arrays

GAME = Goofspiel(13)


@pytest.fixture(scope="module")
def weights() -> Weights:
    return random_weights(GAME)


def test_what_is_written_is_read_and_the_same_weights_give_the_same_bytes(
    tmp_path: Path, weights: Weights
) -> None:
    one, two = tmp_path / "one.weights", tmp_path / "two.weights"
    save_weights(one, weights)
    found = load_weights(one)
    save_weights(two, found)
    assert one.read_bytes() == two.read_bytes()
    for part in ("coding", "network"):
        for kept, read in zip(getattr(weights, part), getattr(found, part), strict=True):
            assert np.array_equal(kept, read)
    assert (found.game, found.exchanges, found.record) == (weights.game, weights.exchanges, weights.record)


def test_mutated_files_give_one_sentence(tmp_path: Path, weights: Weights) -> None:
    """A bit, a byte, a piece that is missing or twice there: each file is refused in a sentence, or holds sound weights all the same."""
    path, draw = tmp_path / "x.weights", random.Random(1)
    save_weights(path, weights)
    whole, refused = path.read_bytes(), 0
    for _ in range(scaled(1000, 150)):
        changed, place = bytearray(whole), draw.randrange(len(whole))
        kind = draw.randrange(4)
        if kind == 0:
            changed[place] ^= 1 << draw.randrange(8)
        elif kind == 1:
            changed[place] = draw.randrange(256)
        elif kind == 2:
            del changed[place : place + draw.randrange(1, 200)]
        else:
            changed[place:place] = changed[place : place + draw.randrange(1, 200)]
        path.write_bytes(changed)
        try:
            load_weights(path)
        except WeightsFileError as error:
            refused += 1
            assert "\n" not in str(error)
            assert "x.weights" in str(error)
    assert refused > 100


def rewritten(path: Path, weights: Weights, change: Any) -> None:
    """A file that is whole as a file, with something changed in it: `change(header, arrays)`."""
    save_weights(path, weights)
    with zipfile.ZipFile(path) as archive:
        arrays = {name.removesuffix(".npy"): np.load(archive.open(name)) for name in archive.namelist()}
    header = json.loads(arrays.pop("header").tobytes())
    change(header, arrays)
    write_arrays(path, header, arrays)


def setting(name: str, place: Any, value: Any) -> Any:
    def change(header: Any, arrays: Any) -> None:
        arrays[name] = arrays[name].copy()
        arrays[name][place] = value

    return change


HOSTILE = {
    "a row beyond the last": setting("choice_rows", (0, 0), 1 << 20),
    "a row before the first": setting("choice_rows", (1, 0), -1),
    "a bit's row beyond the last": lambda header, arrays: arrays.update(
        bit_rows=np.where(arrays["bit_rows"] >= 0, 1 << 20, -1).astype(np.int32)
    ),
    "a bit without a row": setting("masks", slice(None), np.uint64(2**64 - 1)),
    "a word beyond the last": setting("choices", (0, 0), 99),
    "a word before the first": setting("choices", (0, 0), -1),
    "values beyond the rows": setting("choices", (0, 3), 1 << 30),
    "no values": setting("choices", (0, 2), 0),
    "a least value that wraps around": setting("choices", (0, 1), -(2**63)),
    "a scaled word beyond the last": setting("scaled", (0, 0), 1000),
    "a scaled row beyond the last": setting("scaled_rows", (1, 0), 7),
    "a sign that is none": setting("scaled_signs", (0, 0), 1e30),
    "a scale that is no number": setting("scales", (0, 0), np.nan),
    "sums of more than 16 bits": setting("first", slice(None), 32_000),
    "a weight that is no number": setting("second", (0, 0), np.nan),
    "an infinite weight": setting("last", 0, np.inf),
    "a unit that is no number": lambda header, arrays: header.update(unit=float("nan")),
    "a bias that is a text": lambda header, arrays: header.update(last_bias="0"),
    "no game": lambda header, arrays: header.update(game=3),
    "another format": lambda header, arrays: header.update(format=["saddlepoint weights 1"]),
    "a layer that is cut off": lambda header, arrays: arrays.update(second=arrays["second"][:, :4]),
    "units that no code is made for": lambda header, arrays: arrays.update(
        {name: arrays[name][..., :12] for name in ("first", "first_bias", "scaled_first")},
        second=arrays["second"][:12],
    ),
    "wider numbers": lambda header, arrays: arrays.update(first=arrays["first"].astype(np.int32)),
    "an array that is missing": lambda header, arrays: arrays.pop("bit_rows"),
    "rows of winning sets that no code is made for": lambda header, arrays: arrays.update(
        set_rows=np.zeros((1, 64), np.int8), set_starts=np.zeros(64, np.int8)
    ),
    "more winning sets than the stack holds": lambda header, arrays: arrays.update(
        set_rows=np.zeros((len(arrays["first"]), 1 << 20), np.int8), set_starts=np.zeros(1 << 20, np.int8)
    ),
    "a number of winning sets that are not there": lambda header, arrays: arrays.update(
        scaled=np.array([[len(arrays["masks"]), 0], *arrays["scaled"][1:]])
    ),
    "code in an array": lambda header, arrays: arrays.update(last=np.array(["x"] * 8)),
}


@pytest.mark.parametrize("what", HOSTILE)
def test_a_file_whose_numbers_do_not_fit_is_refused(what: str, tmp_path: Path, weights: Weights) -> None:
    path = tmp_path / "x.weights"
    rewritten(path, weights, HOSTILE[what])
    with pytest.raises(WeightsFileError, match=r"x\.weights.* holds no weights"):
        load_weights(path)


def other_format(header: Any, arrays: Any) -> None:
    header.update(format="saddlepoint weights 99")


def other_rules(header: Any, arrays: Any) -> None:
    header["game"].update(digest="0123")


@pytest.mark.parametrize(
    ("change", "game", "said"),
    [
        (other_format, GAME, "written by another version"),
        (other_rules, GAME, "is fitted to other rules of that name"),
        (None, Goofspiel(12), r"is fitted to goofspiel with cards=13.*, not to goofspiel with cards=12"),
        (None, TicTacToe(), "not to tic_tac_toe with no parameters"),
        ("", GAME, "fitted takes the file that `saddlepoint fit` wrote"),
        ('(".")', GAME, "holds no weights|cannot be read"),
        ('("text.weights")', GAME, "holds no weights"),
        ('("no.weights")', GAME, "No such file"),
    ],
)
@pytest.mark.usefixtures("here")
def test_a_player_is_refused_weights_that_are_not_its_games(
    change: Any, game: Game, said: str, tmp_path: Path, weights: Weights
) -> None:
    (tmp_path / "text.weights").write_text("no weights")
    rewritten(tmp_path / "x.weights", weights, lambda *_: None)
    make_player('saddle(evaluator=fitted("x.weights"))', GAME).close()
    if callable(change):
        rewritten(tmp_path / "x.weights", weights, change)
    named = change if isinstance(change, str) else '("x.weights")'
    with pytest.raises(SpecError, match=said):
        make_player(f"saddle(evaluator=fitted{named})", game)


@dataclass(frozen=True)
class Corners(TicTacToe):
    @kernel
    def features(self, state, player):
        return (self.value(state.crosses & np.uint64(0b101000101)),)

    @kernel
    def value(self, cells):
        return popcount(cells)


@dataclass(frozen=True)
class CornersAsSet(Corners):
    @kernel
    def value(self, cells):
        return cells


@pytest.mark.plain
@pytest.mark.compiles_long
@pytest.mark.parametrize(("before", "now"), [(Corners(), CornersAsSet()), (CornersAsSet(), Corners())])
def test_weights_for_a_number_are_refused_where_it_is_a_set(before: Any, now: Any) -> None:
    weights = random_weights(before)._replace(game=random_weights(now).game)
    with pytest.raises(WeightsFileError, match="features included, which are not those of"):
        check_game(weights, now, "x.weights")


@pytest.mark.usefixtures("here")
def test_the_evaluator_needs_no_folder_of_its_own(tmp_path: Path) -> None:
    random_weights_file(tmp_path / "x.weights", GAME)
    assert repr(Fitted("x.weights")) == "Fitted(file='x.weights')"
