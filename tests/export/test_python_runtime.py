"""The run-time of translated Python, in Node: its numbers, texts and collections are Python's, and what an action gives away is too."""

import json
import math
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings, strategies as st

from helpers.exported_modules import SCRIPTS, Node, in_node, needs_node
from helpers.sizes import scaled
from saddlepoint.algorithms.analysis.verdict import column_losses, row_losses
from saddlepoint.export import webassembly
from saddlepoint.export.translating.known import METHODS
from saddlepoint.matrix import solve_matrix
from saddlepoint.web import site

pytestmark = needs_node
SOURCE = Path(webassembly.__file__).with_name("host") / "python.js"
TRIED = settings(
    max_examples=scaled(400, 60), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
WIDE = st.one_of(
    st.integers(-(2**128), 2**128),
    st.integers(-20, 20),
    st.sampled_from([0, 1, -1, 2**63, 2**64 - 1, -(2**63), 2**32]),
)
NUMBERS = st.one_of(WIDE, st.booleans(), st.floats(allow_nan=False))
TEXTS = st.text(alphabet="ab c,:\n\t'\"\\0123é😀٣ßX/", max_size=12)
VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-5, 5), st.sampled_from([0.5, 1.0, -2.0]), TEXTS),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.lists(inner, max_size=3).map(tuple)),
    max_leaves=6,
)


class Runtime(Node):
    """A process of Node that calls functions of the run-time."""

    def ask(self, name: str, *values: Any) -> Any:
        """What a function gives, as `repr` shows it, or the name of its error in brackets."""
        told = super().ask([name, *map(sent, values)])
        return told.get("repr") or f"<{told['error']}>"


@pytest.fixture(scope="module")
def runtime(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Runtime]:
    with Runtime("runtime.mjs", SOURCE, tmp_path_factory.mktemp("runtime") / "python.mjs") as made:
        yield made


def sent(value: Any) -> Any:
    """A value as the script reads it."""
    if type(value) is np.uint64:
        return {"word": str(int(value))}
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return value
    if isinstance(value, (int, float)):
        return {type(value).__name__: repr(value)}
    if isinstance(value, (tuple, set)):
        return {type(value).__name__: list(map(sent, value))}
    if isinstance(value, Options):
        return {"options": {name: sent(one) for name, one in value.values.items()}}
    if isinstance(value, dict):
        return {"dict": [[sent(one) for one in pair] for pair in value.items()]}
    return list(map(sent, value))


class Options:
    """What is handed over by name."""

    def __init__(self, **values: Any) -> None:
        self.values = values


def told(call: Any) -> str:
    """What Python gives, in the same form."""
    try:
        return repr(call())
    except Exception as error:
        return f"<{type(error).__name__}>"


@TRIED
@given(a=WIDE, b=WIDE, places=st.integers(0, 200))
def test_whole_numbers_are_computed_exactly(runtime: Runtime, a: int, b: int, places: int) -> None:
    for name, call in {
        "add": lambda: a + b,
        "sub": lambda: a - b,
        "mul": lambda: a * b,
        "floordiv": lambda: a // b,
        "mod": lambda: a % b,
        "divmod": lambda: divmod(a, b),
        "and": lambda: a & b,
        "or": lambda: a | b,
        "xor": lambda: a ^ b,
        "lt": lambda: a < b,
        "le": lambda: a <= b,
        "eq": lambda: a == b,
    }.items():
        assert runtime.ask(name, a, b) == told(call), name
    for name, values, found in (
        ("inv", [], ~a),
        ("neg", [], -a),
        ("abs", [], abs(a)),
        ("shl", [places], a << places),
        ("shr", [places], a >> places),
        ("call", ["bit_count"], a.bit_count()),
        ("call", ["bit_length"], a.bit_length()),
    ):
        assert runtime.ask(name, a, *values) == repr(found), name


@TRIED
@given(a=NUMBERS, b=NUMBERS)
def test_numbers_of_all_kinds_are_compared_and_added_as_in_python(runtime: Runtime, a: Any, b: Any) -> None:
    for name, call in {
        "lt": lambda: a < b,
        "ge": lambda: a >= b,
        "eq": lambda: a == b,
        "truth": lambda: bool(a),
        "add": lambda: a + b,
        "and": lambda: a & b,
        "or": lambda: a | b,
    }.items():
        if not (
            isinstance(a, float) != isinstance(b, float) and max(abs(a), abs(b)) > 2**53 and name == "add"
        ):
            assert runtime.ask(name, *((a,) if name == "truth" else (a, b))) == told(call), name


@TRIED
@given(a=st.integers(0, 2**64 - 1), b=st.integers(0, 2**64 - 1), places=st.integers(0, 63))
def test_unsigned_words_wrap_around_as_numpy_s_do(runtime: Runtime, a: int, b: int, places: int) -> None:
    one, other = np.uint64(a), np.uint64(b)
    with np.errstate(over="ignore"):
        for name, values, found in (
            ("add", [other], one + other),
            ("sub", [other], one - other),
            ("mul", [other], one * other),
            ("and", [other], one & other),
            ("or", [other], one | other),
            ("xor", [other], one ^ other),
            ("inv", [], ~one),
            ("shl", [np.uint64(places)], one << np.uint64(places)),
            ("shr", [np.uint64(places)], one >> np.uint64(places)),
            ("int", [], a),
            ("popcount", [], a.bit_count()),
        ):
            assert runtime.ask(name, one, *values) == repr(found), name


BOUNDS = st.one_of(st.none(), st.integers(-9, 9))


@TRIED
@given(
    items=st.one_of(
        TEXTS, st.lists(st.integers(0, 9), max_size=7), st.lists(st.integers(0, 9), max_size=7).map(tuple)
    ),
    start=BOUNDS,
    stop=BOUNDS,
    step=BOUNDS,
    index=st.integers(-9, 9),
)
def test_slices_and_items_are_python_s(
    runtime: Runtime, items: Any, start: Any, stop: Any, step: Any, index: int
) -> None:
    assert runtime.ask("slice", items, start, stop, step) == told(lambda: items[start:stop:step])
    assert runtime.ask("at", items, index) == told(lambda: items[index])
    assert runtime.ask("len", items) == repr(len(items))


HALVES = [0.5, 1.5, 2.5, 0.125, 1e16, 1e-5, 0.1, 100.0, 9.995]
SPECS = st.builds(
    "{}{}{}{}{}{}{}".format,
    st.sampled_from(["", "<", ">", "^", "=", "*<", "0>", "·^"]),
    st.sampled_from(["", "+", " ", "-"]),
    st.sampled_from(["", "#"]),
    st.sampled_from(["", "0"]),
    st.sampled_from(["", "1", "7", "20"]),
    st.sampled_from(["", ".0", ".1", ".3", ".12"]),
    st.sampled_from(["", "d", "b", "x", "X", "o", "f", "e", "g", "G", "%", "s"]),
)


@TRIED
@example(value=1.797693134862316e306, spec="%")
@example(value=float("-inf"), spec="%")
@example(value="", spec="01")
@given(value=st.one_of(WIDE, st.floats(allow_nan=False), TEXTS, st.sampled_from(HALVES)), spec=SPECS)
def test_formats_are_python_s(runtime: Runtime, value: Any, spec: str) -> None:
    wanted = told(lambda: format(value, spec))
    if isinstance(value, int) and spec[-1:] in tuple("feg%G") and abs(value) > 2**53:
        return  # it is a float then
    if "#" in spec and (isinstance(value, float) or spec[-1:] in tuple("feg%G")):
        return  # a point without digits, which no text here has
    assert (runtime.ask("format", value, spec) == wanted) or wanted == "<ValueError>", (value, spec)


@TRIED
@given(value=st.floats(allow_nan=False), places=st.integers(-2, 8))
def test_floats_are_written_and_rounded_as_in_python(runtime: Runtime, value: float, places: int) -> None:
    assert runtime.ask("str", value) == repr(str(value))
    if abs(value) < 1e15:
        assert runtime.ask("round", value) == repr(round(value))
        assert runtime.ask("round", value, places) == repr(round(value, places))


@TRIED
@given(one=VALUES, other=VALUES, more=st.lists(st.tuples(st.integers(-3, 3), TEXTS), max_size=6))
def test_values_are_shown_compared_and_sorted_as_in_python(
    runtime: Runtime, one: Any, other: Any, more: Any
) -> None:
    assert runtime.ask("lt", one, other) == told(lambda: one < other)
    for name, values, found in (
        ("str", [one], str(one)),
        ("eq", [one, other], one == other),
        ("truth", [one], bool(one)),
        ("sorted", [more, Options(reverse=True)], sorted(more, reverse=True)),
        ("has", [[one, other], one], True),
        ("dict", [more], dict(more)),
    ):
        assert runtime.ask(name, *values) == repr(found), name


CALLS: list[tuple[Any, ...]] = [
    ("split",),
    ("split", ","),
    ("split", "/"),
    ("split", None, 1),
    ("split", ",", 1),
    ("strip",),
    ("lstrip",),
    ("rstrip",),
    ("strip", "a0"),
    ("splitlines",),
    ("lower",),
    ("upper",),
    ("capitalize",),
    ("count", "a"),
    ("count", ""),
    ("find", "b"),
    ("rfind", "b"),
    ("index", "c"),
    ("replace", "a", "bb"),
    ("replace", "a", "", 1),
    ("startswith", "a"),
    ("endswith", ("a", "b")),
    ("removeprefix", "a"),
    ("removesuffix", "b"),
    ("isdecimal",),
    ("isdigit",),
    ("isspace",),
    ("isascii",),
    ("zfill", 9),
    ("rjust", 9),
    ("ljust", 9, "*"),
    ("center", 9, "*"),
    ("center", 8),
    ("partition", ","),
    ("rpartition", ","),
    ("translate", {97: "x", 98: None, 99: 100}),
    ("casefold",),
]


@TRIED
@given(text=TEXTS)
def test_methods_of_texts_are_python_s(runtime: Runtime, text: str) -> None:
    for name, *arguments in CALLS:
        wanted = told(lambda name=name, arguments=arguments: getattr(text, name)(*arguments))
        assert runtime.ask("call", text, name, *arguments) == wanted, name
    assert runtime.ask("int", text) == told(lambda: int(text))
    assert runtime.ask("list", text) == repr(list(text))


@TRIED
@given(text=st.text(alphabet="0123456789 _-+.e٣x", max_size=8), base=st.sampled_from([10, 2, 16]))
def test_numbers_are_read_as_in_python(runtime: Runtime, text: str, base: int) -> None:
    assert runtime.ask("int", text, base) == told(lambda: int(text, base))
    assert runtime.ask("float", text) == told(lambda: float(text))


def test_the_methods_are_those_that_the_translator_knows(tmp_path: Path) -> None:
    (listed,) = in_node("-e", f"{SOURCE.read_text()}\nconsole.log(JSON.stringify(python.METHODS));")
    assert set(listed) == METHODS


def test_nothing_is_made_from_text_that_a_page_s_policy_forbids() -> None:
    source = SOURCE.read_text()
    assert "eval(" not in source.replace("ast.literal_eval", "")
    assert "new Function" not in source


@TRIED
@given(
    numbers=st.lists(st.floats(-1e200, 1e200), max_size=8),
    halves=st.lists(st.sampled_from([1e16, 1.0, -1e16, 2**-53, 1e-30, -1.0])),
)
def test_a_sum_is_rounded_once(runtime: Runtime, numbers: list[float], halves: list[float]) -> None:
    for values in (numbers, halves, [*numbers, *halves]):
        assert runtime.ask("fsum", values) == told(lambda given=values: math.fsum(given))


# -- losses --------------------------------------------------------------------------------------------------------------

PAGE = Path(site.__file__).with_name("page")


def test_losses_are_python_s(tmp_path: Path) -> None:
    shutil.copy(PAGE / "losses.js", tmp_path)
    (tmp_path / "package.json").write_text('{"type": "module"}')
    rng, questions = np.random.default_rng(5), []
    for number in range(scaled(3000, 600)):
        shape = tuple(rng.integers(1, 7, 2))
        # Small whole numbers have many equilibria, others mostly one.
        matrix = rng.integers(-2, 3, shape).astype(float) if number % 3 else rng.uniform(-40, 40, shape)
        if number % 5 == 0:
            matrix[rng.integers(shape[0])] = matrix[0]
        found = solve_matrix(matrix)
        questions.append((matrix, found.value, (found.row_strategy, found.column_strategy)))
    lines = "".join(
        json.dumps([m.tolist(), value, [x.tolist(), y.tolist()]]) + "\n" for m, value, (x, y) in questions
    )
    answers = in_node(SCRIPTS / "losses.mjs", tmp_path, given=lines)
    for asked, found in zip(questions, answers, strict=True):
        near = 1e-6 * np.ptp(asked[0]) + 1e-9
        for told, losses in zip(found, (row_losses(*asked), column_losses(*asked)), strict=True):
            assert told == pytest.approx(losses, abs=near), asked
