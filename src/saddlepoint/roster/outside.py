"""What a spec reaches beyond this library: programs that it starts, files that it reads, addresses that it asks."""

import re

from ..spec import COMMAND, SNAKE, Spec, Value
from .catalogue import entries_of

_WORD = re.compile(r"[A-Za-z0-9_]*")


def reaches_outside(spec: Spec) -> bool:
    """Whether a player of this spec starts a program, reads a file or asks a server, by anything inside it at any depth.

    Text that is more than a word counts as such whatever it is called: the library's own options take words.
    """
    if spec.name in (COMMAND, SNAKE) or spec.is_own:
        return True
    declared = {name for entry in entries_of(spec.name) for name in entry.files}
    return any((key in declared and bool(value)) or _value_reaches(value) for key, value in spec.options.items())


def _value_reaches(value: Value) -> bool:
    if isinstance(value, Spec):
        return reaches_outside(value)
    return isinstance(value, str) and _WORD.fullmatch(value) is None
