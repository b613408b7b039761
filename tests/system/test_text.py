"""Text for people: numbers as they are meant."""

import pytest

from saddlepoint.system.text import error_line, value_text

pytestmark = pytest.mark.plain


@pytest.mark.parametrize(
    ("value", "form", "text"),
    [
        (-2.57606436e-17, "+.9g", "+0"),
        (-3.46944695e-18, ".12g", "0"),
        (2.08166817117e-17, ".12g", "0"),
        (-0.0, "+.2f", "+0.00"),
        (-0.004, "+.2f", "+0.00"),
        (-0.00004, "+.4f", "+0.0000"),
        (-0.0, "g", "0"),
        (-0.006, "+.2f", "-0.01"),
        (0.492781190839, "+.9g", "+0.492781191"),
        (-1e-8, "+.9g", "-1e-08"),
        (float("-inf"), "+.2f", "-inf"),
    ],
)
def test_a_value_that_is_0_has_no_minus_and_no_exponent(value: float, form: str, text: str) -> None:
    assert value_text(value, form) == text


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (ValueError("no\nmove"), "no"),
        (ValueError(), "ValueError"),
        (KeyError("a"), "'a'"),
        (OSError("\nx"), "OSError"),
    ],
)
def test_an_error_is_one_line_also_where_it_says_nothing(error: Exception, line: str) -> None:
    assert error_line(error) == line


def test_an_error_that_quotes_a_whole_file_is_cut() -> None:
    assert error_line(ValueError("x" * 5000)) == "x" * 1000 + "..."
