"""The cores of this machine. Nothing is loaded for it: whoever waits for a program asks too."""

import os


def usable_cores() -> int:
    """The cores this process may run on."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
