"""How rules become machine code: component types, cache, bit tricks, clock."""

from .bits import bit, float_bits, mix, popcount, trailing_zeros
from .cache import compiled_address, jit, jit_inline, jit_part
from .call import run
from .clock import monotonic_ns, python_monotonic_ns
from .component import Component, kernel, make_reachable
from .directory import cache_directory
from .errors import KernelError, MachineFault
from .memory import borrowed, prefetch
from .plain import PLAIN_PYTHON, compiled_as
from .sources import package_digest
from .states import is_state, state_type
from .tuples import with_item
from .weights import is_weight, weight, weights_of

__all__ = [
    "PLAIN_PYTHON",
    "Component",
    "KernelError",
    "MachineFault",
    "bit",
    "borrowed",
    "cache_directory",
    "compiled_address",
    "compiled_as",
    "float_bits",
    "is_state",
    "is_weight",
    "jit",
    "jit_inline",
    "jit_part",
    "kernel",
    "make_reachable",
    "mix",
    "monotonic_ns",
    "package_digest",
    "popcount",
    "prefetch",
    "python_monotonic_ns",
    "run",
    "state_type",
    "trailing_zeros",
    "weight",
    "weights_of",
    "with_item",
]
