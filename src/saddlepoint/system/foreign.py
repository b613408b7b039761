"""What others wrote: files opened to be read, as text in each of its usual forms and no device, which may never end; and JSON.

Text is UTF-8, with a byte order mark or without one, or UTF-16 or UTF-32 with one, as programs on Windows write it; any of them may be
packed by gzip. JSON is decoded into declared types; whatever is wrong with it is one sentence with the field and its range.
"""

import ast
import codecs
import gzip
import io
import json
import os
import re
import stat
import zlib
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, BinaryIO, NoReturn, TextIO, TypeVar

import msgspec
from msgspec import Meta

_GZIP = b"\x1f\x8b"
_MARKS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
"""In this order: a mark of UTF-32 begins with one of UTF-16."""
_LOOKED_AT = 4096  # bytes at the beginning: no text has a zero there
LARGEST = 1 << 27
"""Characters of a text that is read at once, at most."""


class ForeignFileError(ValueError):
    """A file that is not read here; the message says why in one sentence, and `problem` without the file's name."""

    def __init__(self, name: str | Path, problem: str) -> None:
        super().__init__(f"{str(name)!r} {problem}")
        self.problem = problem


def path_of(text: str | Path) -> Path:
    """The path given in a spec, a command or an option.

    `~` at the beginning is a home folder, if that user exists.
    """
    return Path(os.path.expanduser(text))


def check_readable(path: str | Path) -> None:
    """Raise ForeignFileError for a device; OSError, as `open` does, for a folder and where there is nothing."""
    mode = os.stat(path).st_mode
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(21, os.strerror(21), str(path))
    if stat.S_ISBLK(mode) or (stat.S_ISCHR(mode) and not _is_terminal(path)):
        raise ForeignFileError(path, "is a device; expected a file")


def _is_terminal(path: str | Path) -> bool:
    """Whether it is the terminal of this process: what is typed ends."""
    try:
        return os.path.samefile(path, os.ttyname(0))
    except OSError:
        return False


@contextmanager
def opened_text(path: str | Path) -> Generator[TextIO]:
    """The text in a file, line ends as `\\n`; raises ForeignFileError, also while it is read, and OSError as `open` does."""
    check_readable(path)
    with open(path, "rb") as file, decoded(file, str(path)) as text:
        yield text


@contextmanager
def decoded(file: BinaryIO, name: str) -> Generator[TextIO]:
    """The text in a stream of bytes, which messages call by this name."""
    no_text = ForeignFileError(name, "is no text: expected UTF-8")
    try:
        bytes_ = io.BufferedReader(file) if not hasattr(file, "peek") else file  # type: ignore[arg-type]
        if bytes_.peek(len(_GZIP))[: len(_GZIP)] == _GZIP:  # type: ignore[attr-defined]
            bytes_ = io.BufferedReader(gzip.GzipFile(fileobj=bytes_))  # type: ignore[arg-type]
        first: bytes = bytes_.peek(_LOOKED_AT)  # type: ignore[attr-defined]
        encoding = next((name for mark, name in _MARKS.items() if first.startswith(mark)), None)
        if encoding is None and b"\0" in first:
            raise no_text
        text = io.TextIOWrapper(bytes_, encoding or "utf-8")  # type: ignore[arg-type]
        try:
            yield text
        finally:
            text.detach()  # whose stream it is, closes it
    except UnicodeDecodeError:
        raise no_text from None
    except (EOFError, zlib.error, gzip.BadGzipFile):
        raise ForeignFileError(name, "is packed by gzip, and damaged or cut off") from None


def read_text(path: str | Path, most: int = LARGEST) -> str:
    """The whole text of a file, at most `most` characters.

    Raises ForeignFileError, and OSError as `open` does.
    """
    with opened_text(path) as file:
        return _bounded(file, str(path), most)


def parsed(path: Path) -> ast.Module:
    """The syntax tree of a Python file; an empty one where it cannot be read or parsed."""
    try:
        return ast.parse(path.read_bytes())
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        return ast.Module([], [])


def text_of(content: BinaryIO, name: str, most: int = LARGEST) -> str:
    """The same of a stream of bytes."""
    with decoded(content, name) as file:
        return _bounded(file, name, most)


def _bounded(file: TextIO, name: str, most: int) -> str:
    text = file.read(most + 1)
    if len(text) > most:
        raise ForeignFileError(name, f"is longer than {most:,} characters")
    return text


Number = Annotated[float, Meta(ge=-1e15, le=1e15)]
"""A number of a file: finite, and not larger than any that is meant."""

T = TypeVar("T")
_WORDS = {
    "str": "a string",
    "int": "a whole number",
    "float": "a number",
    "array": "a list",
    "object": "an object",
    "bool": "true or false",
}


def json_object(text: bytes | str) -> dict[str, Any]:
    """The JSON object of a text; raises ValueError in a few words for any other text, and for numbers that are none."""
    try:
        data = json.loads(
            text.removeprefix("\ufeff") if isinstance(text, str) else text.decode("utf-8-sig"),
            parse_constant=_no_constant,
        )
    except (ValueError, RecursionError) as error:
        raise ValueError(f"no JSON: {str(error).splitlines()[0]}") from None
    if not isinstance(data, dict):
        raise ValueError("expected a JSON object")
    return data  # pyright: ignore[reportUnknownVariableType]


def _no_constant(text: str) -> NoReturn:
    raise ValueError(f"{text} is no number")


def converted(data: Any, kind: type[T], where: str = "", error: Callable[[str], Exception] = ValueError) -> T:
    """Plain data as a value of a declared type, like a msgspec.Struct; unknown fields are left out.

    Raises `error` for data that do not fit, in one sentence that begins with `where` and names the field.
    """
    try:
        return msgspec.convert(data, kind)
    except RecursionError:
        problem = "the object is nested too deep"
    except msgspec.ValidationError as found:
        problem = _sentence(str(found))
    raise error(f"{where}: {problem}" if where else problem)


def _sentence(error: str) -> str:
    """The message of a msgspec error, with the field first."""
    text, _, path = error.partition(" - at `$")
    field = path.rstrip("`").removeprefix(".")
    if missing := re.fullmatch(r"Object missing required field `(.*)`", text):
        return f"{missing[1]!r} is missing{f' in {field!r}' if field else ''}"
    text = re.sub(r"`([^`]*)`", _in_words, text).replace(", got", ", not")
    return f"{repr(field) if field else 'the object'} {text.replace('Expected', 'must be').replace('Invalid', 'has an invalid')}"


def _in_words(found: re.Match[str]) -> str:
    """The names of types, as people say them."""
    return " or ".join(_WORDS.get(kind, kind) for kind in found[1].split(" | "))
