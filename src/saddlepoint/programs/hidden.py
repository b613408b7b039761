"""What of the file system no program may see: what the arena writes, and what only other players' specs name."""

import os
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from ..spec import Spec, parse_spec
from .named import Named
from .python_file import words_of

Identity = tuple[int, int]
"""The device and the number of a file or folder: what stays the same under whatever name it is found."""

LEDGER_ENDS = ("", "-wal", "-shm", "-journal")
"""What the names of a ledger's files end with: SQLite writes the others beside it."""


@dataclass(frozen=True)
class Hidden:
    """What is kept from programs in namespaces, by absolute paths; what is there is known by its identity too."""

    written: tuple[str, ...] = ()
    """Files and folders that the arena writes. They need not be there yet."""
    named: tuple[str, ...] = ()
    """Files and folders that the players' specs name: a program sees those only that its own command names."""
    since: float = 0.0
    """When the run began, in seconds since 1970."""

    @classmethod
    def of(cls, written: Iterable[str | Path | None], players: Iterable[str] = (), ledger: str | Path | None = None) -> "Hidden":
        """What a run writes (None: nothing), with its ledger and what its own output is sent to, and what its players name."""
        books = [] if ledger is None else [f"{ledger}{end}" for end in LEDGER_ENDS]
        own = [os.path.abspath(path) for path in (*written, *books) if path is not None]
        named = (path for player in players for path in named_by_spec(player))
        return cls((*own, *_outputs()), tuple(dict.fromkeys(named)), time.time())


def named_by_spec(text: str) -> Iterator[str]:
    """The files and folders that a spec names, anywhere inside it, as absolute paths; nothing that links of its author lead to, who
    might hide from an opponent what belongs to that."""
    waiting = [parse_spec(text)]
    while waiting:
        for key, value in waiting.pop().options.items():
            if isinstance(value, Spec):
                waiting.append(value)
                if value.is_own:
                    yield from Named(["", value.name]).real
            elif isinstance(value, str) and key == "command":
                yield from Named(words_of(value)).real
                yield from Named(["", value]).real  # a Python file's name may have blanks
            elif isinstance(value, str) and key != "protocol":
                yield from Named(["", value]).real


def _outputs() -> Iterator[str]:
    """The files that this process's own output goes to, where it was sent to files."""
    for number in (1, 2):
        try:
            path = os.readlink(f"/proc/self/fd/{number}")
        except OSError:
            continue
        if os.path.isfile(path):
            yield path
