"""Numbers and texts as JavaScript writes them."""

import json
import math
from typing import Any

import numpy as np


def quoted(text: str) -> str:
    """A text in quotes, in ASCII."""
    return json.dumps(text)


def literal(value: Any) -> str:
    """A number, a text, None: in the form in which host/python.js computes with it."""
    if value is None:
        return "null"
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if type(value) is np.uint64:
        return f"$.word({int(value)}n)"
    if isinstance(value, (int, np.integer)):
        return f"{int(value)}n" if value >= 0 else f"(-{-int(value)}n)"
    if isinstance(value, (float, np.floating)):
        return _float(float(value))
    if isinstance(value, str):
        return quoted(value)
    raise TypeError(f"{type(value).__name__} is no plain value")


def _float(value: float) -> str:
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Infinity" if value > 0 else "(-Infinity)"
    text = repr(value).removesuffix(".0")
    return f"({text})" if value < 0 or text.startswith("-") else text
