"""Arrays that compiled code takes from a module or a class: part of the code, as every other constant.

Numba writes an array above a megabyte, and one that is not contiguous, into the code as its address in this process. Such code cannot be
kept on disk. Ours holds the numbers themselves; the digest of what it captured tells when they change.

Imported before something is compiled that is to be kept, and not sooner: it takes the rest of Numba.
"""

from typing import Any

import numba.np.arrayobj  # noqa: F401 # pyright: ignore[reportUnusedImport] (of two that say how, the later is heard)
import numpy as np
from numba import types
from numba.core.imputils import lower_constant

from .parts import OwnLibrary

_LARGEST = 64 * 2**20
"""Bytes. A larger table would make compiling take minutes; its code is compiled in every process."""


@lower_constant(types.Array)
def _constant_array(context: Any, builder: Any, kind: Any, array: Any) -> Any:
    if isinstance(context.active_code_library, OwnLibrary) and array.nbytes <= _LARGEST:
        whole = np.asarray(array, order="F" if kind.layout == "F" else "C")
        return context.subtarget(allow_dynamic_globals=False).make_constant_array(builder, kind, whole)
    return context.make_constant_array(builder, kind, array)
