"""The picture of a fit: every figure of every generation is in it."""

import xml.etree.ElementTree as ElementTree
from typing import Any

from saddlepoint.learning.plot import figures

SVG = "{http://www.w3.org/2000/svg}"


def generation(number: int, nash_conv: float | None, kept: bool = True) -> dict[str, Any]:
    return {"number": number, "entropy": 0.6 - 0.01 * number, "held_out": 0.61, "score": 0.55, "nash_conv": nash_conv, "kept": kept}


def drawn(generations: list[dict[str, Any]]) -> Any:
    return ElementTree.fromstring("\n".join(figures("A fit of <Mine>", generations)))


def test_each_curve_has_a_point_a_generation() -> None:
    root = drawn([generation(number, 0.5 / number) for number in range(1, 8)])
    curves = [line.get("points", "").split() for line in root.iter(f"{SVG}polyline")]
    assert [len(points) for points in curves] == [7, 7, 7, 7]  # fitted, kept apart, score, NashConv
    assert root.findtext(f"{SVG}title") == "A fit of <Mine>"


def test_what_is_not_kept_is_an_empty_circle() -> None:
    root = drawn([generation(1, None), generation(2, None, kept=False), generation(3, None)])
    assert len([one for one in root.iter(f"{SVG}circle") if one.get("fill") == "white"]) == 1  # of the score


def test_what_is_not_told_has_no_panel_and_one_generation_is_enough() -> None:
    assert len(list(drawn([generation(1, None)]).iter(f"{SVG}polyline"))) == 3
    assert len(list(drawn([generation(1, 0.0)]).iter(f"{SVG}polyline"))) == 4


def test_less_is_lower() -> None:
    root = drawn([generation(1, 0.5), generation(2, 0.01)])
    heights = [float(point.split(",")[1]) for point in list(root.iter(f"{SVG}polyline"))[-1].get("points", "").split()]
    assert heights[0] < heights[1]  # SVG counts from the top
