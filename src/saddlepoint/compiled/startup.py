"""What a process need not load before its first compiled call."""

import importlib
import importlib.util
import sys


def load_numba() -> None:
    """Load the rest of Numba without scipy.linalg, which takes a fifth of a second.

    Numba imports it only to learn whether it is there. That much is told without it; a function that needs linear
    algebra still imports it when it is compiled.
    """
    name = "scipy.linalg"
    if name in sys.modules or "numba.np.arraymath" in sys.modules or importlib.util.find_spec("scipy") is None:
        return
    sys.modules[name] = None  # pyright: ignore[reportArgumentType] (an import of it now fails at once)
    try:
        arraymath = importlib.import_module("numba.np.arraymath")
    finally:
        del sys.modules[name]
    if hasattr(arraymath, "_HAVE_BLAS"):
        setattr(arraymath, "_HAVE_BLAS", True)  # noqa: B010
