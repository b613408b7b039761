"""Files of solutions that somebody changed: arrays and header in place, with right checksums."""

import io
import json
from collections.abc import Callable
from typing import Any

import numpy as np

from saddlepoint.solvers.general import Solution
from saddlepoint.solvers.general.solution import rows_of

Arrays = dict[str, Any]


def arrays_of(data: bytes) -> Arrays:
    """The arrays of a file, in memory."""
    with np.load(io.BytesIO(data)) as file:
        return {name: file[name] for name in file.files}


def rewritten(
    data: bytes, change: Callable[[Arrays, dict[str, Any]], Any], save: Callable[..., Any] = np.savez
) -> bytes:
    """The file with right checksums after a change of arrays and header in place."""
    arrays, target = arrays_of(data), io.BytesIO()
    header = json.loads(arrays["header"].tobytes())
    change(arrays, header)
    save(target, **arrays | {"header": np.frombuffer(json.dumps(header).encode(), np.uint8)})
    return target.getvalue()


def set_item(name: str, place: Any, value: Any) -> Callable[[Arrays, Any], None]:
    return lambda arrays, _: arrays[name].__setitem__(place, value)


def set_array(name: str, make: Callable[[Any], Any]) -> Callable[[Arrays, Any], None]:
    return lambda arrays, _: arrays.__setitem__(name, make(arrays[name]))


def values_in(arrays: Arrays) -> Any:
    """The values of a solution's rows, to be changed in place."""
    return arrays["rows"].view(np.float64)[:, -1]


def set_values(make: Callable[[Any], Any]) -> Callable[[Arrays, Any], None]:
    return lambda arrays, _: values_in(arrays).__setitem__(slice(None), make(values_in(arrays).copy()))


def set_header(key: str, value: Any) -> Callable[[Any, dict[str, Any]], None]:
    return lambda _, header: header.__setitem__(key, value)


def shift_value(place: int, amount: float) -> Callable[[Arrays, Any], None]:
    return lambda arrays, _: values_in(arrays).__setitem__(place, values_in(arrays)[place] + amount)


def shift_claim(key: str, amount: float) -> Callable[[Any, dict[str, Any]], None]:
    return lambda _, header: header["certificate"].__setitem__(key, header["certificate"][key] + amount)


def without_position(arrays: Arrays, header: dict[str, Any]) -> None:
    """The file has a position less, which is not the start."""
    keep = arrays["order"] != 7
    order = arrays["order"][keep].astype(np.int64)
    arrays.update(rows=arrays["rows"][keep], order=(order - (order > 7)).astype(np.uint32))
    header["positions"] -= 1
    header["certificate"]["positions"] -= 1


def damaged(data: bytes, rng: np.random.Generator) -> bytes:
    """The file cut off somewhere, or with one bit turned."""
    changed, place = bytearray(data), int(rng.integers(len(data)))
    if rng.random() < 0.2:
        return data[:place]
    changed[place] ^= 1 << int(rng.integers(8))
    return bytes(changed)


def with_values(solution: Solution, values: Any) -> Solution:
    """The solution with other values of its positions."""
    rows = rows_of(solution.words, values)
    return Solution(
        solution.game,
        solution.root,
        solution.packing,
        rows,
        solution.order,
        solution.is_folded,
        solution.discount,
    )
