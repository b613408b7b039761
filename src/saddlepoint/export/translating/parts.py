"""What the parts of the translator ask of each other."""

import ast
from collections.abc import Iterator
from types import FunctionType
from typing import Any, Protocol

from ...game import Game
from .scope import Source
from .static import Known


class Reached(Protocol):
    """All that was reached so far: where a translation asks for objects, and says what it reads of those that it does not know."""

    game: Game
    assigned: set[str]
    """The attributes that are assigned to."""

    def reference(self, value: Any, source: Source, node: Any, called: bool = False) -> str:
        """A live object, as an expression."""
        ...

    def data(self, value: Any, source: Source | None = None, node: Any = None) -> str:
        """Plain data as an expression."""
        ...

    def class_(self, cls: type, source: Source | None = None, node: Any = None, called: bool = True) -> str:
        """A class, by its name."""
        ...

    def reach(self, name: str) -> None:
        """An attribute of that name is asked of some object."""
        ...

    def ask(self, name: str, source: Source, node: Any, called: bool = False) -> None:
        """An attribute of an object that is not known before is read, or called: some class must have it in the end."""
        ...

    def read(self, name: str) -> str:
        """The name under which an attribute is read."""
        ...

    def inherited(self, cls: type, base: type, name: str, method: FunctionType) -> str:
        """The method of a base class under a name of its own."""
        ...

    def methods_called(self, name: str) -> Iterator[FunctionType]:
        """Methods of that name, of the classes that are known."""
        ...

    def native(self, value: Any) -> str | None:
        """The name of what stands for an object when it runs."""
        ...

    def is_game(self, cls: Any) -> bool:
        """Whether a class is one that the game is an object of."""
        ...

    def is_rule(self, name: str) -> bool:
        """Whether the host answers it."""
        ...

    def is_kernel(self, name: str) -> bool:
        """Whether the game compiles a method of that name, and Python calls it directly."""
        ...

    def kernel(self, name: str) -> Any:
        """A compiled method."""
        ...

    def needs_face(self, value: Any) -> bool:
        """Whether Python hands a function's arguments over as machine words."""
        ...


class Place(Protocol):
    """The function whose expressions are being translated."""

    program: Reached
    source: Source
    owner: type | None
    kernel: bool
    own: str | None
    own_text: str
    inner: dict[str, list[str]]

    def expr(self, node: ast.expr) -> str:
        """An expression."""
        ...

    def items(self, nodes: list[ast.expr]) -> str:
        """Expressions one after the other, some of them with a star."""
        ...

    def static(self, node: ast.expr) -> Known | None:
        """The live object that an expression stands for, where that is known."""
        ...

    def is_local(self, name: str) -> bool:
        """Whether a name is a variable of the function."""
        ...
