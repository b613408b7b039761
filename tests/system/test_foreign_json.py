"""JSON that others wrote."""

from typing import Annotated

import msgspec
import pytest

from saddlepoint.system.foreign import Number, converted, json_object


@pytest.mark.parametrize(
    "text", ["", "{", "[1]", "null", '{"a": NaN}', '{"a": -Infinity}', b"\xff", "[" * 100_000]
)
def test_what_is_no_object_is_refused_in_one_line(text):
    with pytest.raises(ValueError, match=r"^(no JSON: .+|expected a JSON object)$"):
        json_object(text)


class Inner(msgspec.Struct):
    word: Annotated[str, msgspec.Meta(max_length=2)]


class Outer(msgspec.Struct):
    count: Annotated[int, msgspec.Meta(ge=0, le=9)]
    share: Number | None = None
    both: tuple[str, str] = ("", "")
    inner: list[Inner] = []


def test_what_fits_is_a_value_of_the_type_and_other_fields_are_left_out():
    assert converted({"count": 3, "share": 1, "inner": [{"word": "ab"}], "more": 4}, Outer) == Outer(
        3, 1.0, inner=[Inner("ab")]
    )


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"count": True}, "there: 'count' must be a whole number, not true or false"),
        ({"count": 10**30}, "there: 'count' must be a whole number <= 9"),
        ({"count": None}, "there: 'count' must be a whole number, not null"),
        ({"share": 1e300}, "there: 'share' must be a number <= 1000000000000000.0"),
        ({"share": float("inf")}, "there: 'share' must be a number <= 1000000000000000.0"),
        ({"share": "abc"}, "there: 'share' must be a number or null, not a string"),
        ({"both": ["a"]}, "there: 'both' must be a list of length 2, not 1"),
        ({"both": ["a", 3]}, "there: 'both[1]' must be a string, not a whole number"),
        ({"inner": {}}, "there: 'inner' must be a list, not an object"),
        (
            {"inner": [{"word": "ab"}, {"word": "abc"}]},
            "there: 'inner[1].word' must be a string of length <= 2",
        ),
        ({"inner": [{}]}, "there: 'word' is missing in 'inner[0]'"),
    ],
)
def test_what_is_wrong_with_a_field_is_one_sentence_with_its_range(fields, sentence):
    with pytest.raises(KeyError) as caught:
        converted({"count": 1} | fields, Outer, "there", KeyError)
    assert caught.value.args == (sentence,)


def test_a_field_that_is_missing():
    with pytest.raises(ValueError, match="^'count' is missing$"):
        converted({}, Outer)
