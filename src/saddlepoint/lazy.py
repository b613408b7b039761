"""Packages whose names are loaded when they are first used."""

import sys
from collections.abc import Mapping
from importlib import import_module
from typing import Any


def load(package: str, homes: Mapping[str, str], name: str) -> Any:
    """The attribute `name` of a package, from the submodule that `homes` names; kept, so that it is asked for once.

    Raises AttributeError for a name without a home.
    """
    if name not in homes:
        raise AttributeError(f"module {package!r} has no attribute {name!r}")
    value = getattr(import_module(f".{homes[name]}", package), name)
    setattr(sys.modules[package], name, value)
    return value
