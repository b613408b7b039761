"""Files that others wrote: their text in every usual form, or a sentence that says what they are instead; JSON into structs."""

import functools
import gzip
import io
import os
from pathlib import Path
from typing import Annotated

import msgspec
import pytest

from saddlepoint.system.foreign import (
    ForeignFileError,
    Number,
    converted,
    json_object,
    path_of,
    read_text,
    text_of,
)

TEXT = 'a line\n{"é": "↑"}\n'
packed = functools.partial(
    gzip.compress, mtime=0
)  # the time of day in a test's name would be another one in each worker


@pytest.mark.parametrize(
    "content",
    [
        TEXT.encode(),
        TEXT.encode("utf-8-sig"),
        TEXT.encode("utf-16"),
        b"\xfe\xff" + TEXT.encode("utf-16-be"),
        TEXT.encode("utf-32"),
        packed(TEXT.encode()),
        packed(TEXT.encode("utf-16")),
        TEXT.replace("\n", "\r\n").encode(),
    ],
)
def test_text_is_read_in_every_usual_form(content: bytes, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(content)
    assert read_text(file) == TEXT
    assert text_of(io.BytesIO(content), "it") == TEXT


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"\xff", "is no text: expected UTF-8"),
        (TEXT.encode("utf-16-le"), "is no text: expected UTF-8"),  # without a mark nobody knows that it is
        (b"\x89PNG\r\n\x1a\n\0\0", "is no text: expected UTF-8"),
        (b"x" * 10_000 + b"\xff", "is no text: expected UTF-8"),
        (packed(TEXT.encode())[:-9], "is packed by gzip, and damaged or cut off"),
        (b"\x1f\x8bnonsense", "is packed by gzip, and damaged or cut off"),
        (packed(b"\0" * 1000 + b"x"), "is no text: expected UTF-8"),
        (b"x" * 20_001, "is longer than 20,000 characters"),
        (packed(b"x" * 20_001), "is longer than 20,000 characters"),
    ],
)
def test_what_is_no_text_is_told_in_a_sentence(content: bytes, message: str, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(content)
    with pytest.raises(ForeignFileError, match=f"^'{file}' {message}$"):
        read_text(file, 20_000)
    with pytest.raises(ForeignFileError, match=f"^'it' {message}$"):
        text_of(io.BytesIO(content), "it", 20_000)


def test_a_device_is_no_file_whatever_it_is_called(tmp_path: Path) -> None:
    link = tmp_path / "endless"
    link.symlink_to("/dev/zero")
    with pytest.raises(ForeignFileError, match="is a device; expected a file"):
        read_text(link)


def test_folders_and_files_that_are_missing_are_what_open_says(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError):
        read_text(tmp_path)
    with pytest.raises(FileNotFoundError):
        read_text(tmp_path / "missing")


def test_a_pipe_is_read_as_a_file() -> None:
    reading, writing = os.pipe()
    os.write(writing, TEXT.encode("utf-8-sig"))
    os.close(writing)
    assert read_text(f"/dev/fd/{reading}") == TEXT
    os.close(reading)


def test_a_path_is_one_whatever_is_in_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/me")
    assert path_of("~/a b(1).py") == Path("/home/me/a b(1).py")
    assert path_of("~no such person/x.py") == Path("~no such person/x.py")


# -- JSON ----------------------------------------------------------------------------------------------------------------


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
