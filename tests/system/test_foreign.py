"""Files that others wrote: their text in every usual form, or a sentence that says what they are instead."""

import functools
import gzip
import io
import os
from pathlib import Path

import pytest

from saddlepoint.system.foreign import ForeignFileError, path_of, read_text, text_of

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
