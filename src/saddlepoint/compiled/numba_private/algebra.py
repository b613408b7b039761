"""Loading Numba without scipy.linalg, for a bot in a hurry."""

import importlib
import importlib.util
import sys
import threading
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

from ..._startup import is_hurried
from .borrowings import ALGEBRA

_LEFT_OUT = "scipy.linalg"
_IMPORTER = "numba.np.arraymath"


def load_numba() -> None:
    """Load the rest of Numba; where a bot is in a hurry without scipy.linalg.

    Numba imports it only to learn whether it is there. That much is told without it; a function that needs linear
    algebra still imports it when it is compiled. Other threads may import it meanwhile.
    """
    if not is_hurried() or _LEFT_OUT in sys.modules or _IMPORTER in sys.modules or not ALGEBRA.is_used:
        return
    if importlib.util.find_spec("scipy") is None:
        return
    refusal: Any = _Refusal()
    sys.meta_path.insert(0, refusal)
    try:
        arraymath: Any = importlib.import_module(_IMPORTER)
    finally:
        sys.meta_path.remove(refusal)
    arraymath._HAVE_BLAS = True


class _Refusal:
    """Says that scipy.linalg is not there, to the thread that made it alone."""

    def __init__(self) -> None:
        self._thread = threading.get_ident()

    def find_spec(self, name: str, path: object, target: ModuleType | None = None) -> ModuleSpec | None:
        if name == _LEFT_OUT and threading.get_ident() == self._thread:
            raise ImportError(f"{name} is loaded when it is needed")
        return None
