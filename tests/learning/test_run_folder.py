"""The folder of a fit: it is taken up by the same fit alone, and damage is a sentence."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from saddlepoint.evaluators.network.training import Layers, Samples
from saddlepoint.learning.run_folder import RunFolder, RunFolderError

WHOSE = {"game": {"name": "x"}, "settings": {"seed": 1}}


@pytest.fixture
def folder(tmp_path: Path) -> RunFolder:
    made = RunFolder(tmp_path / "x.weights", WHOSE)
    with made.held(begins=True):
        made.begin()
    return made


def test_what_is_kept_is_read_again(folder: RunFolder) -> None:
    samples = Samples(np.arange(6, dtype=np.uint64).reshape(3, 2), np.array([0.5, -1, 1], np.float32))
    layers = Layers(*(np.full((2,) * count, 0.5, np.float32) for count in (2, 1, 2, 2, 1, 1, 1)))
    folder.keep_samples(1, samples)
    folder.keep_layers(1, layers)
    folder.note([{"number": 1, "kept": True}], 12.5)
    known = folder.read()
    assert (known["generations"], known["seconds"]) == ([{"number": 1, "kept": True}], 12.5)
    for kept, read in ((samples, folder.samples(1)), (layers, folder.layers(1))):
        assert all(np.array_equal(a, b) for a, b in zip(kept, read, strict=True))


def test_a_second_fit_does_not_write_over_the_first(folder: RunFolder) -> None:
    with pytest.raises(RunFolderError, match=r"is there, of a fit before this one: --resume goes on with it"):
        folder.begin()


@pytest.mark.parametrize("begins", [True, False])
def test_two_fits_at_once_do_not_share_a_folder(folder: RunFolder, begins: bool) -> None:
    second = RunFolder(folder.path.parent / "x.weights", WHOSE)
    message = "another fit writes to .*: wait for its end, or give another -o"
    with folder.held(begins=False), pytest.raises(RunFolderError, match=message), second.held(begins):
        pass
    with second.held(begins):
        pass


@pytest.mark.parametrize(
    ("name", "whose", "said"),
    [
        ("x", {**WHOSE, "game": {"name": "y"}}, "another game"),
        ("x", {**WHOSE, "settings": {"seed": 2}}, "other settings, or another seed"),
        ("x", {**WHOSE, "openings": {"digest": "ab"}}, "other openings, or their file has changed"),
        ("y", WHOSE, "there is no fit to go on with"),
    ],
)
def test_it_is_taken_up_by_the_same_fit_alone(folder: RunFolder, name: str, whose: Any, said: str) -> None:
    with pytest.raises(RunFolderError, match=said):
        RunFolder(folder.path.parent / f"{name}.weights", whose).read()


@pytest.mark.parametrize(
    "change",
    [
        "",
        "{}",
        "[]",
        '{"format": "saddlepoint fit 2"}',
        "\x00",
        {"generations": [{"number": 2, "kept": True}]},
        {"generations": [{"number": 1}]},
        {"generations": [{"number": 1, "kept": 5}]},
        {"seconds": -1},
        {"seconds": None},
    ],
)
def test_a_state_that_is_damaged_or_cannot_be_is_refused(folder: RunFolder, change: Any) -> None:
    file = folder.path / "state.json"
    file.write_text(change if isinstance(change, str) else json.dumps(json.loads(file.read_text()) | change))
    with pytest.raises(RunFolderError, match="holds no fit that can be gone on with"):
        folder.read()


def test_games_that_are_cut_off_are_refused(folder: RunFolder) -> None:
    folder.keep_samples(1, Samples(np.zeros((3, 2), np.uint64), np.zeros(3, np.float32)))
    file = folder.path / "games-1.npz"
    file.write_bytes(file.read_bytes()[:-40])
    with pytest.raises(RunFolderError, match=r"games-1\.npz.* is damaged"):
        folder.samples(1)
