"""What clients send is checked before anything else sees it."""

import json

import pytest
from hypothesis import given, strategies as st

from saddlepoint.web import limits
from saddlepoint.web.bodies import BodyFields, parsed
from saddlepoint.web.errors import Refused
from web_client import client


@pytest.mark.parametrize("text", ["", "{", "[]", "3", '"x"', "null", "{]", '{"a": NaN}', '{"a": Infinity}', "\udcff",
    "[" * 30_000, '{"a":' * 5000])
def test_what_is_no_object(text):
    with pytest.raises(Refused):
        parsed(text.encode("utf-8", "surrogateescape"))


def test_deep_nesting():
    assert parsed(json.dumps({"a": [[1, 2]]}))
    with pytest.raises(Refused, match="nested"):
        parsed('{"a": ' + "[" * 20 + "]" * 20 + "}")


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4), max_leaves=10,
)  # fmt: skip


@given(json_values)
def test_fields_are_of_their_kind_or_refused(value):
    fields = BodyFields({"it": value})
    for take, kind in (
        (lambda: fields.text("it", 10), str), (lambda: fields.integer("it", -5, 5), int), (lambda: fields.number("it", -5, 5),
        (int, float)),
        (lambda: fields.items("it", 3), list), (lambda: fields.flag("it"), bool),
    ):  # fmt: skip
        try:
            taken = take()
        except Refused:
            continue
        assert isinstance(taken, kind) and (kind is bool or not isinstance(taken, bool))


def test_a_range_is_told():
    with pytest.raises(Refused, match="'it' must be 1 to 3"):
        BodyFields({"it": 10**30}).integer("it", 1, 3)


def test_other_kinds_of_content():
    with client() as asked:
        response = asked.http.post("/api/new", content=b'{"game": "goofspiel"}', headers={"content-type": "text/plain"})
        assert "application/json" in asked.sentence(response, 415)


def test_a_body_that_is_too_long():
    with client() as asked:
        headers = {"content-type": "application/json"}
        asked.sentence(asked.http.post("/api/new", content=b" " * (limits.MESSAGE + 1), headers=headers), 413)
        pieces = (b" " * 10_000 for _ in range(10))  # without a length
        asked.sentence(asked.http.post("/api/new", content=pieces, headers=headers), 413)
        said = asked.sentence(asked.http.post("/api/replay", content=b" " * (limits.UPLOAD + 1)), 413)
        assert said == "a file dropped on the page has 4 MB at most: `saddlepoint serve FILE` shows a longer one"


def test_a_method_that_is_not_there():
    with client() as asked:
        asked.sentence(asked.http.get("/api/new"), 405)
        asked.sentence(asked.http.delete("/api/catalogue"), 405)
        asked.sentence(asked.http.get("/api/other"), 404)
