"""JSON that others wrote."""

import pytest

from saddlepoint.json_fields import Fields, json_object


@pytest.mark.parametrize("text", ["", "{", "[1]", "null", '{"a": NaN}', '{"a": -Infinity}', b"\xff", "[" * 100_000])
def test_what_is_no_object_is_refused_in_one_line(text):
    with pytest.raises(ValueError, match=r"^(no JSON: .+|expected a JSON object)$"):
        json_object(text)


def test_a_field_may_be_missing_or_null_where_there_is_a_default():
    fields = Fields(json_object('{"a": null, "b": 3}'))
    assert [fields.take(name, int, default=7) for name in "abc"] == [7, 3, 7]
    assert fields.pair("c", str, default=("x", "y")) == ("x", "y")
    assert fields.take("a", int, type(None)) is None


@pytest.mark.parametrize(
    ("ask", "told"),
    [
        (lambda f: f.take("none", str), "there: 'none' is missing"),
        (lambda f: f.take("flag", int), "there: 'flag' must be a whole number, not true"),
        (lambda f: f.take("large", int), "there: 'large' is too large"),
        (lambda f: f.integer("large", 0, 9), "there: 'large' must be 0 to 9, not 10000000"),
        (lambda f: f.number("word", 0, 9), "there: 'word' must be a whole number or a number, not \"abc\""),
        (lambda f: f.text("word", 2), "there: 'word' is longer than 2 characters"),
        (lambda f: f.items("list", 2), "there: 'list' has more than 2 entries"),
        (lambda f: f.pair("list", str), "there: 'list' must have one entry for each player"),
        (lambda f: f.pair("two", str, most=2), "there: 'two' is longer than 2 characters"),
        (lambda f: f.flag("word"), "there: 'word' must be true or false, not \"abc\""),
    ],
)
def test_what_is_wrong_with_a_field_is_told(ask, told):
    data = {"flag": True, "large": 10**30, "word": "abc", "list": [1, 2, 3], "two": ["a", "abc"]}
    with pytest.raises(ValueError) as caught:
        ask(Fields(data, "there"))
    assert str(caught.value).startswith(told)
