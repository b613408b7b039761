"""Other libraries' interfaces, each in a file or a folder of its own, which alone loads its library; and batches of games as arrays."""

from importlib import import_module
from typing import Any

from ..system.lazy import attach
from ..system.terminal import how_to_install

__getattr__, __dir__ = attach(__name__, __file__)


def library(name: str, extra: str, module: str = "") -> Any:
    """The module of that name; raises ImportError, in one sentence with the way out, where the extra's library is not installed.

    A library that is installed and lacks something of its own raises what it raises. `module` is the one of this package that asks; by
    default it is called as the extra is. It is untyped: where a type checker runs, the library need not be installed.
    """
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name.partition(".")[0]:
            raise
        raise ImportError(
            f"saddlepoint.interop.{module or extra} needs the package {extra}: {how_to_install(extra)}"
        ) from None
