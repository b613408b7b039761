"""How a player in a process of its own is kept within bounds."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Isolation:
    """What a player's process and all that it starts may take."""

    memory: int | None = None
    """Bytes resident in all its processes together; None: no limit."""
    patience: float = 120.0
    """Seconds for what no clock measures: to be ready for a game, and a move where the clock is endless."""

    def __post_init__(self) -> None:
        if self.memory is not None and self.memory < 1:
            raise ValueError(f"memory takes bytes above 0, not {self.memory}")
        if not self.patience > 0:
            raise ValueError(f"patience takes seconds above 0, not {self.patience}")
