"""What a bot need not load before its first compiled call. It imports nothing, so that a bot can ask for it at once."""

import importlib.util
import sys
import threading
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

_LEFT_OUT = "scipy.linalg"
_asked = False


def hurry() -> None:
    """Let the first compiled call of this process load Numba without scipy.linalg.

    For a program's own entry point alone, whose first answer somebody waits for: it reaches into Numba.
    """
    global _asked  # noqa: PLW0603 (a process is asked once)
    _asked = True


def load_numba() -> None:
    """Load the rest of Numba; where `hurry` was called without scipy.linalg, which takes a fifth of a second.

    Numba imports it only to learn whether it is there. That much is told without it; a function that needs linear
    algebra still imports it when it is compiled. Other threads may import it meanwhile.
    """
    if not _asked or _LEFT_OUT in sys.modules or "numba.np.arraymath" in sys.modules:
        return
    if importlib.util.find_spec("scipy") is None:
        return
    refusal: Any = _Refusal()
    sys.meta_path.insert(0, refusal)
    try:
        arraymath = importlib.import_module("numba.np.arraymath")
    finally:
        sys.meta_path.remove(refusal)
    if hasattr(arraymath, "_HAVE_BLAS"):
        setattr(arraymath, "_HAVE_BLAS", True)  # noqa: B010


class _Refusal:
    """Says that scipy.linalg is not there, to the thread that made it alone."""

    def __init__(self) -> None:
        self._thread = threading.get_ident()

    def find_spec(self, name: str, path: object, target: ModuleType | None = None) -> ModuleSpec | None:
        if name == _LEFT_OUT and threading.get_ident() == self._thread:
            raise ImportError(f"{name} is loaded when it is needed")
        return None
