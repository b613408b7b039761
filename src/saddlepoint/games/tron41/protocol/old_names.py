"""Names that files written for Python 3.6 and NumPy 1 use, given back to them in the process of the bot file alone.

It needs nothing but the standard library, and loads NumPy only where the file does.
"""

import collections
import collections.abc
import fractions
import functools
import importlib.abc
import importlib.machinery
import math
import random
import sys
import time
from collections.abc import Sequence, Set
from types import ModuleType
from typing import Any

_NUMPY = {
    "Inf": "inf", "Infinity": "inf", "infty": "inf", "PINF": "inf", "NaN": "nan", "NAN": "nan", "float_": "float64",
    "complex_": "complex128", "unicode_": "str_", "string_": "bytes_", "product": "prod", "cumproduct": "cumprod",
    "alltrue": "all", "sometrue": "any", "row_stack": "vstack", "trapz": "trapezoid", "in1d": "isin",
    "round_": "round",
}  # fmt: skip
"""What NumPy 2 has under another name."""


def give_back() -> None:
    """Put the old names where files look for them."""
    for name in collections.abc.__all__:
        if not hasattr(collections, name):
            setattr(collections, name, getattr(collections.abc, name))
    for module, name, value in ((time, "clock", time.process_time), (fractions, "gcd", math.gcd)):
        if not hasattr(module, name):
            setattr(module, name, value)
    _sample_sets()
    sys.meta_path.insert(0, _NumpyFinder())


def _sample_sets() -> None:
    sample = random.Random.sample

    @functools.wraps(sample)
    def old_sample(self: random.Random, population: Any, k: int, **options: Any) -> list[Any]:
        return sample(self, tuple(population) if isinstance(population, Set) else population, k, **options)

    random.Random.sample = old_sample  # type: ignore[method-assign]
    random.sample = random._inst.sample  # type: ignore[attr-defined]


def _complete(numpy: ModuleType) -> None:
    names = {**_NUMPY, "NINF": -math.inf, "object": object, "int": int, "float": float, "str": str, "bool": bool, "complex": complex}
    for old, new in names.items():
        if old not in vars(numpy) and not (isinstance(new, str) and new not in vars(numpy)):
            setattr(numpy, old, vars(numpy)[new] if isinstance(new, str) else new)


class _NumpyFinder(importlib.abc.MetaPathFinder):
    """Steps in once, when NumPy is imported."""

    def find_spec(self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None) -> Any:
        """NumPy's own spec, with a loader that adds the old names in the end."""
        if fullname != "numpy":
            return None
        sys.meta_path.remove(self)
        spec = importlib.machinery.PathFinder.find_spec(fullname, path)
        if spec is None or spec.loader is None:
            return None
        loader: Any = spec.loader
        load = loader.exec_module

        def load_all(module: ModuleType) -> None:
            load(module)
            _complete(module)

        loader.exec_module = load_all
        return spec
