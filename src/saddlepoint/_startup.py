"""What a bot need not load before its first compiled call. It imports nothing, so that a bot can ask for it at once."""

_hurried = False


def hurry() -> None:
    """Let the first compiled call of this process load Numba without scipy.linalg, which takes a fifth of a second.

    For a program's own entry point alone, whose first answer somebody waits for: it reaches into Numba.
    """
    global _hurried  # noqa: PLW0603 (a process is asked once)
    _hurried = True


def is_hurried() -> bool:
    """Whether `hurry` was called."""
    return _hurried
