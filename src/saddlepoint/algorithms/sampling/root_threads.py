"""Several trees of one position at once, each in a thread of its own, whose roots are added up ("root parallelisation")."""

import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from ...boards.limits import DEAF, note_sleep, share_deadline
from ...compiled import python_monotonic_ns
from ..table import COUNTERS

_LOOK = 0.002
"""Seconds between two looks at whether somebody has stopped the search, while its own thread waits for the others."""
_LEAST = 1000
"""Nodes that are worth a further thread: a thread counts one or two beyond its share."""


def prepare(others: list[Any], ws: Any) -> None:
    """Let the other threads' workspaces begin as this one does, with nothing counted; in a new search each with a seed of its own."""
    for number, other in enumerate(others, 1):
        if ws["is_new"]:
            other["is_new"] = 1
            other["seed"] = np.random.SeedSequence([int(ws["seed"]), number]).generate_state(1, np.uint64)[0]
        for name in ("identity", "low", "high", "root_step"):
            other[name] = ws[name]
        for name in (*COUNTERS, "stop"):
            other[name] = 0
        other["listen"] = DEAF
    share_deadline(ws, others)


def run_together(
    grow: Callable[[int], None], workspaces: list[Any], is_used_up: Callable[[Any], bool]
) -> bool:
    """Call `grow` for every workspace at once, for 0 in this thread.

    Returns whether 0 has used up its limits.

    What is left of the limit of nodes is shared out, so that each comes to its own end, and the same seed to the same trees; where little
    is left, among fewer threads. What the others count is added to the first. Whoever stops the first stops all, and so does an error of
    the first; an error of another is raised when all have come to their end.
    """
    ws, *others = workspaces
    limit, before = int(ws["node_limit"]), int(ws["nodes"])
    left = max(limit - before, 0)
    others = others[: max(left // _LEAST - 1, 0)]
    share = left // (1 + len(others))
    ws["node_limit"] = before + share
    for other in others:
        other["node_limit"] = share
    errors: list[BaseException] = []

    def guarded(thread: int) -> None:
        try:
            grow(thread)
        except BaseException as error:
            errors.append(error)

    # Nobody waits for them where the program ends.
    threads = [
        threading.Thread(target=guarded, args=(number,), daemon=True) for number in range(1, 1 + len(others))
    ]
    stopped = True  # by an error or Ctrl-C, unless what follows comes to its end
    try:
        for thread in threads:
            thread.start()
        grow(0)
        # The first thread's limits stop it alone: from here on its `stop` is what somebody else says. Who said so in this very moment is
        # not heard; the others then end at their own limits.
        limited = bool(ws["stop"]) and is_used_up(ws)
        if limited:
            ws["stop"] = 0
        asleep = python_monotonic_ns()
        while any(thread.is_alive() for thread in threads) and not ws["stop"]:
            time.sleep(_LOOK)
        note_sleep(ws, asleep)
        stopped = bool(ws["stop"])
        ws["stop"] |= limited
    finally:
        for other in others:
            other["stop"] |= stopped
        for thread in threads:
            if thread.ident is not None:
                thread.join()
        used_up = is_used_up(ws)
        ws["node_limit"] = limit
    if errors:
        raise errors[0]
    for name in COUNTERS:
        ws[name] += sum(int(other[name]) for other in others)
    return used_up
