"""The images of two heads on a grid: which lie on the least cells, held against all motions one after the other."""

import pytest
from hypothesis import given, strategies

from saddlepoint.boards.grid import Grid
from saddlepoint.boards.images import grid_symmetries, least_heads
from saddlepoint.compiled import jit, run

pytestmark = pytest.mark.plain


@jit
def _least(grid, head0, head1):
    return least_heads(grid, head0, head1)


@pytest.mark.parametrize("grid", [Grid(5, 5), Grid(6, 4), Grid(17, 17)], ids=repr)
@given(data=strategies.data())
def test_the_least_images_are_those_of_all_motions_with_and_without_exchange(
    grid: Grid, data: strategies.DataObject
) -> None:
    cells = [grid.cell(x, y) for x in range(grid.width) for y in range(grid.height)]
    heads = data.draw(strategies.sampled_from(cells)), data.draw(strategies.sampled_from(cells))
    images = {
        2 * motion.number + swapped: tuple(map(motion.cell, heads[::-1] if swapped else heads))
        for motion in grid_symmetries(grid)
        for swapped in (0, 1)
    }
    found = int(run(_least, grid, *heads))
    assert {number for number in images if found >> number & 1} == {
        n for n, image in images.items() if image == min(images.values())
    }
    assert found >> 2 * len(grid_symmetries(grid)) == 0
