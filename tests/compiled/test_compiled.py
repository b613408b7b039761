"""What is compiled: machine code for what Python calls, parts of it for what compiled code calls, and nothing again that is known."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from numba.extending import overload

from helpers.programs import output_of
from saddlepoint import KernelError
from saddlepoint.compiled import PLAIN_PYTHON, Component, jit, kernel, run

pytestmark = pytest.mark.skipif(PLAIN_PYTHON, reason="nothing is compiled")


@dataclass(frozen=True)
class Ladder(Component):
    rung: int

    @kernel
    def step(self, x):
        return x + self.rung


def printed(folder: Path, *arguments: str) -> list[str]:
    """What the program in that folder prints; what it compiles is kept there too."""
    return output_of(folder / "program.py", *arguments, cache=folder / "cache").splitlines()


CLIMBING = """
from dataclasses import dataclass
from operator import attrgetter
from saddlepoint.compiled import Component, kernel

@dataclass(frozen=True)
class Ladder(Component):
    rung: int

    @kernel
    def step(self, x):
        return x + self.rung

    @kernel
    def climb(self, x, times):
        for _ in range(times):
            x = self.step(x)
        return x

def show(dispatcher):
    print(*(type(library).__name__ for library in map(attrgetter("library"), dispatcher.overloads.values())))

step, climb = Ladder.kernels["step"], Ladder.kernels["climb"]
print(Ladder(3).climb(1, 4), step._python_entry)
for dispatcher in (step, climb, climb._python_entry):
    show(dispatcher)
print(Ladder(3).step(1))
for dispatcher in (step, step._python_entry):
    show(dispatcher)
"""


def test_a_kernel_that_python_does_not_call_has_no_machine_code_of_its_own(tmp_path: Path):
    (tmp_path / "program.py").write_text(CLIMBING)
    called, *rest = printed(tmp_path)
    assert called == "13 None", "Python called climb alone"
    assert rest == ["PartLibrary", "PartLibrary", "JITCodeLibrary", "4", "PartLibrary", "JITCodeLibrary"]


def test_a_component_may_be_handed_to_several_functions_that_call_the_same_part():
    @jit
    def once(ladder, x):
        return ladder.step(x)

    @jit
    def twice(ladder, x):
        return ladder.step(ladder.step(x))

    assert run(once, Ladder(5), 1) == 6
    assert run(twice, Ladder(5), 1) == 11


PROGRAM = """
import sys
from dataclasses import dataclass
from saddlepoint.compiled import Component, jit, kernel, run

@dataclass(frozen=True)
class Slow(Component):
    @kernel
    def value(self, x):
        return 3 * x + 1

@jit
def first(slow, x):
    return slow.value(x)

@jit
def second(slow, x):
    return slow.value(slow.value(x))

print(run({"first": first, "second": second}[sys.argv[1]], Slow(), 2), sum(Slow.kernels["value"].stats.cache_hits.values()))
"""


@pytest.mark.slow
def test_a_part_that_one_function_was_made_with_is_found_on_disk_by_another_process_that_compiles_another(
    tmp_path: Path,
):
    (tmp_path / "program.py").write_text(PROGRAM)
    assert printed(tmp_path, "first") == ["7 0"]
    assert printed(tmp_path, "second") == ["22 1"], "the kernel was loaded, the function around it compiled"


# -- what is not done again ----------------------------------------------------------------------------------------------


def test_what_is_declared_between_two_compilations_is_known_to_the_second():
    def doubled(x: Any) -> Any:
        return 2 * x

    @jit
    def first(x: int) -> int:
        return x + 1

    assert run(first, 1) == 2

    @overload(doubled)
    def _doubled(x: Any) -> Any:
        return doubled

    @jit
    def second(x: int) -> int:
        return doubled(x)

    assert run(second, 4) == 8


@jit
def nth(numbers, which):
    return numbers[which]


@jit
def picks(x):
    mixed = (x, 1.5)
    return nth(mixed, 0) + nth(mixed, 1)


def test_a_number_written_in_a_call_needs_no_compilation_of_its_own(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(
        "saddlepoint.compiled.cache._kept", lambda function, use="": None
    )  # else an earlier run compiled it

    def raised(x: int, times: int) -> int:
        for _ in range(times):
            x = x + 1
        return x

    def calls(x: int, times: int) -> int:
        return one_more(x, 2) + one_more(x, times) + one_more(x, 7)

    one_more: Any = jit(raised)
    assert run(jit(calls), 1, 3) == 3 + 4 + 8
    assert [tuple(map(str, kinds)) for kinds in one_more.overloads] == [("int64", "int64")]


def test_a_part_that_needs_the_number_itself_gets_it():
    """An item of a tuple of several types has a type only if it is known which one."""
    assert run(picks, 1) == 2.5


@jit
def shares(one, other):
    return float(one) - float(not other) + float(one > other) + float(True)


@jit
def float_of_a_tuple(x):
    return float((x, x))


def test_a_bool_is_a_float_in_compiled_code_as_in_python():
    assert [run(shares, *pair) for pair in ((True, False), (False, True))] == [2.0, 1.0]


def test_what_a_builtin_type_does_not_take_is_said_whole():
    with pytest.raises(
        KernelError, match=r"float is not supported for \(UniTuple\(int x 2\)\) in compiled code"
    ):
        run(float_of_a_tuple, 1)
