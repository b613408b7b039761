"""From the Python that a game's texts and pictures are written in to JavaScript: from live objects and the sources of their functions.

What a game's own texts are translated with (`program.py`) knows the game beforehand. Python that is the same for every game is handed one,
and asks it as an object: so one script serves all games.
"""

from collections.abc import Collection, Sequence
from types import FunctionType
from typing import Any

from .known import native
from .program import Program, translated

__all__ = ["translated", "translated_functions"]


def translated_functions(
    name: str,
    functions: dict[str, FunctionType],
    given: Sequence[tuple[Any, str]],
    attributes: Collection[str],
) -> str:
    """A script that defines `name(given)`, to stand after python.js: it gives the functions, by their names in JavaScript.

    `given` are the objects of Python that are not translated: the script is handed what stands for each, by these names. `attributes` are
    those of what is handed in when it runs, such as a game. Raises ExportError in one sentence.
    """
    return _Shared(given, attributes).script(name, functions)


class _Shared(Program):
    def __init__(self, given: Sequence[tuple[Any, str]], attributes: Collection[str]) -> None:
        super().__init__(_NoGame())  # pyright: ignore[reportArgumentType]
        self._given = {id(one): name for one, name in given}
        self._known_attributes = frozenset(attributes)

    def script(self, name: str, functions: dict[str, FunctionType]) -> str:
        roots = self.reached(functions)
        lines = [
            f"function {name}(given) {{",
            "const $ = { ...python, ...given };",
            *self.parts(),
            f"return {roots};",
            "}",
        ]
        return self.finished(lines)

    def native(self, value: Any) -> str | None:
        return self._given.get(id(value)) or native(value)

    def is_known(self, name: str) -> bool:
        return name in self._known_attributes

    def is_game(self, cls: Any) -> bool:
        return False

    def is_kernel(self, name: str) -> bool:
        return False


class _NoGame:
    """In the place of the game that other scripts are made for."""
