"""How busy the machine is while games are played: others that want its cores take time from the players."""

import math
import os
import threading
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import psutil

from ..cluster.cores import usable_cores
from ..players.waiting import system_tells
from ..spec import SNAKE, parse_spec

_WINDOW = 1.0  # seconds at least between two readings: the system counts in hundredths
_STOLEN = 0.05  # the share of the cores' time that another virtual machine may take without a word


@dataclass(frozen=True)
class Load:
    """The machine's load around a game."""

    average: float
    """Processes that ran or wanted to, the mean of the last minute."""
    cores: int
    """Cores that the arena may use."""
    busy: float | None = None
    """The share of all cores' time that was used, in the last seconds; None where it is not known yet."""
    stolen: float | None = None
    """The share of it that went to other virtual machines."""

    def problem(self, wanted: int) -> str:
        """A sentence where there are fewer cores than games (of `wanted` threads) and others need; else an empty string."""
        if self.stolen is not None and self.stolen > _STOLEN:
            return f"other virtual machines take {100 * self.stolen:.0f} % of this machine's time"
        if self.average > max(self.cores, wanted) + 1 and (self.busy is None or self.busy > 0.95):
            return f"the load is {self.average:.1f} on {self.cores} core(s)"
        return ""

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return {"average": self.average, "cores": self.cores, "busy": self.busy, "stolen": self.stolen}

    @classmethod
    def from_json(cls, data: Any) -> "Load | None":
        """The load that plain data describe; None for anything else."""
        with suppress(KeyError, TypeError, ValueError, AttributeError):
            numbers = [data["average"], data["cores"], data.get("busy"), data.get("stolen")]
            if all(n is None or (isinstance(n, (int, float)) and math.isfinite(n)) for n in numbers):
                return cls(float(data["average"]), int(data["cores"]), data.get("busy"), data.get("stolen"))
        return None


def not_told(players: Iterable[str]) -> str:
    """A sentence where nobody tells how long some of these players wait for a core on a busy machine; else an empty string."""
    remote = [spec for spec in map(parse_spec, dict.fromkeys(players)) if spec.name == SNAKE and "url" in spec.options]
    if remote:
        names = " and ".join(map(str, remote))
        return f"nobody tells how long {names} waits for a core: its time on the wall counts, and a busy machine may make it late"
    if not system_tells():
        return "this system does not tell how long a player waits for a core: the processor time counts"
    return ""


class _Meter:
    """Reads the system's counters once a second at most: a game may take less than a millisecond."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._read_at = -math.inf
        self._times: Any = None
        self._load: Load | None = None

    def read(self) -> Load:
        with self._lock:
            now = time.monotonic()
            if self._load is None or now - self._read_at >= _WINDOW:
                times = psutil.cpu_times()
                busy, stolen = (None, None) if self._times is None else _shares(self._times, times)
                self._load = Load(round(os.getloadavg()[0], 2), usable_cores(), busy, stolen)
                self._read_at, self._times = now, times
            return self._load


_meter = _Meter()


def current_load() -> Load:
    """The machine's load now."""
    return _meter.read()


def _shares(before: Any, after: Any) -> tuple[float | None, float | None]:
    spent = {name: getattr(after, name) - getattr(before, name) for name in after._fields if not name.startswith("guest")}
    total = sum(spent.values())
    if total <= 0:
        return None, None
    idle = spent.get("idle", 0.0) + spent.get("iowait", 0.0)
    return round(1 - idle / total, 3), round(spent.get("steal", 0.0) / total, 3)
