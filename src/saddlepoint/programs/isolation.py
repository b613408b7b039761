"""How a player in a process of its own is kept within bounds."""

import os
import shlex
from dataclasses import dataclass

from .hidden import Hidden

MODES = ("auto", "namespaces", "supervisor")


@dataclass(frozen=True)
class Isolation:
    """What a player's process and all that it starts may take, and what they see; docs/isolation.md says more."""

    memory: int | None = None
    """Bytes resident in all its processes together; None: no limit."""
    patience: float = 120.0
    """Seconds for what no clock measures: to be ready for a game, and a move where the clock is endless."""
    mode: str = "auto"
    """`namespaces`: sees only its own files and processes, without a network. `supervisor`: only ended with all that it
    started. `auto`: namespaces where the system allows them, else a supervisor."""
    programs_only: bool = False
    """Whether players of this library stay in the arena's own process."""
    sandbox: str = ""
    """A command that is put before the program's own words; with it `auto` is a supervisor."""
    shown: tuple[str, ...] = ()
    """Files and folders that programs in namespaces may read besides what is theirs."""
    hidden: Hidden = Hidden()
    """What programs in namespaces do not see, although it lies in their folders."""

    def __post_init__(self) -> None:
        if self.memory is not None and self.memory < 1:
            raise ValueError(f"memory takes bytes above 0, not {self.memory}")
        if not self.patience > 0:
            raise ValueError(f"patience takes seconds above 0, not {self.patience}")
        if self.mode not in MODES:
            raise ValueError(f"isolation is {', '.join(MODES)}, not {self.mode!r}")
        for path in self.shown:
            if not os.path.exists(path):
                raise ValueError(f"there is no file or folder {path} to show to programs")
        try:
            shlex.split(self.sandbox)
        except ValueError as error:
            raise ValueError(f"the sandbox {self.sandbox!r} is no command: {error}") from error
