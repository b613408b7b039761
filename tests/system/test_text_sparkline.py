"""Numbers as bars in one line."""

from hypothesis import given, strategies as some

from saddlepoint.cli.fit import curves
from saddlepoint.system.text import sparkline


def test_the_least_is_the_lowest_bar_and_the_greatest_the_highest() -> None:
    assert sparkline([3.0, 1.0, 2.0]) == "█▁▅"
    assert sparkline([7.0, 7.0]) == "▅▅"


@given(some.lists(some.floats(-1e6, 1e6), min_size=1, max_size=30))
def test_there_is_a_bar_for_each_number_and_a_greater_one_is_not_lower(values: list[float]) -> None:
    bars = sparkline(values)
    assert len(bars) == len(values)
    ordered = [bar for _, bar in sorted(zip(values, bars, strict=True))]
    assert ordered == sorted(ordered)


def test_a_fit_shows_the_figures_that_it_has_two_of() -> None:
    generations = [
        {"held_out": entropy, "score": 0.5, "nash_conv": distance}
        for entropy, distance in ((0.6, None), (0.5, None), (0.4, 0.1))
    ]
    lines = list(curves(generations))
    assert [line.split()[-1] for line in lines] == ["0.4", "0.5"]
    assert "0.6 █▅▁ 0.4" in lines[0]
    assert list(curves(generations[:1])) == []
