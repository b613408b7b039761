"""What is kept of the functions that Python calls: their machine code.

Numba keeps the bitcode of every function too, for callers that link it in. An entrance has no such callers, and its bitcode is
the larger half of its file, read and parsed whenever it is loaded.
"""

from typing import Any

import llvmlite.binding as llvm


def without_bitcode(kept: tuple[Any, ...]) -> tuple[Any, ...]:
    """What Numba keeps of a compiled function, with a bitcode that only says which functions there are."""
    (name, kind, (code, _)), described, *rest = kept
    names = (described.llvm_func_name, described.llvm_cpython_wrapper_name)
    module = "".join(f'define void @"{one}"() {{\n  unreachable\n}}\n' for one in names)
    return ((name, kind, (code, llvm.parse_assembly(module).as_bitcode())), described, *rest)
