"""How much of a test to do: all of it compiled, a small part where everything runs as plain Python."""

from saddlepoint.compiled import PLAIN_PYTHON


def scaled(number: int, least: int = 12) -> int:
    """A number of examples, or a fortieth of it (and not less than `least`) without compilation."""
    return max(min(number, least), number // 40) if PLAIN_PYTHON else number
