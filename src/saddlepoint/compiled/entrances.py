"""What is kept of the functions that Python calls: their machine code.

Numba keeps the bitcode of every function too, for callers that link it in, and its source with the types of all that is in it,
for people. An entrance has no such callers: for it both are only read and parsed, whenever it is loaded.
"""

from typing import Any

import llvmlite.binding as llvm


def lean(kept: tuple[Any, ...]) -> tuple[Any, ...]:
    """What Numba keeps of a compiled function without either; a bitcode is left that says which functions there are."""
    (name, kind, (code, _)), described, environment, signature, objectmode, lifted, _, *rest = kept
    names = (described.llvm_func_name, described.llvm_cpython_wrapper_name)
    module = "".join(f'define void @"{one}"() {{\n  unreachable\n}}\n' for one in names)
    library = (name, kind, (code, llvm.parse_assembly(module).as_bitcode()))
    return (library, described, environment, signature, objectmode, lifted, "", *rest)
