"""The shape of a region: its edges, its choke points, the cells that may cut it."""

from ..compiled import jit_inline
from .bitboard import count, east, north, south, west


@jit_inline
def edges(grid, region, free):
    """The free neighbours of the region's cells, added up; an adjacency inside both counts from either end."""
    total = count(north(grid, region) & free) + count(south(grid, region) & free)
    return total + count(east(grid, region) & free) + count(west(grid, region) & free)


@jit_inline
def cells_value(grid, cells, free, per_cell, per_edge):
    """The value of cells by number and by free neighbours."""
    value = per_cell * count(cells)
    return value + per_edge * edges(grid, cells, free) if per_edge != 0.0 else value


@jit_inline
def choke_points(grid, cells, free):
    """Those of the cells that have exactly two free neighbours, which lie opposite each other."""
    above, below = south(grid, free), north(grid, free)
    left, right = east(grid, free), west(grid, free)
    upright = above & below & ~(left | right)
    level = left & right & ~(above | below)
    return cells & (upright | level)


@jit_inline
def open_cells(grid, cells, free):
    """Those of the cells whose four neighbours are all free."""
    return cells & north(grid, free) & south(grid, free) & east(grid, free) & west(grid, free)


@jit_inline
def narrow_cells(grid, cells, free):
    """Those of the cells that have at most two free neighbours."""
    above, below = south(grid, free), north(grid, free)
    left, right = east(grid, free), west(grid, free)
    three = (above & below & (left | right)) | (left & right & (above | below))
    return cells & ~three


@jit_inline
def passages(grid, cells, free):
    """Those of the cells that have no free neighbour on either side of one of their two lines."""
    upright = ~(west(grid, free) | east(grid, free))
    level = ~(south(grid, free) | north(grid, free))
    return cells & (upright | level)


@jit_inline
def local_cuts(grid, region):
    """The cells of the region whose removal separates their neighbours within the 3x3 square around them.

    Every articulation point is one of them: what is joined inside the square stays joined.
    """
    above, below = south(grid, region), north(grid, region)
    left, right = east(grid, region), west(grid, region)
    # Going round the square, a group of neighbours ends where the next one is not joined to it through the corner.
    end_above = above & ~(right & west(grid, above))
    end_right = right & ~(below & west(grid, below))
    end_below = below & ~(left & east(grid, below))
    end_left = left & ~(above & east(grid, above))
    two = (end_above & end_right) | (end_below & end_left) | ((end_above | end_right) & (end_below | end_left))
    return region & two
