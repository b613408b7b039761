"""The compilation of rules to machine code: component types, cache, bit operations, clock."""

from .bits import (
    bit as bit,
    float_bits as float_bits,
    fold as fold,
    mix as mix,
    popcount as popcount,
    trailing_zeros as trailing_zeros,
)
from .cache import (
    compiled_address as compiled_address,
    inlined as inlined,
    is_inlined as is_inlined,
    jit as jit,
    jit_inline as jit_inline,
    jit_part as jit_part,
)
from .call import run as run
from .clock import (
    monotonic_ns as monotonic_ns,
    python_monotonic_ns as python_monotonic_ns,
    thread_ns as thread_ns,
)
from .component import (
    Component as Component,
    kernel as kernel,
    kernel_inline as kernel_inline,
)
from .directory import cache_directory as cache_directory
from .errors import KernelError as KernelError, MachineFault as MachineFault
from .identity import NoIdentity as NoIdentity, identity as identity
from .rules import PLAIN_PYTHON as PLAIN_PYTHON, compiled_as as compiled_as
from .run_time import (
    add_together as add_together,
    borrowed as borrowed,
    constant as constant,
    is_run_time as is_run_time,
    parameter as parameter,
    prefetch as prefetch,
    read_again as read_again,
    set_if_zero as set_if_zero,
    weight as weight,
)
from .signals import LISTEN_EVERY as LISTEN_EVERY, is_interrupted as is_interrupted
from .sources import package_digest as package_digest
from .states import is_state as is_state, state_type as state_type, with_item as with_item
from .words import (
    hash_of_words as hash_of_words,
    put_words as put_words,
    state_from_words as state_from_words,
    word_count as word_count,
)
