"""What clients send is checked before anything else sees it."""

import json

import pytest
from hypothesis import given, strategies as st

from saddlepoint.web import limits
from saddlepoint.web.limits import Refused
from saddlepoint.web.messages import (
    AskedAnswer,
    Branches,
    NewGame,
    PlayedGame,
    Positions,
    PositionText,
    Reference,
    read,
)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "3",
        '"x"',
        "null",
        "{]",
        '{"a": NaN}',
        '{"a": Infinity}',
        "\udcff",
        "[" * 30_000,
        '{"a":' * 5000,
        '{"game": ' + "[" * 20 + "]" * 20 + "}",
    ],
)
def test_what_is_no_message(text):
    with pytest.raises(Refused) as refused:
        read(text.encode("utf-8", "surrogateescape"), Reference)
    assert "\n" not in refused.value.sentence


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=10,
)


@pytest.mark.parametrize(
    "kind", [Reference, NewGame, PositionText, Positions, Branches, AskedAnswer, PlayedGame]
)
@given(data=st.data())
def test_each_field_is_of_its_kind_or_the_sentence_names_it(kind, data):
    name = data.draw(st.sampled_from(kind.__struct_encode_fields__))
    value = data.draw(json_values)
    whole = {"game": "goofspiel", "text": "", "player": 0, "branches": []} | {name: value}
    try:
        message = read(json.dumps(whole), kind)
    except Refused as refused:
        assert f"'{name}" in refused.sentence
        return
    taken = getattr(message, kind.__struct_fields__[kind.__struct_encode_fields__.index(name)])
    if value is not None:
        assert json.loads(json.dumps(taken)) == value and isinstance(taken, bool) == isinstance(value, bool)


def test_null_is_as_good_as_missing():
    assert read(b'{"game": "goofspiel", "moves": null, "start": null}', Reference) == Reference("goofspiel")


def test_a_range_is_told():
    with pytest.raises(Refused, match="'seconds' must be a number <= 10"):
        read(b'{"game": "goofspiel", "player": 0, "seconds": 1e9}', AskedAnswer)
    with pytest.raises(Refused, match=r"'moves\[1\]\[0\]' must be a whole number >= -1"):
        read(b'{"game": "goofspiel", "moves": [[0, 0], [-2, 0]]}', Reference)


JSON = {"content-type": "application/json"}
TOO_LONG = "a file dropped on the page has 4 MB at most: `saddlepoint serve FILE` shows a longer one"


@pytest.mark.parametrize(
    ("method", "path", "content", "headers", "status", "said"),
    [
        (
            "POST",
            "/api/new",
            b'{"game": "goofspiel"}',
            {"content-type": "text/plain"},
            415,
            "application/json",
        ),
        ("POST", "/api/new", b" " * (limits.MESSAGE + 1), JSON, 413, ""),
        ("POST", "/api/new", (b" " * 10_000 for _ in range(10)), JSON, 413, ""),  # without a length
        ("POST", "/api/replay", b" " * (limits.UPLOAD + 1), {}, 413, TOO_LONG),
        ("GET", "/api/new", None, {}, 405, ""),
        ("DELETE", "/api/catalogue", None, {}, 405, ""),
        ("GET", "/api/other", None, {}, 404, ""),
    ],
)
def test_other_kinds_of_requests_are_refused(asked, method, path, content, headers, status, said):
    assert said in asked.sentence(asked.http.request(method, path, content=content, headers=headers), status)
