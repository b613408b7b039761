"""What pictures in SVG have in common."""

from collections.abc import Iterable
from html import escape

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#8c564b")
"""Of curves: colours that are different for colour-blind readers too (Okabe and Ito)."""


def text(x: float, y: float, words: str, anchor: str = "start", size: int = 12, colour: str = "#222") -> str:
    """Words at a place; `anchor` is `start`, `middle` or `end`."""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}" fill="{colour}">{escape(words)}</text>'


def polyline(points: Iterable[tuple[float, float]], colour: str) -> str:
    """A curve through points."""
    return f'<polyline points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in points)}" fill="none" stroke="{colour}" stroke-width="2"/>'


def picture(width: int, height: int, title: str, parts: Iterable[str]) -> list[str]:
    """The lines of a whole picture on white."""
    return [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">',
        f"<title>{escape(title)}</title>", f'<rect width="{width}" height="{height}" fill="white"/>', *parts, "</svg>",
    ]  # fmt: skip
