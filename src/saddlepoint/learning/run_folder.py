"""The folder of a fit beside its output, which holds its progress: an interrupted or killed run is resumed
there.
"""

import json
import time
import zipfile
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np

from ..evaluators.network.file import Weights, load_weights
from ..evaluators.network.training import Layers, Samples
from ..system.files import whole_file
from ..system.stored import DAMAGE, read_array, write_arrays

_FORMAT = "saddlepoint fit 2"
_TRIES, _PAUSE = 5, 0.1
_WHOSE = {
    "game": "another game, or of other rules",
    "settings": "other settings, or another seed",
    "openings": "other openings, or their file has changed",
}
"""The settings that must be the same for a fit to be resumed, with the messages where they are not."""
_LAYERS = dict(zip(Layers._fields, (2, 1, 2, 2, 1, 1, 1), strict=True))


class RunFolderError(ValueError):
    """A folder that no fit can go on from; the message says why."""


def folder_of(output: Path) -> Path:
    return output.with_name(output.name + ".fit")


def is_running(output: Path) -> bool:
    """Whether a process fits what it will write there."""
    try:
        import fcntl

        with open(folder_of(output) / "lock", encoding="utf-8") as lock:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except (OSError, ModuleNotFoundError):
        return False
    return False


def plain_data(data: Any) -> Any:
    """Data as it comes out of JSON again."""
    return json.loads(json.dumps(data))


class RunFolder:
    """The folder of a fit with that output.

    `whose` is the identity that must be the same for it to be resumed.
    """

    def __init__(self, output: Path, whose: dict[str, Any]) -> None:
        self.path = folder_of(output)
        self._whose = whose

    @contextmanager
    def held(self, begins: bool) -> Generator[None]:
        """Make it where a fit begins, and keep it from other processes. Raises RunFolderError where one of them has it."""
        if begins:
            self.path.mkdir(exist_ok=True)
        if not self.path.is_dir():  # `read` says what is missing
            yield
            return
        with open(
            self.path / "lock", "a", encoding="utf-8"
        ) as lock:  # which ends with the process, however that ends
            if not self._take(lock.fileno()):
                raise RunFolderError(
                    f"another fit writes to {str(self.path)!r}: wait for its end, or give another -o"
                )
            yield

    @staticmethod
    def _take(lock: int) -> bool:
        """Take the lock; False where another process keeps it.

        A process that only tests it has it for a moment.
        """
        try:
            import fcntl
        except ModuleNotFoundError:  # Windows, where nothing keeps two fits with the same output apart
            return True
        for _ in range(_TRIES):
            with suppress(BlockingIOError):
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return True
            time.sleep(_PAUSE)
        return False

    def begin(self) -> float:
        """Note that nothing is finished. Returns the seconds spent so far: none. Raises RunFolderError where there is another run's."""
        if (self.path / "state.json").exists():
            raise RunFolderError(
                f"{str(self.path)!r} is there, of a fit before this one: --resume goes on with it, and without the folder it begins anew"
            )
        self.note([], 0.0)
        return 0.0

    def note(self, generations: list[dict[str, Any]], seconds: float) -> None:
        """Note that everything up to here is finished."""
        told = {"format": _FORMAT, **self._whose, "generations": generations, "seconds": round(seconds, 1)}
        with whole_file(self.path / "state.json") as file:
            file.write(json.dumps(told, indent=1).encode())

    def tell(self, step: dict[str, Any] | None) -> None:
        """Write the progress for other processes, or None: that it does not run any more; errors are ignored."""
        with suppress(OSError):
            if step is None:
                (self.path / "step.json").unlink(missing_ok=True)
                return
            with whole_file(self.path / "step.json", is_synced=False) as file:
                file.write(json.dumps(step).encode())

    def read(self) -> dict[str, Any]:
        """The finished part; raises RunFolderError in one sentence where it belongs to another fit."""
        name = str(self.path)
        try:
            known = json.loads((self.path / "state.json").read_text(encoding="utf-8"))
            if known["format"] != _FORMAT:
                raise ValueError
            numbers = [
                record["number"] for record in known["generations"] if isinstance(record["kept"], bool)
            ]
            if numbers != list(range(1, len(known["generations"]) + 1)) or not known["seconds"] >= 0:
                raise ValueError
        except FileNotFoundError:
            raise RunFolderError(
                f"there is no fit to go on with: {name!r} is missing; leave out --resume"
            ) from None
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise RunFolderError(
                f"{name!r} holds no fit that can be gone on with; remove it and leave out --resume"
            ) from error
        for key, words in _WHOSE.items():
            if known.get(key) != self._whose.get(key):
                raise RunFolderError(f"{name!r} is a fit of {words}; give the same ones, or another -o")
        return known

    def weights(self, number: int) -> Path:
        return self.path / f"generation-{number}.weights"

    def load(self, number: int) -> Weights:
        return load_weights(self.weights(number))

    def keep_samples(self, number: int, samples: Samples) -> None:
        write_arrays(self.path / f"games-{number}.npz", {}, samples._asdict())

    def samples(self, number: int) -> Samples:
        return Samples(
            **self._read(f"games-{number}.npz", {"words": (np.uint64, 2), "targets": (np.float32, 1)})
        )

    def keep_layers(self, number: int, layers: Layers) -> None:
        write_arrays(self.path / f"layers-{number}.npz", {}, layers._asdict())

    def layers(self, number: int) -> Layers:
        return Layers(
            **self._read(
                f"layers-{number}.npz", {name: (np.float32, count) for name, count in _LAYERS.items()}
            )
        )

    def _read(self, name: str, kinds: dict[str, tuple[Any, int]]) -> dict[str, Any]:
        try:
            with zipfile.ZipFile(self.path / name) as archive:
                return {key: np.array(read_array(archive, key, *kind)) for key, kind in kinds.items()}
        except (OSError, *DAMAGE) as error:
            raise RunFolderError(
                f"{str(self.path / name)!r} is damaged: remove {str(self.path)!r} and leave out --resume"
            ) from error
