"""How far cells are from a head."""

from ..compiled import jit_inline
from .bitboard import is_empty, lowest, neighbours, single


@jit_inline
def fill_layers(grid, head, room, marked, layers):
    """Write the number of steps from the head through `room` to each marked cell; 0 for the head."""
    layers[head] = 0
    reached = single(grid, head)
    left = room
    layer = 0
    while not is_empty(marked):
        new = neighbours(grid, reached) & left
        if is_empty(new):
            break
        layer += 1
        reached, left = new, left & ~new
        here = new & marked
        marked = marked & ~new
        while not is_empty(here):
            cell = lowest(here)
            layers[cell] = layer
            here = here & ~single(grid, cell)
