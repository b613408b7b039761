"""Arrays and text in a zip without compression. A file may be anybody's: every size is compared before memory is taken."""

import json
import math
import os
import struct
import tokenize
import zipfile
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from .files import whole_file
from .foreign import ForeignFileError, check_readable

LARGEST_TEXT = 1 << 26
"""Bytes of a text, at most."""
CHUNK = 1 << 20
"""Items, or rows, that are read at a time."""
_MAPPED = 1 << 20
"""Bytes from which on an array is mapped; smaller ones are read, and their checksums compared."""
_LOCAL = struct.Struct("<26xHH")
"""What stands before a member of an archive: 26 bytes in, how long its name and what follows the name are."""
DAMAGE = (
    ValueError, KeyError, TypeError, AttributeError, OverflowError, EOFError, RecursionError, NotImplementedError, RuntimeError,
    SyntaxError, MemoryError, tokenize.TokenError, zipfile.BadZipFile,
)  # fmt: skip
"""The errors of reading a damaged or foreign file, besides OSError for one that cannot be read at all."""


@contextmanager
def reading(
    path: str | Path,
    error: type[ValueError],
    damaged: str,
    known: tuple[type[Exception], ...] = (),
    more: tuple[type[Exception], ...] = (),
) -> Generator[None]:
    """Raise `error`, in one sentence, where a file cannot be read; one that is damaged is "`path` `damaged`".

    known: what goes through as it is, beside `error`. more: what else than DAMAGE may come of a damaged file.
    """
    try:
        check_readable(path)
        yield
    except OSError as problem:
        raise error(f"{str(path)!r} cannot be read: {problem.strerror or problem}") from problem
    except ForeignFileError as problem:
        raise error(str(problem)) from None
    except (error, *known):
        raise
    except (*DAMAGE, *more) as problem:
        raise error(f"{str(path)!r} {damaged}") from problem


def write_arrays(path: str | Path, header: Mapping[str, Any], arrays: Mapping[str, Any]) -> None:
    """Write arrays, and a header in JSON, as NumPy's .npz; the file appears when it is whole. The same content gives the same bytes."""
    with whole_file(path) as file:
        encoded: Any = np.frombuffer(json.dumps(header).encode(), np.uint8)
        np.savez(file, allow_pickle=False, header=encoded, **arrays)


def read_header(archive: zipfile.ZipFile) -> Any:
    """The header of a stored file."""
    if stored_size(archive, "header.npy") > LARGEST_TEXT:
        raise ValueError("no header")
    return read_json(read_array(archive, "header", np.uint8, 1).tobytes())


def stored_size(archive: zipfile.ZipFile, name: str) -> int:
    """The bytes of a member, which lies in the file as it is; raises ValueError where it cannot."""
    member = archive.getinfo(name)
    if member.compress_type != zipfile.ZIP_STORED or member.file_size > os.fstat(archive.fp.fileno()).st_size:  # type: ignore[union-attr]
        raise ValueError(f"{name} is compressed, or larger than the file")
    return member.file_size


def read_json(text: bytes) -> Any:
    """The value of a JSON text of limited size; raises ValueError."""
    if len(text) > LARGEST_TEXT:
        raise ValueError(f"a text of {len(text):,} bytes")
    return json.loads(text)


def read_array(archive: zipfile.ZipFile, name: str, kind: Any, dimensions: int) -> Any:
    """The array in the member `name`.npy, checked for its type and dimensions.

    A large one is a view of the file.
    """
    size = stored_size(archive, f"{name}.npy")
    with archive.open(f"{name}.npy") as file:
        version = np.lib.format.read_magic(file)
        header_of = {
            (1, 0): np.lib.format.read_array_header_1_0,
            (2, 0): np.lib.format.read_array_header_2_0,
        }[version]
        shape, by_columns, found = header_of(file)
        is_expected = (
            found == np.dtype(kind) and len(shape) == dimensions and not by_columns and min(shape) >= 0
        )
        if not is_expected or math.prod(shape) * found.itemsize != size - file.tell():
            raise ValueError(f"{name} is another array")
        if size >= _MAPPED:
            opened: Any = archive.fp
            return np.memmap(opened, kind, "r", _start(archive, f"{name}.npy") + file.tell(), shape).view(
                np.ndarray
            )
        array = np.empty(shape, kind)
        for _ in read_into(file, array.reshape(-1), CHUNK):
            pass
    return array


def _start(archive: zipfile.ZipFile, name: str) -> int:
    """The offset in the file of a member that is stored uncompressed."""
    file, begin = archive.fp, archive.getinfo(name).header_offset
    assert file is not None
    file.seek(begin)
    name_length, extra_length = _LOCAL.unpack(file.read(_LOCAL.size))
    return begin + _LOCAL.size + int(name_length) + int(extra_length)


def read_into(file: Any, target: Any, items: int) -> Iterator[Any]:
    """Fill an array from a file, piece by piece, each for a look; the file must end with it, where its checksum is compared."""
    for first in range(0, len(target), items):
        piece = target[first : first + items]
        view, done = memoryview(piece).cast("B"), 0
        while done < len(view):
            read = file.readinto(view[done:])
            if not read:
                raise EOFError
            done += read
        yield piece
    if file.read(1):
        raise ValueError("there is more than the array")
